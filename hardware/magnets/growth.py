"""Which column of a castell grew? What a k-th casteller changes at the sensors, and how surely it can be
told.

    python -m hardware.magnets.growth                   20,000 builds a case
    python -m hardware.magnets.growth --builds 1000000

A castell of four columns, all k-1 high; one casteller is added to one of them, and every column shifts a
little as hands touch it. Candidates are compared by likelihood over the sixteen sensors around; a build is
committed when the best candidate leads by MARGIN and fits, and asked about otherwise.
"""

import argparse
import json

import numpy as np

from hardware.magnets import model

PITCH, GAP, TALL = 20.0, 6.0, 16.0
NOISE_MT = 0.05  # of a resting, averaged reading; to be measured by the firmware
TOUCHED_MM = 0.3  # a column's shift when a neighbour is touched, root mean square
MARGIN = 12.0  # in log likelihood
COLUMNS = [(0, 0), (1, 0), (0, 1), (1, 1)]
SENSORS = np.array([(x * PITCH, y * PITCH) for y in range(-1, 3) for x in range(-1, 3)])


def nominal(tall=TALL, gap=GAP, name="6x3"):
    """[(k, own, beside, diagonal)] in mT: what the k-th casteller adds, k from 1 to 7."""
    magnet = model.disc(name)
    spots = np.array([(0, 0), (PITCH, 0), (PITCH, PITCH)], float)
    rows = []
    for k in range(1, 8):
        b = model.board_fields(spots, np.array([(0, 0, gap + (k - 1) * tall, 0, 0, 1.0)]), magnet)
        rows.append((k, *(float(v) for v in b)))
    return rows


def _column(at, offsets, rng_gap):
    """Magnets of a column: base place and each casteller's offset."""
    rows = np.zeros((len(offsets), 6))
    rows[:, 0], rows[:, 1] = at[0] + offsets[:, 0], at[1] + offsets[:, 1]
    rows[:, 2] = GAP + rng_gap + TALL * np.arange(len(offsets))
    rows[:, 5] = 1.0
    return rows


def change(rng, k, grown, play):
    """mT at the sixteen sensors: what a k-th casteller on column `grown` changed. play: mm of a casteller."""
    magnet = model.disc()
    total = rng.normal(0, NOISE_MT * np.sqrt(2), len(SENSORS))
    for i, (u, v) in enumerate(COLUMNS):
        place = np.array((u * PITCH, v * PITCH))
        offsets = rng.uniform(-play, play, (k - 1 + (i == grown), 2))
        gap = rng.uniform(-0.5, 0.5)
        strength = 1 + rng.uniform(-0.05, 0.05)
        after = _column(place + rng.normal(0, TOUCHED_MM / np.sqrt(2), 2), offsets, gap)
        before = _column(place, offsets[: k - 1], gap)
        before[:, 5] *= -1
        rows = np.concatenate([after, before])
        rows[:, 5] *= strength
        total += model.board_fields(SENSORS, rows, magnet)
    return total


def decide(k, play, builds, seed=5, learn=3000):
    """{"right", "ask", "wrong"}: share of best guesses that are right, share asked, number committed
    wrongly."""
    rng = np.random.default_rng(seed)
    templates = []
    for column in range(4):
        sample = np.array([change(rng, k, column, play) for _ in range(learn)])
        covariance = np.cov(sample.T)
        templates.append((sample.mean(0), np.linalg.inv(covariance), np.linalg.slogdet(covariance)[1]))
    right = asked = wrong = 0
    for n in range(builds):
        truth = n % 4
        d = change(rng, k, truth, play)
        squares = [float((d - mean) @ inverse @ (d - mean)) for mean, inverse, _ in templates]
        scores = [-0.5 * q - 0.5 * log for q, (_, _, log) in zip(squares, templates, strict=True)]
        order = np.argsort(scores)[::-1]
        best = int(order[0])
        right += best == truth
        if scores[best] - scores[order[1]] < MARGIN or squares[best] > 45 + len(SENSORS):
            asked += 1
        elif best != truth:
            wrong += 1
    return {
        "level": k,
        "play_mm": play,
        "builds": builds,
        "right": round(right / builds, 4),
        "ask": round(asked / builds, 4),
        "wrong": wrong,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--builds", type=int, default=20_000)
    builds = parser.parse_args().builds
    for k, own, beside, diagonal in nominal():
        print(
            json.dumps(
                {
                    "level": k,
                    "own_mt": round(own, 3),
                    "beside_mt": round(beside, 3),
                    "diagonal_mt": round(diagonal, 3),
                }
            )
        )
    for play in (0.5, 2.0):
        for k in (2, 3, 4):
            print(json.dumps(decide(k, play, builds)))


if __name__ == "__main__":
    main()
