"""Castellers on a simulated table: 66 castellers with one magnet each, racks, columns, and what hands do with them.

A casteller is 16 mm tall, its magnet near its foot, the same pole down for all; the next one stands on it, held
by a spigot: sideways it has half a millimetre. Keys of the pieces are "r3.1", "r3.2", ...: castellers of one
colour and number are alike. What is in the bag lies beside the board; which one is drawn, the board's display
says, or with a real bag these hands say it.
"""

import math
import re

import shared_rules
from lodeboard.sim import stage
from lodeboard.sim.hands import CARRY_MM, HINT, OK, UNDO
from shared_rules.castellers_box import PIECES
from shared_rules.castellers_moves import END, parts
from shared_rules.castellers_places import BASE, NOWHERE, Places

MAGNETS = [(0.0, 0.0, 0.0)]
SPIGOT = 0.5  # sideways play of a casteller at sloppiness 1, mm
SHIFT_MM = 0.3  # that a column moves when another casteller is set on it or taken off
ASIDE_MM = 60.0  # from the board's edge to the box
ASIDE_STEP_MM = 12.0
MOST_HIGH = 7  # castellers in a column
CLEAR_MM = 25.0  # above what it comes from or goes to, a hand carries a casteller
NAMES = {"r": "red", "g": "green", "b": "blue", "p": "pink", "w": "white"}
LETTERS = {name: letter for letter, name in NAMES.items()}
SHADES = {
    "r": (220, 40, 40), "g": (40, 170, 70), "b": (50, 90, 230), "p": (240, 120, 190), "w": (245, 245, 245),
}  # fmt: skip
PIECE = r"(red|green|blue|pink|white) ([1-7])"


def name_of(kind):
    """A casteller ("r3") as the display names it."""
    return f"{NAMES[kind[0]]} {kind[1]}"


class Stage(stage.Stage):
    """Castellers lie in the box beside the board at first."""

    game_name = "castellers"
    mistakes = (
        "toppled",
        "tops_fell",
        "rolled_away",
        "built_anothers",
        "wrong_square",
        "other_rack",
        "two_at_once",
        "taken_away",
        "bumped",
        "wrong_column",
        "second_thoughts",
    )

    def lay_out(self):
        layout = self.board.data["layouts"]["castellers"]
        squares = {
            "field": layout["field"],
            "bases": [self.board.square(name) for name in layout["bases"]],
            "racks": [[self.board.square(name) for name in rack] for rack in layout["racks"]],
        }
        self.places_of = Places(squares, self.board.width, self.board.squares)
        self.level_mm = layout["casteller_mm"]
        self.before = 0  # plies before the move that is being made
        self.castellers = []
        counts = shared_rules.load("castellers", **{**self.options, "deal": None}).box.counts
        for piece, kind in enumerate(PIECES):
            for copy in range(counts[piece]):
                casteller = self.world.add(f"{kind}.{copy + 1}", MAGNETS)
                self.castellers.append(casteller)
                self.world.move(casteller, *self.aside(casteller))

    def aside(self, piece):
        index = self.castellers.index(piece) if piece in self.castellers else len(self.castellers) - 1
        row, column = index % 2, index // 2
        x = ASIDE_STEP_MM * column
        below = self.board.height * self.board.pitch_mm + ASIDE_MM
        return (x, below) if row else (x, -ASIDE_MM)

    # Looking at the board

    @staticmethod
    def kind(piece):
        return piece.key[:2]

    def level(self, piece):
        """On which level a casteller stands, from 0; None where it is in a hand or beside the board."""
        level = round(piece.z / self.level_mm)
        if not piece.on or abs(piece.z - level * self.level_mm) > 0.05:
            return None
        return level

    def square_under(self, piece):
        if self.level(piece) is None or any(piece in hands.holding for hands in (self.hands, *self.guests)):
            return None
        pitch = self.board.pitch_mm
        x, y = math.floor(piece.x / pitch), math.floor(piece.y / pitch)
        if 0 <= x < self.board.width and 0 <= y < self.board.height:
            return y * self.board.width + x
        return None

    def columns(self):
        """{square: the castellers that stand on it, from the bottom up}."""
        found = {}
        for piece in self.castellers:
            square = self.square_under(piece)
            if square is not None:
                found.setdefault(square, []).append(piece)
        for standing in found.values():
            standing.sort(key=lambda piece: piece.z)
        return found

    def standing(self):
        return {square: [self.kind(p) for p in column] for square, column in self.columns().items()}

    def piece_on(self, square):
        column = self.columns().get(square)
        return column[-1] if column else None

    def seat_mm(self, square):
        """Height of what a casteller that is set on a square would stand on."""
        return self.level_mm * len(self.columns().get(square, ()))

    def places(self):
        """{square: what should stand there, from the bottom up}, by the game so far."""
        return self._wanted(self.game)

    def _wanted(self, game):
        wanted = {}
        if game is None or game.undealt:
            return wanted
        places = self.places_of
        places.choices((ply, taken, put) for ply, (taken, put) in self.eyes.holes.items())
        places.begin(game)
        places.follow(game)
        for seat in range(game.players):
            for square, held in zip(places.racks[seat], places.held[seat], strict=True):
                if held:
                    wanted[square] = [PIECES[held - 1]]
            for castell in places.castells[seat]:
                for square in places.squares(castell):
                    wanted[square] = [PIECES[piece] for piece in places.column(square)]
        return wanted

    def follow(self):
        """The game as the board told it: what was drawn, its display said."""
        eyes = self.eyes
        if eyes.state is None or eyes.state == "SETUP" or eyes.opened is None:
            self.game = None
            return
        if self.game is None or self.game.options != eyes.opened:
            self.game = shared_rules.load("castellers", **eyes.opened)
        game = self.game
        told = [game.text(move) for _, move in game.history]
        same = 0
        while same < min(len(told), len(eyes.moves)) and told[same] == eyes.moves[same]:
            same += 1
        while len(game.history) > same:
            game.undo()
        for text in eyes.moves[same:]:
            game.play(game.parse(text))

    def legal_positions(self):
        return ()

    def face(self, piece):
        kind = self.kind(piece)
        square = self.square_under(piece)
        tall = len(self.columns().get(square, ())) if square is not None else 0
        return kind[1] + ("" if tall < 2 else str(tall)), SHADES[kind[0]], None

    def words(self, piece):
        square = self.square_under(piece)
        column = self.columns().get(square, [piece]) if square is not None else [piece]
        return ", on it ".join(name_of(self.kind(p)) for p in column)

    def marks(self):
        area = self.places_of.area
        return {square: "_" if area[square] < BASE else "." for square in range(len(area)) if area[square]}

    # What hands do

    def from_box(self, kind):
        """A casteller of this kind that lies beside the board."""
        for piece in self.castellers:
            if self.kind(piece) == kind and self.square_under(piece) is None and piece not in self.hands.holding:
                return piece
        return None

    def stray(self, kind):
        """A casteller of this kind on top of where it does not belong."""
        wanted = self.places()
        for square, column in self.columns().items():
            if len(column) > len(wanted.get(square, ())) and self.kind(column[-1]) == kind:
                return column[-1]
        return None

    def lift(self, piece, hands=None):
        square = self.square_under(piece)
        yield from (hands or self.hands).lift(piece, max(CARRY_MM, piece.z + CLEAR_MM))
        if square is not None:
            self.shift(square, SHIFT_MM)

    def set_on(self, piece, square, hands=None):
        """Carry a casteller that is in a hand to a square, onto what stands there."""
        hands = hands or self.hands
        x, y = self.board.centre_mm(square)
        seat = self.seat_mm(square)
        yield from hands.carry(piece, x, y, max(CARRY_MM, seat + CLEAR_MM))
        slop = SPIGOT * hands.sloppiness
        yield from hands.put(piece, x, y, sloppiness=slop, seat=seat)
        if seat:
            self.shift(square, SHIFT_MM)

    def may_stand(self, square):
        return len(self.columns().get(square, ())) < MOST_HIGH

    def person_lifts(self, hands, piece):
        yield from self.lift(piece, hands)

    def person_sets(self, hands, piece, square):
        yield from self.set_on(piece, square, hands)

    def shift(self, square, mm):
        """The column on a square moves a little, as far as wells and spigots let it."""
        gauss, most = self.random.gauss, SPIGOT * max(1.0, self.hands.sloppiness)
        dx, dy = gauss(0, mm), gauss(0, mm)
        cx, cy = self.board.centre_mm(square)
        for piece in self.columns().get(square, ()):
            x = cx + max(-most, min(most, piece.x + dx - cx))
            y = cy + max(-most, min(most, piece.y + dy - cy))
            self.world.move(piece, x, y, piece.z, piece.yaw)

    def bring(self, piece, square, pole=1):
        yield from self.lift(piece)
        yield from self.set_on(piece, square)

    def _to_aside(self, piece):
        if piece not in self.hands.holding:
            yield from self.lift(piece)
        x, y = self.aside(piece)
        yield from self.hands.carry(piece, x, y)
        yield from self.hands.put(piece, x, y, sloppiness=0)

    def choose(self, words):
        """Press HINT until the display offers this, then OK; False where it never does."""
        for _ in range(60):
            if words in self.eyes.text:
                yield from self.hands.press(OK)
                return True
            text = self.eyes.text
            yield from self.hands.press(HINT)
            if not (yield from self.wait(lambda t=text: self.eyes.text != t, 300)):
                return False
        return False

    # The game

    def set_up(self):
        while self.columns():
            square = next(iter(self.columns()))
            yield from self._to_aside(self.columns()[square][-1])
        while self.eyes.state == "SETUP":
            text = self.eyes.text
            asked = re.search(rf"Seat (\d) gets {PIECE}", text)
            if asked:
                kind = LETTERS[asked.group(2)] + asked.group(3)
                rack = self.places_of.racks[int(asked.group(1)) - 1]
                free = [square for square in rack if square not in self.columns()]
                yield from self.bring(self.from_box(kind), free[0])
            elif "dealt" in text:
                yield from self.enter(self.drawn_by_hand())
            if not (yield from self.wait(lambda t=text: self.eyes.text != t)):
                return

    def lay_set_up(self):
        deal = shared_rules.load("castellers", **self.options).options["deal"]
        for seat, kinds in enumerate(deal or ()):
            for kind, square in zip(kinds, self.places_of.racks[seat], strict=False):
                self.world.move(self.from_box(kind), *self.board.centre_mm(square))

    def drawn_by_hand(self):
        """What a hand finds in the real bag: anything that lies beside the board and is in nobody's set."""
        beside = {}
        if self.game is not None:
            for seat in range(self.game.players):
                self.places()
                for piece in self.places_of.beside[seat]:
                    beside[PIECES[piece]] = beside.get(PIECES[piece], 0) + 1
        bag = []
        for piece in self.castellers:
            kind = self.kind(piece)
            if self.square_under(piece) is None and piece not in self.hands.holding:
                if beside.get(kind):
                    beside[kind] -= 1
                else:
                    bag.append(kind)
        return self.random.choice(bag)

    def enter(self, kind):
        """Tell the board with its buttons which casteller was drawn."""
        for words in (NAMES[kind[0]], name_of(kind)):
            for _ in range(8):
                if f"{words}?" in self.eyes.text:
                    break
                text = self.eyes.text
                yield from self.hands.press(HINT)
                yield from self.wait(lambda t=text: self.eyes.text != t, 600)
            yield 350  # the board takes no answer sooner
            text = self.eyes.text
            yield from self.hands.press(OK)
            yield from self.wait(lambda t=text: self.eyes.text != t, 600)

    def play(self, move):
        ply = self.eyes.ply
        counted = yield from self.make(move)
        self.follow()
        if not counted or self.eyes.ply != ply + 1:
            yield from self.recover(move)

    def make(self, move):
        """The hand actions of a move; whether the board counted it."""
        self.before = self.eyes.ply
        kind, piece, at, _ = parts(move)
        if kind == "draw":
            return (yield from self.draw())
        if kind == "end":
            return (yield from self.choose("OK ends the turn.")) and (yield from self.counted(None))
        if kind == "fall":
            return (yield from self.fall(move))
        game, places = self.game, self.places_of
        self.places()
        seat = game.exchange if kind == "take" else game.turn
        goal = places.free_hole(at) if kind == "give" else places.target(game.turn, at, parts(move)[3])[0]
        if goal == NOWHERE and kind != "give":
            return False
        casteller = yield from self.take_up(PIECES[piece], seat)
        if casteller is None:
            return False
        if goal == NOWHERE:
            yield from self._to_aside(casteller)
            yield from self.choose(f"OK: give {name_of(PIECES[piece])} to Seat {at + 1}")
        else:
            yield from self.set_on(casteller, self.hole_like(goal))
        return (yield from self.counted(goal))

    def take_up(self, kind, seat):
        """A casteller of a seat's set in the hand: from its rack, or from beside the board."""
        held = self.places_of.held[seat].find(bytes([PIECES.index(kind) + 1]))
        if held >= 0:
            casteller = self.piece_on(self.places_of.racks[seat][held])
            if casteller is None:
                return None
        else:
            if not (yield from self.choose(f"OK takes {name_of(kind)} from beside")):
                return None
            casteller = self.from_box(kind)
        yield from self.lift(casteller)
        return casteller

    def draw(self):
        """OK, or the real bag and its entry; then into the rack."""
        ply = self.eyes.ply
        if not (yield from self.choose("OK draws.")):
            return False
        if self.game.options["bag"] == "real":
            yield from self.wait(lambda: "drew" in self.eyes.text)
            yield from self.enter(self.drawn_by_hand())
        if not (yield from self.wait(lambda: self.eyes.ply > ply)):
            return False
        self.follow()
        yield from self.fill_racks()
        yield from self.wait(lambda: self.eyes.state in ("TURN", "OVER"))
        return True

    def fill_racks(self):
        """Every rack hole that should hold something and does not gets it from the box."""
        for square, kinds in self.places().items():
            if self.places_of.area[square] < BASE and square not in self.columns():
                casteller = self.from_box(kinds[0])
                if casteller is not None:
                    yield from self.bring(casteller, self.hole_like(square))

    def hole_like(self, square):
        """This rack hole, or now and then another free one of the same rack: people put things where they like."""
        area = self.places_of.area
        free = [sq for sq in range(len(area)) if area[sq] == area[square] and sq not in self.columns()]
        going_on = self.eyes.state != "OVER"  # then the board asks no more
        if 0 < area[square] < BASE and free and going_on and self.errors and self.random.random() < 0.3:
            return self.random.choice(free)
        return square

    def fall(self, move):
        self.places()
        square = self.places_of.target(self.game.turn, *parts(move)[2:])[0]
        hole = self.places_of.free_hole(self.game.turn)
        casteller = self.piece_on(square)
        if casteller is None:
            return False
        yield from self.lift(casteller)
        if hole == NOWHERE:
            yield from self._to_aside(casteller)
        else:
            yield from self.set_on(casteller, self.hole_like(hole))
        return (yield from self.counted(square))

    def counted(self, square):
        """Wait until the board counts the move, and answer what it asks; square: the column that changed."""
        ply = self.before
        for _ in range(40):
            eyes = self.eyes
            if (yield from self.wait(lambda: self.eyes.ply > ply or self.eyes.state in ("PENDING", "DESYNC"), 1500)):
                if eyes.ply > ply:
                    return True
                if eyes.state == "DESYNC":
                    return False
                yield from self.answer_column(square)
                seen = eyes.seen
                yield from self.wait(lambda s=seen: self.eyes.seen != s, 900)
            elif eyes.state in ("LIFTED", "TURN") and "OK" in eyes.text:
                if not (yield from self.choose("On a column: OK.")) and not (yield from self.choose("hen OK.")):
                    return False
        return False

    def answer_column(self, square):
        """Is it this column? OK or a wiggle; else the next guess."""
        text = self.eyes.text
        if "rock it" not in text or square is None:
            yield from self.answer()
            return
        yield 350  # the board takes no answer sooner
        if text != self.eyes.text:
            return
        if self.random.random() < 0.3:
            yield from self.hands.rock(self.columns().get(square, ()), self.random.uniform(1.0, 1.5))
            yield 300
        elif f"({self.board.square_name(square)})" in text:
            yield from self.hands.press(OK)
        else:
            yield from self.hands.press(UNDO)

    # What the board asks

    def answer(self):
        text = self.eyes.text
        yield 350
        if text.startswith("Take back:"):
            self.follow()
            if self.game.history:
                self.game.undo()
            yield from self.put_home()
            self.game = None
            yield from self.hands.press(OK)
        elif text.startswith("Is it so?"):
            self.follow()
            if not self._all_home():
                yield from self.put_home()
            yield from self.hands.press(OK)
        elif text.startswith("Did castellers fall"):
            self.follow()
            yield from self.hands.press(UNDO if self._all_home() else OK)
        elif " drew " in text:  # a host asked for it
            self.follow()
            yield from self.enter(self.drawn_by_hand())
            self.follow()
            yield from self.fill_racks()
        elif "rock it" in text:
            yield from self.hands.press(UNDO)
        elif text.startswith("Straighten"):
            for square in self.columns():
                for piece in self.columns()[square]:
                    x, y = self.board.centre_mm(square)
                    self.world.move(piece, x, y, piece.z, 0.0)
        else:
            yield from self.hands.press(OK)

    def _stands_after(self, move):
        return False

    def put_home(self):
        """Everything as the game has it: what stands wrong off first, from the top."""
        wanted = self.places()
        for square, column in self.columns().items():
            right = wanted.get(square, [])
            same = 0
            kinds = [self.kind(piece) for piece in column]
            while same < min(len(kinds), len(right)) and kinds[same] == right[same]:
                same += 1
            for piece in reversed(column[same:]):
                yield from self._to_aside(piece)
        for square, kinds in wanted.items():
            for kind in kinds[len(self.columns().get(square, ())) :]:
                yield from self.bring(self.from_box(kind), square)

    def _all_home(self):
        return self.standing() == self.places()

    def mend(self):
        if self.eyes.state == "PAUSED":  # the power was away
            yield from self.hands.press(OK)
            yield from self.wait(lambda: self.eyes.state != "PAUSED")
        self.follow()
        if self.eyes.text.startswith("Level"):
            yield from self._build_level()
        yield from super().mend()

    def _take(self, square):
        self.follow()
        piece = self.piece_on(square)
        if piece is None:
            return
        wanted = self.places()
        for hole in self.eyes.put:
            if hole not in self.columns() and wanted.get(hole, [self.kind(piece)])[0] == self.kind(piece):
                yield from self.bring(piece, hole)
                return
        yield from self._to_aside(piece)

    def _put(self, square):
        self.follow()
        if self.eyes.text.startswith("Level"):
            yield from self._build_level()
            return
        kinds = self.places().get(square)
        if kinds and square not in self.columns():
            piece = self.stray(kinds[0]) or self.from_box(kinds[0])
            if piece is not None:
                yield from self.bring(piece, square)

    def _build_level(self):
        """A castell that fell down is built up, a level at a time as the display says it."""
        text = self.eyes.text
        level = int(re.match(r"Level (\d)", text).group(1))
        for square in self.eyes.put:
            kinds = self.places()[square]
            while len(self.columns().get(square, ())) < min(level, len(kinds)):
                kind = kinds[len(self.columns().get(square, ()))]
                yield from self.bring(self.from_box(kind), square)
        yield 350
        yield from self.hands.press(OK)
        yield from self.wait(lambda: self.eyes.text != text, 1500)

    def _put_down_all(self):
        for piece in list(self.hands.holding):
            yield from self._to_aside(piece)

    # What outlives a killed simulator

    def restore(self, values):
        super().restore(values)
        for key, (x, y, z, yaw, pole) in values["pieces"].items():
            if z > 0 and abs(z / self.level_mm - round(z / self.level_mm)) < 0.01:
                self.world.move(self.world.pieces[key], x, y, z, yaw, pole)

    # What people do wrong. Each returns False when the position gives no occasion.

    def _look(self, low=700, high=1800):
        """The time until a person notices."""
        yield from self.hands.pause(low, high)

    def _racked(self, seat=None):
        """Castellers in rack holes, of one seat or of all."""
        found = []
        for square, column in self.columns().items():
            area = self.places_of.area[square]
            if 0 < area < BASE and seat in (None, area - 1):
                found.append(column[0])
        return found

    def _free_squares(self):
        """Empty squares of the fields."""
        columns = self.columns()
        return [sq for sq, area in enumerate(self.places_of.area) if area >= BASE and sq not in columns]

    def toppled(self, move):
        """A sleeve sweeps a castell down: all its castellers lie beside the board."""
        self.places()
        castells = []
        for castell in sum(self.places_of.castells, []):
            squares = self.places_of.squares(castell)
            if any(self.places_of.height(square) > 1 for square in squares):
                castells.append(squares)
        if not castells:
            return False
        fallen = [(sq, piece) for sq in self.random.choice(castells) for piece in self.columns().get(sq, ())]
        for _, piece in fallen:
            self.world.move(piece, piece.x + self.random.uniform(-25, 25), piece.y + self.random.uniform(-25, 25), 3.0)
        yield self.random.uniform(100, 300)
        for _, piece in fallen:
            self.world.move(piece, *self.aside(piece))
        yield from self._look()
        return True

    def tops_fell(self, move):
        """All castellers of a column but the lowest fall down; who sees that the board does not, says so."""
        tall = [sq for sq, column in self.columns().items() if len(column) > 1]
        if not tall:
            return False
        for piece in self.columns()[self.random.choice(tall)][1:]:
            self.world.move(piece, *self.aside(piece))
        yield from self._look(1000, 2500)
        if self.eyes.state == "TURN":
            self.count("unnoticed")
            yield from self.choose("Fell down? OK.")
        return True

    def rolled_away(self, move):
        """A column falls down, and its castellers come to stand on other squares of the fields."""
        tall = [sq for sq, column in self.columns().items() if len(column) > 1]
        free = self._free_squares()
        if not tall or len(free) < 7:
            return False
        for piece in self.columns()[self.random.choice(tall)]:
            square = free.pop(self.random.randrange(len(free)))
            x, y = self.board.centre_mm(square)
            self.world.move(piece, x + self.random.uniform(-3, 3), y + self.random.uniform(-3, 3), 0.0)
        yield from self._look()
        return True

    def built_anothers(self, move):
        """Builds with a casteller out of another player's rack."""
        others = [p for p in self._racked() if p not in self._racked(self.game.turn)]
        kind, _, at, column = parts(move)
        if not others or kind != "build" or self.game.exchange is not None:
            return False
        self.places()
        casteller = self.random.choice(others)
        yield from self.lift(casteller)
        yield from self._look(200, 600)
        yield from self.set_on(casteller, self.places_of.target(self.game.turn, at, column)[0])
        yield from self._look()
        return True

    def wrong_square(self, move):
        """Sets a casteller on a square that does not glow."""
        kind, _, at, column = parts(move)
        if kind != "build":
            return False
        self.places()
        right = self.places_of.target(self.game.turn, at, column)[0]
        lit = {right}
        for other in self.game.legal():
            if parts(other)[0] == "build":
                lit.add(self.places_of.target(self.game.turn, *parts(other)[2:])[0])
        casteller = self._racked(self.game.turn)
        free = [sq for sq in self._free_squares() if sq not in lit]
        if not casteller or not free:
            return False
        casteller = self.random.choice(casteller)
        yield from self.lift(casteller)
        yield from self.set_on(casteller, self.random.choice(free))
        yield from self._look()
        return True

    def other_rack(self, move):
        """Lifts a casteller of another player and puts it back."""
        others = [p for p in self._racked() if p not in self._racked(self.game.turn)]
        if not others or self.game.exchange is not None:
            return False
        casteller = self.random.choice(others)
        square = self.square_under(casteller)
        yield from self.lift(casteller)
        yield from self._look()
        yield from self.set_on(casteller, square)
        return True

    def two_at_once(self, move):
        """Lifts two castellers of racks, then puts both back; now and then the wrong way round."""
        racked = self._racked()
        if len(racked) < 2:
            return False
        one, two = self.random.sample(racked, 2)
        here, there = self.square_under(one), self.square_under(two)
        yield from self.lift(one)
        yield from self._look(200, 600)
        yield from self.lift(two)
        yield from self._look()
        if self.random.random() < 0.3:
            here, there = there, here
        yield from self.set_on(one, here)
        yield from self._look(200, 400)
        yield from self.set_on(two, there)
        yield from self._look()
        return True

    def taken_away(self, move):
        """Takes a casteller off the board and lays it beside."""
        racked = self._racked()
        if not racked:
            return False
        yield from self._to_aside(self.random.choice(racked))
        yield from self._look()
        return True

    def bumped(self, move):
        """Bumps against a column: it moves as far as its well lets it."""
        tall = [sq for sq, column in self.columns().items() if len(column) > 1]
        if not tall:
            return False
        self.shift(self.random.choice(tall), 1.0)
        yield from self._look(100, 300)
        return True

    def wrong_column(self, move):
        """Builds somewhere else than was meant, and takes it back."""
        kind, piece, _, _ = parts(move)
        others = [m for m in self.game.legal() if m != move and parts(m)[:2] == ("build", piece)]
        if kind != "build" or not others:
            return False
        yield from self.make(self.random.choice(others))
        yield from self._look(200, 600)
        return True

    def second_thoughts(self, move):
        """Lifts a casteller, thinks, and puts it back."""
        racked = self._racked(self.game.turn)
        if not racked or move == END:
            return False
        casteller = self.random.choice(racked)
        square = self.square_under(casteller)
        yield from self.lift(casteller)
        yield from self._look()
        yield from self.set_on(casteller, square)
        return True

