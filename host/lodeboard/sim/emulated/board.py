"""A whole emulated board: the chip, its flash, the tiles and everything else on the pins.

    board = EmulatedBoard(config, flash, seed=7)      flash: the 2 MiB that the flash chip holds
    board.readings[:] = ...; board.chip.run_ms(5)
    board.fault("dead:c3")                            see FAULTS

flash_image(config, built) makes such a flash with MicroPython and a build in slot a; blank=True leaves the
file system empty, as a Pico comes from the shop and MicroPython puts itself on it.
"""

import json
from functools import partial

from lodeboard.errors import LodeboardError

from . import image
from .chip import FLASH_BYTES, FS_START, Chip, load_uf2
from .desk import Buttons, Buzzer, LedChain, Supply
from .display import Display
from .flashchip import FlashChip
from .tiles import TileChain, readings_of

RAIL_V = 4.7  # at the tiles
SAGGED_V = 4.2
FAULTS = {
    "dead:SQUARE": "this sensor gives nothing",
    "stuck:SQUARE=COUNTS": "this sensor always gives so many counts",
    "tile:N": "the N-th tile of the chain is missing, and all after it",
    "led:N": "the LEDs after the N-th get no data",
    "display": "no display answers (from the next start)",
    "brownout": "the 5 V rail sags to 4.2 V",
    "usb:off": "the USB cable is out, other power stays",
    "usb:on": "the cable is in again",
    "deaf": "the host stops reading",
    "hearing": "the host reads again",
    "power": "the power goes and comes back",
    "cut:N": "the power goes in the N-th write to the flash from now",
    "none": "all is mended",
}


class EmulatedBoard:
    def __init__(self, config, flash, seed=0):
        self.config = config
        self.readings = readings_of(config)
        self.tiles = TileChain(config, self.readings)
        self.leds = LedChain(config)
        self.display = Display()
        self.buttons = Buttons(config)
        self.buzzer = Buzzer(config)
        self.supply = Supply(config, self.tiles)
        self.flash = FlashChip(seed)
        devices = [
            self.flash, self.tiles, self.leds, self.display, self.buttons, self.buzzer, self.supply,
        ]  # fmt: skip
        self.chip = Chip(flash=flash, devices=devices)

    def square(self, name):
        """Number of a square by its board name."""
        x, y = ord(name[:1]) - 97, name[1:]
        width, height = self.config["width"], self.config["height"]
        if not 0 <= x < width or not y.isdigit() or not 1 <= int(y) <= height:
            raise LodeboardError(f"There is no square {name} on {self.config['name']}.", "Name one such as c3.")
        return (height - int(y)) * width + x

    def fault(self, text):
        """Bring a fault about, or mend it; text as in FAULTS. LodeboardError: there is none such."""
        self.change(text)()

    def change(self, text):
        """What fault(text) does, as a function for later."""
        name, _, rest = text.partition(":")
        where, _, value = rest.partition("=")
        chip, tiles, supply = self.chip, self.tiles, self.supply
        try:
            if name == "dead":
                return partial(tiles.dead.__setitem__, self.square(where), 0)
            if name == "stuck":
                return partial(tiles.dead.__setitem__, self.square(where), int(value))
            if name == "tile":
                return partial(setattr, tiles, "missing_tile", int(where) - 1)
            if name == "led":
                return partial(setattr, self.leds, "broken", int(where))
            if name == "display":
                return partial(setattr, self.display, "present", False)
            if name == "brownout":
                return partial(supply.rail, SAGGED_V)
            if name == "usb":
                return partial(self._plug, {"on": True, "off": False}[where])
            if text in ("deaf", "hearing"):
                return partial(chip.read_on, text == "hearing")
            if text == "power":
                return self._cycle
            if name == "cut":
                return partial(self.flash.cut_at, int(where))
            if text == "none":
                return self._mend
        except (ValueError, KeyError):
            pass
        raise LodeboardError(f"There is no fault {text!r}.", f"Faults are {', '.join(FAULTS)}.")

    def _plug(self, attached):
        self.supply.usb(attached)
        self.chip.plug(attached)

    def _cycle(self):
        self.chip.power_off()
        self.chip.power_on()

    def _mend(self):
        self.tiles.dead.clear()
        self.tiles.missing_tile = self.leds.broken = None
        self.display.present = True
        self.supply.rail(RAIL_V)
        self.chip.read_on(True)


def flash_image(config, built, uf2, blank=False, keep=None):
    """2 MiB: MicroPython of a UF2 file and a file system. keep: {path: bytes} of files to put there too."""
    flash = bytearray(b"\xff" * FLASH_BYTES)
    load_uf2(uf2, flash)
    if not blank:
        files = {"/slots/a/" + path: data for path, data in built.files.items()}
        files["/config.json"] = json.dumps(config, separators=(",", ":")).encode()
        files["/slot"] = b"a"
        files["/main.py"] = built.main
        files.update(keep or {})
        flash[FS_START:FLASH_BYTES] = image.make(files)
    return bytes(flash)
