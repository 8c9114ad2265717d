"""Sizes that all printed and cut things share, mm. The board file gives pitch, gap and magnet.

From the circuit board up: parts of the tile, the plate, the piece's floor, the magnet.

    gap = PLATE_UNDER - element + PLATE + floor        so that the magnet's face is `gap` over the Hall
    element
"""

from lodeboard import boards

TILE_PARTS = 2.65  # the tallest part on a tile: the multiplexer's SO-24
PLATE_UNDER = 2.8  # underside of the top plate over the circuit board
PLATE = 2.0  # acrylic or plywood
CIRCUIT = 1.6  # thickness of the circuit board
BELOW = 16.0  # room under it for plugs and cables
RIDGE = 0.6  # printed or glued lines between Callisto's squares, high
RIDGE_WIDTH = 1.2
PLAY = 0.3  # between printed things that have to go together, each side
WALL = 1.2  # least wall: three lines of a 0.4 mm nozzle
DENSITY = 1.24e-3  # PLA, g/mm3
MAGNET_DENSITY = 7.5e-3


class Sizes:
    """Sizes of one board: `pitch`, `magnet` (diameter, thickness), `floor` under the magnet."""

    def __init__(self, name="lode20"):
        board = boards.load(name)
        self.board = board
        self.pitch = board.pitch_mm
        self.magnet = tuple(float(x) for x in board.data["magnet"]["disc"].split("x"))
        element = board.parts["sensor"]["element_mm"]
        self.floor = round(board.data["magnet"]["gap_mm"] - (PLATE_UNDER - element) - PLATE, 3)
        if self.floor < 0.8:
            raise ValueError(f"{name}: the gap leaves {self.floor} mm for a piece's floor: raise magnet.gap_mm")
        self.pocket = (self.magnet[0] + 2 * 0.1, self.magnet[1] + 0.1)  # press fit with a drop of glue
