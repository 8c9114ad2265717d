"""The games in a log, replayed under the rules.

for game in games(log.events):
    game.moves, game.timeline, game.result, game.fault, game.summary()
"""

from ..firmware import wire
from .clock import Clock
from .game import RULES_ERRORS, Reviewed, from_one, whole


def games(events):
    """The list of Reviewed games in a log's Items, in order."""
    reader = Reader()
    for line, event in events:
        reader.take(line, event)
    return reader.games


def believed(ranking):
    """A ranking from a file when it is one, else None."""
    if not isinstance(ranking, list) or not ranking:
        return None
    places = [place if isinstance(place, list) else [place] for place in ranking]
    return ranking if all(whole(seat) is not None for place in places for seat in place) else None


class Reader:
    """Takes a log's events one by one; `games`, and `game`: the one that is under way or ended last."""

    def __init__(self):
        self.games = []
        self.game = None
        self.clock = Clock()
        self.latest = None  # `at` of the newest durable event
        self.more = False  # the last desync goes on in another event
        self.lost = 0  # durable events that are missing just before this one
        self.entries = []  # `rules` notes that go before a setup

    def take(self, line, event):
        at = whole(event.get("at"))
        kind = event.get("t")
        if "n" in event:
            note = event.get("what") if kind == "note" else None
            if note == "start" or (at is not None and self.latest is not None and at < self.latest):
                self._power(line, at)
            if at is not None:
                self.latest = at
        handler = HANDLED.get(kind) if isinstance(kind, str) else None
        if handler is not None:
            handler(self, line, event, at)
            if "n" in event:
                self.lost = 0
        elif event.get("host") == "missing":
            self._gap(line, event)
        elif event.get("host") == "journal":
            self._other_board()
        elif event.get("host") in ("lost", "back") and self.game:
            self._note("port", line, None, what=event["host"])
        self.clock.see(at)

    def _other_board(self):
        """What comes is another board's: its clock, its game, its numbers."""
        self.game, self.clock, self.latest, self.more, self.lost = None, Clock(), None, False, 0

    def _note(self, kind, line, at, **keys):
        self.game.timeline.append({"kind": kind, "ply": len(self.game.moves), "at": at, "line": line, **keys})

    def _power(self, line, at):
        if self.game is not None and self.game.timeline and self.game.timeline[-1]["kind"] == "power":
            return  # the note "start" and the clock that began anew tell of the same cut
        self.clock.cut(at)
        if self.game is not None and self.game.result is None:
            self._note("power", line, at)

    def _gap(self, line, event):
        self.lost = event["to"] - event["from"] + 1
        if self.game is not None and self.game.result is None:
            self._note("missing", line, None, **{"from": event["from"], "to": event["to"]})

    def _break(self, why):
        if self.game.broken is None and self.game.fault is None:
            self.game.broken = why

    def _fault(self, line, event, why):
        if self.game.fault is None and self.game.broken is None:
            ply = event.get("ply")
            self.game.fault = {"ply": ply, "move": event.get("m"), "why": why, "line": line}

    # Durable events

    def _setup(self, line, event, at):
        event = wire.join(event, self.entries)
        self.entries = []
        self.game = Reviewed(event["g"], event["opt"], line, event)
        self.games.append(self.game)
        self.clock.begin(at)

    def _lacking(self, line, event):
        """A game whose setup is not in the log: the usual options, and whoever begins here."""
        first = event.get("ply") == 1 and event.get("t") == "move"
        options = {"starter": event["s"]} if first else {}
        self.game = Reviewed(event["g"], options, line, {"at": None}, assumed=True)
        self.games.append(self.game)
        self.clock = Clock()
        if not first:
            self._break("The beginning of this game is missing.")

    def _ours(self, line, event):
        game = self.game
        if game is None or game.name != event["g"] or (game.result is not None and event["t"] == "move"):
            self._lacking(line, event)
        return self.game

    def _move(self, line, event, at):
        game = self._ours(line, event)
        think, at_least = self.clock.end(at)
        self._catch_up(line, event["ply"] - 1)
        entry = {
            "ply": event["ply"],
            "seat": event["s"],
            "move": event["m"],
            "legal": None,
            "think_ms": think,
            "at_least": at_least,
            "at": at,
            "n": event["n"],
        }
        if game.replayable:
            rules = game.rules
            if event["ply"] != len(rules.history) + 1:
                self._fault(line, event, f"it says ply {event['ply']} and is number {len(rules.history) + 1}")
            elif rules.turn is None:
                self._fault(line, event, "the game is over")
            elif rules.turn + 1 != event["s"]:
                self._fault(line, event, f"it is seat {rules.turn + 1}'s turn, not seat {event['s']}'s")
            else:
                try:
                    legal = len(rules.legal())
                    rules.play(rules.parse(event["m"]))
                    entry["legal"] = legal
                    game.known = len(rules.history)
                except RULES_ERRORS as error:
                    self._fault(line, event, str(error) or "the rules refuse it")
        game.moves.append(entry)
        game.timeline.append({"kind": "move", "line": line, **entry})

    def _catch_up(self, line, before):
        """Bring the line of play to `before` moves when missing events explain why it is not there."""
        if not self.lost or not self.game.replayable:
            return
        have = len(self.game.rules.history)
        if self.lost == 1 and before == have - 1:
            # The one that is missing was the take-back.
            self._note("undo", line, None, think_ms=None, inferred=True, **self._take_back())
        elif self.lost > 1 or before != have:
            self._break(f"Moves are missing after ply {have}: the positions from there on are unknown.")

    def _take_back(self):
        game = self.game
        if game.replayable:
            game.rules.undo()
        undone = game.moves.pop() if game.moves else None
        game.known = min(game.known, len(game.moves))
        return {"seat": undone["seat"], "move": undone["move"]} if undone else {"seat": None, "move": None}

    def _undo(self, line, event, at):
        game = self._ours(line, event)
        self._catch_up(line, event["ply"] + 1)
        game.result = None
        if game.replayable:
            if not game.rules.history:
                self._fault(line, event, "there is no move to take back")
            elif event["ply"] != len(game.rules.history) - 1 or game.moves[-1]["move"] != event["m"]:
                self._fault(line, event, "the move taken back is not the last one")
        think, _ = self.clock.end(at)
        keys = self._take_back() if game.moves else {"seat": event["s"], "move": event["m"]}
        self._note("undo", line, at, think_ms=think, **keys)

    def _result(self, line, event, at):
        game = self._ours(line, event)
        skipped = ("t", "n", "h", "at", "g")
        ranking = believed(event.get("ranking"))
        game.result = {key: value for key, value in event.items() if key not in skipped} | {
            "ranking": ranking
        }
        self._note("result", line, at, result=game.result)
        if self.lost:
            self._break(f"Moves may be missing after ply {len(game.moves)}, before the result.")
        if not game.replayable:
            return
        found = game.rules.ranking()
        if found is None and event["by"] in ("win", "draw", "end"):
            self._fault(line, event, f"the log ends the game ({event['by']}), by the rules it goes on")
        elif found is not None and from_one(found) != ranking:
            self._fault(line, event, f"the log ranks the seats {ranking}, the rules {from_one(found)}")

    def _remark(self, line, event, at):
        what = event["what"]
        if what == "rules":
            self.entries.append(event)
            return
        if self.game is None or self.game.result is not None or what == "start":
            return
        if what == "resume":
            self.clock.go_on(at)
        self._note("note", line, at, what=what)

    # Passing events

    def _illegal(self, line, event, at):
        if self.game:
            self._note("illegal", line, at, why=event.get("why"), squares=event.get("q"), move=event.get("m"))

    def _desync(self, line, event, at):
        if not self.game:
            return
        wrong = {key: event.get(key) for key in ("take", "put", "turn")}
        wrong = {key: names if isinstance(names, list) else [] for key, names in wrong.items()}
        if any(wrong.values()):
            last = self.game.timeline[-1] if self.game.timeline else {}
            if (
                self.more and last.get("kind") == "desync"
            ):  # the rest of an event that was too long for a frame
                wrong = {key: last[key] + [at for at in wrong[key] if at not in last[key]] for key in wrong}
            self.more = bool(event.get("more"))
            if last.get("kind") == "desync" and last.get("mended_ms") is None:
                last.update(wrong)  # one and the same, changed while it was being put right
            else:
                self._note("desync", line, at, mended_ms=None, **wrong)
            return
        for entry in reversed(self.game.timeline):
            if entry["kind"] == "desync":
                if entry["mended_ms"] is None and at is not None and entry["at"] is not None:
                    entry["mended_ms"] = max(0, at - entry["at"])
                return

    def _shown(self, line, event, at):
        if self.game:
            self._note("shown", line, at, square=event.get("q"), colour=event.get("c"))

    def _error(self, line, event, at):
        if self.game:
            self._note("error", line, at, what=str(event.get("what")))

    def _state(self, line, event, at):
        if event.get("s") == "PAUSED":
            self.clock.pause(at)
        else:
            self.clock.go_on(at)


HANDLED = {
    "setup": Reader._setup,
    "move": Reader._move,
    "undo": Reader._undo,
    "result": Reader._result,
    "note": Reader._remark,
    "illegal": Reader._illegal,
    "desync": Reader._desync,
    "error": Reader._error,
    "shown": Reader._shown,
    "state": Reader._state,
}
