"""Computer opponents. A player is `Player(seed)` with `choose(game) -> move`; game: one of the rules' games.

    choose = players.load("greedy", seed=7)
    game.play(choose(game))

The same seed and game give the same moves on every machine.
"""

import importlib
import zlib

from ..errors import LodeboardError

PLAYERS = ("random", "greedy")


def load(name, seed=1):
    """The function (game) -> move of a player by name; seed: int or str. LodeboardError: no such player."""
    if name not in PLAYERS:
        raise LodeboardError(f"There is no player {name}.", f"Choose one of {', '.join(PLAYERS)}.")
    player = importlib.import_module(f"{__name__}.{name}").Player
    # A random generator with small seeds side by side starts alike: spread them.
    return player(zlib.crc32(str(seed).encode())).choose
