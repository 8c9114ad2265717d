"""The boards as data; installed as lodeboard.boardfiles."""
