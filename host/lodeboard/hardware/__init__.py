"""What a board file says about the thing itself: its budgets, and whether they hold."""
