"""The rules of Tau, Callisto and Castellers. The same files run on CPython and on MicroPython.

    game = shared_rules.load("tau", open=True)
    for move in game.legal(): print(game.text(move))
"""

from .game import GAMES, IllegalMove, load, lots

__all__ = ("GAMES", "IllegalMove", "load", "lots")
