"""What castells are worth: when one is valid, when the game ends, points, bonus tokens, the tie-break.

A castell is a list of columns, a column a list of pieces from the bottom up; a player's castells are a list,
and `tables` below is a list of those, one a seat.
"""

from .castellers_box import WHITE


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


def _best(tables, measure):
    """The seat with the best valid castell, ties by its number of castellers; None when still tied."""
    best, owner = (0, 0), None
    for seat in range(len(tables)):
        for castell in tables[seat]:
            if is_valid(castell):
                key = (measure(castell), size(castell))
                if key > best:
                    best, owner = key, seat
                elif key == best and owner != seat:
                    owner = None
    return owner


def _height(castell):
    return max([len(column) for column in castell])


def points(box, tables, seat):
    """A seat's points in detail, a dict that sums to "total":

    castellers (one each in valid castells), blue (one more each), bases (minus one each), tallest, widest.
    """
    castellers = blue = 0
    for castell in tables[seat]:
        if is_valid(castell):
            castellers += size(castell)
            for column in castell:
                for piece in column:
                    blue += box.blue[piece]
    # Levels never grow upwards, so the widest level is the lowest: as many castellers as columns.
    detail = {
        "castellers": castellers,
        "blue": blue,
        "bases": -len(tables[seat]),
        "tallest": box.tallest if _best(tables, _height) == seat else 0,
        "widest": box.widest if _best(tables, len) == seat else 0,
    }
    detail["total"] = sum(detail.values())
    return detail


def scores(box, tables):
    """Each seat's points as the castells stand."""
    return [points(box, tables, seat)["total"] for seat in range(len(tables))]


def white(castells, pieces):
    """The highest white number in a player's castells and set (counts of the pieces 0..34); 0 without one."""
    highest = 0
    for piece in range(WHITE * 7, WHITE * 7 + 7):
        if pieces[piece]:
            highest = piece % 7 + 1
    for castell in castells:
        for column in castell:
            for piece in column:
                if piece // 7 == WHITE:
                    highest = max(highest, piece % 7 + 1)
    return highest
