"""Why a move of Castellers is not legal, as a sentence. A chip loads it when somebody tries one.

sentence(game, move, wrong)      wrong: a number, as castellers.py found it
"""

from .castellers_column import top
from .castellers_moves import name

SENTENCES = (
    "",
    "the game is over",
    "there is no such move",
    "there is no such piece",
    "a white was drawn: first a casteller falls",
    "the exchange is not finished: take a casteller from seat {partner}",
    "the bag is empty",
    "the bag holds no {piece} any more",
    "there is no {piece} in the set",
    "",  # no such place: _no_place()
    "castell {castell} has another colour than {piece}",
    "{piece} is not higher than the {below} under it",
    "a casteller is given to another player",
    "seat {castell} has nothing that could be taken and built, whatever is given",
    "the exchange is with seat {partner}",
    "before a casteller is taken, something is given",
    "seat {partner} had no {piece} before the exchange",
    "{piece} is not lower than the sum given, {sum}",
    "nothing falls now",
    "there is no castell {castell} with a column {column}",
    "the highest casteller of castell {castell} is not on column {column}",
    "a turn has at least one action",
)


def sentence(game, move, wrong):
    """What is wrong with a move, in one sentence for a person."""
    if wrong < 4 or not SENTENCES[wrong]:
        return SENTENCES[wrong] or _no_place(game, move >> 7 & 15, move & 127)
    castells, at, column = game.standing(), move >> 7 & 15, move & 127
    piece = move >> 11 & 63
    below = 0
    if at < len(castells) and column < len(castells[at]):
        below = top(castells[at][column]) % 7 + 1
    return SENTENCES[wrong].format(
        partner=(game.exchange or 0) + 1,
        piece=name(piece) if piece < 35 else "piece",
        castell=at + 1,
        column=column + 1,
        below=below,
        sum=game.given_sum,
    )


def _no_place(game, at, column):
    castells = game.standing()
    if at < len(castells):
        columns = len(castells[at])
        if column < columns:
            return "a level is finished before the next: column %d of castell %d must wait" % (column + 1, at + 1)
        if column == columns:
            return "castell %d has begun its second level and takes no new column" % (at + 1)
        return "castell %d has no column %d" % (at + 1, column + 1)
    if at == len(castells) and column == 0:
        return "all %d bases are used" % game.most_bases
    return "there is no castell %d with a column %d" % (at + 1, column + 1)
