"""Budgets of a board, computed from its file and the parts' figures: pins, current, time, flash, memory.

    for line in lines(boards.load("lode20")):
        print(line.what, line.text(), line.holds)

Currents are of the parts' typical columns; where the worst matters, `_max` figures are used and the line says
so. What only a running chip can tell (loop time, free heap) is measured by `lodeboard bench`.
"""

import functools
import json
import math
from dataclasses import dataclass

from lodeboard import board_checks, boards

GPIOS = 26  # GP0..GP22 and GP26..GP28 of a Pico
AWAKE = 3  # tiles with power during a scan: the one that is read and two that settle (docs/hardware/token.md)
TOKENS = 2  # tokens that walk together, so a tile has as many turns to settle in
CONVERSION_US = 4  # select lines, settling of the line and the conversion of one square
SCAN_BOUND_MS = 3.0  # reading 400 squares
SCAN_MS = 5  # from scan to scan where a board file does not say: the firmware's turn
FUSE_SHARE = 0.75  # of a fuse's rating, in continuous use
SLOTS = 2  # of the firmware in flash: the one that runs and the one before
RAIL_V, LOGIC_V = 5.0, 3.3
WIDE_CODES = (512, 1536, 2560, 3584)  # RP2040 data sheet, erratum E11: wide steps of the ADC
WIDE_MT = 0.5  # no threshold as near as this to one of them
FREE_BYTES = 96 * 1024  # of the heap, in the largest game


@dataclass(frozen=True)
class Line:
    """One budget: `value` of `limit` in `unit`. at_least: the limit is a floor. limit None: only told."""

    what: str
    value: float
    limit: float | None
    unit: str
    note: str = ""
    at_least: bool = False

    @property
    def holds(self):
        if self.limit is None:
            return True
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def text(self):
        word = "at least" if self.at_least else "of"
        text = (
            f"{self.value:g} {word} {self.limit:g} {self.unit}"
            if self.limit is not None
            else f"{self.value:g} {self.unit}"
        )
        return text + (f" ({self.note})" if self.note else "")


def other(name):
    """The catalogue's entry of a part that no board file chooses."""
    return board_checks.catalogue()["other"][name]


def scan_ms(board):
    """Time to read every square, ms: settling overlaps the reading of the tiles before."""
    tiles = len(board.data["chain"]["tiles"])
    settle = board.parts["sensor"]["settle_us"]
    squares = board.data["tile"]["size"] ** 2
    return (settle + tiles * max(settle / TOKENS, squares * CONVERSION_US)) / 1000


def sensors_ma(board, key="ma"):
    """Current of all sensors that are awake during a scan; key: "ma" typical, "ma_max" worst."""
    tiles = min(AWAKE, len(board.data["chain"]["tiles"]))
    return tiles * board.data["tile"]["size"] ** 2 * board.parts["sensor"][key]


def base_ma(board):
    """What everything but the LEDs draws on average, mA."""
    period = board.data["limits"].get("scan_ms", SCAN_MS)
    duty = min(1.0, scan_ms(board) / period)
    return board.parts["controller"]["ma"] + board.parts["display"]["ma"] + duty * sensors_ma(board)


def led_white_ma(board):
    return sum(board.parts["led"]["ma"])


def _pins(board):
    pins = board.data["pins"]
    used = sum(len(value) if isinstance(value, list) else 1 for value in pins.values())
    return [Line("pins", used, GPIOS, "GPIOs")]


def _current(board):
    limits, led = board.data["limits"], board.parts["led"]
    white = board.squares * led_white_ma(board)
    fuse, outlet = other("fuse_8A")["hold_ma"], other("power_header")["max_ma"]
    yield Line("current without LEDs", round(base_ma(board), 1), limits["base_ma"], "mA", "average, limits.base_ma")
    for key, name in (("usb_ma", "USB"), ("external_ma", "external")):
        yield Line(f"current dark, {name}", round(board.dark_ma(), 1), limits[key], "mA")
    for key, name in (("usb_ma", "USB"), ("external_ma", "external")):
        share = (limits[key] - board.dark_ma()) / white
        yield Line(
            f"all squares white, {name}",
            round(100 * min(1, max(0, share)), 1),
            None,
            "%",
            f"{white + board.dark_ma():.0f} mA unlimited; the governor scales to {limits[key]}",
        )
    yield Line(
        "external supply through the fuse",
        limits["external_ma"],
        FUSE_SHARE * fuse,
        "mA",
        f"{FUSE_SHARE:g} of {fuse}",
    )
    yield Line("external supply in one contact", limits["external_ma"], outlet, "mA")
    tile = board.data["tile"]["size"] ** 2 * (led_white_ma(board) + led["dark_ma"])
    yield Line("one tile white", round(tile), other("ptc_1A1")["hold_ma"], "mA", "its resettable fuse holds")
    regulator = other("TLV1117LV33")
    most = sensors_ma(board, "ma_max") + board.parts["display"]["ma"]
    yield Line("3.3 V regulator, worst sensors", round(most), regulator["max_ma"], "mA", "during a scan")
    heat = (RAIL_V - LOGIC_V) * (base_ma(board) - board.parts["controller"]["ma"]) / 1000
    yield Line("3.3 V regulator, heat", round(heat, 2), 1.0, "W", "SOT-223 on copper")


def _time(board):
    period = board.data["limits"].get("scan_ms", SCAN_MS)
    yield Line("scan of all squares", round(scan_ms(board), 2), SCAN_BOUND_MS * max(1, board.squares / 400), "ms")
    yield Line("scan within its period", round(scan_ms(board), 2), period, "ms", "limits.scan_ms")
    wire = board.squares * board.parts["led"]["us_per_led"] / 1000
    yield Line("LED data on the wire", round(wire, 2), 0.03 * max(400, board.squares), "ms")


@functools.cache
def firmware_bytes():
    """Bytes of the firmware in one slot, as `lodeboard flash` puts it there; takes a second."""
    from lodeboard.flash.build import build

    return sum(len(data) for data in build().files.values())


def _memory(board):
    controller = board.parts["controller"]
    files = controller["flash_bytes"] - controller["firmware_flash_bytes"]
    yield Line(
        "flash: firmware in two slots",
        math.ceil(SLOTS * firmware_bytes() / 1024),
        files // 2 // 1024,
        "KiB",
        "half of the file system stays for the journal",
    )
    config = boards.firmware_config(board)
    text = len(json.dumps(config, separators=(",", ":")))
    used = text + 4 * _values(config)
    yield Line(
        "memory: the board's data while it is read",
        math.ceil(used / 1024),
        (controller["heap_bytes"] - FREE_BYTES) // 4 // 1024,
        "KiB",
        "text and lists; a quarter of what may be used",
    )


def _values(value):
    """Slots that a JSON value takes in lists and dicts."""
    if isinstance(value, dict):
        return 2 * len(value) + sum(_values(v) for v in value.values())
    if isinstance(value, list):
        return len(value) + sum(_values(v) for v in value)
    return 0


def _thresholds(board):
    per_mt = boards.counts_per_mt(board)
    middle = 1 << (board.parts["controller"]["adc_bits"] - 1)
    wide = [abs(code - middle) / per_mt for code in WIDE_CODES]
    for game, layout in board.data["layouts"].items():
        gap = min(abs(value - code) for value in layout["thresholds_mt"].values() for code in wide)
        yield Line(f"{game}: thresholds from the ADC's wide codes", round(gap, 2), WIDE_MT, "mT", at_least=True)
    own = boards.kernel(board)[0][0] / per_mt
    yield Line("seated magnet in the sensor's range", round(own, 1), board.parts["sensor"]["range_mt"], "mT")


def lines(board):
    """Every budget of a Board as a list of Line."""
    return [*_pins(board), *_current(board), *_time(board), *_memory(board), *_thresholds(board)]
