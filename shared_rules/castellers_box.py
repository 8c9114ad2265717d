"""What is in a box of Castellers: a table that an owner can replace, checked.

The rulebook prints the number of pieces and bases and when the game ends. It prints neither how many of each
casteller there are, nor which have the blue background, nor what the bonus tokens are worth: those entries
say `verified: false` and are only a guess that sums up. See docs/castellers-box.md.

A piece is a number 0..34: colour * 7 + number - 1, colours in the order of COLOURS, white (4) last.
"""

from .castellers_column import WHITE
from .castellers_moves import COLOURS, name

PIECES = tuple([name(piece) for piece in range(7 * len(COLOURS))])
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
    """The box in force, checked.

    counts       bytearray, how many there are of each piece 0..34
    blue         bytearray, 1 where the piece has the blue background
    pieces, bases, tallest, widest     numbers
    valid, least     how many valid castells end the game, and how many castellers one of them needs
    unverified   list of the entries that nobody has checked against a box
    """

    def __init__(self, rules, players):
        """rules: None, or a dict with the entries that differ. ValueError names the entry that is wrong."""
        entry = dict(BOX)
        if rules is not None:
            from .castellers_check import check  # a chip keeps only what a game needs

            check(rules, str(players))
            for key in BOX:
                entry[key] = rules.get(key, BOX[key])
        self.pieces = entry["pieces"]
        self.bases = entry["bases"]
        self.unverified = [key for key in UNPRINTED if not entry[key].get("verified", False)]
        self.counts = counts(entry)
        self.blue = bytearray(len(PIECES))
        background = entry["blue_background"]
        for piece in range(len(PIECES)):
            if piece % 7 + 1 in background.get("numbers", ()) or PIECES[piece] in background.get("pieces", ()):
                self.blue[piece] = 1
        self.tallest = entry["bonus"]["tallest"]
        self.widest = entry["bonus"]["widest"]
        end = entry["end"][str(players)]
        self.valid = end["valid"]
        self.least = end["one_of_at_least"]


def counts(entry):
    """bytearray, how many there are of each piece by the entries per_colour and white."""
    found = bytearray(len(PIECES))
    for piece in range(len(PIECES)):
        colour = piece // 7
        table = entry["white" if colour == WHITE else "per_colour"]
        found[piece] = table.get(COLOURS[colour], table.get("count")).get(str(piece % 7 + 1), 0)
    return found
