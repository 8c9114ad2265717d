"""The Pico's end of the shell's contract (docs/architecture.md): pins in, pins out, never waiting.

    hal = Pico(config)
    hal.scan(readings)     fills array('H'), a count of 12 bits a square
    hal.poll()             once a turn: what goes on between turns (frames of light, slices of the display)
"""

import os
import time

import machine

from ..files import Files
from .display import Display
from .leds import Leds
from .tiles import Tiles
from .usb import Usb

# 5 V rail over a divider of two: counts of machine.ADC.read_u16 (3.3 V is 65535) a millivolt of the rail
_RAIL_COUNTS_PER_V = 65535 / 3.3 / 2
EXTERNAL_V = 4.0  # at its own pin the external supply reads this or nothing (docs/hardware/electrical.md)
TICK_MS = 5
SAGGING_V = 4.4  # below it light is halved until the rail has been above it for SAG_MS
SAG_MS = 2000
WATCHDOG_MS = 8000
BUTTONS = ("ok", "undo", "hint", "menu")
SIM = b"sim"  # begins the flash chip's id of a simulated board


class Pico:
    def __init__(self, config, watchdog=False):
        pins = config["pins"]
        self.config = config
        self.tiles = Tiles(config)
        self.leds = Leds(config)
        self.panel = Display(config)
        self.usb = Usb()
        self.files = Files("")
        self.trouble = None  # what is wrong with the chain, one sentence
        self.lost = False  # the chain was whole and is not now: what is read behind the break is no field
        self.tested = {"tiles": self.tiles.count()}
        self._buttons = [machine.Pin(pins[name], machine.Pin.IN, machine.Pin.PULL_UP) for name in BUTTONS]
        self._rail = machine.ADC(machine.Pin(pins["supply"]))
        self._external = machine.ADC(machine.Pin(pins["external"])) if "external" in pins else None
        self._buzzer = machine.PWM(machine.Pin(pins["buzzer"]))
        self._buzzer.duty_u16(0)
        self._hz = 0
        self._sagged = None
        self._watchdog = machine.WDT(timeout=WATCHDOG_MS) if watchdog else None
        unique = machine.unique_id()
        sim = unique[:3] == SIM
        # a simulated board's seed is given, so that its games repeat
        self.entropy = int.from_bytes(unique[4:8] if sim else os.urandom(4), "big")
        serial = "sim-%d" % self.entropy if sim else "".join("%02x" % byte for byte in unique)
        self.info = {"sim": sim, "serial": serial, "machine": "RP2040"}
        self.loop_us = 0  # the last turn's length; the loop sets it
        self.hurry = False  # hands wait for lights: the display waits

    def scan(self, readings):
        if self.tiles.scan(readings):
            self.trouble = None
            self.lost = False
        elif self.trouble is None:
            self.lost = True
            self.trouble = "The token does not reach the last tile: see to the tiles' cables."

    def buttons(self):
        bits = 0
        for n in range(4):
            if not self._buttons[n].value():
                bits |= 1 << n
        return bits

    def read(self):
        return self.usb.read()

    def write(self, data):
        return self.usb.write(data)

    def show(self, rgb):
        self.leds.show(rgb)

    def display(self, lines):
        self.panel.show(lines)

    def tone(self, hz):
        if hz == self._hz:
            return
        self._hz = hz
        if hz:
            self._buzzer.freq(hz)
            self._buzzer.duty_u16(32768)
        else:
            self._buzzer.duty_u16(0)

    def rail_v(self):
        """The 5 V rail, volts."""
        return self._rail.read_u16() / _RAIL_COUNTS_PER_V

    def external(self):
        """Whether the external supply feeds the board. Without a pin for it: whether nothing else can."""
        if self._external is None:
            return not self.usb.powered()
        return self._external.read_u16() >= EXTERNAL_V * _RAIL_COUNTS_PER_V

    def scan_ms(self):
        """Least time from scan to scan: tiles draw by the scan, and a USB port gives little."""
        return TICK_MS if self.external() else max(TICK_MS, self.config["limits"].get("scan_ms", TICK_MS))

    def supply_ma(self):
        """mA that all may draw now: the USB port's limit or the other supply's, halved while the rail sags."""
        limits = self.config["limits"]
        volts = self.rail_v()
        limit = limits["external_ma" if self.external() else "usb_ma"]
        now = time.ticks_ms()
        if volts < SAGGING_V:
            self._sagged = now
        if self._sagged is not None:
            if time.ticks_diff(now, self._sagged) < SAG_MS:
                return limit // 2
            self._sagged = None
        return limit

    def poll(self):
        self.leds.poll(self.hurry)
        if not self.hurry:
            self.panel.poll()
        self.usb.mend()
        if self._watchdog:
            self._watchdog.feed()

    def restart(self):
        self._flush()
        machine.reset()

    def bootloader(self):
        self._flush()
        machine.bootloader()

    def _flush(self):
        """Let the host take the answer that is under way."""
        time.sleep_ms(50)

    def close(self):
        """Dark and silent, and the USB port MicroPython's again."""
        self.tone(0)
        self.leds.close()
        self.usb.hand_over()
