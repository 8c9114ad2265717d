"""A column of castellers as an int: 1 << number - 1 for each casteller in it, the same << 7 if that one is white,
and from bit 14 on the colour of the others (WHITE while there are none).

Numbers ascend in a column and its colour is one, so that this says what stands where. A game holds some forty
columns: as lists they would take six times the memory.
"""

WHITE = 4  # the last of the five colours
EMPTY = WHITE << 14


def _shape(numbers):
    """How many bits are set, and << 3 the place of the highest, from 1."""
    height = top = 0
    for number in range(7):
        if numbers >> number & 1:
            height, top = height + 1, number + 1
    return top << 3 | height


SHAPE = bytes([_shape(numbers) for numbers in range(128)])  # of column & 127


def height(column):
    """How many castellers stand in it."""
    return SHAPE[column & 127] & 7


def added(column, piece):
    """The column with a piece (0..34) on top."""
    number = piece % 7
    if piece // 7 == WHITE:
        return column | 129 << number
    return column & 0x3FFF | 1 << number | piece // 7 << 14


def top(column):
    """The piece on top of a column that is not empty."""
    number = (SHAPE[column & 127] >> 3) - 1
    return number + 7 * (WHITE if column >> 7 + number & 1 else column >> 14)


def less(column):
    """The column without its top."""
    column &= ~(129 << (SHAPE[column & 127] >> 3) - 1)
    if column & 127 == column >> 7 & 127:
        column = column & 0x3FFF | EMPTY  # only whites are left
    return column


def pieces(column):
    """The pieces in it, from the bottom up."""
    found = []
    for number in range(7):
        if column >> number & 1:
            found.append(number + 7 * (WHITE if column >> 7 + number & 1 else column >> 14))
    return found
