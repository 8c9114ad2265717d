"""What the firmware costs on the chip, against its budgets: one module a subject, `rows()` in it."""
