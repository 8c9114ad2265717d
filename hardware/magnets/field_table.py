"""Writes the simulator's field table of a disc magnet: host/lodeboard/sim/field_6x3_N35.json.

    pip install -e '.[hardware]'
    python hardware/magnets/field_table.py            writes the table
    python hardware/magnets/field_table.py --check    exits 1 when the committed table differs

The field is magpylib's exact cylinder, magnetised along its axis and standing upright: B_z in mT at lateral
distance r from the axis and at gap g below the lower face, both in mm. Beyond the table a dipole at the
magnet's centre is as good (the script measures and prints how good at the table's rim).
No soft iron, no mutual demagnetisation, no tilt; nothing was measured on a bench.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import magpylib

DIAMETER_MM = 6.0
THICKNESS_MM = 3.0
GRADE = "N35"
POLARISATION_T = 1.20  # remanence of N35, mid of the makers' 1.17..1.22

R_STEP_MM = 0.25
R_MAX_MM = 30.0
#: gaps in mm: fine where pieces rest, coarser where they only pass through the air
GAPS_MM = (
    [4.0 + 0.25 * i for i in range(24)]
    + [10.0 + 0.5 * i for i in range(20)]
    + [20.0 + 2.0 * i for i in range(11)]
)

TABLE = Path(__file__).parents[2] / "host" / "lodeboard" / "sim" / f"field_6x3_{GRADE}.json"


def magnet():
    """The magnet with its lower face at z = 0, north pole up."""
    return magpylib.magnet.Cylinder(
        polarization=(0, 0, POLARISATION_T),
        dimension=(DIAMETER_MM * 1e-3, THICKNESS_MM * 1e-3),
        position=(0, 0, THICKNESS_MM * 0.5e-3),
    )


def moment():
    """The dipole's constant in mT mm^3: B_z = moment * (3 z^2 - d^2) / d^5."""
    volume = math.pi * DIAMETER_MM**2 / 4 * THICKNESS_MM
    return 1e3 * POLARISATION_T * volume / (4 * math.pi)


def dipole(r, gap):
    """B_z in mT of the dipole at the magnet's centre."""
    z = gap + THICKNESS_MM / 2
    d2 = r * r + z * z
    return moment() * (3 * z * z - d2) / d2**2.5


def table():
    """The table as a JSON object; "mt" holds a row for each gap."""
    disc = magnet()
    radii = [R_STEP_MM * i for i in range(int(R_MAX_MM / R_STEP_MM) + 1)]
    points = [[(r * 1e-3, 0, -gap * 1e-3) for r in radii] for gap in GAPS_MM]
    field = disc.getB(points)[..., 2] * 1e3
    return {
        "_": "Made by hardware/magnets/field_table.py; do not edit.",
        "disc": "6x3",
        "grade": GRADE,
        "thickness_mm": THICKNESS_MM,
        "moment_mt_mm3": round(moment(), 3),
        "r_step_mm": R_STEP_MM,
        "gaps_mm": GAPS_MM,
        "mt": [[round(float(b), 4) for b in row] for row in field],
    }


def text(value):
    """The file's text: one row of the table a line, so that a diff can be read."""
    rows = ",\n  ".join(json.dumps(row, separators=(",", ":")) for row in value["mt"])
    head = json.dumps({k: v for k, v in value.items() if k != "mt"}, indent=1)
    return head[:-2] + ',\n "mt": [\n  ' + rows + "\n ]\n}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the committed table only")
    check = parser.parse_args().check
    value = table()
    rim = max(abs(value["mt"][i][-1] - dipole(R_MAX_MM, gap)) for i, gap in enumerate(GAPS_MM))
    print(f"dipole against cylinder at r = {R_MAX_MM:g} mm: at most {rim:.4f} mT", file=sys.stderr)
    if check:
        same = TABLE.exists() and TABLE.read_text() == text(value)
        print("same" if same else f"{TABLE} differs")
        return 0 if same else 1
    TABLE.write_text(text(value))
    print(f"wrote {TABLE.name}: {len(GAPS_MM)} gaps x {len(value['mt'][0])} radii")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
