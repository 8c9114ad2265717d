"""A stage knows the pieces of one game and plays it with virtual hands.

A game's stage is a class `Stage` in `stage_<game>.py`, made by `stage.open(name, ...)`. It subclasses Stage:

    lay_out()          adds the game's pieces to the world, lying beside the board
    places()           {piece: (square, pole)} of the pieces that belong on the board now, by the game so far
    set_up()           generator: puts the pieces where SETUP wants them
    make(move)         generator: the hand actions of a move that is legal
    answer()           generator: answers the question that PENDING asks (eyes.text)
    aside(piece)       (x, y) beside the board where a piece lies that is not in play
    mistakes           names of generator methods of (move): things that people do wrong before a move; each
                       returns False when the position gives no occasion
    legal_positions()  yields (move, places) of what could have been played: to follow other players' moves
                       by looking at the board, as people do
    face(piece)        (text of at most 2 characters, (r, g, b), seat or None): how a screen draws it
    words(piece)       what a person sees who looks at it, who holds it where it is in a hand
    marks()            {square: character}: what is printed on the board
    printed(square)    what the game calls a square, "hole B3", where that is not the board's name; else ""

What all games share is here: `script()` is what the hands follow for a whole match. It looks at the board
(`eyes`), sets up, plays for its seats, makes mistakes at the rate `errors`, notices them by what the board
shows, and mends them by the board's guidance alone: takes away what shall be taken away, puts back what is
missing, turns over what stands wrong. Pieces are Pieces of the world; where they really stand is looked up
there, never remembered.

A stage survives a killed simulator: `save()` gives plain JSON values, `restore(values)` takes them.
"""

import importlib
import importlib.util
import random

import shared_rules
from lodeboard.errors import LodeboardError
from lodeboard.sim.hands import OK, UNDO

SETTLE_MS = 150  # a person's eye, after the board has had the time to decide
PATIENCE_MS = 4000  # how long a person waits for the board to react before looking at what is wrong
MEND_STEPS = 80
STANDS_MM = 5.0  # a piece lower than this stands, or will in a moment


def open(name, **keys):
    """The stage of a game by name. LodeboardError when no virtual hands know the game."""
    module = f"lodeboard.sim.stage_{name}"
    if importlib.util.find_spec(module) is None:
        raise LodeboardError(f"No virtual hands can play {name}.", "Choose another game.", 1)
    return importlib.import_module(module).Stage(**keys)


class Stage:
    """players: for each seat a function (game) -> move, or None where a person moves the pieces.

    For a seat that a host plays, hands do with the pieces what the board says that the host asks for.

    errors: share of moves that are preceded by a mistake. haste: factor on thinking times, 0 for none.
    guests: the Hands of a person at the same board: what they hold is not touched, and in their turns the
    virtual hands mend only when they are called().
    plies: after so many moves in a game the hands stop and set `tired`, for somebody to end the game.
    stats: counts of mistakes by name, and of "mends" that the board's guidance did not end ("unguided").
    """

    game_name = None
    mistakes = ()

    def __init__(self, board, world, hands, eyes, seed=0, players=(), errors=0.0, haste=1.0, options=None,
                 games=None, plies=None):
        self.board = board
        self.world = world
        self.hands = hands
        self.eyes = eyes
        self.random = random.Random(f"stage {seed}")
        self.players = list(players)
        self.errors = errors
        self.haste = haste
        self.options = options or {}
        self.games = games
        self.plies = plies
        self.tired = False
        self.guests = ()
        self._called = False
        self.played = 0
        self.game = None
        self.stats = {}
        self.lay_out()

    # What a game's stage gives

    def lay_out(self):
        raise NotImplementedError

    def places(self):
        raise NotImplementedError

    def set_up(self):
        raise NotImplementedError

    def make(self, move):
        raise NotImplementedError

    def legal_positions(self):
        raise NotImplementedError

    def aside(self, piece):
        raise NotImplementedError

    def face(self, piece):
        raise NotImplementedError

    def words(self, piece):
        raise NotImplementedError

    def marks(self):
        return {}

    def printed(self, square):
        return ""

    def lay_set_up(self):
        """Everything stands where SETUP wants it, as if somebody had set up before."""
        for piece, (square, pole) in self.places().items():
            self.world.move(piece, *self.board.centre_mm(square), pole=pole)

    def answer(self):
        raise NotImplementedError

    # The match

    def script(self):
        """What the hands do for the whole match; ends after `games` games, never when that is None."""
        while self.games is None or self.played < self.games:
            yield from self.wait(lambda: self.eyes.state is not None)
            state = self.eyes.state
            if any(guest.holding for guest in self.guests):
                yield 25
            elif state == "SETUP":
                yield from self._set_up()
            elif self._called and state not in ("OVER", "PAUSED"):
                yield from self.mend()
            elif state == "TURN":
                yield from self._turn()
            elif state == "OVER":
                self.follow()
                self.played += 1
                if self.games is None or self.played < self.games:
                    yield from self.hands.pause(1500 * self.haste, 3000 * self.haste)
                    yield from self.hands.press(OK)
                    yield from self.wait(lambda: self.eyes.state != "OVER")
            elif state == "PENDING" and self._own_turn():
                yield from self._pending()
            elif state == "PAUSED":
                yield from self.hands.pause(500, 1000)
                yield from self.hands.press(OK)
                yield from self.wait(lambda: self.eyes.state != "PAUSED")
            else:
                yield from self.wait(lambda s=state: self.eyes.state != s or self._called, 1500)
                if self.eyes.state == state and self._own_turn() and not self._called:
                    yield from self.mend()

    def call(self):
        """A person asks the hands that play a seat to mend what the board asks for."""
        self._called = True

    def _own_turn(self):
        """Whether these hands move the pieces in this turn, or nobody can say whose it is."""
        turn = self.game.turn if self.game else None
        return turn is None or self.players[turn] is not None

    def _set_up(self):
        self.game = None
        yield from self.set_up()
        if not (yield from self.wait(lambda: self.eyes.state != "SETUP")):
            yield from self.mend()

    def _turn(self):
        """One turn as the board sees it; somebody else's turn is waited out."""
        self.follow()
        seat = self.eyes.seat
        hosted = seat in self.eyes.hosts
        if self.game.turn != seat or self.players[seat] is None or (hosted and self.eyes.asked is None):
            seen = self.eyes.seen
            yield from self.wait(lambda: self.eyes.seen != seen or self._called, 500)
            return
        if self.plies is not None and len(self.game.history) >= self.plies:
            self.tired = True
            yield from self.wait(lambda: self.eyes.state != "TURN")
            return
        yield from self.hands.pause(400 * self.haste, 2500 * self.haste)
        if hosted and self.eyes.asked is None:
            return  # the host thought better of it
        move = self.game.parse(self.eyes.asked) if hosted else self.players[seat](self.game)
        if self.mistakes and self.random.random() < self.errors:
            mistake = self.random.choice(self.mistakes)
            if (yield from getattr(self, mistake)(move)):
                self.count(mistake)
                yield from self.recover(move)
                return
        yield from self.play(move)

    def _pending(self):
        """The board waits: for hands to rest, or for an answer."""
        text = self.eyes.text
        if not (yield from self.wait(lambda: (self.eyes.state, self.eyes.text) != ("PENDING", text), 1200)):
            yield from self.answer()
            yield from self.wait(lambda: (self.eyes.state, self.eyes.text) != ("PENDING", text), 1500)

    def play(self, move):
        """Make a move and see it counted; a move that went wrong is mended and taken up again next time."""
        ply = self.eyes.ply
        yield from self.make(move)
        if (yield from self.wait(lambda: self.eyes.ply > ply or self.eyes.state == "DESYNC")):
            if self.eyes.ply == ply + 1:
                self.game.play(move)
                return
        yield from self.recover(move)

    def recover(self, move):
        """After something went wrong: look, take back a move that was not meant, mend."""
        yield SETTLE_MS
        plies = len(self.game.history)
        yield from self.wait(lambda: self.eyes.state in ("TURN", "OVER", "DESYNC"), 1500)
        if self.eyes.ply == plies + 1 and self._stands_after(move):
            self.game.play(move)  # badly done, but it is what was meant
            return
        if self.eyes.ply > plies and self.eyes.state in ("TURN", "OVER"):
            yield from self.hands.pause(300, 900)
            yield from self.hands.press(UNDO)
            self.count("take-backs")
            yield from self.wait(lambda: self.eyes.ply == plies or self.eyes.asks)
        if self.eyes.state != "TURN" or self.eyes.asks:
            yield from self.mend()

    def follow(self):
        """Bring the game up to what the board holds: take-backs, and moves that others made."""
        eyes = self.eyes
        if eyes.state == "SETUP":
            self.game = None
        if eyes.state is None or eyes.state == "SETUP" or (self.game is None and eyes.seat is None):
            return
        if self.game is None:
            self.game = shared_rules.load(self.game_name, **{**self.options, "starter": 1})
            if eyes.ply == 0:
                self.game = shared_rules.load(self.game_name, **{**self.options, "starter": eyes.seat + 1})
        while len(self.game.history) > eyes.ply:
            self.game.undo()
        if len(self.game.history) == eyes.ply - 1:
            standing = self.standing()
            for move, places in self.legal_positions():
                if places == standing:
                    self.game.play(move)
                    return

    def _stands_after(self, move):
        """Whether the board shows the position after a move."""
        self.game.play(move)
        places = self.places()
        self.game.undo()
        return self.standing() == places

    # Looking at the board

    def standing(self):
        """{piece: (square, pole)} of what really stands on the board."""
        found = {}
        for piece in self.world.pieces.values():
            square = self.square_under(piece)
            if square is not None:
                found[piece] = (square, piece.pole)
        return found

    def square_under(self, piece):
        """The square that a piece stands on, or None: it is in a hand, or beside the board."""
        pitch = self.board.pitch_mm
        x, y = int(piece.x // pitch), int(piece.y // pitch)
        if piece.on and piece.z < STANDS_MM and 0 <= x < self.board.width and 0 <= y < self.board.height:
            return y * self.board.width + x
        return None

    def piece_on(self, square):
        """The piece that stands on a square, or None."""
        for piece in self.world.pieces.values():
            if self.square_under(piece) == square:
                return piece
        return None

    # A person at the same board

    def may_stand(self, square):
        """Whether a person can set something down on a square."""
        return self.piece_on(square) is None

    def person_lifts(self, hands, piece):
        """A person's hands lift a piece."""
        yield from hands.lift(piece)

    def person_sets(self, hands, piece, square):
        """A person's hands carry what they hold to a square and set it down."""
        x, y = self.board.centre_mm(square)
        yield from hands.carry(piece, x, y)
        yield from hands.put(piece, x, y, piece.yaw)

    # Mending

    def mend(self):
        """Do what the board asks for until it asks no more."""
        self.count("mends")
        self._called = False
        for _ in range(MEND_STEPS):
            yield SETTLE_MS
            yield from self._put_down_all()
            eyes = self.eyes
            if eyes.state == "PENDING":
                yield from self._pending()
                continue
            if eyes.state == "LIFTED":
                yield from self.put_home()  # what was lifted lies beside the board: back, then think anew
                yield from self.wait(lambda: self.eyes.state != "LIFTED", 1500)
                continue
            if not eyes.asks:
                if not (yield from self.wait(lambda: self.eyes.state in ("TURN", "SETUP", "OVER"), 1200)):
                    yield from self._unguided()
                if not self.eyes.asks:
                    return
            seen = eyes.seen
            yield from self.hands.pause(200, 600)
            if eyes.take:
                yield from self._take(eyes.take[0])
            elif eyes.turn:
                yield from self._turn_over(eyes.turn[0])
            elif eyes.put:
                yield from self._put(eyes.put[0])
            yield from self.wait(lambda s=seen: self.eyes.seen != s, 1500)

    def _unguided(self):
        """The board is stuck and asks for nothing."""
        self.count("unguided")
        yield from self.put_home()

    def _all_home(self):
        return self.standing() == self.places()

    def put_home(self):
        """Put every piece where the game has it, without being asked."""
        standing = self.standing()
        places = self.places()
        for piece, at in standing.items():
            if places.get(piece) != at:
                yield from self._to_aside(piece)
        for piece, (square, pole) in places.items():
            if self.standing().get(piece) != (square, pole):
                yield from self.bring(piece, square, pole)

    def _take(self, square):
        piece = self.piece_on(square)
        if piece is None:
            return
        home = self.places().get(piece)
        if home and home[0] != square and self.piece_on(home[0]) is None:
            yield from self.bring(piece, *home)
        else:
            yield from self._to_aside(piece)

    def _turn_over(self, square):
        piece = self.piece_on(square)
        if piece is not None:
            yield from self.bring(piece, square, -piece.pole)

    def _put(self, square):
        for piece, (home, pole) in self.places().items():
            if home == square:
                yield from self.bring(piece, square, pole)
                return

    def _put_down_all(self):
        """What is still in a hand goes home, or aside."""
        for piece in list(self.hands.holding):
            home = self.places().get(piece)
            if home and self.piece_on(home[0]) is None:
                yield from self.bring(piece, *home)
            else:
                yield from self._to_aside(piece)

    def bring(self, piece, square, pole):
        """Lift a piece from wherever it is, turn it if need be, and set it on a square."""
        x, y = self.board.centre_mm(square)
        yield from self.hands.lift(piece)
        if piece.pole != pole:
            yield from self.hands.turn(piece)
        yield from self.hands.carry(piece, x, y)
        yield from self.hands.put(piece, x, y)

    def _to_aside(self, piece):
        x, y = self.aside(piece)
        yield from self.hands.lift(piece)
        yield from self.hands.carry(piece, x, y)
        yield from self.hands.put(piece, x, y, sloppiness=0)

    # Small things

    def wait(self, condition, ms=PATIENCE_MS):
        """Wait until condition(), at most ms; whether it came true."""
        for _ in range(0, ms, 25):
            if condition():
                return True
            yield 25
        return condition()

    def count(self, what):
        self.stats[what] = self.stats.get(what, 0) + 1

    # What outlives a killed simulator

    def save(self):
        """Where everything stands and the game so far, as plain JSON values."""
        return {
            "game": self.game.snapshot() if self.game else None,
            "pieces": {
                p.key: [p.x, p.y, p.z if p.z >= STANDS_MM else 0.0, p.yaw, p.pole]
                for p in self.world.pieces.values()
                if p.on
            },
        }

    def restore(self, values):
        """Take back what save() gave; pieces that were in a hand lie beside the board."""
        if values["game"]:
            self.game = shared_rules.load(self.game_name, snapshot=values["game"], **self.options)
        for key, (x, y, z, yaw, pole) in values["pieces"].items():
            piece = self.world.pieces[key]
            if z > 0:
                x, y = self.aside(piece)
            self.world.move(piece, x, y, 0.0, yaw, pole)
