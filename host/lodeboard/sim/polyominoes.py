"""Pieces with a magnet under each square, and how they lie: turned by quarters, flipped, square by square.

    piece = make(world, "1:T4", SHAPES["T4"], pitch_mm=20.0)
    x, y, yaw, pole = pose(piece, squares)        how it must lie to cover these squares (x, y)
    cells(piece, pitch_mm)                        the squares that its magnets are over

A piece's (x, y) is its handle: the square of its own that is nearest to its middle. All its magnets point the
same way; flipped over it shows the other pole and its mirror image.
"""

import math


def make(world, key, shape, pitch_mm):
    """A new piece of the world from its squares (x, y)."""
    middle = [sum(cell[axis] for cell in shape) / len(shape) for axis in (0, 1)]
    hx, hy = min(shape, key=lambda cell: (math.dist(cell, middle), cell))
    return world.add(key, [((x - hx) * pitch_mm, (y - hy) * pitch_mm, 0.0) for x, y in shape])


def offsets(piece, yaw=None):
    """(dx, dy) in mm of its magnets from its handle as it lies, or as it would at this yaw."""
    angle = math.radians(piece.yaw if yaw is None else yaw)
    cos, sin = math.cos(angle), math.sin(angle)
    return [(cos * dx - sin * dy, sin * dx + cos * dy) for dx, dy, *_ in piece.magnets]


def cells(piece, pitch_mm):
    """The squares (x, y) that its magnets are over, in no order; some may lie beside the board."""
    return [
        (math.floor((piece.x + dx) / pitch_mm), math.floor((piece.y + dy) / pitch_mm))
        for dx, dy in offsets(piece)
    ]


def pose(piece, squares, pitch_mm):
    """(x, y, yaw, pole) in which the piece covers exactly these squares; None when it cannot."""
    wanted = sorted(squares)
    for pole in (piece.pole, -piece.pole):
        mirror = 1 if pole == piece.pole else -1
        for yaw in (0.0, 90.0, 180.0, 270.0):
            found = []
            angle = math.radians(yaw)
            cos, sin = round(math.cos(angle)), round(math.sin(angle))
            for dx, dy, *_ in piece.magnets:
                dx *= mirror
                turned = cos * dx - sin * dy, sin * dx + cos * dy
                found.append((round(turned[0] / pitch_mm), round(turned[1] / pitch_mm)))
            left, top = min(x for x, _ in found), min(y for _, y in found)
            x, y = min(x for x, _ in wanted) - left, min(y for _, y in wanted) - top
            if sorted((x + dx, y + dy) for dx, dy in found) == wanted:
                return (x + 0.5) * pitch_mm, (y + 0.5) * pitch_mm, yaw, pole
    return None
