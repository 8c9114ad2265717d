"""Castellers' bounds: legal moves and the column's decision on the emulated RP2040, and 10,000 simulated builds.

    for row in rows(): print(row["what"], row["measured"], row["bound"], row["unit"])

The builds are made twice, with the noise that the firmware assumes and with twice as much. It takes minutes.
"""

import concurrent.futures
import json
import os
from pathlib import Path

from .. import boards
from . import castellers_rules, chip_program
from .castellers_stacks import builds, tops

COUNT = 10_000
NOISE_MT = 0.05
SEED = 11
PARTS = 8  # of each noise, side by side


def rows(count=COUNT):
    """The table; each row a dict of what, measured, bound, unit, ok."""
    for row in castellers_rules.rows():
        if row["bound"] is not None:
            yield {**row, "note": f"{row['moves']} moves"}
    for columns, bound in ((4, 30_000), (12, 60_000)):
        measured = weigh_us(columns)
        yield {"what": f"which of {columns} columns grew", "measured": measured, "bound": bound, "unit": "us",
               "ok": measured <= bound}
    usual, twice = outcomes(count)
    yield from of_builds(usual, f"noise {NOISE_MT} mT")
    asked = row_of(usual, 2)
    yield count_row(f"noise {NOISE_MT} mT: level 2 built, asked of {asked['builds']:,}", asked["asked"],
                    asked["builds"] // 100)
    yield from of_builds(twice, "twice the noise")
    more = row_of(twice, 2)
    least = 2 * asked["asked"] * more["builds"] // max(1, asked["builds"])
    yield {**count_row(f"twice the noise: level 2 built, asked of {more['builds']:,}", more["asked"], least),
           "at_least": True, "ok": more["asked"] >= least}
    for noise, what in ((NOISE_MT, f"noise {NOISE_MT} mT"), (2 * NOISE_MT, "twice the noise")):
        yield from of_tops(tops(count // 10, noise, SEED), what)
    measured = round(1000 * twice["noise_mt"])
    yield {"what": "twice the noise: what the firmware measures of it", "measured": measured,
           "bound": round(1000 * 1.8 * NOISE_MT), "unit": "uT", "at_least": True,
           "ok": measured >= 1000 * 1.8 * NOISE_MT}


def weigh_us(columns, board="lode16"):
    """us of one decision between columns on the emulated RP2040."""
    files = chip_program.compiled("shared_rules/__init__", "shared_rules/game", "firmware/__init__",
                                  "firmware/referee/__init__", "firmware/referee/castellers_stacks",
                                  "firmware/referee/castellers_kernel")  # fmt: skip
    files["castellers_chip.py"] = Path(__file__).with_name("castellers_chip.py").read_bytes()
    files["config.json"] = json.dumps(boards.firmware_config(boards.load(board))).encode()
    program = f"import castellers_chip\ncastellers_chip.weigh('config.json', {columns})"
    printed = chip_program.run(files, program).splitlines()
    return json.loads(next(line for line in printed if line.startswith("{")))["weigh_us"]


def of_builds(outcome, what):
    """Rows about wrong commits, and what is asked and guessed from the third level on."""
    for kind, name in (("levels", "built"), ("falls", "fallen")):
        levels = outcome[kind]
        total = sum(row["builds"] for row in levels.values())
        wrong = sum(row["wrong"] for row in levels.values())
        yield count_row(f"{what}: {name}, counted on the wrong column, of {total:,}", wrong, 0)
        for level in sorted(levels):
            if level > 2 or kind == "falls":
                row = levels[level]
                guess = f"best guess right {100 * row['guess'] // max(1, row['builds'])} %"
                yield {**count_row(f"{what}: level {level} {name}, asked ({guess})", row["asked"], row["builds"]),
                       "guess": row["guess"]}


def of_tops(outcome, what):
    """Rows about castellers that fall off their column while its lowest stands."""
    quiet, fallen, noticed = outcome["quiet"], outcome["fallen"], outcome["noticed"]
    yield count_row(f"{what}: bumps that looked like a fall, of {quiet:,}", outcome["alarms"], 0)
    for level in sorted(fallen):
        least = fallen[level] * 8 // 10 if level == 2 else 0
        yield {**count_row(f"{what}: fell down to level {level}, noticed of {fallen[level]:,}", noticed[level], least),
               "at_least": True, "ok": noticed[level] >= least}


def count_row(what, measured, bound):
    return {"what": what, "measured": measured, "bound": bound, "unit": "", "ok": measured <= bound}


def row_of(outcome, level):
    return outcome["levels"].get(level, {"builds": 0, "asked": 0, "wrong": 0, "guess": 0})


def outcomes(count):
    """The outcomes of `count` builds each with the usual noise and with twice as much."""
    jobs = [(noise, part) for noise in (NOISE_MT, 2 * NOISE_MT) for part in range(PARTS)]
    with concurrent.futures.ProcessPoolExecutor(min(PARTS, os.cpu_count() or 1)) as pool:
        parts = list(pool.map(_part, [(count // PARTS, *job) for job in jobs]))
    return added(parts[:PARTS]), added(parts[PARTS:])


def _part(job):
    count, noise, part = job
    return builds(count, noise, f"{SEED} {part}")


def added(parts):
    """Outcomes added up."""
    total = {"levels": {}, "falls": {}, "noise_mt": sum(part["noise_mt"] for part in parts) / len(parts)}
    for part in parts:
        for kind in ("levels", "falls"):
            for level, row in part[kind].items():
                into = total[kind].setdefault(level, dict.fromkeys(row, 0))
                for key, value in row.items():
                    into[key] += value
    return total
