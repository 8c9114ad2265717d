"""Castellers: the fall after a white was drawn. A chip loads it when one is owed."""

from shared_rules.castellers_places import NOWHERE

from .. import lights as li
from .castellers_words import name_of

_ITSELF = 2  # up to this level a fall that is sure counts without a question, as a build does


def falls(referee):
    """The falls that are legal now (or the one that the host asks for): (move, square, level)."""
    moves = [referee.wish] if referee.wish is not None else referee.game.legal()
    return [(move,) + referee.top(move) for move in moves]


def tall(found):
    """What of falls() the sensors are asked for."""
    return [(sq, level, -1) for _, sq, level in found if level > 1]


def show(referee, now):
    """A white was drawn, and its casteller is still on its column as far as squares tell."""
    referee.home = not referee.stacks.ready
    found = falls(referee)
    hole = referee.places.free_hole(referee.game.turn)
    lights = referee.table.lights
    lights.clear()
    for _, sq, _ in found:
        lights.role[sq] = li.ASK if referee.wish is not None else li.LEGAL
    seat = referee.table.seat_name(referee.game.turn)
    if referee.table.seat_by[referee.game.turn] == "host" and referee.wish is None:
        referee.show("TURN", "%s thinks: what falls?" % seat)
        return
    if hole != NOWHERE:
        lights.role[hole] = li.REACH
        referee.offer_text(())
        referee.show("TURN", "%s: the top of a lit column falls, into the lit hole." % seat)
        return
    referee.listen(tall(found))
    if referee.asked:
        referee.question_column(now, -1, lambda now, sq: fallen(referee, now, sq, None))
        return
    text = "%s: the top of a lit column falls. Lay it beside the board." % seat
    referee.show("TURN", text + referee.offer_text((("Then OK.", referee.ask),) if tall(found) else ()))


def fallen(referee, now, sq, goal):
    """The top of this column has fallen, into the rack hole `goal` or (None) beside the board."""
    for move, at, _ in falls(referee):
        if at == sq:
            why = referee.may_play(move)
            if why is None:
                referee.act(now, move, NOWHERE, goal)
            else:
                referee.refuse(now, why, [sq], move)
            return


def in_hands(referee, now, hole, goal):
    """Something moved while a fall is owed: from a column's only level, or into the rack."""
    found = falls(referee)
    if hole != NOWHERE:
        low = [sq for _, sq, level in found if level == 1 and sq == hole]
        if not low:
            referee.refuse(now, "a white was drawn: first a casteller falls", [hole])
        elif goal == NOWHERE:
            _low(referee, now, hole)
        elif referee.owner(goal) != referee.game.turn:
            referee.guide(now)
        elif referee.table.settled:
            fallen(referee, now, hole, goal)
        return
    if referee.owner(goal) != referee.game.turn or not tall(found):
        referee.guide(now)
        return
    if not referee.table.settled:
        return
    referee.listen(tall(found))
    sq, sure = referee.heard()
    if sure and referee.level_of(sq) <= _ITSELF:
        fallen(referee, now, sq, goal)
    elif sq >= 0 or referee.waited(now):
        referee.question_column(now, -1, lambda now, sq: fallen(referee, now, sq, goal))


def _low(referee, now, sq):
    """The only casteller of a column is in a hand."""
    lights = referee.table.lights
    lights.clear()
    lights.role[sq] = li.SOURCE
    hole = referee.places.free_hole(referee.game.turn)
    piece = referee.places.column(sq)[0]
    if hole != NOWHERE:
        referee.colour(hole, piece)
        referee.offer_text(())
        referee.show("LIFTED", "%s falls: into the lit hole." % name_of(piece))
    else:
        text = referee.offer_text((("OK.", lambda now: fallen(referee, now, sq, None)),))
        referee.show("LIFTED", "%s falls: beside the board.%s" % (name_of(piece), text))
