"""One game of a log: its line of play, all that happened in it, and how it stands with the rules."""

import shared_rules

from ..replay import RESULTS
from . import facts

# What the rules raise for options and moves out of a file that nobody has checked.
RULES_ERRORS = (ValueError, TypeError, KeyError, IndexError, AttributeError)


class Reviewed:
    """One game of a log.

    moves      the line of play in the end: dicts with ply, seat (from 1), move, legal (number of legal moves
               before it), think_ms, at_least (a power cut makes think_ms a lower bound), at, n
    timeline   everything in order: dicts with kind ("move", "undo", "illegal", "desync", "shown", "power",
               "note", "missing", "port", "error" or "result"), ply (moves on the board after it), at, line
    result     ranking (seats from 1), by, scores, ... or None
    fault      {"ply", "move", "why", "line"}: where the log breaks the rules, or None
    broken     a sentence when the log lost moves, or None
    known      plies of `moves` whose positions are known: all of them without a fault and unbroken
    assumed    the setup was lost, and the usual options are taken
    """

    def __init__(self, name, options, line, event, assumed=False):
        self.name = name
        self.options = options
        self.line = line
        self.match = whole(event.get("match"))
        self.number = whole(event.get("game"))
        self.seed = event.get("seed")
        self.at = event.get("at")
        self.h = event.get("h")
        self.assumed = assumed
        self.moves = []
        self.timeline = []
        self.result = None
        self.fault = None
        self.broken = None
        self.known = 0
        self.rules = None
        try:
            self.rules = start(name, options)
            self.options = self.rules.options
        except RULES_ERRORS as error:
            self.fault = {
                "ply": 0,
                "move": None,
                "why": str(error) or "these options are no game",
                "line": line,
            }

    @property
    def replayable(self):
        return self.rules is not None and self.fault is None and self.broken is None

    def position(self, ply):
        """A game of the rules after `ply` moves of the line of play. IndexError when it is not known."""
        if self.rules is None or not 0 <= ply <= self.known:
            raise IndexError(ply)
        game = start(self.name, self.options)
        for entry in self.moves[:ply]:
            game.play(game.parse(entry["move"]))
        return game

    def count(self, kind):
        return sum(entry["kind"] == kind for entry in self.timeline)

    def record(self):
        """The game as a record (docs/architecture.md), as far as its positions are known."""
        game, known = self.rules, self.known
        record = {"game": self.name, **self.options}
        record["moves"] = [f"{entry['seat']}:{entry['move']}" for entry in self.moves[:known]]
        record["legal"] = [entry["legal"] for entry in self.moves[:known]]
        if game.turn is None and self.replayable:
            record["ranking"] = from_one(game.ranking())
            for key in RESULTS[1:]:
                value = getattr(game, key, None)
                value = value() if callable(value) else value
                if value is not None:
                    record[key] = value
        return record

    def summary(self):
        """Plain JSON values, complete."""
        return {
            "game": self.name,
            "options": self.options,
            "assumed": self.assumed,
            "match": self.match,
            "number": self.number,
            "seed": self.seed,
            "line": self.line,
            "h": self.h,
            "moves": self.moves,
            "timeline": self.timeline,
            "takebacks": self.count("undo"),
            "illegal": self.count("illegal"),
            "desyncs": self.count("desync"),
            "power_cuts": self.count("power"),
            "result": self.result,
            "fault": self.fault,
            "broken": self.broken,
            "known": self.known,
            **facts.summary(self),
        }


def whole(value):
    """The value when it is a whole number, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def start(name, options):
    """A new game of the rules. One of RULES_ERRORS when the options are none."""
    if "snapshot" in options:
        raise ValueError("a setup has no snapshot")
    return shared_rules.load(name, **options)


def from_one(ranking):
    """A ranking with seats from 1, or None."""
    if not isinstance(ranking, list):
        return None
    return [
        from_one(place) if isinstance(place, list) else place + 1 for place in ranking if place is not None
    ]
