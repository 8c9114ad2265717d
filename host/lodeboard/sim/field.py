"""The field of one magnet: B_z in mT under an upright disc, from a table (hardware/magnets/field_table.py).

    field = load("6x3", "N35")
    field.mt(r, gap)      at distance r from the axis and at a gap below the lower face, mm; north is positive
    field.reach(limit)    lateral distance in mm beyond which |B_z| of a seated magnet stays under limit mT
"""

import bisect
import functools
import importlib.resources
import json


class Field:
    """The table of one disc; linear between its points, a dipole beyond them."""

    def __init__(self, table):
        self.disc = table["disc"]
        self.grade = table["grade"]
        self._half = table["thickness_mm"] / 2
        self._moment = table["moment_mt_mm3"]
        self._per_mm = 1 / table["r_step_mm"]
        self._gaps = table["gaps_mm"]
        self._rows = table["mt"]
        self._last = len(self._rows[0]) - 1

    def mt(self, r, gap):
        """B_z in mT. A gap under the table's first is read as the first: no piece sinks into the board."""
        gaps = self._gaps
        if gap >= gaps[-1] or r * self._per_mm >= self._last:
            return self.dipole(r, gap)
        if gap < gaps[0]:
            gap = gaps[0]
        i = bisect.bisect_right(gaps, gap) - 1
        t = (gap - gaps[i]) / (gaps[i + 1] - gaps[i])
        x = r * self._per_mm
        j = int(x)
        x -= j
        low, high = self._rows[i], self._rows[i + 1]
        below = low[j] + x * (low[j + 1] - low[j])
        return below + t * (high[j] + x * (high[j + 1] - high[j]) - below)

    def dipole(self, r, gap):
        """B_z in mT of a dipole at the magnet's centre: good to 0.01 mT beyond 30 mm."""
        z2 = (gap + self._half) ** 2
        d2 = r * r + z2
        return self._moment * (3 * z2 - d2) / (d2 * d2 * d2**0.5)

    def reach(self, limit):
        """Lateral distance in mm beyond which the field of a magnet stays under `limit` mT."""
        return (self._moment / limit) ** (1 / 3)


@functools.cache
def load(disc, grade):
    """The Field of a disc ("6x3") and grade ("N35"). FileNotFoundError when there is no table of it."""
    file = importlib.resources.files("lodeboard.sim") / f"field_{disc}_{grade}.json"
    return Field(json.loads(file.read_text()))
