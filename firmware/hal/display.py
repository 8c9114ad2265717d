"""The display: SSD1306, 128 x 64, over I2C; text of 8 lines, sent in slices.

    display = Display(config)      display.present: False when none answers, then the rest does nothing
    display.show(lines)            at most 8 lines of at most 21 characters; only remembers them
    display.poll()                 once a turn: sends at most one slice (6 letters, 1 ms)

A slice addresses its own columns, so a line that changes costs only the letters that change.
"""

from machine import I2C, Pin

from . import font

ADDRESS = 0x3C
LINES = 8
WIDTH = 21
SLICE = 6  # letters
_BLANK = " " * WIDTH

# SSD1306 data sheet, chapter 9: off, clock, height, offset, start line, charge pump, horizontal addressing,
# turned by 180 degrees, pins, contrast, precharge, VCOMH, from RAM, not inverted, on
_START = bytes.fromhex("aed580a83fd300408d142000a1c8da1281cfd9f1db40a4a6af")


class Display:
    def __init__(self, config):
        pins = config["pins"]
        self._texts = [""] * LINES
        self._wanted = [bytearray(b" " * WIDTH) for _ in range(LINES)]
        self._shown = [bytearray(WIDTH) for _ in range(LINES)]  # zeros: nothing is known to be shown
        self._line = 0
        self._stale = True  # a line may differ from what is shown
        self._data = bytearray(1 + SLICE * font.CELL)
        self._data[0] = 0x40  # data follow
        self._at = bytearray((0, 0x22, 0, 0, 0x21, 0, 0))  # commands: page from, to; column from, to
        self._i2c = I2C(0, sda=Pin(pins["sda"]), scl=Pin(pins["scl"]), freq=400_000, timeout=2000)
        try:
            self._i2c.writeto(ADDRESS, b"\x00" + _START)
            self.present = True
        except OSError:
            self.present = False

    def show(self, lines):
        for y in range(LINES):
            text = lines[y] if y < len(lines) else ""
            if text != self._texts[y]:
                self._texts[y] = text
                self._stale = True
                self._wanted[y][:] = (text + _BLANK)[:WIDTH].encode()[:WIDTH]

    def poll(self):
        """True when something was sent."""
        if not self._stale or not self.present:
            return False
        for _ in range(LINES):
            wanted, shown = self._wanted[self._line], self._shown[self._line]
            if wanted != shown:
                x = 0
                while wanted[x] == shown[x]:
                    x += 1
                self._send(self._line, x, wanted, shown)
                return True
            self._line = (self._line + 1) % LINES
        self._stale = False
        return False

    def _send(self, y, x, wanted, shown):
        count = min(SLICE, WIDTH - x)
        while wanted[x + count - 1] == shown[x + count - 1]:
            count -= 1
        at, data, glyphs = self._at, self._data, font.GLYPHS
        k = 1
        for i in range(x, x + count):
            g = (wanted[i] - font.FIRST) * font.COLUMNS
            if g < 0 or g >= len(glyphs):
                g = 0
            data[k : k + font.COLUMNS] = glyphs[g : g + font.COLUMNS]
            k += font.CELL
            shown[i] = wanted[i]
        at[2] = at[3] = y
        at[5], at[6] = x * font.CELL, (x + count) * font.CELL - 1
        try:
            self._i2c.writeto(ADDRESS, at)
            self._i2c.writeto(ADDRESS, memoryview(data)[:k])
        except OSError:
            self.present = False  # pulled off: the game goes on without
