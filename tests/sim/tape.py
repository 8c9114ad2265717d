"""A game of Tau played by virtual hands on one engine; each tick's inputs are kept, for another engine."""

import json

from lodeboard import boards, players
from lodeboard.firmware import wire
from lodeboard.sim import stage
from lodeboard.sim.eyes import Eyes
from lodeboard.sim.hands import Hands
from lodeboard.sim.table import SimTable
from lodeboard.sim.world import World

BOARD = boards.load("lode8")
CONFIG = boards.firmware_config(BOARD)
OWN = ("mem", "machine")  # keys in which engines may differ


class Recording:
    """An engine that remembers what it was given and what came out."""

    def __init__(self, engine):
        self.engine = engine
        self.inputs = []
        self.outputs = []

    def tick(self, now, readings, buttons=0, received=b""):
        out = self.engine.tick(now, readings, buttons, received)
        self.inputs.append((now, readings[:], buttons, received))
        self.outputs.append(plain(out))
        return out


def plain(out):
    """An Out as values to compare: frames as objects, without what is the engine's own."""
    tone = out.tone
    return (None if out.rgb is None else bytes(out.rgb), out.lines, tone, tuple(objects(out.tx)))


def objects(data):
    """The frames in the bytes as JSON texts with sorted keys; anything else as it is."""
    for line in data.splitlines():
        kind, value = wire.decode(line)
        if kind == wire.FRAME:
            yield json.dumps({key: value[key] for key in sorted(value) if key not in OWN}, sort_keys=True)
        elif line:
            yield line.decode()


def events(outputs, kind):
    """The events of one kind in recorded outputs, as dicts."""
    found = [json.loads(text) for output in outputs for text in output[3] if text.startswith("{")]
    return [event for event in found if event.get("t") == kind]


def play(engine, seed, errors=0.0, until=None):
    """Plays a game on the engine; the Recording. until(outputs) true ends it early."""
    deck = Recording(engine)
    world, eyes = World(BOARD, seed), Eyes(BOARD)
    hands = Hands(world, seed, 1.0)
    table = SimTable(BOARD, deck, world, [hands], eyes)
    new = {"c": "new", "i": 2, "g": "tau", "seed": seed, "games": 1}
    for command in ({"c": "sync", "i": 1, "proto": 1}, new, {"c": "watch", "i": 3, "on": True}):
        eyes.feed(deck.tick(0, table.readings, 0, wire.encode(command)).tx)
    seats = [players.make("random", seed + seat).choose for seat in range(2)]
    parts = {"board": BOARD, "world": world, "hands": hands, "eyes": eyes, "players": seats}
    plays = stage.open("tau", seed=seed, errors=errors, games=1, **parts)
    hands.start(plays.script())
    assert table.run_lockstep(lambda: hands.idle or (until and until(deck.outputs)), limit_ms=3600_000)
    return deck
