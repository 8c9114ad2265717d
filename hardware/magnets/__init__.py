"""Magnets: their fields and forces, and how far apart the sensors' readings lie."""
