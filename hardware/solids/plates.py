"""Laser-cut top plates: SVG and DXF in mm. Red cuts, blue engraves.

A board's plate covers its tiles; Tau has a second plate with a hole over each place of its layout. Both are
made from the board file. Plates larger than the cutter's bed are divided along the tiles' edges.
"""

from pathlib import Path

from ezdxf.addons import r12writer
from lodeboard import boards

from hardware.solids.shapes import FRAME_WALL, STICK_WIDE

HOLE = STICK_WIDE + 1.0
SCREW = 3.2
CUT, ENGRAVE = "cut", "engrave"
COLOURS = {CUT: ("#ff0000", 1), ENGRAVE: ("#0000ff", 5)}


class Plate:
    """Lines and circles of one plate; y down."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.lines, self.circles = [], []

    def line(self, kind, x0, y0, x1, y1):
        self.lines.append((kind, x0, y0, x1, y1))

    def circle(self, kind, x, y, diameter):
        self.circles.append((kind, x, y, diameter / 2))

    def frame(self):
        w, h = self.width, self.height
        for a, b in zip([(0, 0), (w, 0), (w, h), (0, h)], [(w, 0), (w, h), (0, h), (0, 0)], strict=True):
            self.line(CUT, *a, *b)

    def svg(self):
        rows = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:g}mm" height="{self.height:g}mm" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" fill="none" stroke-width="0.1">'
        ]
        for kind, x0, y0, x1, y1 in self.lines:
            rows.append(f'<path d="M{x0:g} {y0:g}L{x1:g} {y1:g}" stroke="{COLOURS[kind][0]}"/>')
        for kind, x, y, r in self.circles:
            rows.append(f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" stroke="{COLOURS[kind][0]}"/>')
        return "\n".join([*rows, "</svg>", ""])

    def dxf(self, path):
        """R12, which every cutter's program reads; one unit is a mm."""
        with r12writer(str(path)) as drawing:
            for kind, x0, y0, x1, y1 in self.lines:
                drawing.add_line((x0, self.height - y0), (x1, self.height - y1), layer=kind, color=COLOURS[kind][1])
            for kind, x, y, r in self.circles:
                drawing.add_circle((x, self.height - y), r, layer=kind, color=COLOURS[kind][1])


def squares(board):
    """The plain plate: squares engraved, tiles' screws cut."""
    pitch = board.pitch_mm
    width, height = board.width * pitch, board.height * pitch
    plate = Plate(width, height)
    plate.frame()
    for i in range(1, board.width):
        plate.line(ENGRAVE, i * pitch, 0, i * pitch, height)
    for i in range(1, board.height):
        plate.line(ENGRAVE, 0, i * pitch, width, i * pitch)
    side = board.data["tile"]["size"] * pitch
    for column, row in sorted(board.data["chain"]["tiles"]):
        for u in (0.25, 0.75):
            for v in (0.25, 0.75):
                plate.circle(CUT, (column + u) * side, (row + v) * side, SCREW)
    return plate


def holes(board):
    """Tau's plate: a hole for every place of the layout, which sticks stand in."""
    pitch, layout = board.pitch_mm, board.data["layouts"]["tau"]
    plate = Plate(board.width * pitch, board.height * pitch)
    plate.frame()
    for name in layout["holes"] + layout["racks"][0] + layout["racks"][1]:
        plate.circle(CUT, *board.centre_mm(board.square(name)), HOLE)
    for name in layout["holes"]:  # a ring around the holes of play: racks have none
        plate.circle(ENGRAVE, *board.centre_mm(board.square(name)), HOLE + 2 * FRAME_WALL / 2)
    return plate


def write(folder):
    """Writes every plate of every board; returns their names."""
    names = []
    for name in boards.names():
        board = boards.load(name)
        for kind, plate in (("squares", squares(board)), ("tau", holes(board))):
            stem = Path(folder) / f"plate-{name}-{kind}"
            stem.with_suffix(".svg").write_text(plate.svg(), encoding="utf-8")
            plate.dxf(stem.with_suffix(".dxf"))
            names.append(f"{name}-{kind}")
    return names
