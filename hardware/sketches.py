"""Drawings of the build guide as SVG: wiring, the stack that makes the gap, poles; from the board files."""

from xml.sax.saxutils import escape

from lodeboard import boards

from hardware.electrical import FEED_M, FIRST_M
from hardware.solids import sizes as s

STYLE = (
    "<style>text{font-family:DejaVu Sans,Arial,sans-serif;font-size:11px;fill:#222}"
    ".big{font-size:14px;font-weight:bold}.small{font-size:9px;fill:#555}"
    ".ribbon{stroke:#0a58a8;stroke-width:4;fill:none;opacity:.75}"
    ".lead{stroke:#c22;stroke-width:3;fill:none;opacity:.8}"
    ".mark{stroke:#c22;stroke-width:2;fill:none}.ring{stroke:#c60;stroke-width:2.5;fill:none}</style>"
)
GREEN, GREY, WOOD, NORTH, SOUTH = "#dfeede", "#c9c9d6", "#f6dfb5", "#d33", "#36c"
TILE_PX = 92.0


class Sketch:
    """An SVG being drawn; px, y down."""

    def __init__(self, title):
        self.rows = []
        self.words(20, 28, title, "big")

    def words(self, x, y, text, kind="", bold=False):
        style = ' style="font-weight:bold"' if bold else ""
        self.rows.append(f'<text class="{kind}" x="{x:g}" y="{y:g}"{style}>{escape(text)}</text>')

    def box(self, x, y, width, height, fill, stroke="#555"):
        place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        self.rows.append(f'<rect {place} fill="{fill}" stroke="{stroke}"/>')

    def path(self, kind, d):
        self.rows.append(f'<path class="{kind}" d="{d}"/>')

    def ring(self, x, y, radius, kind="ring"):
        self.rows.append(f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>')

    def svg(self, width, height):
        size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        ground = f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
        return "\n".join([head, STYLE, ground, *self.rows, "</svg>", ""])


def wiring(name):
    """A board from below: tiles in the order of the token, ribbons, LED leads, the jumper."""
    board = boards.load(name)
    tiles = board.data["chain"]["tiles"]
    columns = board.width // board.data["tile"]["size"]
    rows = board.height // board.data["tile"]["size"]
    left, top = 150.0, 60.0
    width, height = left + columns * TILE_PX + 30, top + rows * TILE_PX + 40

    def header(tile, share):
        # IN lies at a quarter of the tile's width from its left, OUT at three quarters; from below, mirrored
        x = left + (columns - 1 - tile[0]) * TILE_PX
        return x + (1 - share) * (TILE_PX - 4), top + tile[1] * TILE_PX + TILE_PX / 2 - 2

    sketch = Sketch(f"{name} from below: ribbons (blue) and LED leads (red)")
    sketch.words(20, 44, "chips are on the other side; every tile lies the same way round", "small")
    sketch.box(18, top, 82, 60, GREEN, "#385")
    sketch.words(26, top + 24, "controller")
    sketch.words(26, top + 40, "BUS, J4 to J8", "small")
    for n, tile in enumerate(tiles, 1):
        x, y = left + (columns - 1 - tile[0]) * TILE_PX, top + tile[1] * TILE_PX
        sketch.box(x, y, TILE_PX - 4, TILE_PX - 4, GREEN, "#385")
        sketch.words(x + TILE_PX / 2 - 8, y + 18, str(n), "big")
        for share, which in ((0.25, "IN"), (0.75, "OUT")):
            hx, hy = header(tile, share)
            sketch.box(hx - 5, hy - 16, 10, 32, "#fff", "#333")
            sketch.words(hx - 9, hy + 26, which, "small")
    x, y = header(tiles[0], 0.25)
    sketch.path("ribbon", f"M100 {top + 10:g}H120V{top - 8:g}H{x:g}V{y - 16:g}")
    for before, after in zip(tiles[:-1], tiles[1:], strict=True):
        (ax, ay), (bx, by) = header(before, 0.75), header(after, 0.25)
        bend = -18 if before[1] == after[1] else 0
        sketch.path("ribbon", f"M{ax:g} {ay:g}C{ax:g} {ay + bend:g} {bx:g} {by + bend:g} {bx:g} {by:g}")
    for row in range(rows):
        y = top + row * TILE_PX + TILE_PX - 16
        way = f"M100 {top + 30 + 5 * row:g}H{126 + 4 * row:g}V{y:g}H{left + columns * TILE_PX - 30:g}"
        sketch.path("lead", way)
    x, y = header(tiles[-1], 0.75)
    sketch.ring(x, y + 12, 5)
    sketch.words(20, height - 24, f"orange ring: jumper on pins 15 and 16 of OUT, tile {len(tiles)}", "small")
    lengths = f"ribbon to tile 1: {1000 * FIRST_M:g} mm; LED leads to the rows: {1000 * FEED_M:g} mm"
    sketch.words(20, height - 10, lengths, "small")
    return sketch.svg(width, height)


def stack():
    """Section through a tile, its plate and a piece, with the heights that make the gap."""
    sizes = s.Sizes()
    gap, disc = sizes.board.data["magnet"]["gap_mm"], sizes.board.data["magnet"]["disc"]
    element = sizes.board.parts["sensor"]["element_mm"]
    k, x0, x1, ground = 26.0, 130.0, 470.0, 330.0  # px a mm; ground: top of the circuit board
    mid = (x0 + x1) / 2

    def y(mm):
        return ground - mm * k

    plate = s.PLATE_UNDER + s.PLATE
    face = plate + sizes.floor
    sketch = Sketch("What makes the gap")
    for what, low, high, colour in (
        ("circuit board", -s.CIRCUIT, 0, "#cfe6cf"),
        (f"top plate, {s.PLATE:g} mm", s.PLATE_UNDER, plate, "#e8e2f4"),
        (f"floor of the piece, {sizes.floor:g} mm", plate, face, WOOD),
    ):
        sketch.box(x0, y(high), x1 - x0, (high - low) * k, colour)
        sketch.words(x1 + 12, y((low + high) / 2) + 4, what)
    sketch.box(mid - 39, y(1.1), 78, 1.1 * k, "#444")
    sketch.ring(mid, y(element), 4)
    sketch.words(mid + 48, y(0.45), f"Hall sensor, element at {element:g} mm")
    thick = sizes.magnet[1]
    sketch.box(mid - sizes.magnet[0] * k / 2, y(face + thick), sizes.magnet[0] * k, thick * k, GREY)
    sketch.words(mid - 64, y(face + thick / 2), f"magnet {disc}, north up")
    sketch.path("mark", f"M{mid - 110} {y(element):g}V{y(face):g}")
    for mm in (element, face):
        sketch.path("mark", f"M{mid - 116} {y(mm):g}h12")
    sketch.words(x0 + 8, y((face + element) / 2), f"gap {gap:g} mm", bold=True)
    sketch.words(
        20,
        384,
        f"The plate lies {s.PLATE_UNDER:g} mm over the circuit board, above its tallest part ({s.TILE_PARTS:g} mm).",
        "small",
    )
    sketch.words(20, 398, "Change the plate's thickness in sizes.py and the floors of all pieces follow.", "small")
    return sketch.svg(720, 410)


def poles():
    """Which way round the magnets go."""
    sketch = Sketch("Which way round the magnets go")
    sketch.words(20, 46, "N is the pole that points up, away from the board.", "small")
    for i, (what, note, ends) in enumerate(
        (
            ("Callisto pieces and columns", "every pocket N up, in all pieces of all colours", 1),
            ("Castellers", "N up in every one: columns attract, they never repel", 1),
            ("Tau sticks", "first colour of the name up: N up at both ends; turned over it shows S", 2),
        )
    ):
        y = 84 + i * 104
        sketch.words(190, y + 6, what, bold=True)
        sketch.words(190, y + 26, note)
        tall = 76 if ends == 2 else 44
        sketch.box(70, y + 44 - tall, 70, tall, WOOD)
        for top in [y + 22] if ends == 1 else [y + 22, y - 26]:
            sketch.box(85, top, 40, 9, NORTH)
            sketch.box(85, top + 9, 40, 9, SOUTH)
            sketch.words(129, top + 8, "N", "small")
    sketch.words(20, 380, "The round end of the inserter sets N up, its hexagonal end S up.", "small")
    sketch.words(
        20,
        394,
        "Set its two captive magnets once, with a compass: N is the pole its north needle flees.",
        "small",
    )
    return sketch.svg(640, 408)
