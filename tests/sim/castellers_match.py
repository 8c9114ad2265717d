"""A simulated match of Castellers for tests: hands that play, a board that can lose its power, all that it said."""

import contextlib
import tempfile

from lodeboard import boards
from lodeboard.firmware import wire
from lodeboard.games import commands
from lodeboard.players import make
from lodeboard.sim import engines, stage
from lodeboard.sim.hands import Hands
from lodeboard.sim.table import SimTable
from lodeboard.sim.world import World
from replayed import replayed
from simtable import Recording

SHORT = {"end": {str(seats): {"valid": 1, "one_of_at_least": 4} for seats in (2, 3, 4)}}


@contextlib.contextmanager
def match(seed, engine="python", board="lode16", errors=0.0, games=1, sloppiness=1.0, player="greedy", plies=None,
          heap=None, **options):
    """(table, stage); table.power_cut() takes the power away and gives it back. heap: of MicroPython, "200k"."""
    options = {"players": 2, "rules": SHORT, **options}
    board = boards.load(board)
    config = boards.firmware_config(board, "castellers")
    keys = {"heap": heap} if heap else {}
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        opened = engines.open(engine, config, folder, seed, **keys)
        world, eyes = World(board, seed), Recording(board)
        hands = Hands(world, seed, sloppiness)
        table = SimTable(board, opened, world, [hands], eyes)
        stack.callback(lambda: table.engine.close())

        def power_cut():
            table.engine.close()
            table.engine = engines.open(engine, config, folder, seed, **keys)

        table.power_cut = power_cut
        seats = [make(player, seed * 2 + seat + 1).choose for seat in range(options["players"])]
        plays = stage.open("castellers", board=board, world=world, hands=hands, eyes=eyes, seed=seed, players=seats,
                           errors=errors, games=games, haste=0.3, options=options, plies=plies)
        for c, keys_of in commands("castellers", options, seed=seed, games=games):
            table.said += wire.encode({"c": c, **keys_of})
        hands.start(plays.script())
        yield table, plays


def play_out(table, plays, games=1):
    """To the end of the match; who is tired gives up."""

    def done():
        if plays.tired:
            table.said += wire.encode({"c": "resign", "s": table.eyes.seat + 1})
            plays.tired = False
        return plays.hands.idle

    assert table.run_lockstep(done, limit_ms=3600_000 * games), (table.lines, plays.stats)


def check(table, plays):
    """A whole legal game; what stands on the board is what the record says, casteller by casteller."""
    game, result = replayed(table.eyes.events)
    assert game.turn is None and result["by"] == "end" and result["ended_by"] == game.ended_by
    assert result["scores"] == game.scores() == [points[-1] for points in result["points"]]
    assert plays.standing() == plays.places()
    assert plays.stats.get("unguided", 0) == 0
    assert not table.eyes.faults()
