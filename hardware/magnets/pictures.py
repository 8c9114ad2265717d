"""The pictures of docs/hardware/magnets.md: `python -m hardware.magnets.pictures [--squares N]`."""

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  after the choice of a backend without a screen
import numpy as np  # noqa: E402

from hardware.magnets import growth, margins, model  # noqa: E402

FOLDER = Path(__file__).parents[2] / "docs" / "hardware" / "pictures"


def _save(figure, name):
    FOLDER.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(FOLDER / name, dpi=90, metadata={"Software": None})
    plt.close(figure)


def field():
    """Own field against sideways shift, and against height, with the thresholds."""
    disc = model.disc()
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
    shift = np.linspace(0, 14, 141)
    for gap in (5.5, 6.0, 6.5):
        left.plot(shift, [disc.at(r, gap) for r in shift], label=f"gap {gap:g} mm")
    height = np.linspace(0, 14, 141)
    right.plot(height, [disc.on_axis(6 + h) for h in height])
    for axes, what in ((left, "moved sideways, mm"), (right, "lifted, mm")):
        for level, style in ((12, ":"), (3.5, "--"), (2.5, "-.")):
            axes.axhline(level, color="grey", linestyle=style, linewidth=0.8)
            axes.text(14, level + 0.3, f"{level:g}", ha="right", fontsize=7)
        axes.set_xlabel(what)
        axes.set_ylabel("mT")
    left.legend(fontsize=8)
    figure.suptitle("6x3 N35 over a sensor; dashed: on 3.5, off 2.5, straighten 12 mT", fontsize=10)
    _save(figure, "magnet-field.png")


def histograms(squares):
    """Residues of occupied and empty squares of every case, with the thresholds."""
    tallies = margins.cases(squares)
    figure, grid = plt.subplots(2, 3, figsize=(10.5, 5.4))
    for axes, tally in zip(grid.ravel(), tallies, strict=True):
        x = np.arange(900) / 10
        axes.step(x, tally.empty_hist, where="post", label="empty")
        axes.step(x, tally.occupied_hist, where="post", label="occupied")
        axes.set_yscale("log")
        axes.set_xlim(0, 45)
        axes.axvline(tally.thresholds["on"], color="green", linewidth=0.8)
        axes.axvline(tally.thresholds["off"], color="red", linewidth=0.8)
        axes.set_title(f"{tally.name}\n{tally.wrong} wrong of {tally.squares}", fontsize=8)
        axes.tick_params(labelsize=7)
    grid[0, 0].legend(fontsize=7)
    for axes in grid[1]:
        axes.set_xlabel("|residue|, mT", fontsize=8)
    _save(figure, "magnet-margins.png")


def levels():
    """What the k-th casteller adds at its own and at the neighbouring sensors."""
    rows = growth.nominal()
    figure, axes = plt.subplots(figsize=(6, 3.2))
    for column, name in ((1, "own sensor"), (2, "beside"), (3, "diagonal")):
        axes.plot([r[0] for r in rows], [abs(r[column]) for r in rows], "o-", label=name)
    axes.axhline(growth.NOISE_MT, color="grey", linestyle="--", linewidth=0.8)
    axes.text(7, growth.NOISE_MT * 1.1, "noise assumed", ha="right", fontsize=7)
    axes.set_yscale("log")
    axes.set_xlabel("level")
    axes.set_ylabel("mT added")
    axes.legend(fontsize=8)
    _save(figure, "magnet-levels.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--squares", type=int, default=200_000)
    chosen = parser.parse_args()
    field()
    levels()
    histograms(chosen.squares)


if __name__ == "__main__":
    main()
