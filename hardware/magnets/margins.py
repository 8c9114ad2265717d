"""Margins of every game by sampling: how far apart empty and occupied read, and how often a decision is
wrong.

    python -m hardware.magnets.margins                     50,000 squares a game
    python -m hardware.magnets.margins --squares 1000000   what docs/hardware/magnets.md quotes; some minutes

A sample is a whole board: pieces misplaced, leaning, of uneven strength, warm or cold; sensors off their
place, of uneven gain and zero; readings with noise, in whole counts, clipped at the sensor's range. It is
decided from nothing, without history, which is harder than play. A square is wrong when its state or pole is.
"""

import argparse
import json
import sys
import time

import numpy as np
from lodeboard import boards

from hardware import electrical
from hardware.magnets import model, pieces

TILINGS = 40  # different fillings of a Callisto board; each is misplaced anew every time
STICK_MM = 33.3  # from a Tau stick's lower magnet to its upper one


class Tally:
    """Running extremes of one case."""

    def __init__(self, name, thresholds):
        self.name, self.thresholds = name, thresholds
        self.squares = self.occupied = self.wrong = self.band = self.weak = 0
        self.raw_wrong = 0
        self.least, self.most = np.inf, 0.0  # |residue| of occupied and of empty squares
        self.occupied_hist = np.zeros(900, np.int64)  # of |residue|, 0.1 mT
        self.empty_hist = np.zeros(900, np.int64)

    def add(self, residue, reading, state, truth):
        on, off = self.thresholds["on"], self.thresholds["off"]
        size = np.abs(residue)
        full = truth != 0
        self.squares += truth.size
        self.occupied += int(full.sum())
        self.wrong += int((state != truth).sum())
        self.band += int((full & (size < on)).sum() + (~full & (size > off)).sum())
        self.weak += int((full & (size < self.thresholds.get("straighten", 0))).sum())
        middle = (on + off) / 2
        self.raw_wrong += int(((np.abs(reading) >= middle) != full).sum())
        if full.any():
            self.least = min(self.least, float(size[full].min()))
        if (~full).any():
            self.most = max(self.most, float(size[~full].max()))
        for hist, part in ((self.occupied_hist, size[full]), (self.empty_hist, size[~full])):
            hist += np.bincount(np.minimum((part * 10).astype(int), 899), minlength=900)

    def row(self):
        return {
            "case": self.name,
            "squares": self.squares,
            "occupied": self.occupied,
            "wrong": self.wrong,
            "raw_wrong": self.raw_wrong,
            "least_occupied_mt": round(self.least, 2),
            "most_empty_mt": round(self.most, 2),
            "between_on_and_off": self.band,
            "straighten_share": round(self.weak / max(1, self.occupied), 6),
            **self.thresholds,
        }


class Sensors:
    """The sensors of a board: places, gains and zeros of one built example."""

    def __init__(self, board, spread, rng):
        self.shape = (board.height, board.width)
        self.pitch = board.pitch_mm
        size = board.height * board.width
        y, x = np.divmod(np.arange(size), board.width)
        self.places = (np.stack([x, y], 1) + 0.5) * self.pitch + rng.uniform(-spread.sensor, spread.sensor, (size, 2))
        self.gain = 1 + rng.uniform(-spread.sensitivity, spread.sensitivity, size)
        # the sensors are ratiometric, and the supply sinks towards the end of the chain
        chain = np.argsort(boards.chain_squares(board, board.data["tile"]["select"]))
        self.gain *= 1 - electrical.Figures(board.name).supply()[2] * chain / size
        self.zero = rng.uniform(-spread.offset, spread.offset, size)
        self.range = board.parts["sensor"]["range_mt"]
        self.counts = boards.counts_per_mt(board)

    def read(self, magnets, disc, spread, rng):
        """mT less the nominal zero, in whole counts, [y, x]."""
        b = model.board_fields(self.places, magnets, disc) * self.gain + self.zero
        b += rng.uniform(-spread.drift, spread.drift) + rng.normal(0, spread.noise, len(b))
        b = np.clip(b, -self.range, self.range)
        return (np.round(b * self.counts) / self.counts).reshape(self.shape)


def _run(tally, board, squares, seed, spread, sample):
    """Samples whole boards until the tally holds `squares`; sample(rng, n) gives (magnets, truth)."""
    rng = np.random.default_rng(seed)
    magnet = board.data["magnet"]
    disc = model.disc(magnet["disc"], magnet["grade"])
    kernel = model.kernel(board.width, board.height, board.pitch_mm, magnet["gap_mm"], magnet["disc"], magnet["grade"])
    on, off = tally.thresholds["on"], tally.thresholds["off"]
    n, sensors = 0, None
    while tally.squares < squares:
        if n % 20 == 0:
            sensors = Sensors(board, spread, rng)
        magnets, truth = sample(rng, n)
        reading = sensors.read(magnets, disc, spread, rng)
        state = np.zeros(truth.shape, np.int8)
        residue = model.decide(reading, kernel, on, off, state)
        tally.add(residue, reading, state, truth)
        n += 1
    return tally


def callisto(board, squares, seed=1, poles="same", spread=pieces.LOOSE, edition="2009", full=0.94):
    rng = np.random.default_rng(seed + 1000)
    shape = (board.height, board.width)
    tilings = [pieces.tiling(rng, board.width, board.height, edition, full) for _ in range(TILINGS)]
    gap = board.data["magnet"]["gap_mm"]

    def sample(rng, n):
        return pieces.callisto(rng, tilings[n % TILINGS], shape, spread, board.pitch_mm, gap, poles)

    name = f"Callisto {edition}, {poles} poles, {spread.shift:g} mm {spread.yaw:g} deg"
    return _run(Tally(name, board.data["layouts"]["callisto"]["thresholds_mt"]), board, squares, seed, spread, sample)


def tau(board, squares, seed=2, spread=pieces.HOLE):
    """Fourteen sticks on holes and racks, either end up; every other board full, all one pole (the worst)."""
    layout = board.data["layouts"]["tau"]
    places = [board.square(name) for name in layout["holes"] + layout["racks"][0] + layout["racks"][1]]
    spots = [(place % board.width, place // board.width) for place in places]
    gap, shape = board.data["magnet"]["gap_mm"], (board.height, board.width)

    def sample(rng, n):
        if n % 2:
            held = {spots[i]: 1 for i in rng.permutation(len(spots))[:30]}
        else:
            held = {spots[i]: int(rng.choice((-1, 1))) for i in rng.permutation(len(spots))[:14]}
        return pieces.single(rng, held, shape, spread, board.pitch_mm, gap, upper=STICK_MM)

    return _run(Tally(f"Tau on {board.name}, in holes", layout["thresholds_mt"]), board, squares, seed, spread, sample)


def castellers(board, squares, seed=3, spread=pieces.WELL):
    """Columns of one to seven on the bases, sets beside, same pole up everywhere; any square may hold a
    column."""
    layout = board.data["layouts"]["castellers"]
    shape, gap = (board.height, board.width), board.data["magnet"]["gap_mm"]
    field = layout["field"]

    def sample(rng, _):
        levels = {}
        for name in layout["bases"] + [name for rack in layout["racks"] for name in rack]:
            y, x = divmod(board.square(name), board.width)
            inside = [(x + i % field, y + i // field) for i in range(field * field)]
            for i in rng.permutation(len(inside))[: int(rng.integers(0, 7))]:
                levels[inside[i]] = int(rng.integers(1, 8)) if name in layout["bases"] else 1
        return pieces.single(rng, dict.fromkeys(levels, 1), shape, spread, board.pitch_mm, gap, levels=levels)

    return _run(Tally("Castellers, columns of 1 to 7", layout["thresholds_mt"]), board, squares, seed, spread, sample)


def cases(squares):
    """[Tally] of every game at its thresholds, on the boards that ship."""
    small, large = boards.load("lode8"), boards.load("lode20")
    return [
        tau(small, squares),
        tau(large, squares, seed=12),
        callisto(large, squares, poles="same"),
        callisto(large, squares, seed=11, poles="mixed"),
        callisto(large, squares, seed=13, edition="2014", full=0.98),
        castellers(large, squares),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--squares", type=int, default=50_000, help="sampled squares a case")
    parser.add_argument("--json", action="store_true", help="rows for the table of make hardware")
    chosen = parser.parse_args()
    began = time.monotonic()
    found = cases(chosen.squares)
    if chosen.json:
        rows = [
            [
                f"margins: {t.name}",
                t.wrong == 0,
                f"{t.wrong} wrong of {t.squares}; occupied from {t.least:.1f}, empty to {t.most:.1f} mT",
            ]
            for t in found
        ]
        print(json.dumps(rows))
        return 0
    for tally in found:
        print(json.dumps(tally.row()))
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0 if not any(t.wrong for t in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
