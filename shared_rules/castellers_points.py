"""What castells are worth: points, bonus tokens, the tie-break, the ranking.

`tables` is a list of castells (castellers_score.py) a seat.
"""

from .castellers_moves import KINDS, WHITE
from .castellers_score import is_valid, size


class Tables:
    """`tables` of a game, made anew each time: a chip at its game's end has no room for all of them."""

    def __init__(self, game):
        self._game = game

    def __len__(self):
        return self._game.players

    def __getitem__(self, seat):
        return self._game.table(seat)


def _best(tables, measure):
    """The seat with the best valid castell, ties by its number of castellers; None when still tied."""
    best, owner = (0, 0), None
    for seat in range(len(tables)):
        for castell in tables[seat]:
            if is_valid(castell):
                key = (measure(castell), size(castell))
                if key > best:
                    best, owner = key, seat
                elif key == best and owner != seat:
                    owner = None
    return owner


def _height(castell):
    return max([len(column) for column in castell])


def points(box, tables, seat):
    """A seat's points in detail, a dict that sums to "total". box: the Box in force, or a game with it:

    castellers (one each in valid castells), blue (one more each), bases (minus one each), tallest, widest.
    """
    castellers = blue = 0
    for castell in tables[seat]:
        if is_valid(castell):
            castellers += size(castell)
            for column in castell:
                for piece in column:
                    blue += box.blue[piece]
    # Levels never grow upwards, so the widest level is the lowest: as many castellers as columns.
    detail = {
        "castellers": castellers,
        "blue": blue,
        "bases": -len(tables[seat]),
        "tallest": box.tallest if _best(tables, _height) == seat else 0,
        "widest": box.widest if _best(tables, len) == seat else 0,
    }
    detail["total"] = sum(detail.values())
    return detail


def white(castells, pieces):
    """The highest white number in a player's castells and set (counts of the pieces 0..34); 0 without one."""
    highest = 0
    for piece in range(WHITE * 7, WHITE * 7 + 7):
        if pieces[piece]:
            highest = piece % 7 + 1
    for castell in castells:
        for column in castell:
            for piece in column:
                if piece // 7 == WHITE:
                    highest = max(highest, piece % 7 + 1)
    return highest


def scores(game):
    """The points of every seat."""
    tables = Tables(game)
    return [points(game, tables, seat)["total"] for seat in range(game.players)]


def ranking(game):
    """Seats best first by points, then by their highest white; those that are still tied in a list of their own."""
    tables, total = Tables(game), scores(game)
    keys = []
    for seat in range(game.players):
        keys.append((total[seat], white(tables[seat], [game.count(seat, piece) for piece in range(KINDS)])))
    places = []
    for key in sorted(set(keys), reverse=True):
        tied = [seat for seat in range(game.players) if keys[seat] == key]
        places.append(tied if len(tied) > 1 else tied[0])
    return places
