"""Writes the tables of docs/hardware/magnets.md from fresh runs.

python -m hardware.magnets.report                      a million squares a case, 100,000 builds a level
python -m hardware.magnets.report --squares 20000 --builds 2000     a quick look
"""

import argparse
from pathlib import Path

from hardware.magnets import growth, margins, model

PAGE = Path(__file__).parents[2] / "docs" / "hardware" / "magnets.md"
MARK = ("<!-- made by hardware/magnets/report.py: do not edit below -->", "<!-- end of what is made -->")


def fields():
    """Field on the axis of discs at gaps, and beside the chosen one."""
    gaps = (4, 5, 6, 8)
    lines = ["| disc N35 | " + " | ".join(f"{g} mm" for g in gaps) + " |", "|---|" + "---|" * len(gaps)]
    for name in ("5x2", "6x2", "6x3", "8x3"):
        disc = model.disc(name)
        lines.append(f"| {name} | " + " | ".join(f"{disc.on_axis(g):.1f}" for g in gaps) + " |")
    disc = model.disc()
    lines += [
        "",
        "6x3 at a gap of 6 mm: "
        + ", ".join(
            f"{disc.at(r, 6):.2f} mT {where}"
            for r, where in (
                (0.0, "on its own square"),
                (3.0, "3 mm off"),
                (5.0, "5 mm off"),
                (7.0, "7 mm off"),
                (20.0, "at an edge neighbour"),
                (28.28, "at a corner neighbour"),
                (40.0, "two squares away"),
            )
        )
        + ".",
    ]
    return lines


def forces():
    lines = [
        "| disc N35 | pushed apart at 20 mm, gf | column at 12 mm | 16 mm | 20 mm |",
        "|---|---|---|---|---|",
    ]
    for name in ("5x2", "6x2", "6x3", "8x3"):
        disc = model.disc(name)
        pull = [f"{-disc.force(0, tall)[1]:.1f}" for tall in (12, 16, 20)]
        lines.append(f"| {name} | {disc.force(20, 0)[0]:.2f} | " + " | ".join(pull) + " |")
    return lines


def decisions(squares):
    lines = [
        "| case | squares | occupied | wrong | weakest occupied, mT | strongest empty, mT | on / off |"
        " plain threshold, wrong |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for t in margins.cases(squares):
        lines.append(
            f"| {t.name} | {t.squares} | {t.occupied} | **{t.wrong}** | {t.least:.1f} | {t.most:.1f} | "
            f"{t.thresholds['on']:g} / {t.thresholds['off']:g} | {t.raw_wrong} |"
        )
    return lines


def levels(builds):
    lines = ["| level | own sensor, mT | beside | diagonal |", "|---|---|---|---|"]
    lines += [f"| {k} | {own:.3f} | {side:.3f} | {corner:.3f} |" for k, own, side, corner in growth.nominal()]
    lines += [
        "",
        "| level | play of a casteller, mm | builds | best guess right | asked | committed wrongly |",
        "|---|---|---|---|---|---|",
    ]
    for play in (0.5, 2.0):
        for k in (2, 3, 4):
            d = growth.decide(k, play, builds)
            lines.append(
                f"| {k} | {play:g} | {builds} | {100 * d['right']:.1f} % | {100 * d['ask']:.1f} % | {d['wrong']} |"
            )
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--squares", type=int, default=1_000_000)
    parser.add_argument("--builds", type=int, default=100_000)
    chosen = parser.parse_args()
    parts = [
        "### Fields",
        *fields(),
        "### Decisions",
        *decisions(chosen.squares),
        "### Levels of a castell",
        *levels(chosen.builds),
        "### Forces",
        *forces(),
    ]
    text = "\n".join(f"\n{p}\n" if p.startswith("###") else p for p in parts)
    page = PAGE.read_text(encoding="utf-8")
    head, rest = page.split(MARK[0])
    PAGE.write_text(f"{head}{MARK[0]}\n{text}\n\n{MARK[1]}{rest.split(MARK[1])[1]}", encoding="utf-8")


if __name__ == "__main__":
    main()
