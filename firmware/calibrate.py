"""Calibration: what the sensors read without pieces, and with a piece of each pole.

    squares.calibrate(load(files))
    calibrate = Calibrate(squares, files, name)
    calibrate.begin("rest", manual)      None, or one sentence why not
    calibrate.step(now)                  None while it listens, then (done, sentence)

It is kept as calibration.json in `files`. measure.py measures; a chip loads it when it does.
"""

import json

from .referee import forget_part

FILE = "calibration.json"
VERSION = 1


def load(files):
    """The calibration that is kept, or None: none, damaged, or of another version."""
    try:
        calibration = json.loads(files.read(FILE).decode())
        if calibration["version"] == VERSION:
            if _numbers(calibration["zero"]) and _numbers(calibration["gain"]):
                return calibration
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def _numbers(values):
    return isinstance(values, list) and all(isinstance(value, int) and 0 <= value < 32768 for value in values)


class Calibrate:
    """files: where calibration.json lies; name(sq) is a square's board name."""

    def __init__(self, squares, files, name):
        self._given = squares, files, name
        self._measure = None

    def begin(self, what, manual):
        from .measure import Measure

        self._measure = Measure(*self._given)
        return self._measure.begin(what, manual)

    def step(self, now):
        if self._measure is None:
            return None
        outcome = self._measure.step(now)
        if outcome is not None:
            self._measure = None
            forget_part("measure")
        return outcome
