"""Castellers, before the game begins: the deal goes into the racks, casteller by casteller."""

from .. import lights as li
from .castellers_words import name_of


def text(referee):
    """What to do next."""
    if referee.take:
        return "Clear the board: take away what stands on %s." % referee.place_name(referee.take[0])
    if not referee.put:
        return "The board is ready."
    sq = next_dealt(referee)
    return "%s gets %s: into the lit hole." % (
        referee.table.seat_name(referee.owner(sq)),
        name_of(referee.piece[sq] - 1),
    )


def light(referee):
    """One empty rack hole glows, in the colour of what belongs there."""
    if referee.put:
        for sq in referee.put:
            referee.table.lights.role[sq] = li.OFF
        sq = next_dealt(referee)
        referee.colour(sq, referee.piece[sq] - 1)


def next_dealt(referee):
    """The rack hole that is filled next: seat after seat."""
    return min([(referee.owner(sq), sq) for sq in referee.put])[1]
