"""The simulator's end of the shell's contract (docs/architecture.md), on CPython and on MicroPython alike.

    board = Board(config, "state", seed=7, machine="python", version="0.1.0")
    hal = board.hal
    hal.readings[:] = ...; hal.bits = 0; hal.rx = b""
    board.tick(now)
    hal.tx (list of bytes), hal.rgb, hal.lines, hal.tone_hz     what came out; None where nothing changed

serve() does the same for another process, which is how the engine `micropython` runs the firmware.
Everything is little-endian. A request is a head `<BBHI` (kind, buttons, bytes received, now) and, for TICK,
the readings (2 bytes each) and the bytes received. An answer is a head `<BHHI` (flags, tone, bytes of
lines, bytes sent), then the rgb where flagged, the lines joined by newlines where flagged, and the bytes
sent. Console text goes to stdout.
"""

import gc
import json
import struct
from array import array

from ..files import Files
from ..shell import Shell

TICK = 1
CUT = 2  # `now` is the number of bytes of the next write after which the power goes
MEMORY = 3  # answers with the free and the used bytes of the heap, `<II`, as bytes sent
REQUEST = "<BBHI"
ANSWER = "<BHHI"
THRESHOLD = 8192  # bytes between collections: what lasts then lies close together, and large blocks fit
RGB, LINES, TONE, DARK = 1, 2, 4, 8  # flags; DARK: the power is gone


class PowerCut(BaseException):
    """The simulated power went away. No `except Exception` of the firmware may catch it."""


class Restart(BaseException):
    """The firmware asked for a restart."""


class Store(Files):
    """Files whose next write can be cut by a power failure."""

    cut = None  # bytes of the next write that still reach the flash

    def append(self, name, data):
        self._cut(self.path(name), "ab", data)
        Files.append(self, name, data)

    def write(self, name, data):
        self._cut(self.path(name) + ".new", "wb", data)
        Files.write(self, name, data)

    def _cut(self, path, mode, data):
        if self.cut is not None:
            with open(path, mode) as file:
                file.write(data[: self.cut])
            raise PowerCut


class Sim:
    """hal: what the shell reads is set from outside, what it writes is kept for outside."""

    trouble = None
    lost = False
    loop_us = 5000  # a tick of simulated time
    hurry = False
    bootloader = None  # there is none

    def __init__(self, config, files, seed, info):
        self.files = files
        self.entropy = seed & 0xFFFFFFFF
        self.info = info
        self.tested = {"tiles": config["tiles"]}
        self.limit_ma = config["limits"]["usb_ma"]
        self.readings = array("H", [config["zero"]] * (config["width"] * config["height"]))
        self.bits = 0
        self.rx = b""
        self.forget()

    def forget(self):
        """Nothing came out yet."""
        self.tx = []
        self.rgb = self.lines = self.tone_hz = None

    def scan(self, readings):
        if readings is not self.readings:  # another shell's: from now on its own are what is set from outside
            readings[:] = self.readings
            self.readings = readings

    def buttons(self):
        return self.bits

    def read(self):
        rx, self.rx = self.rx, b""
        return rx

    def write(self, data):
        self.tx.append(bytes(data))
        return len(data)

    def show(self, rgb):
        self.rgb = rgb

    def display(self, lines):
        self.lines = lines

    def tone(self, hz):
        self.tone_hz = hz

    def supply_ma(self):
        return self.limit_ma

    def restart(self):
        raise Restart


class Board:
    """A simulated board that is switched on. state_dir holds what a real one keeps in its flash."""

    def __init__(self, config, state_dir, seed, machine, version):
        info = {"sim": True, "serial": "sim-%d" % seed, "machine": machine, "fw": version, "hash": ""}
        self.config = config
        self.store = Store(state_dir + "/journal")
        self.hal = Sim(config, Store(state_dir), seed, info)
        self.shell = None
        self._switch_on()

    def _switch_on(self):
        self.shell = None
        gc.collect()
        self.shell = Shell(self.config, self.hal, self.store)
        gc.collect()

    def tick(self, now):
        """One turn at board time `now`; what came out is in hal. PowerCut: the power went in mid-write."""
        self.hal.forget()
        try:
            self.shell.tick(now)
        except Restart:
            self._switch_on()

    def cut(self, after):
        """The power goes when `after` bytes of the next write have reached the flash."""
        self.store.cut = self.hal.files.cut = after


def serve(requests, answers, state_dir, seed, version):
    """Answers requests until their end. requests, answers: file descriptors; state_dir has config.json."""
    requests, answers = open(requests, "rb"), open(answers, "wb")
    gc.threshold(THRESHOLD)
    with open(state_dir + "/config.json") as file:
        config = json.load(file)
    for key in ("chain", "leds", "pins"):  # a simulated board has none, as a chip has none after its start
        del config[key]
    for name in config["layouts"]:
        config["layouts"][name] = json.dumps(config["layouts"][name])
    config["kernel"] = [array("f", row) for row in config["kernel"]]
    gc.collect()
    board = Board(config, state_dir, seed, "micropython", version)
    hal = board.hal
    head = bytearray(struct.calcsize(REQUEST))
    while requests.readinto(head) == len(head):
        kind, hal.bits, received, now = struct.unpack(REQUEST, head)
        if kind == TICK:
            requests.readinto(hal.readings)
            if received:
                hal.rx = requests.read(received)
            flags = 0
            try:
                board.tick(now)
            except PowerCut:
                flags = DARK
            for part in _answer(hal, flags):
                answers.write(part)
            if flags:
                return
        elif kind == CUT:
            board.cut(now)
        elif kind == MEMORY:
            gc.collect()
            answers.write(struct.pack(ANSWER, 0, 0, 0, 8) + struct.pack("<II", gc.mem_free(), gc.mem_alloc()))


_QUIET = (struct.pack(ANSWER, 0, 0, 0, 0),)


def _answer(hal, flags):
    """The parts of an answer: joined they would need a large block of a heap that is nearly full."""
    rgb, lines, tone = hal.rgb, hal.lines, hal.tone_hz
    if not flags and rgb is None and lines is None and tone is None and not hal.tx:
        return _QUIET
    text = b""
    if rgb is None:
        rgb = b""
    else:
        flags |= RGB
    if lines is not None:
        flags |= LINES
        text = "\n".join(lines).encode()
    if tone is not None:
        flags |= TONE
    sent = sum([len(part) for part in hal.tx])
    head = struct.pack(ANSWER, flags, tone or 0, len(text), sent)
    return [part for part in [head, rgb, text] + hal.tx if part]
