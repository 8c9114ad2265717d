"""Plays any legal move."""

from shared_rules.game import Random


class Player:
    def __init__(self, seed):
        self._random = Random(seed)

    def choose(self, game):
        legal = game.legal()
        return legal[self._random.below(len(legal))]
