"""The printed things, as build123d solids; each function gives one part, lying as it is printed."""

import math

from build123d import Align, Axis, Box, Cylinder, Part, Pos, RegularPolygon, Rot, chamfer, extrude

from hardware.solids.sizes import BELOW, CIRCUIT, PLATE, PLATE_UNDER, PLAY, RIDGE, RIDGE_WIDTH

UP = (Align.CENTER, Align.CENTER, Align.MIN)
CORNER = (Align.MIN, Align.MIN, Align.MIN)

CALLISTO_TALL = 10.0
COLUMN_TALL = 26.0
STICK_TALL, STICK_WIDE, CAP_TALL = 40.0, 14.0, 6.0
SPIGOT = 9.6
CASTELLER_WIDE, CASTELLER_TALL = 18.0, 16.0
RIM_TALL, RIM = 1.4, 1.6


def _pocket(sizes, x, y, bottom, top):
    """The room of a magnet and the way to it from above."""
    return Pos(x, y, bottom) * Cylinder(sizes.pocket[0] / 2, top - bottom + 0.01, align=UP)


def callisto(sizes, cells):
    """A piece: its squares, a pocket over each, and grooves underneath where the plate has its ridges."""
    pitch, side = sizes.pitch, sizes.pitch - 0.6
    cells = sorted(cells)
    body = Part()
    for x, y in cells:
        body += Pos(x * pitch, y * pitch, 0) * Box(side, side, CALLISTO_TALL, align=UP)
        for dx, dy in ((1, 0), (0, 1)):
            if (x + dx, y + dy) in cells:
                body += Pos((x + dx / 2) * pitch, (y + dy / 2) * pitch, 0) * Box(
                    side if dy else 1.2, side if dx else 1.2, CALLISTO_TALL, align=UP
                )
    # a square of four cells has a hole where their corners meet
    for x, y in cells:
        if {(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= set(cells):
            body += Pos((x + 0.5) * pitch, (y + 0.5) * pitch, 0) * Box(1.2, 1.2, CALLISTO_TALL, align=UP)
    width = RIDGE_WIDTH + 2 * PLAY + 0.6
    for x, y in cells:
        for dx, dy in ((1, 0), (0, 1)):
            if (x + dx, y + dy) in cells:
                body -= Pos((x + dx / 2) * pitch, (y + dy / 2) * pitch, -0.01) * Box(
                    pitch + 0.6 if dy else width, pitch + 0.6 if dx else width, RIDGE + 0.3, align=UP
                )
        body -= _pocket(sizes, x * pitch, y * pitch, sizes.floor, CALLISTO_TALL)
    return body


def plug(sizes):
    """Closes a magnet's pocket in a Callisto piece, flush; also a handle to press it in with."""
    deep = CALLISTO_TALL - sizes.floor - sizes.magnet[1] - 0.2
    return Cylinder(sizes.pocket[0] / 2 - 0.05, deep, align=UP)


def column(sizes):
    """Callisto's column: one square, tall, to be taken by its head."""
    side = sizes.pitch - 0.6
    foot = Box(side, side, 6.0, align=UP)
    shaft = Pos(0, 0, 6.0) * Cylinder(6.0, COLUMN_TALL - 12.0, align=UP)
    head = Pos(0, 0, COLUMN_TALL - 6.0) * Cylinder(8.0, 6.0, align=UP)
    return (
        foot
        + shaft
        + head
        - _pocket(sizes, 0, 0, sizes.floor, COLUMN_TALL - 4.0)
        - Pos(0, 0, COLUMN_TALL - 4.01) * Cylinder(sizes.pocket[0] / 2, 4.02, align=UP)
    )


def stick(sizes):
    """The body of a Tau stick: a tube with a wall across its middle; a cap goes into each end."""
    tall = STICK_TALL - 2 * CAP_TALL
    tube = Cylinder(STICK_WIDE / 2, tall, align=UP)
    bore = Cylinder((SPIGOT + PLAY) / 2, 9.0, align=UP)
    return tube - Pos(0, 0, -0.01) * bore - Pos(0, 0, tall - 8.99) * bore


def cap(sizes):
    """The coloured end of a Tau stick, colour down as printed; the magnet goes in from the spigot's side."""
    body = Cylinder(STICK_WIDE / 2, CAP_TALL, align=UP) + Pos(0, 0, CAP_TALL) * Cylinder(SPIGOT / 2, 8.0, align=UP)
    return body - _pocket(sizes, 0, 0, sizes.floor, CAP_TALL + 8.0)


def casteller(sizes, number=0):
    """A casteller: a foot below that sits in the rim of the one under it; dots in its top are its number."""
    body = Pos(0, 0, RIM_TALL) * Box(CASTELLER_WIDE, CASTELLER_WIDE, CASTELLER_TALL, align=UP)
    inner = CASTELLER_WIDE - 2 * RIM
    foot = Box(inner - 2 * PLAY, inner - 2 * PLAY, RIM_TALL + 0.01, align=UP)
    body += foot
    body -= Pos(0, 0, CASTELLER_TALL) * Box(inner, inner, RIM_TALL + 0.01, align=UP)
    # the pocket opens into the recess of the top, closed by a plug when the magnet is in
    body -= _pocket(sizes, 0, 0, sizes.floor, CASTELLER_TALL)
    for i in range(number):  # as many dots as its number, around the pocket
        angle = 2 * math.pi * i / max(number, 1)
        body += Pos(5.4 * math.sin(angle), 5.4 * math.cos(angle), CASTELLER_TALL - 0.01) * Cylinder(0.9, 0.61, align=UP)
    return body


def casteller_plug(sizes):
    """Closes a casteller's pocket, flush with the recess of its top."""
    return Cylinder(sizes.pocket[0] / 2 - 0.05, CASTELLER_TALL - sizes.floor - sizes.magnet[1] - 0.2, align=UP)


def base_well(sizes):
    """A casteller's place on a base: a 4 x 4 grid of rims that keep feet within half a millimetre."""
    pitch, inner = sizes.pitch, CASTELLER_WIDE - 2 * RIM
    plate = Box(4 * pitch - 0.4, 4 * pitch - 0.4, RIM_TALL, align=UP)
    for i in range(4):
        for j in range(4):
            plate -= Pos((i - 1.5) * pitch, (j - 1.5) * pitch, -0.01) * Box(inner, inner, RIM_TALL + 0.02, align=UP)
    return plate


def rack(sizes, holes=7, thick=6.0):
    """A rack strip for Tau: a row of holes that sticks stand in, over the plate's squares."""
    pitch = sizes.pitch
    strip = Pos((holes - 1) / 2 * pitch, 0, 0) * Box(holes * pitch - 0.4, pitch - 0.4, thick, align=UP)
    for i in range(holes):
        strip -= Pos(i * pitch, 0, -0.01) * Cylinder((STICK_WIDE + 1.0) / 2, thick + 0.02, align=UP)
    return strip


def ridges(sizes, squares=4):
    """A grid of Callisto's ridges for one tile, to glue on a plain plate."""
    pitch, length = sizes.pitch, sizes.pitch * 4
    grid = Part()
    for i in range(squares + 1):
        at = min(max(i * pitch, RIDGE_WIDTH / 2), length - RIDGE_WIDTH / 2)
        grid += Pos(at, length / 2, 0) * Box(RIDGE_WIDTH, length, RIDGE, align=UP)
        grid += Pos(length / 2, at, 0) * Box(length, RIDGE_WIDTH, RIDGE, align=UP)
    return grid


FRAME_WALL, LEDGE = 4.0, 3.0
FRAME_TALL = BELOW + CIRCUIT + PLATE_UNDER + PLATE


def rail(sizes, tiles=2):
    """A length of the frame: a wall with a ledge under the circuit boards, and one under the top plate."""
    length = tiles * 4 * sizes.pitch
    wall = Pos(0, 0, 0) * Box(length, FRAME_WALL, FRAME_TALL, align=CORNER)
    low = Pos(0, FRAME_WALL, 0) * Box(length, LEDGE, BELOW, align=CORNER)
    foot = Pos(0, FRAME_WALL + LEDGE, 0) * Box(length, 5.0, 2.4, align=CORNER)
    part = wall + low + foot
    for end in (10.0, length - 10.0):  # screws or dowels to the next rail and the corner
        part -= Pos(end, FRAME_WALL / 2 + LEDGE / 2, BELOW / 2) * Rot(90, 0, 0) * Cylinder(1.6, FRAME_WALL + LEDGE + 2)
    return part


def corner(sizes):
    """Holds two rails at a right angle, from outside."""
    leg = 20.0
    body = Box(leg, leg, FRAME_TALL, align=CORNER)
    body -= Pos(FRAME_WALL, FRAME_WALL, -0.01) * Box(leg, leg, FRAME_TALL + 0.02, align=CORNER)
    return chamfer(body.edges().filter_by(Axis.Z).sort_by(lambda e: e.center().X + e.center().Y)[:1], 2.0)


def standoff(sizes):
    """Stands under the middle of tiles, bored for an M3 screw that holds the circuit board."""
    return Cylinder(4.5, BELOW, align=UP) - Pos(0, 0, -0.01) * Cylinder(1.35, BELOW + 0.02, align=UP)


def inserter(sizes):
    """The jig that keeps poles right: a rod with a magnet captive in each end, round end and hexagonal end.

    A new magnet clings to an end by one of its sides only and goes into the pocket that way round. The round
    end sets north up, the hexagonal end south up; the captive magnets are set once, with a compass.
    """
    tall, floor, depth = 70.0, 0.8, sizes.pocket[1]
    body = extrude(RegularPolygon(7.0, 6), 45.0) + Pos(0, 0, 45.0) * Cylinder(6.0, tall - 45.0, align=UP)
    for z in (floor, tall - floor - depth):  # slots that open to the side, a skin's thickness from each end
        body -= Pos(0, 0, z) * Cylinder(sizes.pocket[0] / 2, depth, align=UP)
        body -= Pos(0, 0, z) * Box(sizes.pocket[0], 9.0, depth, align=(Align.CENTER, Align.MIN, Align.MIN))
    return body
