"""Moves of Castellers as ints, and their notation.

A move is kind << 17 | piece << 11 | castell << 7 | column, castells and columns from 0; in a give the place
of the castell holds the seat that receives. DRAW is a draw whose outcome is not known yet.
"""

from .castellers_column import WHITE
from .game import IllegalMove

COLOURS = "rgbpw"
KINDS = 7 * (WHITE + 1)  # of pieces
IS_DRAW, IS_BUILD, IS_GIVE, IS_TAKE, IS_FALL, IS_END = range(6)
UNNAMED = 63  # the piece of a draw whose outcome is not known yet
DRAW = UNNAMED << 11
END = IS_END << 17


def name(piece):
    """A piece 0..34 by its name, "r3"."""
    return COLOURS[piece // 7] + chr(49 + piece % 7)


def number(name):
    """The piece of a name, or -1 where that is none."""
    if isinstance(name, str) and len(name) == 2 and name[0] in COLOURS and "1" <= name[1] <= "7":
        return COLOURS.find(name[0]) * 7 + ord(name[1]) - 49
    return -1


def drawn(piece):
    """The move that draws this piece."""
    return piece << 11


def build(piece, castell, column):
    """The move that puts a piece of the own set on a column."""
    return IS_BUILD << 17 | piece << 11 | castell << 7 | column


def give(piece, seat):
    """The move that gives a piece of the own set to another seat."""
    return IS_GIVE << 17 | piece << 11 | seat << 7


def take(piece, castell, column):
    """The move that takes a piece of the other seat's set and puts it on an own column."""
    return IS_TAKE << 17 | piece << 11 | castell << 7 | column


def fall(castell, column):
    """The move that takes the top of a column back into the set after a white was drawn."""
    return IS_FALL << 17 | castell << 7 | column


def parts(move):
    """A move taken apart: (kind, piece, castell or receiving seat, column).

    kind is "draw", "build", "give", "take", "fall" or "end"; what a kind does not have is 0; an unnamed draw has
    the piece UNNAMED.
    """
    return ("draw", "build", "give", "take", "fall", "end")[move >> 17], move >> 11 & 63, move >> 7 & 15, move & 127


def text(move):
    kind, piece, at, column = move >> 17, move >> 11 & 63, move >> 7 & 15, move & 127
    if move == DRAW:
        return "draw"
    if move == END:
        return "end"
    if kind == IS_DRAW:
        return "draw=" + name(piece)
    if kind == IS_GIVE:
        return "give %s>%d" % (name(piece), at + 1)
    place = "%d.%d" % (at + 1, column + 1)
    if kind == IS_FALL:
        return "fall " + place
    return ("take " if kind == IS_TAKE else "") + name(piece) + "@" + place


def parse(text):
    if text == "draw":
        return DRAW
    if text == "end":
        return END
    if isinstance(text, str):
        if text[:5] == "draw=":
            return drawn(_piece(text[5:]))
        if text[:5] == "fall ":
            return fall(*_place(text[5:]))
        if text[:5] == "give " and text[7:8] == ">":
            return give(_piece(text[5:7]), _index(text[8:], 4, "player"))
        if text[:5] == "take " and text[7:8] == "@":
            return take(_piece(text[5:7]), *_place(text[8:]))
        if text[2:3] == "@":
            return build(_piece(text[:2]), *_place(text[3:]))
    raise IllegalMove("a move is a text such as draw=r3, r3@2.1, give r1>3, take b4@1.2, fall 2.4 or end")


def _piece(text):
    piece = number(text)
    if piece < 0:
        text = text[:20] or "nothing"
        raise IllegalMove("%s is no piece; colours are r g b p w, numbers 1 to 7" % text)
    return piece


def _index(text, most, what):
    """The place that a number from 1 says, from 0."""
    digits = 0 < len(text) < 4 and text[0] != "0"
    for character in text:
        digits = digits and character in "0123456789"
    if not digits or int(text) > most:
        raise IllegalMove("%s is no number of a %s" % (text[:20] or "nothing", what))
    return int(text) - 1


def _place(text):
    dot = text.find(".")
    if dot < 0:
        raise IllegalMove("a place is a castell and a column, such as 2.1")
    return _index(text[:dot], 12, "castell"), _index(text[dot + 1 :], 127, "column")
