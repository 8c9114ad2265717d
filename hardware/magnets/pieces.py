"""How pieces stand on a board: random positions of every game as rows of magnets, misplaced as people place
them."""

import functools
import math

import numpy as np

from shared_rules.callisto import PIECES
from shared_rules.polyomino import SHAPES


class Spread:
    """Tolerances, all uniform (plus and minus), mm, degrees, shares and mT. Change one with `replace`."""

    def __init__(
        self,
        shift=3.0,
        yaw=5.0,
        lean=1.0,
        gap=0.5,
        strength=0.05,
        warm=0.036,
        sensitivity=0.05,
        offset=0.5,
        drift=0.3,
        noise=0.1,
        sensor=0.2,
    ):
        self.shift, self.yaw, self.lean, self.gap = shift, yaw, lean, gap
        self.strength = strength  # of magnets, one from another
        self.warm = warm  # of all magnets at once: 30 K at 0.12 %/K
        self.sensitivity, self.offset, self.drift = sensitivity, offset, drift
        self.noise = noise  # standard deviation of a reading
        self.sensor = sensor  # place of a sensor on its board, and of the element in it


#: what the pieces of each game may do: Callisto lies loose on the plate; a Tau stick stands in a hole; a
#: casteller's base stands in a well
LOOSE = Spread()
HOLE = Spread(shift=1.0, yaw=0.0, lean=2.0)
WELL = Spread(shift=1.0, yaw=0.0, lean=1.0)


@functools.cache
def _turned(edition):
    """[[cells of an orientation]] of every piece of an edition of Callisto, and the single square (a
    column)."""
    found = [[(0, 0)]]
    for name, _ in PIECES[edition]:
        cells = SHAPES[name]
        turned = set()
        for flip in (1, -1):
            for turn in range(4):
                shape = [(flip * x, y) for x, y in cells]
                for _ in range(turn):
                    shape = [(-y, x) for x, y in shape]
                x0, y0 = min(x for x, _ in shape), min(y for _, y in shape)
                turned.add(tuple(sorted((x - x0, y - y0) for x, y in shape)))
        found += [list(shape) for shape in sorted(turned)]
    return found


def tiling(rng, width, height, edition="2009", full=0.94):
    """[[(x, y)] of a piece]: a board filled at random with Callisto's pieces, `full` of its squares."""
    free = np.ones((height, width), bool)
    shapes = _turned(edition)
    pieces = []
    for square in rng.permutation(width * height):
        y, x = divmod(int(square), width)
        if not free[y, x] or 1 - free.mean() >= full:
            continue
        for shape in rng.permutation(len(shapes))[:12]:
            cells = [(x + dx - shapes[shape][0][0], y + dy - shapes[shape][0][1]) for dx, dy in shapes[shape]]
            if all(0 <= u < width and 0 <= v < height and free[v, u] for u, v in cells):
                for u, v in cells:
                    free[v, u] = False
                pieces.append(cells)
                break
    return pieces


def _pm(rng, limit, size=None):
    return rng.uniform(-limit, limit, size)


def callisto(rng, pieces, shape, spread, pitch, gap, poles="same"):
    """(magnets, truth): rigid pieces, each moved, turned and leaning as a whole. truth: int8[y, x] poles.

    poles: "same" puts the same pole up everywhere (the worst case), "mixed" tosses for each piece.
    """
    rows, truth = [], np.zeros(shape, np.int8)
    warm = 1 + _pm(rng, spread.warm)
    for cells in pieces:
        pole = 1 if poles == "same" else int(rng.choice((-1, 1)))
        at = (np.array(cells, float) + 0.5) * pitch
        centre = at.mean(0)
        angle = math.radians(_pm(rng, spread.yaw))
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        rel = (at - centre) @ turn.T
        lean = np.radians(_pm(rng, spread.lean, 2))
        # a leaning piece stands on its lowest edge: half a square beyond its outermost magnet
        reach = np.abs(rel).max(0) + pitch / 2
        up = rel @ np.sin(lean) + reach @ np.abs(np.sin(lean))
        moved = centre + rel + _pm(rng, spread.shift, 2)
        for (x, y), z, (u, v) in zip(moved, up, cells, strict=True):
            strength = pole * warm * (1 + _pm(rng, spread.strength))
            rows.append((x, y, gap + _pm(rng, spread.gap) + z, -lean[0], -lean[1], strength))
            truth[v, u] = pole
    return np.array(rows), truth


def single(rng, squares, shape, spread, pitch, gap, upper=None, levels=None, tall=16.0):
    """(magnets, truth): pieces of one square: Tau sticks, castellers, columns.

    squares: {(x, y): pole}. upper: height of a second magnet above the first, same way round (a stick).
    levels: {(x, y): castellers in the column}, each `tall`, moved a little from the one below.
    """
    rows, truth = [], np.zeros(shape, np.int8)
    warm = 1 + _pm(rng, spread.warm)
    for (u, v), pole in squares.items():
        x, y = (np.array((u, v)) + 0.5) * pitch + _pm(rng, spread.shift, 2)
        lx, ly = np.radians(_pm(rng, spread.lean, 2))
        base = gap + _pm(rng, spread.gap)
        truth[v, u] = pole
        count = levels[u, v] if levels else 1
        for level in range(count):
            if level:
                x, y = x + _pm(rng, 0.5), y + _pm(rng, 0.5)
            strength = pole * warm * (1 + _pm(rng, spread.strength))
            z = base + level * tall
            rows.append((x + math.sin(lx) * level * tall, y + math.sin(ly) * level * tall, z, lx, ly, strength))
            if upper:
                rows.append(
                    (
                        x + math.sin(lx) * upper,
                        y + math.sin(ly) * upper,
                        z + upper,
                        lx,
                        ly,
                        pole * warm * (1 + _pm(rng, spread.strength)),
                    )
                )
    return np.array(rows).reshape(-1, 6), truth
