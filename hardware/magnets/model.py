"""Fields of disc magnets at the sensors of a board: magpylib's exact cylinder, tabled, and summed by numba.

A magnet may lean: its field is looked up in its own frame and turned back, so tilt is exact. Beyond the
table a dipole at its centre is as good (hardware/magnets/field_table.py measures how good at its rim). No
soft iron, no mutual demagnetisation; nothing was measured on a bench.

Lengths mm, fields mT, forces gf. A magnet is a row (x, y, gap of its lower face over the Hall element, lean
in x, lean in y in radians, strength relative to nominal with the sign of the pole).
"""

import functools
import math

import magpylib
import numba
import numpy as np

POLARISATION_T = {"N35": 1.20, "N42": 1.31}  # remanence, mid of the makers' ranges
STEP = 0.2
R_MAX, Z_MAX = 34.0, 34.0
GF = 9.80665e-3  # newton


class Disc:
    """A disc magnet: `field` and `radial` tables over (z from its centre down, r from its axis)."""

    def __init__(self, diameter, thickness, grade="N35"):
        self.diameter, self.thickness, self.grade = diameter, thickness, grade
        self.polarisation = POLARISATION_T[grade]
        r = np.arange(0, R_MAX + STEP / 2, STEP)
        z = np.arange(0, Z_MAX + STEP / 2, STEP)
        rr, zz = np.meshgrid(r, z)
        points = np.stack([rr, np.zeros_like(rr), -zz], -1) * 1e-3
        b = self._cylinder().getB(points.reshape(-1, 3)).reshape(*rr.shape, 3) * 1e3
        self.axial = np.ascontiguousarray(b[..., 2])
        self.radial = np.ascontiguousarray(b[..., 0])
        self.moment = 1e3 * self.polarisation * self.volume / (4 * math.pi)  # mT mm3

    @property
    def volume(self):
        return math.pi * self.diameter**2 / 4 * self.thickness

    def _cylinder(self, position=(0, 0, 0)):
        return magpylib.magnet.Cylinder(
            polarization=(0, 0, self.polarisation),
            dimension=(self.diameter * 1e-3, self.thickness * 1e-3),
            position=position,
        )

    def on_axis(self, gap):
        """Field below the centre of an upright magnet, mT."""
        return self.at(0.0, gap)

    def at(self, r, gap):
        """Field at distance r from the axis of an upright magnet, exact, mT."""
        point = (r * 1e-3, 0, -(gap + self.thickness / 2) * 1e-3)
        return float(self._cylinder().getB(point)[2] * 1e3)

    def force(self, dx, dz, cells=(5, 16, 3)):
        """(sideways, upwards) force in gf on an equal magnet, same pole up, dx beside and dz above this one.

        The second disc is cut into cells, each a dipole in the first one's exact field: F = m dB/dx.
        """
        rings, sectors, layers = cells
        h = 1e-5
        radius, half = self.diameter / 2, self.thickness / 2
        r = (np.arange(rings) + 0.5) / rings * radius
        a = (np.arange(sectors) + 0.5) / sectors * 2 * math.pi
        z = ((np.arange(layers) + 0.5) / layers * 2 - 1) * half
        rg, ag, zg = np.meshgrid(r, a, z, indexing="ij")
        area = rg * (radius / rings) * (2 * math.pi / sectors) * (2 * half / layers)  # mm3
        moment = self.polarisation / (4e-7 * math.pi) * area.ravel() * 1e-9  # A m2
        at = np.stack([dx + rg * np.cos(ag), rg * np.sin(ag), dz + zg], -1).reshape(-1, 3) * 1e-3
        magnet = self._cylinder()

        def slope(axis):
            shift = np.zeros(3)
            shift[axis] = h
            return (magnet.getB(at + shift)[:, 2] - magnet.getB(at - shift)[:, 2]) / (2 * h)

        return float((moment * slope(0)).sum() / GF), float((moment * slope(2)).sum() / GF)


@functools.cache
def disc(name="6x3", grade="N35"):
    """The Disc of a name like "6x3"."""
    diameter, thickness = (float(x) for x in name.split("x"))
    return Disc(diameter, thickness, grade)


@numba.njit(cache=True, fastmath=True)
def fields(sensors, magnets, axial, radial, moment, thickness):
    """B_z in mT at every sensor (x, y) of all magnets (rows as the module says); double[sensors]."""
    out = np.zeros(sensors.shape[0])
    rows, columns = axial.shape
    for m in range(magnets.shape[0]):
        mx, my, gap, lx, ly, strength = magnets[m]
        # the axis of a leaning magnet, pointing up
        ux, uy = math.sin(lx), math.sin(ly)
        uz = math.sqrt(max(0.0, 1.0 - ux * ux - uy * uy))
        height = gap + thickness / 2
        for s in range(sensors.shape[0]):
            dx, dy, dz = sensors[s, 0] - mx, sensors[s, 1] - my, -height
            along = dx * ux + dy * uy + dz * uz  # in the magnet's frame
            px, py, pz = dx - along * ux, dy - along * uy, dz - along * uz
            r = math.sqrt(px * px + py * py + pz * pz)
            i, j = abs(along) / STEP, r / STEP
            if i >= rows - 1 or j >= columns - 1:
                d2 = dx * dx + dy * dy + dz * dz
                d = math.sqrt(d2)
                bz = moment * (3 * along * dz / d2 - uz) / (d2 * d)
            else:
                i0, j0 = int(i), int(j)
                fi, fj = i - i0, j - j0
                w00, w01, w10, w11 = (1 - fi) * (1 - fj), (1 - fi) * fj, fi * (1 - fj), fi * fj
                b = (
                    w00 * axial[i0, j0]
                    + w01 * axial[i0, j0 + 1]
                    + w10 * axial[i0 + 1, j0]
                    + w11 * axial[i0 + 1, j0 + 1]
                )
                bz = b * uz
                if r > 1e-9:
                    q = (
                        w00 * radial[i0, j0]
                        + w01 * radial[i0, j0 + 1]
                        + w10 * radial[i0 + 1, j0]
                        + w11 * radial[i0 + 1, j0 + 1]
                    )
                    if along > 0:  # the table is below the magnet; above, the radial part turns
                        q = -q
                    bz += q * pz / r
            out[s] += strength * bz
    return out


def board_fields(sensors, magnets, magnet):
    """`fields` of a Disc."""
    return fields(sensors, magnets, magnet.axial, magnet.radial, magnet.moment, magnet.thickness)


@functools.cache
def kernel(width, height, pitch, gap, name="6x3", grade="N35"):
    """Nominal field of one seated magnet, mT, [dy][dx] for every distance on a board."""
    magnet = disc(name, grade)
    sensors = np.array([(x * pitch, y * pitch) for y in range(height) for x in range(width)], float)
    return board_fields(sensors, np.array([(0, 0, gap, 0, 0, 1.0)], float), magnet).reshape(height, width)


@numba.njit(cache=True)
def decide(reading, kernel_, on, off, state):
    """States of a board's squares from its readings, as the firmware decides: on the residue, to a fixed
    point.

    reading: mT less the zero, [y, x]. state: int8[y, x], what was decided before (all 0: a cold start, in
    which sure squares come first). Changes state; returns the residue of every square.
    """
    h, w = reading.shape
    base = np.zeros((h, w))
    for y in range(h):
        for x in range(w):
            if state[y, x] != 0:
                _spread(base, kernel_, y, x, state[y, x])
    cold = True
    for y in range(h):
        for x in range(w):
            cold = cold and state[y, x] == 0
    firsts = (16.0, 12.0, 9.0, 7.0, 5.0)
    for turn in range(24):
        limit = on
        if cold and turn < 5 and firsts[turn] > on:
            limit = firsts[turn]
        changes = 0
        for y in range(h):
            for x in range(w):
                own = state[y, x] * kernel_[0, 0]
                r = reading[y, x] - base[y, x] + own
                new = state[y, x]
                if state[y, x] == 0:
                    if abs(r) >= limit:
                        new = 1 if r > 0 else -1
                elif abs(r) <= off:
                    new = 0
                elif (r > 0) != (state[y, x] > 0) and abs(r) >= limit:
                    new = 1 if r > 0 else -1
                if new != state[y, x]:
                    _spread(base, kernel_, y, x, new - state[y, x])
                    state[y, x] = new
                    changes += 1
        if changes == 0 and (not cold or turn >= 5):
            break
    residue = np.empty((h, w))
    for y in range(h):
        for x in range(w):
            residue[y, x] = reading[y, x] - base[y, x] + state[y, x] * kernel_[0, 0]
    return residue


@numba.njit(cache=True)
def _spread(base, kernel_, y, x, amount):
    h, w = base.shape
    for v in range(h):
        for u in range(w):
            base[v, u] += amount * kernel_[abs(v - y), abs(u - x)]
