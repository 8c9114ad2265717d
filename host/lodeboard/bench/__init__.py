"""Measuring the firmware against its budgets, on the emulated chip."""
