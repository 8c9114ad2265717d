"""Plays the move that is best one ply ahead; equal ones by lot.

Tau: win; else leave the opponent the fewest winning moves; else take holes with many lines through them.
Other games: the best score against the best of the others.
"""

from shared_rules import tau
from shared_rules.game import Random


class Player:
    def __init__(self, seed):
        self._random = Random(seed)

    def choose(self, game):
        value = tau_value if game.name == "tau" else score_value
        best, equal = None, []
        for move in game.legal():
            worth = value(game, move)
            if best is None or worth > best:
                best, equal = worth, [move]
            elif worth == best:
                equal.append(move)
        return equal[self._random.below(len(equal))]


def tau_value(game, move):
    """(2 a win, 1 a draw, 0; minus the opponent's winning replies; lines through the hole)."""
    seat = game.turn
    game.play(move)
    if game.turn is None:
        ranking = game.ranking()
        over, wins = (2 if ranking[0] == seat else 1), 0
    else:
        over, wins = 0, game.census()[1]
    game.undo()
    return over, -wins, len(tau.THROUGH[tau.parts(move)[-1]]) // 2


def score_value(game, move):
    """Own score minus the best other one, after the move."""
    seat = game.turn
    game.play(move)
    scores = game.scores()
    game.undo()
    if scores is None:
        return 0
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
