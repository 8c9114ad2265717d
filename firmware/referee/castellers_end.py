"""Castellers at its end: who won, with how many points of what, and which castells did it."""

from .. import lights as li
from . import forget_rules

POINTS = ("castellers", "blue", "bases", "tallest", "widest", "total")


def light(referee):
    """The castells of who won glow."""
    ranking = referee.table.outcome[1]
    if referee.game.turn is not None or not ranking:
        return
    for seat in seats(ranking[0]):
        for columns in referee.places.castells[seat]:
            for sq in referee.places.squares(columns):
                referee.table.lights.role[sq] = li.WIN


def seats(place):
    """The seats that share a place of a ranking."""
    return place if isinstance(place, (list, tuple)) else [place]


def text(referee):
    """The ranking, and one seat's points in detail: HINT goes to the next seat."""
    by, ranking = referee.table.outcome
    if by == "abandon" or not ranking:
        return "Abandoned. OK: next game."
    places = []
    for place in ranking:
        names = "+".join([referee.table.seat_name(seat) for seat in seats(place)])
        places.append("%s %d" % (names, referee.game.points(seats(place)[0])["total"]))
    said = "; ".join(places) + "."
    if by == "resign":
        said = "Resigned. " + said
    return said + detail(referee) + " OK: next game."


def detail(referee):
    seat = referee.hint_seat
    if seat < 0:
        return " HINT: points."
    points = referee.game.points(seat)
    parts = ["%s %d" % (key, points[key]) for key in POINTS[:-1] if points[key]]
    name = referee.table.seat_name(seat)
    return " %s: %s = %d." % (name, ", ".join(parts) or "nothing", points["total"])


def result(referee):
    """Keys of the event `result`: ended_by; points, a list a seat in the order of POINTS."""
    forget_rules("castellers_why")
    table = []
    for seat in range(referee.game.players):
        points = referee.game.points(seat)
        table.append([points[key] for key in POINTS])
    return {"ended_by": referee.game.ended_by, "points": table}
