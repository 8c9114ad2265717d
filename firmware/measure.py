"""Measures a calibration.

"rest" measures every zero with the board empty; "north" and "south" measure how strongly each occupied
square's sensor answers, so that any number of pieces does, in as many turns as needed; "forget" goes back
to nominal. A calibration that a person made (`manual`) is replaced by a person only.
"""

import json

from .calibrate import FILE, VERSION
from .squares import NORTH, SOUTH

SCANS = 64  # averaged: a noise of 0.1 mT becomes 0.013
PATIENCE_MS = 5000
EMPTY_MT = 8.0  # a sensor that differs more from nominal has a piece above it, or is broken
GAIN_LOW, GAIN_HIGH = 128, 512  # half and double the nominal answer; what is beyond is no sensor in order


class Measure:
    """One calibration. files: where calibration.json lies; name(sq) is a square's board name."""

    def __init__(self, squares, files, name):
        self._squares = squares
        self._files = files
        self._name = name
        self._what = None
        self._manual = False
        self._until = None

    def begin(self, what, manual):
        squares = self._squares
        if what not in ("rest", "north", "south", "forget"):
            return 'Calibrate "rest", "north", "south" or "forget".'
        if squares.manual and not manual:
            return "This board was calibrated by hand; only `manual` replaces that."
        self._what = what
        self._manual = manual
        self._until = None
        squares.listen(0 if what == "forget" else SCANS)
        return None

    def step(self, now):
        if self._what is None:
            return None
        if self._until is None:
            self._until = now + PATIENCE_MS
        squares = self._squares
        if squares.listening:
            if now < self._until:
                return None
            squares.listen(0)
            self._what = None
            return False, "The board did not come to rest: keep hands and phones away, then try again."
        what, self._what = self._what, None
        if what == "forget":
            squares.calibrate(None)
            return self._keep(None)
        calibration = squares.calibration()
        if what == "rest":
            error = self._rest(calibration["zero"])
        else:
            error = self._pole(calibration["gain"], NORTH if what == "north" else SOUTH)
        squares.listen(0)
        if error:
            return False, error
        calibration["manual"] = self._manual
        squares.calibrate(calibration)
        calibration["version"] = VERSION
        return self._keep(calibration)

    def _rest(self, zero):
        squares = self._squares
        limit = EMPTY_MT * squares.counts_per_mt * 8
        far = []
        for sq in range(squares.size):
            zero[sq] = squares.average(sq)
            if abs(zero[sq] - squares.nominal_zero * 8) > limit:
                far.append(sq)
        if far:
            return "Take the pieces off, or see to the sensors: %s." % self._names(far)
        return None

    def _pole(self, gain, pole):
        squares = self._squares
        wrong = [sq for sq in range(squares.size) if squares.state[sq] not in (0, pole)]
        if wrong:
            return "The other end is up on %s." % self._names(wrong)
        found = 0
        for sq in range(squares.size):
            if squares.state[sq]:
                value = squares.own * squares.gain[sq] // max(1, abs(squares.residual[sq]))
                if GAIN_LOW <= value <= GAIN_HIGH:
                    gain[sq] = value
                    found += 1
                else:
                    wrong.append(sq)
        if wrong:
            return "Straighten the pieces, or see to the sensors: %s." % self._names(wrong)
        return None if found else "Set pieces on the board first."

    def _keep(self, calibration):
        try:
            self._files.write(FILE, json.dumps(calibration or {}).encode())
        except OSError as error:
            return True, "It holds until the power goes: the file cannot be written (%s)." % error
        return True, None

    def _names(self, squares):
        names = [self._name(sq) for sq in squares[:12]]
        return ", ".join(names) + (" and more" if len(squares) > 12 else "")
