"""Boards as data: reading and checking hardware/boards/*.toml, and the firmware's config.json.

    board = load("lode8")                 or load("path/to/mine.toml")
    board.square("c3"), board.square_name(42)
    config = firmware_config(board)       docs/architecture.md says what is in it

A file that is wrong raises LodeboardError: file, key, reason, and what to do.
"""

import difflib
import importlib.resources
import math
import sys

from lodeboard import board_checks
from lodeboard.errors import LodeboardError
from lodeboard.inputs import read_input
from lodeboard.sim import field

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KERNEL_SQUARES = 6  # the kernel holds distances 0..5: beyond, a neighbour is under 0.01 mT
_FILES = importlib.resources.files("lodeboard.boardfiles")


class Board:
    """A checked board file.

    data: the file as read. name, width, height, squares (width * height), pitch_mm.
    parts: figures of the parts in use, by role ("sensor": {"mv_per_mt": 30.0, ...}).
    """

    def __init__(self, data, parts):
        self.data = data
        self.parts = parts
        self.name = data["name"]
        self.width = data["width"]
        self.height = data["height"]
        self.squares = self.width * self.height
        self.pitch_mm = data["tile"]["pitch_mm"]

    def square(self, name):
        """The number of the square called `name` ("a1" is bottom left). ValueError when there is none."""
        x = ord(name[0]) - ord("a")
        row = int(name[1:])
        if not (0 <= x < self.width and 1 <= row <= self.height):
            raise ValueError(f"{name} is not on a board of {self.width} x {self.height} squares")
        return (self.height - row) * self.width + x

    def square_name(self, square):
        """The board's name of a square: column letter from the left, row number from the bottom."""
        y, x = divmod(square, self.width)
        return f"{chr(ord('a') + x)}{self.height - y}"

    def centre_mm(self, square):
        """(x, y) of a square's centre in mm from the board's top left corner, y down."""
        y, x = divmod(square, self.width)
        return (x + 0.5) * self.pitch_mm, (y + 0.5) * self.pitch_mm

    def dark_ma(self):
        """What the board draws with every LED dark, mA."""
        return self.data["limits"]["base_ma"] + self.squares * self.parts["led"]["dark_ma"]


def names():
    """The names of the boards that come with lodeboard."""
    found = [entry.name[:-5] for entry in _FILES.iterdir() if entry.name.endswith(".toml")]
    return sorted((n for n in found if n != "parts"), key=lambda n: (len(n), n))


def load(name_or_path):
    """The Board of a name ("lode8") or of a file of one's own. LodeboardError says what is wrong with it."""
    given = str(name_or_path)
    if given in names():
        return parse((_FILES / f"{given}.toml").read_text(encoding="utf-8"), f"{given}.toml")
    if not given.endswith(".toml"):
        near = difflib.get_close_matches(given, names(), 1)
        hint = f"Did you mean {near[0]}?" if near else "Name one of these, or a file that ends in .toml."
        raise LodeboardError(f"There is no board {given}; there are {', '.join(names())}.", hint)
    try:
        text = read_input(given, "Name a board file that can be read.", 1 << 20).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LodeboardError(f"{given} is not text in UTF-8.", "Name a board file.") from None
    return parse(text, given)


def parse(text, file):
    """The Board that `text` describes; `file` names it in what is said of faults."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LodeboardError(f"{file}: not TOML: {error}.", "Mend the line.") from None
    except RecursionError:
        raise LodeboardError(f"{file}: not a board: nested too deep.", "Name a board file.") from None
    board_checks.schema(data, file)
    board = Board(data, board_checks.parts(data, file))
    board_checks.board(board, file)
    return board


def chain_squares(board, order):
    """Squares in chain order, tile by tile; `order` is the tile's own order (tile.select or tile.leds)."""
    size = board.data["tile"]["size"]
    return [
        (row * size + place // size) * board.width + column * size + place % size
        for column, row in board.data["chain"]["tiles"]
        for place in order
    ]


def counts_per_mt(board):
    """ADC counts per mT of the board's sensor."""
    controller = board.parts["controller"]
    return board.parts["sensor"]["mv_per_mt"] * (1 << controller["adc_bits"]) / controller["supply_mv"]


def kernel(board):
    """Nominal field of one seated magnet in counts, [dy][dx] for 0..5 squares away, two decimals."""
    magnet = board.data["magnet"]
    disc = field.load(magnet["disc"], magnet["grade"])
    scale = counts_per_mt(board)
    return [
        [round(disc.mt(board.pitch_mm * math.hypot(dx, dy), magnet["gap_mm"]) * scale, 2)
         for dx in range(KERNEL_SQUARES)]
        for dy in range(KERNEL_SQUARES)
    ]


def firmware_config(board, game=None):
    """The dict that the firmware reads as config.json; plain JSON values.

    game: the one that the board starts with, in place of the board file's default.
    """
    data = board.data
    return {
        "name": board.name,
        "width": board.width,
        "height": board.height,
        "tiles": len(data["chain"]["tiles"]),
        "revision": data["revision"],
        "chain": chain_squares(board, data["tile"]["select"]),
        "leds": chain_squares(board, data["tile"]["leds"]),
        "counts_per_mt": round(counts_per_mt(board), 3),
        "zero": 1 << (board.parts["controller"]["adc_bits"] - 1),
        "kernel": kernel(board),
        "limits": {
            **data["limits"],
            "led_ma": board.parts["led"]["ma"],
            "led_dark_ma": board.parts["led"]["dark_ma"],
        },
        "settle_us": board.parts["sensor"]["settle_us"],
        "pins": data["pins"],
        "games": data["games"],
        "default": game or data["default"],
        "layouts": {game: _layout_squares(board, game) for game in data["games"]},
    }


def _layout_squares(board, game):
    """A layout with squares as numbers."""
    layout = board.data["layouts"][game]
    out = {"thresholds_mt": layout["thresholds_mt"]}
    if game == "callisto":
        # keys as the rules name a board: edition and players
        out["boards"] = {
            f"{entry['edition']}-{entry['players']}": [board.square(entry["origin"]), entry["size"]]
            for entry in layout["boards"]
        }
        return out
    own = "holes" if game == "tau" else "bases"
    out[own] = [board.square(name) for name in layout[own]]
    out["racks"] = [[board.square(name) for name in rack] for rack in layout["racks"]]
    if game == "castellers":
        out["field"] = layout["field"]
        out["level"] = round(layout["casteller_mm"] / board.pitch_mm, 3)
    return out
