"""Castellers, when something went wrong: castells that fell down, take-backs, castellers that may be confused."""

from shared_rules.castellers_places import NOWHERE

from .castellers_words import name_of
from .continuity import CONFUSED

_AT_ONCE = 4  # columns that are built up together: the display has room for their names


def rebuild(referee, now):
    """Shows, level by level, what stood where on columns that fell down; False once all of it stands again."""
    levels, places = referee.rebuild, referee.places
    for sq in referee.put:
        if places.height(sq) > 1:
            levels[sq] = 0
    referee.stacks.forget()
    for sq in list(levels):
        if places.height(sq) < 2:
            del levels[sq]
        elif sq not in referee.put:
            levels[sq] = levels[sq] or 1
    if referee.differs():
        referee.guide(now)
        return True
    left = [sq for sq in levels if levels[sq] < places.height(sq)]
    if not left:
        levels.clear()
        referee.table.track.assign(referee.piece, referee.wanted, referee.table.seen)
        return False
    level = min([levels[sq] for sq in left]) + 1
    referee.put = sorted([sq for sq in left if levels[sq] < level])[:_AT_ONCE]
    referee.question = ("level", level, tuple(referee.put))
    names = []
    for sq in referee.put:
        names.append("%s on %s" % (name_of(places.column(sq)[level - 1]), referee.table.square_name(sq)))
    referee.guide(now, "Level %d: %s. OK when it stands." % (level, ", ".join(names)))
    return True


def ask_restack(referee):
    """Asks whether hands did what a take-back wants and no square tells; False where there is nothing to ask."""
    if referee.restacked or referee.differs():
        return False
    texts = []
    for start, goal, level in referee.back:
        if level < -1:
            texts.append("the casteller that fell back on " + referee.place_name(start))
        elif level > 1 and start == NOWHERE:
            texts.append("the top of %s off" % referee.place_name(goal))
    if not texts:
        return False
    referee.question = ("restack",)
    referee.table.lights.clear()
    referee.show("PENDING", "Take back: %s. OK when done." % ", ".join(texts))
    return True


def undo_text(referee):
    """What to do with the top of a column while a build is taken back, or None."""
    for start, goal, level in referee.back:
        if level > 1 and start in referee.put:
            return "Take back %d: %s from %s into its hole. OK goes on without." % (
                len(referee.undone),
                name_of(referee.piece[start] - 1),
                referee.place_name(goal),
            )
    return None


def doubt(referee):
    """Asks whether the castellers that two hands held at once stand where they should."""
    table = referee.table
    table.lights.clear()
    names = []
    for sq in range(referee.size):
        if table.track.at[sq] == CONFUSED and referee.piece[sq]:
            piece = referee.piece[sq] - 1
            referee.colour(sq, piece)
            names.append("%s on %s" % (name_of(piece), table.square_name(sq)))
    if names:
        referee.question = ("names",)
        referee.show("PENDING", "Is it so? %s. OK, or exchange." % ", ".join(names))
    else:
        table.track.assign(referee.piece, referee.wanted, table.seen)
        referee.dirty = True
