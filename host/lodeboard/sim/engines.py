"""What runs the firmware of a simulated board.

    engine = engines.open("micropython", config, state_dir, seed=7)
    out = engine.tick(now, readings, buttons, received)
    engine.cut(after=20)         the power goes in the middle of the next write, 20 bytes into it; cut() now
    engine.plugged               whether the USB cable is in: it always is but on the emulated chip
    engine.close()

`state_dir` keeps what a board keeps in its flash, in the same form for every engine: a game that was begun on
one goes on on another. After a cut, tick() raises PowerCut; open an engine on the same folder to switch on
again.
"""

import json
import os
import select
import struct
import subprocess
import traceback
from pathlib import Path

from lodeboard import __version__, micropython
from lodeboard.errors import LodeboardError
from lodeboard.sim import deployed

ENGINES = ("python", "micropython", "rp2040")
HEAP = "228k"  # what the RP2040 has
PATIENCE_S = 30.0  # for one tick


class PowerCut(Exception):
    """The simulated board is without power."""


class Out:
    """What came out of one tick. rgb (3 bytes a square), lines (8 texts) and tone (Hz): None when
    unchanged.
    """

    __slots__ = ("rgb", "lines", "tone", "tx")

    def __init__(self, rgb=None, lines=None, tone=None, tx=b""):
        self.rgb = rgb
        self.lines = lines
        self.tone = tone
        self.tx = tx


def open(name, config, state_dir, seed=0, **options):
    """An Engine by name. LodeboardError: unknown name, or what it needs is not there."""
    if name not in ENGINES:
        raise LodeboardError(f"There is no engine {name}.", f"Engines are {', '.join(ENGINES)}.")
    state_dir = Path(state_dir)
    try:
        state_dir.mkdir(parents=True, exist_ok=True)
        (state_dir / "config.json").write_text(json.dumps(config))
    except OSError as error:
        raise LodeboardError(
            f"The simulated board cannot keep its files in {state_dir}: {error.strerror}.",
            "Name another folder, or make room.",
        ) from None
    if name == "python":
        return Python(config, state_dir, seed, **options)
    if name == "micropython":
        return MicroPython(config, state_dir, seed, **options)
    try:
        from . import rp2040
    except ImportError as error:
        raise LodeboardError(
            f"The engine rp2040 is not complete: {error}.", "Install it: `pip install lodeboard[rp2040]`."
        ) from None
    return rp2040.Rp2040(config, state_dir, seed, **options)


class Python:
    """The firmware in this process."""

    plugged = True

    def __init__(self, config, state_dir, seed):
        from lodeboard.firmware.hal import sim

        self._sim = sim
        self._board = sim.Board(config, str(state_dir), seed, "python", __version__)
        self._dark = None

    def tick(self, now, readings, buttons=0, received=b""):
        if self._dark is not None:
            raise self._dark
        hal = self._board.hal
        hal.readings[:] = readings
        hal.bits = buttons
        hal.rx = received
        try:
            self._board.tick(now)
        except self._sim.PowerCut:
            self._dark = PowerCut("The power was cut in the middle of a write.")
            raise self._dark from None
        except Exception as error:
            text = traceback.format_exc().encode()
            self._dark = died("python", f"{type(error).__name__}: {error}")
            return Out(tx=b"".join(hal.tx) + text)
        return Out(hal.rgb, hal.lines, hal.tone_hz, b"".join(hal.tx))

    def cut(self, after=None):
        """Cut the power: now, or when so many bytes of the next write are in the flash."""
        if after is None:
            self._dark = PowerCut("The power was cut.")
        else:
            self._board.cut(after)

    def close(self):
        self._dark = self._dark or PowerCut("The board was switched off.")


class MicroPython:
    """The firmware on MicroPython's unix port, in a process of its own. heap: as `-X heapsize` takes it."""

    plugged = True

    def __init__(self, config, state_dir, seed, heap=HEAP):
        from lodeboard.firmware.hal import sim

        self._sim = sim
        self._size = config["width"] * config["height"]
        self._head = struct.calcsize(sim.ANSWER)
        self._dark = None
        flash = deployed.deploy(state_dir)
        requests, self._to = os.pipe()
        self._from, answers = os.pipe()
        console, self._console = os.pipe()
        program = (
            f"import sys; sys.path[:] = [{str(flash)!r}, '.frozen']\n"
            "from firmware.hal.sim import serve\n"
            f"serve({requests}, {answers}, {str(state_dir)!r}, {seed}, {__version__!r})"
        )
        command = [*micropython.command(), "-X", f"heapsize={heap}", "-c", program]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=self._console, stderr=self._console,
                pass_fds=(requests, answers), start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise LodeboardError(f"MicroPython does not start: {error.strerror}.") from None
        finally:
            for fd in (requests, answers, self._console):
                os.close(fd)
        self._console = console
        os.set_blocking(console, False)
        self._ready = select.poll()
        self._ready.register(self._from, select.POLLIN)

    def tick(self, now, readings, buttons=0, received=b""):
        if self._dark is not None:
            raise self._dark
        sim = self._sim
        head = struct.pack(sim.REQUEST, sim.TICK, buttons, len(received), now)
        try:
            os.write(self._to, head + readings.tobytes() + received)
            flags, tone, lines, sent, data = self._answer()
        except (BrokenPipeError, EOFError):
            return Out(tx=self._autopsy())
        rgb = None
        at = 0
        if flags & sim.RGB:
            at = 3 * self._size
            rgb = data[:at]
        text = data[at : at + lines].decode().split("\n") if flags & sim.LINES else None
        tx = data[at + lines :]
        printed = self._printed()
        if flags & sim.DARK:
            self._dark = PowerCut("The power was cut in the middle of a write.")
            raise self._dark
        return Out(rgb, text, tone if flags & sim.TONE else None, printed + tx if printed else tx)

    def memory(self):
        """(free, used) bytes of the heap after a collection."""
        os.write(self._to, struct.pack(self._sim.REQUEST, self._sim.MEMORY, 0, 0, 0))
        return struct.unpack("<II", self._answer()[-1])

    def cut(self, after=None):
        """Cut the power: now, or when so many bytes of the next write are in the flash."""
        if after is None:
            self._stop(PowerCut("The power was cut."))
        else:
            os.write(self._to, struct.pack(self._sim.REQUEST, self._sim.CUT, 0, 0, after))

    def close(self):
        self._stop(PowerCut("The board was switched off."))

    def _answer(self):
        """flags, tone, bytes of lines, bytes sent, and the rest. EOFError when the process ended."""
        data = self._read()
        while len(data) < self._head:
            data += self._read()
        flags, tone, lines, sent = struct.unpack_from(self._sim.ANSWER, data)
        length = self._head + lines + sent + (3 * self._size if flags & self._sim.RGB else 0)
        while len(data) < length:
            data += self._read()
        return flags, tone, lines, sent, data[self._head :]

    def _read(self):
        if not self._ready.poll(PATIENCE_S * 1000):
            self._stop(died("micropython", f"it did not answer for {PATIENCE_S:.0f} s"))
            raise self._dark
        data = os.read(self._from, 65536)
        if not data:
            raise EOFError
        return data

    def _printed(self):
        """Console text that the process wrote meanwhile."""
        try:
            return os.read(self._console, 65536)
        except BlockingIOError:
            return b""

    def _autopsy(self):
        """The process ended by itself: what it said. The next tick raises the error."""
        os.set_blocking(self._console, True)
        text = b""
        while chunk := os.read(self._console, 65536):
            text += chunk
        said = [line for line in text.decode("utf-8", "replace").splitlines() if line.strip()]
        self._stop(died("micropython", said[-1] if said else "it ended without a word"))
        return text

    def _stop(self, why):
        if self._process is None:
            return
        self._dark = self._dark or why
        self._process.kill()
        self._process.wait()
        self._process = None
        for fd in (self._to, self._from, self._console):
            os.close(fd)


def died(engine, reason):
    return LodeboardError(
        f"The firmware on engine {engine} stopped: {reason.rstrip('.')}.",
        "Report this with the log's last lines; the journal holds the game.",
        3,
    )
