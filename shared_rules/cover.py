"""Callisto's questions that must be answered fast, and the door to their two answerers with the same answers:
cover_viper.py on MicroPython, cover_plain.py elsewhere.

    cover = cover.make(pieces, size, inside, light)

pieces: polyomino.PieceSet; size: width and height, up to 24; inside, light: of each row the bits (bit x the
column x) of the squares that belong to the board, and that may carry a column.

    put(colour, move)                  marks a placement, or takes a marked one away again
    cover(colour, hand, column)        how many legal moves there are; map: the squares that they cover
    any(colour, hand, column)          whether there is a legal move
    moves(colour, hand, column)        list: columns, then orientation by orientation, row by row
    fits(move)                         whether the squares of a placement are all free
    touches(colour, move)              whether a placement on free squares has an edge against the colour
    column_fits(move, column)          whether a column may stand there
    match(squares)                     the move with exactly these squares (y * size + x); -1: there is none
    grow(colour, hand, squares)        how many legal placements have these squares and more; map: theirs
    map[y]                             bit x: the square (x, y) is among those found by cover and grow
    mark(target, at, width, value)     writes the value for each square of map into target, a bytearray with
                                       width bytes a row, the map's corner at index at

colour: from 0. hand: bytes, how many of each shape are left; empty: no pieces now. column: which rule a
column follows now, a constant below. A move is orientation << 10 | y << 5 | x, (x, y) the corner of its box;
orientation 0 is a column.
"""

import sys

NO_COLUMN = 0
LIGHT_SQUARE = 1  # 2009: any free square but the dark centre
AT_FRAME = 2  # 2014, rounds one and two: at the frame, beside no column
AT_FRAME_OR_PIECE = 3  # 2014, later: at the frame or beside a piece, beside no column


def make(pieces, size, inside, light):
    """The answerer for this machine."""
    if sys.implementation.name == "micropython":
        try:
            from .cover_viper import Cover

            return Cover(pieces, size, inside, light)
        except SyntaxError:
            pass  # a MicroPython without an emitter of machine code
    from .cover_plain import Cover

    return Cover(pieces, size, inside, light)
