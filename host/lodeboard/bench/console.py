"""MicroPython's raw prompt on an emulated chip, driven in the chip's own time.

console = Console(chip)
console.run("print(1 + 1)")      "2\\r\\n"
"""

from lodeboard.errors import LodeboardError

# A program's first lines: modules come from slot a, as when the firmware starts.
SLOT = """
import sys
sys.path.insert(0, '/slots/a')
from firmware.hal.slot import Slot
slot = Slot('/slots/a')
slot.take_over('/fw')
"""
PROMPT = b"raw REPL; CTRL-B to exit\r\n>"


class Console:
    """Takes the prompt: whatever ran before is ended, memory is fresh (a soft reset)."""

    def __init__(self, chip, limit_ms=5000):
        self.chip = chip
        self._text = bytearray()
        if not chip.run_until(lambda: chip.connected, limit_ms):
            raise LodeboardError("The emulated chip does not come up.", "Is its flash image whole?", 3)
        for _ in range(3):  # the firmware may be starting
            chip.send(b"\r\x03\r\x01")
            if self._wait(PROMPT, 1500) is not None:
                break
        else:
            raise LodeboardError(
                "The emulated chip gives no prompt.", "Report this with the steps before it.", 3
            )
        chip.send(b"\x04")
        self._expect(b"soft reboot\r\n", limit_ms)
        self._expect(PROMPT, limit_ms)

    def run(self, source, limit_ms=60000):
        """Run Python on the chip; what it printed. LodeboardError with the traceback's last line when it fails."""
        self.chip.send(source.encode() + b"\x04")
        self._expect(b"OK", 2000)
        printed = self._expect(b"\x04", limit_ms)
        failed = self._expect(b"\x04", 2000)
        self._expect(b">", 2000)
        if failed:
            raise LodeboardError(
                f"On the chip: {failed.decode().strip().splitlines()[-1]}.", "See the source.", 1
            )
        return printed.decode()

    def _wait(self, ending, limit_ms):
        """Text up to `ending`, taken out; None when it does not come."""

        def there():
            self._text += self.chip.receive()
            return ending in self._text

        if not self.chip.run_until(there, limit_ms):
            return None
        at = self._text.index(ending)
        found = bytes(self._text[:at])
        del self._text[: at + len(ending)]
        return found

    def _expect(self, ending, limit_ms):
        found = self._wait(ending, limit_ms)
        if found is None:
            said = bytes(self._text[-80:])
            raise LodeboardError(f"The emulated chip does not answer: {said!r}.", "It took too long.", 3)
        return found
