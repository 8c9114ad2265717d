"""Castellers: why what hands did or a host asks for cannot be. A chip loads it when it is needed."""

from shared_rules import castellers_moves as notation
from shared_rules.castellers_moves import DRAW
from shared_rules.castellers_places import BASE, NOWHERE


def why_not_ask(referee, move):
    """None, or why this legal move cannot be asked for."""
    kind = notation.parts(move)[0]
    if kind == "draw":
        if referee.game.options["bag"] == "board" and move not in (DRAW, referee.game.draw()):
            return "the board's own bag gives what it gives: ask for draw"
    elif kind in ("build", "take") and referee.goal(move)[0] == NOWHERE:
        return "the field of this castell has no square left for another column"
    return None


def why_not_put(referee, piece, seat, goal):
    """Why a casteller of a seat's set that came to rest on a square makes no move there."""
    owner = referee.owner(goal)
    if owner == seat:
        return "it goes back into its own hole"
    if owner >= 0:
        if seat != referee.game.turn:
            return "what is taken is built at once"
        move = notation.give(piece, owner)
        return referee.game.why_not(move) or referee.may_play(move)
    if referee.places.area[goal] < BASE:
        return "castellers stand on bases and in racks"
    return _why_not_there(referee, piece, seat, goal)


def _why_not_there(referee, piece, seat, goal):
    """Why a casteller cannot begin a column on this empty square of a field."""
    game, places = referee.game, referee.places
    found = places.find(goal)
    if found and found[0] != game.turn:
        return "this castell is of " + referee.table.seat_name(found[0])
    at = found[1] if found else len(places.castells[game.turn])
    column = len(places.castells[game.turn][at]) - 1 if found else 0
    make = notation.build if seat == game.turn else notation.take
    why = game.why_not(make(piece, at, column))
    if why is None:
        sq = places.target(game.turn, at, column)[0]
        why = "the next column stands on " + referee.table.square_name(sq) if sq != NOWHERE else "the field is full"
    return why
