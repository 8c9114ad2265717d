"""Exports and checks every printed part: `python -m hardware.solids.make FOLDER`; prints rows of results as
JSON.

STL for the printer, STEP for other programs. Checked: one closed surface of the solid's volume, and no wall
under sizes.WALL, measured from inside through the mesh.
"""

import json
import re
import sys
from pathlib import Path

import numpy as np
import trimesh
from build123d import Box, Pos, export_step, export_stl

from hardware.solids import panel, plates, shapes
from hardware.solids.sizes import DENSITY, MAGNET_DENSITY, WALL, Sizes
from shared_rules.callisto import PIECES
from shared_rules.polyomino import SHAPES

PRINT_TOLERANCE = 0.05  # mm, of curves in the mesh
SKIN = 0.8  # least floor over a captive magnet: four layers of 0.2


def parts(sizes):
    """{name: (solid, least wall in mm)} of everything to print."""
    names = sorted({name for pieces in PIECES.values() for name, _ in pieces})
    found = {f"callisto-{name}": (shapes.callisto(sizes, SHAPES[name]), WALL) for name in names}
    found |= {
        "callisto-column": (shapes.column(sizes), WALL),
        "callisto-plug": (shapes.plug(sizes), WALL),
        "callisto-ridges": (shapes.ridges(sizes), 0.6),
        "tau-stick": (shapes.stick(sizes), WALL),
        "tau-cap": (shapes.cap(sizes), WALL),
        "tau-rack": (shapes.rack(sizes), WALL),
        "casteller-plug": (shapes.casteller_plug(sizes), WALL),
        "casteller-base": (shapes.base_well(sizes), WALL),
        "frame-rail": (shapes.rail(sizes), WALL),
        "frame-rail-1": (shapes.rail(sizes, tiles=1), WALL),
        "frame-corner": (shapes.corner(sizes), WALL),
        "frame-standoff": (shapes.standoff(sizes), WALL),
        "magnet-inserter": (shapes.inserter(sizes), SKIN),
        "panel-tray": (panel.tray(), WALL),
        "panel-lid": (panel.lid(), WALL),
        "panel-button": (panel.button(), WALL),
    }
    for number in range(8):  # 0 is the white, wild one
        found[f"casteller-{number}"] = (shapes.casteller(sizes, number), 0.6)
    return found


def thinnest(mesh):
    """The least wall in mm: from each face inwards to the surface that faces the other way."""
    centres, normals = mesh.triangles_center, mesh.face_normals
    keep = mesh.area_faces > 1e-3
    starts = centres[keep] - normals[keep] * 1e-4
    hits, rays, faces = mesh.ray.intersects_location(starts, -normals[keep], multiple_hits=False)
    opposite = (normals[keep][rays] * normals[faces]).sum(1) < -0.9
    if not opposite.any():
        return float("inf")
    return float(np.linalg.norm(hits - starts[rays], axis=1)[opposite].min())


def check(path, solid, wall):
    """(good, text) of an exported mesh against its solid."""
    mesh = trimesh.load(path)
    thin = thinnest(mesh)
    off = abs(mesh.volume / solid.volume - 1)
    good = mesh.is_watertight and mesh.is_winding_consistent and off < 0.01 and thin >= wall - 0.02
    return good, (
        f"{'watertight' if mesh.is_watertight else 'LEAKS'}, wall {thin:.2f} of {wall:g} mm, "
        f"{solid.volume * DENSITY:.1f} g"
    )


def _gates(folder):
    """Rows that show the checks at work: a box of thin walls and a mesh with a hole have to be refused."""
    cup = Box(20, 20, 10) - Pos(0, 0, 1) * Box(19, 19, 10)
    path = folder / "wrong.stl"
    export_stl(cup, str(path))
    thin_refused = not check(path, cup, WALL)[0]
    mesh = trimesh.load(path)
    mesh.update_faces(np.arange(len(mesh.faces)) > 0)
    mesh.export(path)
    leak_refused = not check(path, cup, 0.1)[0]
    path.unlink()
    yield ["solid checks refuse wrong parts", thin_refused and leak_refused, "thin walls, a hole"]


def _settle_step(path):
    """The same file every time: STEP's header carries the hour it was written."""
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(FILE_NAME\('[^']*',)'[^']*'", r"\1'2026-11-29T00:00:00'", text), encoding="utf-8")


def _weights(sizes, found):
    """Rows about weights that the magnets' forces ask for."""
    from hardware.magnets import model

    magnet = model.disc(sizes.board.data["magnet"]["disc"], sizes.board.data["magnet"]["grade"])
    mass = magnet.volume * MAGNET_DENSITY
    plug = shapes.casteller_plug(sizes).volume * DENSITY
    casteller = found["casteller-1"][0].volume * DENSITY + plug + mass
    pull = -magnet.force(0, shapes.CASTELLER_TALL)[1]
    yield [
        "casteller outweighs the pull of the next",
        casteller > pull,
        f"{casteller:.1f} g against {pull:.1f} gf",
    ]


def make(folder):
    """[[what, good, text]] of all parts and plates."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = Sizes()
    rows, found = [], parts(sizes)
    for name, (solid, wall) in found.items():
        stl, step = folder / f"{name}.stl", folder / f"{name}.step"
        export_stl(solid, str(stl), tolerance=PRINT_TOLERANCE, angular_tolerance=0.2)
        export_step(solid, str(step))
        _settle_step(step)
        rows.append([f"solid {name}", *check(stl, solid, wall)])
    rows += _weights(sizes, found)
    rows += _gates(folder)
    for name in plates.write(folder):
        rows.append([f"plate {name}", True, "SVG and DXF"])
    return rows


def main():
    print(json.dumps(make(Path(sys.argv[1]))))


if __name__ == "__main__":
    main()
