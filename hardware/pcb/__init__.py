"""The circuit boards: placed, routed, checked and put out as order files by script."""
