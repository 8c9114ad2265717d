"""What is in a box of Castellers: a table that an owner can replace, checked.

The rulebook prints the number of pieces and bases and when the game ends. It prints neither how many of each
casteller there are, nor which have the blue background, nor what the bonus tokens are worth: those entries
say `verified: false` and are only a guess that sums up. See docs/castellers-box.md.

A piece is a number 0..34: colour * 7 + number - 1, colours in the order of COLOURS, white (4) last.
"""

from .game import is_count

COLOURS = "rgbpw"
WHITE = 4
PIECES = tuple(colour + number for colour in COLOURS for number in "1234567")
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


class Box:
    """A checked box.

    counts       bytearray, how many there are of each piece 0..34
    blue         bytearray, 1 where the piece has the blue background
    pieces, bases, tallest, widest     numbers
    valid, least     how many valid castells end the game, and how many castellers one of them needs
    unverified   list of the entries that nobody has checked against a box
    """

    def __init__(self, rules, players):
        """rules: None, or a dict with the entries that differ. ValueError names the entry that is wrong."""
        rules = {} if rules is None else rules
        _check_keys("", rules, tuple(BOX) + PRINTED)
        entry = {}
        for key in BOX:
            entry[key] = rules.get(key, BOX[key])
        self.pieces = _number("pieces", entry["pieces"], MOST_PIECES)
        self.bases = _number("bases", entry["bases"], MOST_BASES)
        self.unverified = [key for key in UNPRINTED if not _verified(key, entry[key])]
        self._count(entry["per_colour"], entry["white"])
        self._colour(entry["blue_background"])
        bonus = entry["bonus"]
        _check_keys("bonus", bonus, ("verified", "tallest", "widest"))
        self.tallest = _number("bonus.tallest", bonus.get("tallest"), 99)
        self.widest = _number("bonus.widest", bonus.get("widest"), 99)
        _check_keys("end", entry["end"], ("2", "3", "4"))
        key = "end." + str(players)
        end = entry["end"].get(str(players))
        _check_keys(key, end, ("valid", "one_of_at_least"))
        self.valid = _number(key + ".valid", end.get("valid"), MOST_BASES)
        self.least = _number(key + ".one_of_at_least", end.get("one_of_at_least"), MOST_PIECES)

    def _count(self, per_colour, white):
        self.counts = bytearray(len(PIECES))
        _check_keys("per_colour", per_colour, ("verified", "count") + tuple("rgbp"))
        _check_keys("white", white, ("verified", "count"))
        for colour in range(5):
            at, table = "white.count", white.get("count")
            if colour != WHITE:
                at, table = "per_colour.count", per_colour.get("count")
                if COLOURS[colour] in per_colour:
                    at, table = "per_colour." + COLOURS[colour], per_colour[COLOURS[colour]]
            _check_keys(at, table, tuple("1234567"))
            for number in "1234567":
                count = _number(at + "." + number, table.get(number, 0), MOST_PIECES)
                self.counts[colour * 7 + int(number) - 1] = count
        if sum(self.counts) != self.pieces:
            raise ValueError(
                "rules: the counts of per_colour and white sum to %d, not to the %d pieces"
                % (sum(self.counts), self.pieces)
            )

    def _colour(self, background):
        self.blue = bytearray(len(PIECES))
        _check_keys("blue_background", background, ("verified", "numbers", "pieces"))
        numbers, pieces = background.get("numbers", []), background.get("pieces", [])
        if not isinstance(numbers, list) or not isinstance(pieces, list):
            raise ValueError("rules: blue_background has lists of numbers and of pieces")
        for number in numbers:
            if not is_count(number) or not 1 <= number <= 7:
                raise ValueError("rules: blue_background.numbers has %s, not a number 1 to 7" % (number,))
            for colour in range(5):
                self.blue[colour * 7 + number - 1] = 1
        for piece in pieces:
            if piece not in PIECES:
                raise ValueError("rules: blue_background.pieces has %s, not a piece such as r7" % (piece,))
            self.blue[PIECES.index(piece)] = 1


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
