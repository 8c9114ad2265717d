"""Computer opponents. A player has `choose(game) -> move`; game: one of the rules' games, with a seat to act.

    player = players.make("greedy", seed=7)
    game.play(player.choose(game))

The same seed and game give the same moves on every machine.
"""

import importlib

from ..errors import LodeboardError

PLAYERS = ("random", "greedy")


def make(name, seed=1):
    """A player by name; seed: int. LodeboardError for an unknown one."""
    if name not in PLAYERS:
        raise LodeboardError(f"There is no player {name}.", f"Choose one of {', '.join(PLAYERS)}.")
    return importlib.import_module(f"{__name__}.{name}").Player(seed)
