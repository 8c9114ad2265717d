"""`make hardware`: circuits, circuit boards, solids, budgets and margins from their sources, and a table of
them.

    .venv-hardware/bin/python -m hardware.build [--only STEP ...] [--squares N]

Everything lands in hardware/build/. Exit status 1 when a line of the table is not as it should be.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

BUILD = Path(__file__).parent / "build"
ROOT = Path(__file__).parents[1]
STEPS = ("boards", "solids", "budgets", "magnets")


def _start(module, *arguments):
    return subprocess.Popen(
        [sys.executable, "-m", module, *map(str, arguments)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


def _result(process, what):
    out, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{what} ended with status {process.returncode}")
    return json.loads(out.splitlines()[-1])


def _board_rows(result):
    counts = result["counts"]
    name = result["name"]
    return [
        (f"{name}: ERC", not result["erc"], f"{len(result['erc'])} faults"),
        (
            f"{name}: DRC",
            not result["drc"],
            f"{len(result['drc'])} errors, {len(result['warnings'])} warnings",
        ),
        (f"{name}: unconnected", not result["unconnected"], f"{len(result['unconnected'])}"),
        (
            f"{name}: netlist equal",
            not result["differences"],
            "; ".join(result["differences"][:2]) or f"{counts['nets']} nets, {counts['pads']} pads",
        ),
        (f"{name}: wrong boards caught", not result["gates"], ", ".join(result["gates"]) or "5 of 5"),
        (
            f"{name}: parts",
            counts["parts"] > 0 and counts["tracks"] > 0,
            "{parts} parts, {tracks} tracks of {track_mm} mm, {vias} vias".format(**counts),
        ),
    ]


def boards_step():
    started = [(name, _start("hardware.pcb.make", name, BUILD)) for name in ("tile", "controller")]
    from hardware.circuits import symbols

    wrong = symbols.differences()
    rows = [("pins as in KiCad's symbols", not wrong, "; ".join(wrong[:2]) or f"{len(symbols.SYMBOLS)} chips")]
    return rows + [row for name, process in started for row in _board_rows(_result(process, name))]


def solids_step():
    return [tuple(row) for row in _result(_start("hardware.solids.make", BUILD / "solids"), "solids")]


def budgets_step():
    from lodeboard import boards
    from lodeboard.hardware import budget

    rows = []
    for name in boards.names():
        for line in budget.lines(boards.load(name)):
            rows.append((f"{name}: {line.what}", line.holds, line.text()))
    return rows


def magnets_step(squares):
    return [
        tuple(row) for row in _result(_start("hardware.magnets.margins", "--json", "--squares", squares), "magnets")
    ]


GROUPS = (
    ("pins", "pins as in"),
    ("ERC", ": ERC"),
    ("DRC", ": DRC"),
    ("unconnected", ": unconnected"),
    ("netlist equal", ": netlist equal"),
    ("wrong boards caught", ": wrong boards"),
    ("parts", ": parts"),
    ("watertight, walls", "solid "),
    ("weights", "casteller outweighs"),
    ("plates", "plate "),
    ("margins", "margins: "),
)


def _group(what):
    """The line of the summary that a row belongs to; budgets are whatever is left."""
    return next((name for name, mark in GROUPS if mark in what), "budget")


def table(rows):
    """Every row, and a line for each kind of row at the end."""
    width = max(len(what) for what, _, _ in rows)
    lines = [f"{what:<{width}}  {'ok' if good else 'NO':<3} {text}" for what, good, text in rows]
    lines.append("")
    for name in [*(name for name, _ in GROUPS), "budget"]:
        mine = [good for what, good, _ in rows if _group(what) == name]
        if mine:
            lines.append(f"{name:<20}  {'ok' if all(mine) else 'NO':<3} {sum(mine)} of {len(mine)}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=STEPS, nargs="+", default=STEPS)
    parser.add_argument("--squares", type=int, default=200_000, help="sampled squares a game")
    chosen = parser.parse_args()
    BUILD.mkdir(exist_ok=True)
    began, rows = time.monotonic(), []
    for step in STEPS:
        if step not in chosen.only:
            continue
        print(f"{step} ...", file=sys.stderr, flush=True)
        rows += magnets_step(chosen.squares) if step == "magnets" else globals()[f"{step}_step"]()
    print(table(rows))
    print(f"{sum(good for _, good, _ in rows)} of {len(rows)} ok, {time.monotonic() - began:.0f} s, in {BUILD}")
    return 0 if all(good for _, good, _ in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
