"""Plays the move that is best one ply ahead; equal ones by lot.

Tau: win; else leave the opponent the fewest winning moves; else take holes with many lines through them.
Callisto: the largest piece first, then most new squares to build on, then near the middle.
Castellers: points first, then castells that grow upwards from low numbers on few bases; else draw.
Other games: the best score against the best of the others.
"""

from shared_rules import castellers_moves, tau
from shared_rules.castellers_score import is_valid
from shared_rules.game import Random


class Player:
    def __init__(self, seed):
        self._random = Random(seed)

    def choose(self, game):
        value = VALUES.get(game.name, score_value)
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


def callisto_value(game, move):
    """(squares of the piece; free squares beside it that touch no own piece yet; nearness to the middle)."""
    size, own = game.size, game.turn + 1
    squares = game.squares(move)
    fresh = set()
    for square in squares:
        for beside in beside_squares(square, size):
            if not game.owner[beside] and not any(
                game.owner[at] & 247 == own for at in beside_squares(beside, size)
            ):
                fresh.add(beside)
    off = sum(abs(2 * (at % size) + 1 - size) + abs(2 * (at // size) + 1 - size) for at in squares)
    return len(squares), len(fresh - set(squares)), -off // len(squares)


def beside_squares(square, size):
    """The squares of the size x size box that share an edge with one."""
    x = square % size
    if x:
        yield square - 1
    if x < size - 1:
        yield square + 1
    if square >= size:
        yield square - size
    if square < size * (size - 1):
        yield square + size


def castellers_value(game, move):
    """Lead in points, and what castells are on their way to; a casteller that is given away is lost."""
    kind, piece, _, _ = castellers_moves.parts(move)
    if kind in ("draw", "end"):
        return 1 if kind == "draw" else 0
    if kind == "give":
        return -1 - piece % 7
    before = castells_worth(game, game.turn)
    seat = game.turn
    game.play(move)
    worth = castells_worth(game, seat)
    game.undo()
    return worth - before


def castells_worth(game, seat):
    """Ten a point of lead; for each castell what it may become: two columns first, then upwards, low numbers
    below. A second one that is not yet valid is only begun when nothing else can be built.
    """
    scores = game.scores()
    lead = scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
    worth = 10 * lead
    begun = 0
    for castell in game.castells(seat):
        begun += not castell or not is_valid(castell)
        worth += (0, 19, 29)[min(2, len(castell))] + len(castell)
        for column in castell:
            worth += 9 * (len(column) - 1) - int(column[-1][1])
    return worth - 12 * max(0, begun - 1)


VALUES = {"tau": tau_value, "callisto": callisto_value, "castellers": castellers_value}
