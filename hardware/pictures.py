"""The pictures of docs/building.md, made from the board files, the circuits and what `make hardware` built.

    .venv-hardware/bin/python -m hardware.pictures        after make hardware

Drawings come from hardware/sketches.py; circuit boards from the Gerbers, pieces from the STL files.
"""

import math
import shutil
from pathlib import Path

from lodeboard import boards

from hardware import sketches
from hardware.build import BUILD

FOLDER = Path(__file__).parents[1] / "docs" / "hardware" / "pictures"


def _shrink(source, target, width=720):
    from PIL import Image

    image = Image.open(source).convert("RGB")
    image = image.resize((width, round(image.height * width / image.width)), Image.LANCZOS)
    image.quantize(64).save(target, optimize=True)


def solids(names, target):
    """One picture of several parts from their STL files."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    import trimesh
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    columns = 4
    rows = math.ceil(len(names) / columns)
    figure = plt.figure(figsize=(columns * 2.3, rows * 2.1))
    light = np.array([0.4, -0.5, 0.77])
    for i, name in enumerate(names):
        mesh = trimesh.load(BUILD / "solids" / f"{name}.stl")
        axes = figure.add_subplot(rows, columns, i + 1, projection="3d")
        shade = 0.45 + 0.5 * np.clip(mesh.face_normals @ light, 0, 1)
        colours = np.outer(shade, [0.93, 0.72, 0.36])
        axes.add_collection3d(Poly3DCollection(mesh.triangles, facecolors=np.clip(colours, 0, 1)))
        low, high = mesh.bounds
        middle, half = (low + high) / 2, (high - low).max() / 2
        for axis, m in zip("xyz", middle, strict=True):
            getattr(axes, f"set_{axis}lim")(m - half, m + half)
        axes.view_init(32, -58)
        axes.set_axis_off()
        axes.set_title(name, fontsize=8)
    figure.tight_layout()
    figure.savefig(FOLDER / target, dpi=85, metadata={"Software": None})
    plt.close(figure)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in boards.names():
        (FOLDER / f"wiring-{name}.svg").write_text(sketches.wiring(name), encoding="utf-8")
    (FOLDER / "stack.svg").write_text(sketches.stack(), encoding="utf-8")
    (FOLDER / "poles.svg").write_text(sketches.poles(), encoding="utf-8")
    for name in ("tile", "controller"):
        for side in ("top", "bottom"):
            _shrink(BUILD / f"{name}-{side}.png", FOLDER / f"{name}-{side}.png")
        shutil.copyfile(BUILD / f"{name}-schematic.svg", FOLDER / f"{name}-schematic.svg")
    solids(
        [
            "callisto-V3",
            "callisto-X5",
            "callisto-O4",
            "callisto-column",
            "casteller-3",
            "casteller-7",
            "casteller-base",
            "casteller-plug",
            "tau-stick",
            "tau-cap",
            "tau-rack",
            "magnet-inserter",
        ],
        "pieces.png",
    )
    solids(
        [
            "frame-rail",
            "frame-corner",
            "frame-standoff",
            "panel-tray",
            "panel-lid",
            "panel-button",
            "callisto-ridges",
            "frame-rail-1",
        ],
        "frame.png",
    )


if __name__ == "__main__":
    main()
