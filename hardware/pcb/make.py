"""One circuit board from its sources: `python -m hardware.pcb.make tile BUILD`; prints its results as JSON.

Written into BUILD: <name>.net, <name>.kicad_pcb with its project, <name>-gerbers.zip, <name>-bom.csv,
<name>-placements.csv, <name>-ibom.html, <name>-schematic.svg and .pdf, pictures, and the check's report.
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from lodeboard import boards

from hardware.circuits import netlist, rules, schematic
from hardware.circuits.controller import controller
from hardware.circuits.tile import tile
from hardware.pcb import check, controller_layout, draw, fabricate, tile_layout

MAKERS = {"tile": (tile, tile_layout), "controller": (controller, controller_layout)}
BOARD = "lode20"  # tests compare the netlists of all three boards: one tile and one controller serve them all


def make(name, folder, say):
    """Makes one circuit board; returns the row of results that `make hardware` prints."""
    began = time.monotonic()
    board = boards.load(BOARD)
    circuit_of, layout_of = MAKERS[name]
    circuit, layout = circuit_of(board), layout_of.layout()
    folder.mkdir(parents=True, exist_ok=True)
    erc = rules.faults(circuit) + rules.skidl_faults(circuit)
    (folder / f"{name}.net").write_text(netlist.text(circuit), encoding="utf-8")
    schematic.write(circuit, folder)

    drawing = draw.Drawing(circuit, layout, board.data["revision"])
    drawing.route(say)
    drawing.pour()
    path = folder / f"{name}.kicad_pcb"
    drawing.save(path)
    say(f"{name}: checking")
    found = check.drc(path)
    differences = check.differences(path, circuit, layout)
    with tempfile.TemporaryDirectory() as scratch:
        missed = check.gates_hold(path, circuit, layout, scratch)

    say(f"{name}: order files and pictures")
    fabricate.gerbers(path, folder / f"{name}-gerbers")
    (folder / f"{name}-bom.csv").write_text(fabricate.parts_list(circuit), encoding="utf-8")
    (folder / f"{name}-placements.csv").write_text(fabricate.placements(path), encoding="utf-8")
    fabricate.interactive(path, folder)
    fabricate.pictures(folder / f"{name}-gerbers", folder, name)
    return {
        "name": name,
        "erc": erc,
        "drc": found["errors"],
        "warnings": found["warnings"],
        "unconnected": found["unconnected"],
        "differences": differences,
        "gates": missed,
        "counts": check.counts(path),
        "seconds": round(time.monotonic() - began),
    }


def main():
    name, folder = sys.argv[1], Path(sys.argv[2])

    def say(text):
        print(text, file=sys.stderr, flush=True)

    print(json.dumps(make(name, folder, say)))


if __name__ == "__main__":
    main()
