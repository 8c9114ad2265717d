"""Following a board live: its game under the rules, its state, its clocks; an opponent that takes a seat."""

import time

from .errors import LodeboardError
from .review.games import Reader

ANNOUNCED_S = 1.5  # a hidden colour is told so long, as on the board, and then no more
RETRY_S = 1.0  # before the board is asked again for a move that it could not take


class Follower:
    """Feed it a board's events. spectator: may be shown what the players do not see.

    game     the Reviewed game, or None before the first;  rules  its game of the rules, None when not known
    state    the last `state` event, or {}
    """

    def __init__(self, spectator=False):
        self.spectator = spectator
        self.state = {}
        self._reader = Reader()
        self._announced = None
        self._behind = None  # host's clock minus board's clock, ms

    @property
    def game(self):
        return self._reader.game

    @property
    def rules(self):
        return self.game.rules if self.game is not None and self.game.replayable else None

    def take(self, event):
        self._reader.take(0, event)
        kind, at = event.get("t"), event.get("at")
        if kind == "state":
            self.state = event
        elif kind == "hello" and event.get("state"):
            self.state = {"s": event["state"]}  # its sentence comes with the next change
        elif kind == "shown":
            self._announced = event
        elif kind == "note" and event.get("what") == "start":
            self._behind = None
        if kind is not None and isinstance(at, int):
            behind = event["h"] * 1000 - at
            self._behind = behind if self._behind is None else min(self._behind, behind)

    def moves(self):
        """Texts of the moves so far, "2:~C3"; covered colours are "?" unless for a spectator."""
        rules = self.rules
        if rules is None:
            return []
        texts = rules.seen_by(None if self.spectator else 0)["moves"]
        return [f"{seat + 1}:{text}" for (seat, _), text in zip(rules.history, texts, strict=True)]

    def last_move(self):
        """The last move itself, or None."""
        return self.rules.history[-1][1] if self.rules is not None and self.rules.history else None

    def announcement(self, now=None):
        """The colour that was hidden just now as (square, colour letter), or None."""
        now = time.time() if now is None else now
        event = self._announced
        if event is None or not 0 <= now - event["h"] < ANNOUNCED_S:
            return None
        return event.get("q"), event.get("c")

    def clocks(self, now=None):
        """ms of thinking for each seat (index from 0), the turn that runs included."""
        rules = self.rules
        if rules is None:
            return []
        totals = [0] * rules.players
        for entry in self.game.moves:
            totals[entry["seat"] - 1] += entry["think_ms"] or 0
        if rules.turn is not None and self._behind is not None:
            now = time.time() if now is None else now
            totals[rules.turn] += self._reader.clock.running(round(now * 1000 - self._behind))
        return totals


class Opponent:
    """Decides for a seat (from 1) of a followed board: tells the board, which lights what to do.

    player: see lodeboard.players. Call step() after every event and now and then.
    """

    def __init__(self, board, follower, seat, player, name):
        self.board = board
        self.follower = follower
        self.seat = seat
        self.player = player
        self.name = name
        self.trouble = None  # what the board said when it refused, or None
        self._seated = False
        self._asked = None
        self._again = 0.0

    def take(self, event):
        """After these the board may have forgotten who sits where, and what it was asked."""
        if event.get("t") == "hello" or (event.get("t") == "note" and event.get("what") == "start"):
            self._seated, self._asked = False, None
        elif event.get("t") in ("setup", "undo"):
            self._asked = None

    def step(self):
        now = time.monotonic()
        if now < self._again or not self.board.connected or not self.board.caught_up:
            return
        try:
            if not self._seated:
                self.board.command("seat", s=self.seat, by="host", name=self.name)
                self._seated = True
            self._ask()
            self.trouble = None
        except LodeboardError as error:
            self.trouble = error.what
            self._again = now + RETRY_S

    def _ask(self):
        rules, state = self.follower.rules, self.follower.state
        if rules is None or rules.turn != self.seat - 1 or state.get("s") not in ("TURN", "LIFTED", "DESYNC"):
            return
        key = (id(self.follower.game), len(rules.history))
        if key == self._asked or state.get("ply", key[1]) != key[1]:
            return
        game = self.follower.game.position(len(rules.history))
        move = game.text(self.player.choose(game))
        self.board.command("play", m=move)
        self._asked = key

    def leave(self):
        """Give the seat back to the people at the board."""
        if self._seated and self.board.connected:
            try:
                self.board.command("seat", s=self.seat, by="board")
            except LodeboardError:
                pass  # it is gone, and will have forgotten
