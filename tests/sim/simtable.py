"""A simulated table for tests: an engine, a world, hands that play, and every event that the board sent."""

import contextlib
import tempfile

from lodeboard import boards
from lodeboard.firmware import wire
from lodeboard.players import make
from lodeboard.sim import engines, stage
from lodeboard.sim.eyes import Eyes
from lodeboard.sim.hands import Hands
from lodeboard.sim.table import SimTable
from lodeboard.sim.world import World


class Recording(Eyes):
    """Eyes that keep all events."""

    def __init__(self, board):
        super().__init__(board)
        self.events = []

    def _event(self, event):
        self.events.append(event)
        super()._event(event)

    def of(self, *kinds):
        return [event for event in self.events if event.get("t") in kinds]

    def faults(self):
        return [event for event in self.of("error") if "fault" in event["what"]]


@contextlib.contextmanager
def match(seed=1, engine="python", board="lode8", folder=None, sloppiness=1.0, errors=0.0, games=1, haste=1.0,
          options=None, noise=3.0):
    """(table, stage) of a match of random players; the hands have begun."""
    board = boards.load(board)
    with contextlib.ExitStack() as stack:
        folder = folder or stack.enter_context(tempfile.TemporaryDirectory())
        opened = engines.open(engine, boards.firmware_config(board), folder, seed)
        stack.enter_context(contextlib.closing(opened))
        world, eyes = World(board, seed, noise=noise), Recording(board)
        hands = Hands(world, seed, sloppiness)
        table = SimTable(board, opened, world, [hands], eyes)
        seats = [make("random", seed * 2 + seat + 1).choose for seat in range(2)]
        plays = stage.open("tau", board=board, world=world, hands=hands, eyes=eyes, seed=seed, players=seats,
                           errors=errors, games=games, haste=haste, options=options)
        if options:
            table.said = wire.encode({"c": "new", "g": "tau", "opt": options})
        hands.start(plays.script())
        yield table, plays


def play_out(table, plays, minutes=60):
    """Play to the end of the match."""
    assert table.run_lockstep(lambda: plays.hands.idle, limit_ms=minutes * 60000), table.lines
