"""When a castell is valid, and when the game ends. castellers_points.py has the points.

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


def over(box, castells):
    """Whether these castells of one player end the game."""
    sizes = [size(castell) for castell in castells if is_valid(castell)]
    return len(sizes) >= box.valid and max(sizes) >= box.least if sizes else False
