"""The referee of Tau: hands on the board to moves of sticks.

The colour that a move hides is shown for SHOWN_MS and then told by nothing; guidance names visible colours
only. tau_sticks.py says which stick belongs where.
"""

from shared_rules import tau as rules

from .. import lights as li
from .base import ANY
from .continuity import AIR, CONFUSED
from .tau_sticks import COLOUR_NAMES, COLOURS, NORTH, Sticks

WILD = 6
SHOWN_MS = 1500
GRACE_MS = 1500  # a stick that leaves its new hole so soon was still on its way
HINT_MS = 3000

OPTIONS = (("open", "Colours open", (False, True)), ("repetition", "Draw at repeat", (0, 3)))


class Referee(Sticks):
    """Tau on the table."""

    def __init__(self, table, game, layout):
        super().__init__(table, game, layout)
        self.shown = -1  # the square whose hidden colour is being announced
        self.shown_until = 0
        self.hidden = ""
        self.left_at = 0  # ms, when the last move's stick first left its place again

    # What hands mean

    def move_to(self, stick, sq, pole):
        """(move, why not) of a stick of the position set down on a square showing a pole."""
        home = self.home(stick)
        start, hole = self.hole_of[home], self.hole_of[sq]
        if start == 255:
            if hole == 255:
                return None, "a stick goes from its rack into a hole"
            return rules.place(stick % 7, pole - 1, hole), None
        if hole == start:
            return rules.turn_over(hole), None
        if hole == 255:
            return None, "a stick stays on the board"
        if pole != self.wanted[home]:
            return None, "a moved stick keeps its end up"
        return rules.shift(start, hole), None

    def judge_turn(self, now):
        track = self.table.track
        if not self.differs():
            if track.confused:
                self.doubt(now)
            else:
                track.forget_air()
                self.at_rights()
                self.left_at = 0
                self.show_turn(now)
            return
        stick = -1 if track.confused or track.knows_foreign() else self.lone_piece()
        if stick == self.last_stick() and not self.left_at:
            self.left_at = now
        if stick < 0:
            self.guide(now)
            return
        sq = track.where(stick)
        if sq == AIR:
            self.lifted(now, stick)
        elif self.table.settled:
            self.placed(now, stick, sq, self.table.seen[sq])

    def lifted(self, now, stick):
        """One stick is in the air, everything else stands right."""
        home = self.home(stick)
        why = self.why_not_lift(stick)
        if why is None:
            self.show_lifted(now, stick, home)
        elif self.last_stick() == stick:
            lights = self.table.lights
            lights.clear()
            lights.role[home] = li.SOURCE
            origin = self.origin()[0]
            lights.role[origin] = li.PUT  # a stick in hand shows both its ends: its rack hole is no secret
            self.show("LIFTED", "Back into %s, or take the move back." % self.place_name(home))
        else:
            self.refuse(now, why, [home])

    def why_not_lift(self, stick):
        """None, or why the seat in turn may not act with this stick."""
        seat = self.game.turn
        if self.home(stick) in self.table.squares.muted:
            return "no sensor answers at " + self.place_name(self.home(stick))
        if stick // 7 != seat:
            return "it is the turn of " + self.table.seat_name(seat)
        if self.wish is None:
            if self.table.seat_by[seat] == "host":
                return "wait for the move of " + self.table.seat_name(seat)
        else:
            kind = rules.parts(self.wish)
            asked = self.rack_square[7 * seat + kind[1]] if kind[0] == "place" else self.hole_square[kind[1]]
            if asked != self.home(stick):
                return "asked is: " + self.describe(self.wish)
        if stick % 7 == WILD and self.hole_of[self.home(stick)] == 255:
            return self.game.why_not(rules.place(WILD, 0, self.free_hole()))
        return None

    def free_hole(self):
        """The number of a free hole; there always is one."""
        for hole in range(21):
            if not self.wanted[self.hole_square[hole]]:
                return hole
        raise AssertionError("21 holes hold 14 sticks")

    def placed(self, now, stick, sq, pole):
        """One stick came to rest elsewhere, or turned; everything else stands right."""
        home = self.home(stick)
        if stick // 7 != self.game.turn:
            if self.last_stick() == stick and self.taken_back(now, stick, sq, pole):
                return
            self.refuse(now, "it is the turn of " + self.table.seat_name(self.game.turn), [sq])
            return
        move, why = self.move_to(stick, sq, pole)
        if move is not None:
            why = self.game.why_not(move) or self.may_play(move)
        if why is None:
            self.commit(now, move)
            return
        if move is None and self.hole_of[sq] != 255 and self.hole_of[home] != 255:
            # Only its end is wrong: turned over where it stands it is the move.
            del self.take[:]
            self.turn.append(sq)
        self.refuse(now, why, [sq], move)

    def why_not_ask(self, move):
        """A stick that comes from or goes to a square without a sensor would not be seen."""
        kind = rules.parts(move)
        start = self.rack_square[7 * self.game.turn + kind[1]] if kind[0] == "place" else self.hole_square[kind[1]]
        for sq in (start, self.hole_square[kind[-1]]):
            if sq in self.table.squares.muted:
                return "no sensor answers at " + self.place_name(sq)
        return None

    # Taking back by hand

    def last_stick(self):
        """The stick of the last move, or -1."""
        if not self.game.history:
            return -1
        seat, move = self.game.history[-1]
        kind = rules.parts(move)
        if kind[0] == "place":
            return 7 * seat + kind[1]
        return self.piece[self.hole_square[kind[-1]]] - 1

    def origin(self):
        """(square, pole) of the last move's stick before it; pole ANY in a rack."""
        seat, move = self.game.history[-1]
        kind = rules.parts(move)
        if kind[0] == "place":
            return self.rack_square[7 * seat + kind[1]], ANY
        now_on = self.hole_square[kind[-1]]
        if kind[0] == "turn":
            return now_on, 3 - self.wanted[now_on]
        return self.hole_square[kind[1]], self.wanted[now_on]

    def taken_back(self, now, stick, sq, pole):
        """The last move's stick is elsewhere: undone by hand, or carried on to another hole."""
        origin, was = self.origin()
        if sq == origin and was in (ANY, pole):
            self.undo_by_hand(now)
            return True
        move = self.carried_on(stick, sq, pole)
        if move is None:
            return False
        if self.left_at - self.moved_at <= GRACE_MS:
            self.carry_on(now, move)
        else:
            self.question = move
            self.table.lights.role[sq] = li.ASK
            text = "Take the move back, and %s into %s? OK, or put it back."
            self.show("PENDING", text % (self.seen_name(stick, pole), self.place_name(sq)))
        return True

    def carried_on(self, stick, sq, pole):
        """The move instead of the last that this would be, or None."""
        seat, last = self.game.history[-1]
        self.game.undo()
        self.lay()
        move, why = self.move_to(stick, sq, pole)
        if move is not None and (self.game.why_not(move) or self.table.seat_by[seat] == "host"):
            move = None
        self.game.play(last)
        self.lay()
        return move

    def carry_on(self, now, move):
        seat = self.game.history[-1][0]
        self.table.emit(
            {"t": "undo", "g": "tau", "s": seat + 1, "m": self.game.text(self.game.undo()),
             "ply": len(self.game.history)}, True,
        )
        self.lay()
        self.commit(now, move)

    # Confused sticks

    def judge_setup(self, now):
        """Begins by itself, unless sticks stand in racks that were put there with others in hands."""
        if self.table.track.find(CONFUSED) >= 0 and not self.differs():
            self.doubt(now)
        else:
            super().judge_setup(now)

    def doubt(self, now):
        """All stands right by its poles, but two or more sticks were in hands at once: which is which?

        Owner, visible colour and pole name a stick: each colour is the first of one name and the second of
        one other. So people need only see that the visible colours are where they should be.
        """
        if not self.table.settled:
            return
        track, lights = self.table.track, self.table.lights
        lights.clear()
        squares = [sq for sq in range(self.size) if track.at[sq] == CONFUSED and self.piece[sq]]
        for sq in squares:
            lights.role[sq] = li.COLOUR
            lights.colour[sq] = COLOURS[self.top(self.piece[sq] - 1, self.table.seen[sq])]
        self.question = "names"
        self.show("PENDING", self.doubt_text(squares))

    def yes(self, now):
        if self.question == "names":
            self.table.track.assign(self.piece, self.wanted, self.table.seen)
        else:
            self.carry_on(now, self.question)

    def no(self, now):
        self.table.whisper(now, "Exchange, then OK" if self.question == "names" else "Put it back")

    # Lights and words of a turn

    def judge(self, now):
        role = self.table.lights.role
        if self.shown >= 0 and now >= self.shown_until:
            if role[self.shown] == li.COLOUR:
                role[self.shown] = li.OFF
            self.shown = -1
        super().judge(now)
        if self.shown >= 0:
            self.wake_at(self.shown_until)
            if self.table.state in ("TURN", "LIFTED"):
                role[self.shown] = li.COLOUR
                self.table.lights.colour[self.shown] = COLOURS[self.hidden]

    def moved(self, now, seat, move):
        """The colour that the move hid is announced, once."""
        self.left_at = 0
        hole = rules.parts(move)[-1]
        self.shown = self.hole_square[hole]
        self.shown_until = now + SHOWN_MS
        self.hidden = self.game.stick_at(hole)[3]
        self.table.emit({"t": "shown", "q": self.table.square_name(self.shown), "c": self.hidden})
        self.table.whisper(now, "%s hides %s" % (self.game.holes[hole], COLOUR_NAMES[self.hidden]), SHOWN_MS)

    def show_turn(self, now):
        table, seat = self.table, self.game.turn
        role = table.lights.role
        table.lights.clear()
        last = self.last_stick()
        if last >= 0:
            role[self.home(last)] = li.LAST
        if self.wish is not None:
            kind = rules.parts(self.wish)
            start = self.rack_square[7 * seat + kind[1]] if kind[0] == "place" else self.hole_square[kind[1]]
            role[start] = role[self.hole_square[kind[-1]]] = li.ASK
            text = "%s: %s." % (table.seat_name(seat), self.describe(self.wish))
        elif table.seat_by[seat] == "host":
            text = "%s thinks." % table.seat_name(seat)
        else:
            for stick in range(7 * seat, 7 * seat + 7):
                if self.why_not_lift(stick) is None:
                    role[self.home(stick)] = li.LEGAL
            text = "%s to move." % table.seat_name(seat)
        for sq in table.weak:
            role[sq] = li.STRAIGHTEN
        if self.hint_until > now:
            self.wake_at(self.hint_until)
            for hole in self.threats():
                role[self.hole_square[hole]] = li.ASK
        self.show("TURN", text)

    def show_lifted(self, now, stick, home):
        role = self.table.lights.role
        self.table.lights.clear()
        role[home] = li.SOURCE
        on_board = self.hole_of[home] != 255
        pole = self.table.track.air[0][2]
        if pole == ANY:  # it was missing when the board resumed: which end was up in its rack nobody saw
            pole = NORTH
        if self.wish is not None:
            kind = rules.parts(self.wish)
            role[self.hole_square[kind[-1]]] = li.ASK
            text = self.describe(self.wish) + "."
        else:
            for hole in range(21):
                sq = self.hole_square[hole]
                if not self.wanted[sq] and sq not in self.table.squares.muted:
                    role[sq] = li.LEGAL
            text = ": a lit hole, %s up, or turn it." if on_board else ": into a lit hole, either end up."
            if on_board:
                text = text % COLOUR_NAMES[self.top(stick, pole)]
            text = self.stick_name(stick, pole) + text
        self.show("LIFTED", text)

    def hint(self, now):
        """Lights the free holes where a third visible colour would make three."""
        self.hint_until = now + HINT_MS
        if not self.threats():
            self.table.whisper(now, "No three in sight")

    def threats(self):
        """Free holes between or beside two sticks of one visible colour; white counts as any."""
        holes = []
        for line in self.game.lines:
            free, colour, good = -1, "w", 0
            for hole in line:
                at = self.game.stick_at(hole)
                if at is None:
                    free = hole
                elif at[2] != "k" and (colour == "w" or at[2] in (colour, "w")):
                    good += 1
                    if at[2] != "w":
                        colour = at[2]
            if good == 2 and free >= 0 and free not in holes:
                holes.append(free)
        return holes

    def light_setup(self):
        """An empty rack hole shows the colour that is to be up in it."""
        self.light_guidance(())
        for sq in self.put:
            if self.in_hand() in (-1, self.piece[sq] - 1):
                self.table.lights.role[sq] = li.COLOUR
                self.table.lights.colour[sq] = COLOURS[self.top(self.piece[sq] - 1, NORTH)]

    def extra_result(self):
        return {"line": [self.game.holes[hole] for hole in self.game.line()]}

    def light_over(self):
        if self.table.outcome[0] == "win":
            for hole in self.game.line():
                self.table.lights.role[self.hole_square[hole]] = li.WIN
