"""Engine rp2040: the built firmware on the official MicroPython image, on an emulated chip with its board.

    engine = Rp2040(config, state_dir, seed)       the flash is kept in state_dir/flash.bin
    engine = Rp2040(config, state_dir, seed, blank=True)     a Pico with MicroPython and nothing else
    engine.fault("dead:c3")                        emulated/board.py: FAULTS
    engine.fault("usb:off@20.5")                   20.5 s of the chip's time after it came up

One tick is 5 ms of the chip's own time. Journal and calibration also lie in state_dir as files, as with the
other engines: a game goes on where it was on any of them.
"""

import re
from pathlib import Path

from lodeboard.errors import LodeboardError
from lodeboard.flash import build, cache

from .emulated import image
from .emulated.board import EmulatedBoard, flash_image
from .engines import Out, PowerCut

TICK_MS = 5
ANSWER_MS = 1000
START_MS = 4000  # of the chip's time; a firmware that does not come up by then is let run anyway
SECONDS = re.compile(r"\d+(\.\d*)?$")
KEPT = ("/journal/", "/calibration.json")


class Rp2040:
    def __init__(self, config, state_dir, seed, uf2=None, blank=False):
        self._state_dir = Path(state_dir)
        self._file = self._state_dir / "flash.bin"
        if self._file.is_file() and not blank:
            flash = self._file.read_bytes()
        else:
            flash = flash_image(config, None if blank else build.build(), cache.find(uf2), blank, self._kept())
        self.board = EmulatedBoard(config, flash, seed)
        self._seen_lines = None
        self._seen_tone = 0
        self._dark = None
        self._later = []  # [(us of the chip's time, what brings a fault about), ...], the next one last
        self._starting = not blank

    def tick(self, now, readings, buttons=0, received=b""):
        if self._dark is not None:
            raise self._dark
        board = self.board
        chip = board.chip
        board.readings[:] = readings
        board.buttons.press(buttons)
        if received:
            chip.send(received)
        if self._starting:
            self._start()
        while self._later and self._later[-1][0] <= chip.now_us:
            self._later.pop()[1]()
        chip.run_ms(TICK_MS)
        self._answer(received)
        if not chip.powered:
            self._dark = PowerCut("The power was cut in the middle of a write.")
            raise self._dark
        out = Out(tx=chip.receive())
        if board.leds.changed:
            board.leds.changed = False
            out.rgb = bytes(board.leds.rgb)
        if board.display.changed:
            board.display.changed = False
            lines = board.display.lines()
            if lines != self._seen_lines:
                self._seen_lines = out.lines = lines
        tone = board.buzzer.hz
        if tone != self._seen_tone:
            self._seen_tone = out.tone = tone
        return out

    def _answer(self, received):
        """Let the chip answer the commands that came: with the other engines a tick answers what it brought."""
        chip = self.board.chip
        wanted = sum(line.startswith(b"@{") and b'"i":' in line for line in received.splitlines())
        chip.run_until(lambda: chip.pending().count(b'"re":') >= wanted, ANSWER_MS, TICK_MS * 1000)

    def _start(self):
        """Let the chip come up: the other engines are up with their first tick, too."""
        self._starting = False
        self.board.chip.run_until(lambda: b'"hello"' in self.board.chip.pending(), START_MS, 5000)

    @property
    def plugged(self):
        """Whether the USB cable is in."""
        return self.board.chip.attached

    def fault(self, text):
        """Bring about or mend a fault, now or at a time to come; LodeboardError: there is none such."""
        text, at, after = text.partition("@")
        change = self.board.change(text)
        if not at:
            change()
            return
        if not SECONDS.match(after):
            raise LodeboardError(f"{after!r} is no time for a fault.", f"Write {text}@20: 20 seconds.")
        self._later.append((self.board.chip.now_us + float(after) * 1e6, change))
        self._later.sort(key=lambda one: -one[0])

    def cut(self, after=None):
        """Cut the power: now, or in the middle of the after-th write to the flash chip from now."""
        if after is None:
            self.board.chip.power_off()
            self._dark = PowerCut("The power was cut.")
        else:
            self.board.flash.cut_at(max(1, after))

    def close(self):
        """Keep what the flash holds."""
        self._dark = self._dark or PowerCut("The board was switched off.")
        flash = self.board.chip.flash
        try:
            self._file.write_bytes(flash)
            for path, data in image.read(flash).items():
                if path.startswith(KEPT):
                    target = self._state_dir / path.lstrip("/")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(data)
        except OSError as error:
            raise LodeboardError(
                f"The simulated board's flash cannot be kept in {self._state_dir}: {error.strerror}.",
                "Make room, or name another folder.",
            ) from None

    def _kept(self):
        """{path: bytes} of journal and calibration that another engine left."""
        kept = {}
        files = [*self._state_dir.glob("journal/**/*"), *self._state_dir.glob("calibration.json")]
        for path in files:
            if path.is_file():
                kept["/" + path.relative_to(self._state_dir).as_posix()] = path.read_bytes()
        return kept
