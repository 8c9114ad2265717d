"""Tau on a simulated table: fourteen sticks with a magnet at each end, and what hands do with them.

A stick is 40 mm long; the magnets at its ends point the same way, so the pole that looks down tells which end
is up: north for the first colour of its name. Keys of the pieces are "1:yo" .. "2:wk".
"""

import math
import re

from lodeboard.sim import stage
from lodeboard.sim.hands import OK, UNDO
from shared_rules import tau

STICK_MM = 40.0
MAGNETS = [(0.0, 0.0, 0.0), (0.0, 0.0, STICK_MM - 6.0)]  # lower faces of the discs at both ends
ASIDE_MM = 45.0  # from the board's edge to the sticks that lie beside it
ASIDE_STEP_MM = 25.0
COLOURS = {
    "y": "yellow", "o": "orange", "r": "red", "p": "purple",
    "b": "blue", "g": "green", "w": "white", "k": "black",
}  # fmt: skip
SHADES = {
    "y": (240, 220, 0), "o": (255, 140, 0), "r": (220, 30, 30), "p": (160, 60, 200),
    "b": (40, 90, 240), "g": (30, 170, 60), "w": (250, 250, 250), "k": (20, 20, 20),
}  # fmt: skip
ASKEW_MM = 2.5  # a person sees that a stick stands so far off its hole
SLIDE_MM = 3.0  # height of a stick that is dragged over the holes


class Stage(stage.Stage):
    """Sticks lie beside the board at first, each player's at the own side, all with the first colour up."""

    game_name = "tau"
    mistakes = (
        "opponents_stick",
        "two_at_once",
        "wrong_hole",
        "wrong_end",
        "dropped_on_the_way",
        "slid_across",
        "swapped",
        "taken_away",
        "sleeve",
        "nudged",
        "second_thoughts",
    )

    def lay_out(self):
        layout = self.board.data["layouts"]["tau"]
        self.holes = [self.board.square(name) for name in layout["holes"]]
        self.racks = [[self.board.square(name) for name in rack] for rack in layout["racks"]]
        self.sticks = {}  # (seat, piece number) -> Piece
        for seat in range(2):
            for number, name in enumerate(tau.PIECES):
                stick = self.world.add(f"{seat + 1}:{name}", MAGNETS)
                self.sticks[seat, number] = stick
                self.world.move(stick, *self.aside(stick))
        self.magnet = self.world.add("sleeve", [(0.0, 0.0, 0.0)])

    def aside(self, piece):
        if piece.key == "sleeve":
            return -3 * ASIDE_MM, -3 * ASIDE_MM
        seat, name = int(piece.key[0]) - 1, piece.key[2:]
        x, y = self.board.centre_mm(self.racks[seat][0])
        y += ASIDE_MM if seat == 0 else -ASIDE_MM
        edge = self.board.height * self.board.pitch_mm
        y = max(y, edge + ASIDE_MM) if seat == 0 else min(y, -ASIDE_MM)
        return x + ASIDE_STEP_MM * tau.PIECES.index(name), y

    def places(self):
        """The racks' places, first colour up, and the holes of the game so far."""
        home = {}
        for (seat, number), stick in self.sticks.items():
            home[stick] = (self.racks[seat][number], 1)
        for hole, square in enumerate(self.holes):
            held = self.game.stick_at(hole) if self.game else None
            if held:
                seat, name, up, _ = held
                stick = self.sticks[seat, tau.PIECES.index(name)]
                home[stick] = (square, 1 if up == name[0] else -1)
        return home

    def legal_positions(self):
        for move in self.game.legal():
            self.game.play(move)
            places = self.places()
            self.game.undo()
            yield move, places

    def face(self, piece):
        if piece is self.magnet:
            return "?", (160, 160, 160), None
        seat, name = int(piece.key[0]) - 1, piece.key[2:]
        up = name[0] if piece.pole == 1 else name[1]
        return up, SHADES[up], seat

    def words(self, piece):
        if piece is self.magnet:
            return "a loose magnet"
        name = piece.key[2:]
        up, down = name if piece.pole == 1 else name[::-1]
        owner = f"player {piece.key[0]}'s stick, {COLOURS[up]} up"
        square = self.square_under(piece)
        return owner if square in self.holes else f"{owner}, {COLOURS[down]} down"

    def marks(self):
        marks = {square: "o" for square in self.holes}
        marks.update({square: "_" for rack in self.racks for square in rack})
        return marks

    def printed(self, square):
        return f"hole {tau.HOLES[self.holes.index(square)]}" if square in self.holes else ""

    def set_up(self):
        for stick, (square, pole) in self.places().items():
            if self.standing().get(stick) == (square, pole):
                continue
            other = self.piece_on(square)
            if other is not None:
                yield from self._to_aside(other)
            wrong = self.random.random() < self.errors / 4  # the wrong end up: the board will say so
            yield from self.bring(stick, square, -pole if wrong else pole)
            yield from self.hands.pause(50, 200)

    # Moves

    def make(self, move):
        stick, square, pole = self._goal(move)
        yield from self.bring(stick, square, pole)

    def _goal(self, move, seat=None):
        """(stick, square, pole) that a move means."""
        kind, *rest = tau.parts(move)
        if kind == "place":
            number, end, hole = rest
            return self.sticks[self.game.turn, number], self.holes[hole], 1 - 2 * end
        if kind == "turn":
            stick = self._at(rest[0])
            return stick, self.holes[rest[0]], -self._pole(rest[0])
        return self._at(rest[0]), self.holes[rest[1]], self._pole(rest[0])

    def _at(self, hole):
        seat, name, _, _ = self.game.stick_at(hole)
        return self.sticks[seat, tau.PIECES.index(name)]

    def _pole(self, hole):
        _, name, up, _ = self.game.stick_at(hole)
        return 1 if up == name[0] else -1

    # What the board asks

    def answer(self):
        text = self.eyes.text
        below = re.search(r"Is (\w+) below in (\w\d)", text)
        if below:
            piece = self.piece_on(self.holes[tau.HOLES.index(below.group(2))])
            name = piece.key[2:]
            down = name[1] if piece.pole == 1 else name[0]
            yield from self.hands.press(OK if COLOURS[down] == below.group(1) else UNDO)
        elif text.startswith("Straighten"):
            for piece, (square, _) in self.standing().items():
                yield from self.hands.straighten(piece, *self.board.centre_mm(square))
        elif self._all_home():
            yield from self.hands.press(OK)
        else:
            yield from self.put_home()

    def put_home(self):
        yield from super().put_home()
        for stick, (square, _) in self.standing().items():
            x, y = self.board.centre_mm(square)
            if math.dist((stick.x, stick.y), (x, y)) > ASKEW_MM:
                yield from self.hands.straighten(stick, x, y)

    # What people do wrong. Each returns False when the position gives no occasion.

    def _look(self, low=700, high=1800):
        """The time until a person notices."""
        yield from self.hands.pause(low, high)

    def _in_holes(self, seat=None):
        """Sticks in the holes, of one seat or of both."""
        held = [(hole, self.game.stick_at(hole)) for hole in range(len(self.holes))]
        return [self._at(hole) for hole, stick in held if stick and seat in (None, stick[0])]

    def _free_squares(self):
        return [sq for sq in self.holes if self.piece_on(sq) is None]

    def opponents_stick(self, move):
        """Lifts a stick of the other player, then puts it back where it was."""
        sticks = self._in_holes(1 - self.game.turn)
        if not sticks:
            return False
        stick = self.random.choice(sticks)
        square = self.square_under(stick)
        yield from self.hands.lift(stick)
        yield from self._look()
        yield from self.bring(stick, square, stick.pole)
        return True

    def two_at_once(self, move):
        """Lifts the stick of the move and another one, then sets both down again somewhere."""
        first, square, _ = self._goal(move)
        others = [s for s in self._in_holes() if s is not first]
        if not others:
            return False
        second = self.random.choice(others)
        x, y = first.x, first.y
        yield from self.hands.lift(first)
        yield from self._look(200, 600)
        yield from self.hands.lift(second)
        yield from self._look()
        yield from self.hands.carry(first, x, y)
        yield from self.hands.put(first, x, y)
        return True

    def wrong_hole(self, move):
        """Sets the stick down in a hole that was not meant, or that is not allowed."""
        stick, square, pole = self._goal(move)
        free = [sq for sq in self._free_squares() if sq != square]
        yield from self.bring(stick, self.random.choice(free), pole)
        yield from self._look()
        return True

    def wrong_end(self, move):
        """Moves a stick to another hole and turns it on the way."""
        sticks = self._in_holes(self.game.turn)
        if not sticks:
            return False
        stick = self.random.choice(sticks)
        yield from self.bring(stick, self.random.choice(self._free_squares()), -stick.pole)
        yield from self._look()
        return True

    def dropped_on_the_way(self, move):
        """The stick falls from the hand beside the board."""
        stick, _, _ = self._goal(move)
        yield from self.hands.lift(stick)
        x, y = self.aside(stick)
        yield from self.hands.carry(stick, x, y)
        yield from self.hands.put(stick, x, y, sloppiness=3)
        yield from self._look()
        return True

    def slid_across(self, move):
        """Drags the stick low over the holes in between, where its field is seen."""
        stick, square, pole = self._goal(move)
        if stick.pole != pole:
            return False
        x, y = self.board.centre_mm(square)
        yield from self.hands.lift(stick, SLIDE_MM)
        yield from self.hands.carry(stick, x, y, SLIDE_MM)
        yield from self.hands.put(stick, x, y)
        yield from self._look()
        return True

    def swapped(self, move):
        """Two sticks change places."""
        sticks = self._in_holes()
        if len(sticks) < 2:
            return False
        one, two = self.random.sample(sticks, 2)
        here, there = self.square_under(one), self.square_under(two)
        yield from self.hands.lift(one)
        yield from self.hands.lift(two)
        yield from self.bring(one, there, one.pole)
        yield from self.bring(two, here, two.pole)
        yield from self._look()
        return True

    def taken_away(self, move):
        """Takes a stick off the board and lays it beside."""
        sticks = self._in_holes()
        if not sticks:
            return False
        yield from self._to_aside(self.random.choice(sticks))
        yield from self._look()
        return True

    def sleeve(self, move):
        """A magnet in a sleeve comes near an empty hole."""
        x, y = self.board.centre_mm(self.random.choice(self._free_squares()))
        piece = self.magnet
        self.world.move(piece, x, y, 60)
        yield from self.hands.carry(piece, x + 4, y, self.random.uniform(0, 6))
        yield from self._look(200, 900)
        yield from self.hands.carry(piece, x, y, 60)
        self.world.remove(piece)
        yield from self._look()
        return True

    def nudged(self, move):
        """Bumps against a stick: it shifts in its hole."""
        sticks = self._in_holes()
        if not sticks:
            return False
        yield from self.hands.nudge(self.random.choice(sticks), self.random.uniform(1, 3))
        yield from self._look(100, 300)
        return True

    def second_thoughts(self, move):
        """Lifts the stick, thinks, and puts it back."""
        stick, _, _ = self._goal(move)
        square, pole = self.square_under(stick), stick.pole
        yield from self.hands.lift(stick)
        yield from self._look()
        yield from self.bring(stick, square, pole)
        return True
