"""Logs made by hand for the tests."""

import json
from pathlib import Path

from lodeboard.firmware import wire

RECORDS = Path(__file__).parents[1] / "records"
HELLO = {
    "t": "hello",
    "at": 0,
    "proto": 1,
    "board": "lode8",
    "serial": "7",
    "jid": "j1",
    "sim": True,
    "fw": "0.1.0",
}


def record(game="tau", line=0):
    return json.loads((RECORDS / f"{game}.jsonl").read_text().splitlines()[line])


class Story:
    """A journal that grows by what happens at the table; 1 s of board time passes before each event."""

    def __init__(self):
        self.events = [dict(HELLO)]
        self.n = 0
        self.at = 0

    def add(self, t, after=1000, **keys):
        self.at += after
        event = {"t": t, "at": self.at, **keys}
        if t in ("setup", "move", "undo", "result", "note"):
            self.n += 1
            event["n"] = self.n
        self.events.append(event)
        return self

    def setup(self, game="tau", match=1, number=1, **options):
        options = {"players": 2, "open": False, "repetition": 0, "starter": 1, **options}
        return self.add("setup", g=game, opt=options, match=match, game=number, seed=7)

    def moves(self, *texts, first=1):
        """Moves as in a record: "2:~C3"."""
        for ply, move in enumerate(texts, first):
            seat, text = move.split(":")
            self.add("move", g="tau", s=int(seat), m=text, ply=ply)
        return self

    def undo(self, seat, text, ply):
        return self.add("undo", g="tau", s=seat, m=text, ply=ply)

    def game(self, kept, **keys):
        """A whole record, with its result."""
        self.setup(starter=int(kept["moves"][0][0]), **keys).moves(*kept["moves"])
        return self.add("result", g="tau", ranking=kept["ranking"], scores=None, by="win")

    def without(self, *numbers):
        self.events = [event for event in self.events if event.get("n") not in numbers]
        return self

    def capture(self):
        """What a terminal program saves of it."""
        return b"".join(wire.encode(event) for event in self.events)

    def save(self, path):
        """Our own log of it; returns the path as text."""
        lines = [{"h": 1.0, "host": "log", "format": 1}] + [
            {"h": 1.0 + event["at"] / 1000, **event} for event in self.events
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return str(path)
