"""An owner's rules file of Castellers: is it sound, and what does it say? Loaded only where there is one."""

from .castellers_column import WHITE
from .castellers_moves import COLOURS, KINDS, name, number
from .game import is_count

# Sensing has twelve fields for castells, and a move keeps a column in seven bits.
MOST_BASES = 12
MOST_PIECES = 127

BOX = {
    "pieces": 66,
    "bases": 12,
    "per_colour": {"verified": False, "count": {"1": 2, "2": 2, "3": 2, "4": 2, "5": 2, "6": 2, "7": 2}},
    "white": {"verified": False, "count": {"1": 1, "2": 1, "3": 2, "4": 2, "5": 2, "6": 1, "7": 1}},
    "blue_background": {"verified": False, "numbers": [7]},
    "bonus": {"verified": False, "tallest": 1, "widest": 1},
    "end": {
        "2": {"valid": 4, "one_of_at_least": 8},
        "3": {"valid": 3, "one_of_at_least": 8},
        "4": {"valid": 2, "one_of_at_least": 8},
    },
}
# Entries of a rules file that say what the rulebook says and change nothing.
PRINTED = ("_", "colours", "numbers")
UNPRINTED = ("per_colour", "white", "blue_background", "bonus")


def fill(box, rules, players):
    """Puts what the rules say into a Box. ValueError names the entry that is wrong. players: text."""
    check(rules, players)
    entry = {}
    for key in BOX:
        entry[key] = rules.get(key, BOX[key])
    box.pieces = entry["pieces"]
    box.bases = entry["bases"]
    box.unverified = [key for key in UNPRINTED if not entry[key].get("verified", False)]
    box.counts = counts(entry)
    background = entry["blue_background"]
    for piece in range(KINDS):
        of_number = piece % 7 + 1 in background.get("numbers", ())
        box.blue[piece] = of_number or name(piece) in background.get("pieces", ())
    box.tallest = entry["bonus"]["tallest"]
    box.widest = entry["bonus"]["widest"]
    end = entry["end"][players]
    box.valid = end["valid"]
    box.least = end["one_of_at_least"]


def counts(entry):
    """bytearray, how many there are of each piece by the entries per_colour and white."""
    found = bytearray(KINDS)
    for piece in range(KINDS):
        colour = piece // 7
        table = entry["white" if colour == WHITE else "per_colour"]
        found[piece] = table.get(COLOURS[colour], table.get("count")).get(str(piece % 7 + 1), 0)
    return found


def check(rules, players):
    """ValueError names the entry that is wrong. players: text, the number of seats."""
    _check_keys("", rules, tuple(BOX) + PRINTED)
    entry = {}
    for key in BOX:
        entry[key] = rules.get(key, BOX[key])
    _number("pieces", entry["pieces"], MOST_PIECES)
    _number("bases", entry["bases"], MOST_BASES)
    for key in UNPRINTED:
        _verified(key, entry[key])
    _check_counts(entry)
    _check_background(entry["blue_background"])
    bonus = entry["bonus"]
    _check_keys("bonus", bonus, ("verified", "tallest", "widest"))
    _number("bonus.tallest", bonus.get("tallest"), 99)
    _number("bonus.widest", bonus.get("widest"), 99)
    _check_keys("end", entry["end"], ("2", "3", "4"))
    end = entry["end"].get(players)
    _check_keys("end." + players, end, ("valid", "one_of_at_least"))
    _number("end." + players + ".valid", end.get("valid"), MOST_BASES)
    _number("end." + players + ".one_of_at_least", end.get("one_of_at_least"), MOST_PIECES)


def _check_counts(entry):
    per_colour, white = entry["per_colour"], entry["white"]
    _check_keys("per_colour", per_colour, ("verified", "count") + tuple("rgbp"))
    _check_keys("white", white, ("verified", "count"))
    for colour in range(5):
        at, table = "white.count", white.get("count")
        if colour != WHITE:
            at, table = "per_colour.count", per_colour.get("count")
            if COLOURS[colour] in per_colour:
                at, table = "per_colour." + COLOURS[colour], per_colour[COLOURS[colour]]
        _check_keys(at, table, tuple("1234567"))
        for digit in "1234567":
            _number(at + "." + digit, table.get(digit, 0), MOST_PIECES)
    total = sum(counts(entry))
    if total != entry["pieces"]:
        raise ValueError(
            "rules: the counts of per_colour and white sum to %d, not to the %d pieces" % (total, entry["pieces"])
        )


def _check_background(background):
    _check_keys("blue_background", background, ("verified", "numbers", "pieces"))
    numbers, pieces = background.get("numbers", []), background.get("pieces", [])
    if not isinstance(numbers, list) or not isinstance(pieces, list):
        raise ValueError("rules: blue_background has lists of numbers and of pieces")
    for value in numbers:
        if not is_count(value) or not 1 <= value <= 7:
            raise ValueError("rules: blue_background.numbers has %s, not a number 1 to 7" % (value,))
    for piece in pieces:
        if number(piece) < 0:
            raise ValueError("rules: blue_background.pieces has %s, not a piece such as r7" % (piece,))


def _check_keys(at, table, known):
    where = "rules: " + at if at else "rules"
    if not isinstance(table, dict):
        raise ValueError(where + " must be a table")
    for key in table:
        if key not in known:
            raise ValueError("%s has no entry %s; it has %s" % (where, key, ", ".join(sorted(known))))


def _number(at, value, most):
    if not is_count(value) or value > most:
        raise ValueError("rules: %s is a number 0 to %d, not %s" % (at, most, value))
    return value


def _verified(at, table):
    value = table.get("verified", False) if isinstance(table, dict) else False
    if not isinstance(value, bool):
        raise ValueError("rules: %s.verified is true or false, not %s" % (at, value))
    return value
