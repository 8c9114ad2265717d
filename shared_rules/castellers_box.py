"""What is in a box of Castellers, as far as anybody knows, and as an owner's rules file says.

The rulebook prints the number of pieces and bases and when the game ends. It prints neither how many of each
casteller there are, nor which have the blue background, nor what the bonus tokens are worth: those entries
say `verified: false` and are only a guess that sums up. See docs/castellers-box.md.

A piece is a number 0..34: colour * 7 + number - 1, colours in the order of COLOURS, white (4) last.
"""

from .castellers_moves import KINDS, name

# host only
PIECES = tuple([name(piece) for piece in range(KINDS)])


class Box:
    """The box in force, checked.

    counts       bytearray, how many there are of each piece 0..34
    blue         bytearray, 1 where the piece has the blue background
    pieces, bases, tallest, widest     numbers
    valid, least     how many valid castells end the game, and how many castellers one of them needs
    unverified   list of the entries that nobody has checked against a box
    """

    def __init__(self, rules, players):
        """rules: None, or a dict with the entries that differ. ValueError names the entry that is wrong.

        What stands here is what BOX of castellers_check.py says, which a chip loads where there are rules.
        """
        self.pieces, self.bases = 66, 12
        self.unverified = ["per_colour", "white", "blue_background", "bonus"]
        self.counts = bytearray(28 * b"\2" + b"\1\1\2\2\2\1\1")
        self.blue = bytearray(5 * b"\0\0\0\0\0\0\1")
        self.tallest = self.widest = 1
        self.valid, self.least = 6 - players, 8
        if rules is not None:
            from .castellers_check import fill

            fill(self, rules, str(players))
