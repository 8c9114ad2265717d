"""When a castell is valid. castellers_points.py has the points, castellers.py says when the game ends.

A castell is a list of columns, a column a list of pieces from the bottom up; a player's castells are a list.
"""


def size(castell):
    """How many castellers stand in a castell."""
    return sum([len(column) for column in castell])


def is_valid(castell):
    """At least two complete levels and four castellers: every column has reached the second level."""
    for column in castell:
        if len(column) < 2:
            return False
    return size(castell) >= 4
