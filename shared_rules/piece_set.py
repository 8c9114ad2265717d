"""Reading another set of Callisto's pieces: what a rules file may say, and how it may be wrong."""

from .game import is_count
from .polyomino import SHAPES, PieceSet, check_cells, orientations

COLUMNS = 3
FEWEST_COLUMNS = 2  # one for each of the first two rounds
ORDER = ("2", "I3", "V3", "L4", "T4", "Z4", "O4", "U5", "T5", "W5", "X5")
RULES_KEYS = ("pieces", "shapes", "columns", "verified", "edition", "name", "pieces_per_colour",
              "squares_per_colour")  # fmt: skip
MOST_OF_A_SHAPE = 20
MOST_SHAPES = 31


def _pairs(pieces):
    """The [name, count] pairs of a rules file's pieces, an object or a list. ValueError tells a fault."""
    if isinstance(pieces, dict):
        names = [name for name in ORDER if name in pieces]
        names += sorted([name for name in pieces if name not in ORDER])
        return [(name, pieces[name]) for name in names]
    if not isinstance(pieces, (list, tuple)):
        raise ValueError("pieces: names with their counts are wanted, such as {\"V3\": 2}")
    found = []
    for pair in pieces:
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ValueError("pieces: %s is no pair of a name and a count" % (pair,))
        if pair[0] in [name for name, _ in found]:
            raise ValueError("pieces: the name %s is there twice" % (pair[0],))
        found.append((pair[0], pair[1]))
    return found


def _shapes(given):
    """The standard shapes and those of a rules file: {name: squares}, or {name: {"cells": squares}}."""
    if not isinstance(given, dict):
        raise ValueError('shapes: names with their squares are wanted, such as {"I4": [[0, 0], [1, 0], ...]}')
    shapes = dict(SHAPES)
    for name in given:
        key = "shapes.%s" % name
        cells = given[name]
        if isinstance(cells, dict):
            squares = cells.get("squares")
            cells = cells.get("cells")
            if squares is not None and isinstance(cells, (list, tuple)) and squares != len(cells):
                raise ValueError("%s.squares: there are %d squares, not %s" % (key, len(cells), squares))
        cells = check_cells(key, cells)
        if name in SHAPES and orientations(cells) != orientations(SHAPES[name]):
            raise ValueError("%s: the name belongs to another shape already" % key)
        shapes[name] = cells
    return shapes


def read(rules, size, inside):
    """The PieceSet, the number of columns and whether a box confirmed it, of a rules file.

    rules: {"pieces": {name: count} or [[name, count], ...], "shapes": {name: [[x, y], ...]} for names that
    are not standard, "columns": 2 or more, "verified": true once compared with a box}. ValueError is a
    sentence that names the key: a shape that is unknown, disconnected, too large for the board, there twice.
    """
    if not isinstance(rules, dict):
        raise ValueError("rules: an object with the key pieces is wanted")
    for key in rules:
        if key not in RULES_KEYS and not key.startswith("_"):
            raise ValueError("rules: there is no key %s; there are %s" % (key, ", ".join(RULES_KEYS)))
    if "pieces" not in rules:
        raise ValueError("pieces: the rules do not say which pieces a colour has")
    shapes = _shapes(rules.get("shapes", {}))
    pairs = _pairs(rules["pieces"])
    if not 1 <= len(pairs) <= MOST_SHAPES:
        raise ValueError("pieces: 1 to %d shapes are possible, not %d" % (MOST_SHAPES, len(pairs)))
    seen = []
    for name, count in pairs:
        key = "pieces.%s" % (name,)
        if not isinstance(name, str) or name not in shapes:
            raise ValueError("%s: the shape is unknown; give its squares under shapes" % key)
        if not is_count(count) or not 1 <= count <= MOST_OF_A_SHAPE:
            raise ValueError("%s: 1 to %d pieces are possible, not %s" % (key, MOST_OF_A_SHAPE, count))
        turned = orientations(shapes[name])
        if not _has_room(turned, size, inside):
            raise ValueError("%s: the shape has no room on the board" % key)
        for other, same in seen:
            if turned == same:
                raise ValueError("%s: this is the same shape as %s" % (key, other))
        seen.append((name, turned))
    columns = rules.get("columns", COLUMNS)
    if not is_count(columns) or not FEWEST_COLUMNS <= columns <= MOST_OF_A_SHAPE:
        raise ValueError(
            "columns: %d to %d a colour are possible, not %s" % (FEWEST_COLUMNS, MOST_OF_A_SHAPE, columns)
        )
    for key, total in (
        ("pieces_per_colour", sum([count for _, count in pairs])),
        ("squares_per_colour", sum([count * len(shapes[name]) for name, count in pairs])),
    ):
        if key in rules and rules[key] != total:
            raise ValueError("%s: the pieces make %d, not %s" % (key, total, rules[key]))
    if rules.get("verified", False) not in (True, False):
        raise ValueError("verified: true or false is wanted, not %s" % (rules["verified"],))
    return PieceSet(pairs, shapes), columns, bool(rules.get("verified", False))


def _has_room(turned, size, inside):
    for cells in turned:
        for y in range(size):
            for x in range(size):
                if all([inside(x + (cell & 15), y + (cell >> 4)) for cell in cells]):
                    return True
    return False
