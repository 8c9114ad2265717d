"""Occupied or empty? Full boards of Callisto's pieces, as far off as hands may set them, against the decisions.

    for row in rows(boards=2500): ...         a million squares

Pieces of 2009 and columns fill lode20 at random, a tenth of the squares staying free; each piece is up to 3 mm and
5 degrees off, with every part's tolerance drawn anew; poles are the same for all, or either way by chance.
"""

import random
from array import array

from lodeboard import boards
from lodeboard.firmware.squares import Squares
from lodeboard.sim import polyominoes
from lodeboard.sim.world import World
from shared_rules.polyomino import SHAPES, orientations

BOARDS = 2500
OFF_MM = 3.0
OFF_DEG = 5.0
FREE = 0.1
SCANS = 6


def filled(board, seed, mixed, off_mm=OFF_MM, off_deg=OFF_DEG):
    """(a World, the occupied squares as {square: pole}) of one random board."""
    chance = random.Random(f"squares {seed}")
    world, taken = World(board, seed), {}
    turned = [one for name in sorted(SHAPES) for one in orientations(SHAPES[name])]
    for square in range(board.squares):
        y, x = divmod(square, board.width)
        if (x, y) in taken or chance.random() < FREE:
            continue
        shape = next((one for one in chance.sample(turned, 8) if _fits(board, taken, one, x, y)), b"\0")
        cells = [(x + (cell & 15) - (shape[0] & 15), y + (cell >> 4)) for cell in shape]
        piece = polyominoes.make(world, square, cells, board.pitch_mm)
        at_x, at_y, yaw, _ = polyominoes.pose(piece, cells, board.pitch_mm)
        world.move(
            piece,
            at_x + chance.uniform(-off_mm, off_mm),
            at_y + chance.uniform(-off_mm, off_mm),
            0.0,
            yaw + chance.uniform(-off_deg, off_deg),
        )
        pole = chance.choice((1, -1)) if mixed else 1
        if pole == -1:
            for number, (dx, dy, dz, strength) in enumerate(piece.magnets):
                piece.magnets[number] = (dx, dy, dz, -strength)
            world.move(piece, piece.x, piece.y, 0.0, piece.yaw)
        for cell in cells:
            taken[cell] = 1 if pole == 1 else 2
    return world, {y * board.width + x: pole for (x, y), pole in taken.items()}


def _fits(board, taken, shape, x, y):
    """Whether a shape's first square may lie at (x, y)."""
    for cell in shape:
        cx, cy = x + (cell & 15) - (shape[0] & 15), y + (cell >> 4)
        if not (0 <= cx < board.width and cy < board.height) or (cx, cy) in taken:
            return False
    return True


def wrong(board, config, seed, mixed):
    """Squares that are decided wrongly after a few scans: [(square, what it is, what was decided)]."""
    world, occupied = filled(board, seed, mixed)
    squares = Squares(config)
    readings = array("H", [0] * board.squares)
    for scan in range(SCANS):
        world.read(readings)
        squares.update(5 * scan, readings)
    return [
        (sq, occupied.get(sq, 0), squares.state[sq])
        for sq in range(board.squares)
        if squares.state[sq] != occupied.get(sq, 0)
    ]


def count(number, first=0):
    """(squares looked at, those decided wrongly) of so many boards, every other one with both poles."""
    board = boards.load("lode20")
    config = boards.firmware_config(board)
    errors = sum(len(wrong(board, config, seed, seed % 2)) for seed in range(first, first + number))
    return number * board.squares, errors


def rows(number=BOARDS):
    looked, errors = count(number)
    yield {
        "what": f"squares decided wrongly of {looked:,}, pieces {OFF_MM:g} mm and {OFF_DEG:g} degrees off",
        "measured": errors,
        "bound": 0,
        "unit": "",
        "ok": errors == 0,
    }
