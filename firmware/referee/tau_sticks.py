"""Tau's sticks on the board: which belongs where, and how people call them.

Stick p of seat s has the number 7 * s + p. It shows north when the first colour of its name is up. Both ends
of a stick in a rack are known to all, so a rack takes a stick either end up; of a stick in a hole only the
visible colour is ever named.
"""

from shared_rules import tau as rules

from .. import lights as li
from .base import ANY, Referee
from .continuity import AIR, CONFUSED, LOST

NORTH = 1
MANY = 4  # names of sticks that the display has room for

COLOUR_NAMES = {
    "y": "yellow", "o": "orange", "r": "red", "p": "purple", "b": "blue", "g": "green", "w": "white",
    "k": "black",
}
COLOURS = {
    "y": li.YELLOW, "o": li.ORANGE, "r": li.RED, "p": li.PURPLE, "b": li.BLUE, "g": li.GREEN,
    "w": li.WHITE, "k": li.BLACK,
}


class Sticks(Referee):
    """The part of Tau's referee that knows places and names."""

    SEATS = ("Light", "Dark")

    def __init__(self, table, game, layout):
        super().__init__(table, game, layout)
        self.hole_square = layout["holes"]
        self.rack_square = layout["racks"][0] + layout["racks"][1]  # by stick
        self._home = [AIR] * 14  # where the position wants each stick
        self._laid = 0  # moves of the position that is laid
        self.hole_of = bytearray([255] * self.size)  # hole number of a square; 255: none
        for hole, sq in enumerate(self.hole_square):
            self.hole_of[sq] = hole
        self.lay_setup()

    # The position

    def lay_setup(self):
        self.clear_wanted()
        self._laid = -2  # no number of moves follows it
        for stick in range(14):
            self._want(stick, self.rack_square[stick], NORTH)

    def lay(self):
        game = self.game
        played = len(game.history)
        if played == self._laid + 1:
            self._lay_move(*game.history[-1])
        else:
            self._lay_all()
        self._laid = played

    def _lay_all(self):
        game = self.game
        self.clear_wanted()
        for seat in range(2):
            for name in game.off_board(seat):
                stick = 7 * seat + game.pieces.index(name)
                self._want(stick, self.rack_square[stick], ANY)
        for hole in range(21):
            at = game.stick_at(hole)
            if at:
                stick = 7 * at[0] + game.pieces.index(at[1])
                self._want(stick, self.hole_square[hole], 1 if at[1][0] == at[2] else 2)

    def _lay_move(self, seat, move):
        """The move more that the position has."""
        kind = rules.parts(move)
        goal = self.hole_square[kind[-1]]
        if kind[0] == "turn":
            self.wanted[goal] = 3 - self.wanted[goal]
            return
        if kind[0] == "place":
            stick, pole = 7 * seat + kind[1], kind[2] + 1
        else:
            start = self.hole_square[kind[1]]
            stick, pole = self.piece[start] - 1, self.wanted[start]
        start = self._home[stick]
        self.wanted[start] = self.piece[start] = 0
        self._want(stick, goal, pole)

    def _want(self, stick, sq, pole):
        self.wanted[sq] = pole
        self.piece[sq] = stick + 1
        self._home[stick] = sq

    def home(self, stick):
        """The square where the position wants a stick."""
        return self._home[stick]

    def may_show_put(self, sq):
        """A rack hole tells which stick left it: while undoing, only once that stick is in a hand."""
        if not self.undone or self.hole_of[sq] != 255:
            return True
        track = self.table.track
        there = track.where(self.piece[sq] - 1)
        return there == AIR or (there == LOST and len(track.air) > 0)

    def in_hand(self):
        """The one stick that is known to be in somebody's hand, or -1."""
        air = self.table.track.air
        return air[0][0] - 1 if len(air) == 1 and air[0][0] < CONFUSED else -1

    # Words

    def top(self, stick, pole):
        """The colour letter that a stick shows with this pole up."""
        return self.game.pieces[stick % 7][pole - 1]

    def stick_name(self, stick, pole):
        """A stick with both colours where both are known to all: "Light yellow/orange"."""
        name = self.seen_name(stick, pole)
        if self.game.options["open"] or self.hole_of[self.home(stick)] == 255:
            name += "/" + COLOUR_NAMES[self.top(stick, 3 - pole)]
        return name

    def seen_name(self, stick, pole):
        """A stick as everybody can see it: "Light yellow"."""
        return self.table.seat_name(stick // 7) + " " + COLOUR_NAMES[self.top(stick, pole)]

    def doubt_text(self, squares):
        """Asks whether confused sticks are where they should be; many of them by their lights only."""
        if len(squares) <= MANY:
            names = []
            for sq in squares:
                stick = self.seen_name(self.piece[sq] - 1, self.table.seen[sq])
                names.append("%s in %s" % (stick, self.short_name(sq)))
            return "Is it so? " + ", ".join(names) + ". OK, or exchange."
        owned = []
        for seat in range(2):
            names = [self.short_name(sq) for sq in squares if (self.piece[sq] - 1) // 7 == seat]
            owned.append(self.table.seat_name(seat) + ": " + " ".join(names))
        return "Colours as lit? " + ". ".join(owned) + ". OK, or exchange."

    def place_name(self, sq):
        hole = self.hole_of[sq]
        if hole != 255:
            return self.game.holes[hole]
        if sq in self.rack_square:
            name = self.game.pieces[self.rack_square.index(sq) % 7]
            return "rack %s/%s" % (COLOUR_NAMES[name[0]], COLOUR_NAMES[name[1]])
        return "square " + self.table.square_name(sq)

    def short_name(self, sq):
        """A place in few letters: a hole, "r3", the third of its rack, or a square of no use by its board's name."""
        if self.hole_of[sq] != 255:
            return self.game.holes[self.hole_of[sq]]
        if sq not in self.rack_square:
            return self.table.square_name(sq)
        return "r%d" % (self.rack_square.index(sq) % 7 + 1)

    def describe(self, move):
        kind = rules.parts(move)
        holes = self.game.holes
        if kind[0] == "place":
            up = COLOUR_NAMES[self.game.pieces[kind[1]][kind[2]]]
            down = COLOUR_NAMES[self.game.pieces[kind[1]][1 - kind[2]]]
            return "%s/%s into %s, %s up" % (up, down, holes[kind[3]], up)
        if kind[0] == "turn":
            return "turn over " + holes[kind[1]]
        return "%s to %s, same end up" % (holes[kind[1]], holes[kind[2]])

    def setup_text(self):
        if self.take:
            return "Take away what stands on %s." % self.place_name(self.take[0])
        sq = self.turn[0] if self.turn else self.put[0]
        if not self.turn and self.in_hand() >= 0:
            sq = self.rack_square[self.in_hand()]
        stick = self.piece[sq] - 1
        up, down = self.game.pieces[stick % 7]
        seat = self.table.seat_name(stick // 7)
        if self.turn:
            text = "%s: turn over rack hole %d: %s/%s, %s up."
        else:
            text = "%s: rack hole %d gets %s/%s, %s up."
        return text % (seat, stick % 7 + 1, COLOUR_NAMES[up], COLOUR_NAMES[down], COLOUR_NAMES[up])

    def guide_text(self):
        stick = self.in_hand()
        if stick >= 0:
            home = self.home(stick)
            if home in self.put:
                pole = self.table.track.air[0][2]
                return "Put it back into %s%s." % (self.place_name(home), self.end_up(stick, home, pole))
        if self.table.track.confused and len(self.turn) == 2 and not self.take and self.look_alike(self.turn):
            return "Exchange %s and %s." % (self.place_name(self.turn[0]), self.place_name(self.turn[1]))
        return super().guide_text()

    def look_alike(self, squares):
        """Whether the sticks of two squares have one owner and should show one colour."""
        one, other = self.piece[squares[0]] - 1, self.piece[squares[1]] - 1
        poles = self.wanted[squares[0]], self.wanted[squares[1]]
        return one // 7 == other // 7 and self.top(one, poles[0]) == self.top(other, poles[1])

    def end_up(self, stick, home, pole):
        """How to hold a stick that shows `pole` for its home; a hidden colour is never named."""
        want = self.wanted[home]
        if want == ANY:
            return ""
        if want != pole:
            return ", other end up"
        return ", %s up" % COLOUR_NAMES[self.top(stick, pole)]

    def over_text(self):
        by, ranking = self.table.outcome
        if by == "draw":
            return "A draw. OK: next game."
        if by == "abandon":
            return "Abandoned. OK: next game."
        how = "" if by == "win" else " (%s)" % by
        return "%s wins%s. OK: next game." % (self.table.seat_name(ranking[0]), how)
