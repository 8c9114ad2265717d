"""The display as the bus sees it: an SSD1306 at 0x3C on I2C0, decoded to its picture and to text.

    display.lines()        8 lines of text, read back from the pixels with the firmware's font
    display.pixels(x, y)   True where a pixel is lit
A byte takes 22.5 us on the bus (9 bits at 400 kHz).
"""

from lodeboard.firmware.hal import font

ADDRESS = 0x3C
BYTE_US = 22.5
WIDTH, PAGES = 128, 8
# SSD1306 data sheet table 9-1: commands that are followed by arguments, and how many
_ARGUMENTS = {0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8D: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}


class Display:
    def __init__(self, present=True):
        self.present = present
        self.memory = bytearray(WIDTH * PAGES)
        self.on = False
        self.bytes_seen = 0
        self.changed = False
        self._columns, self._pages = (0, WIDTH - 1), (0, PAGES - 1)
        self._x = self._page = 0
        self._command = bytearray()
        self._control = None
        self._letters = {
            bytes(font.GLYPHS[n * font.COLUMNS : (n + 1) * font.COLUMNS]): chr(font.FIRST + n)
            for n in range(len(font.GLYPHS) // font.COLUMNS)
        }

    def attach(self, chip):
        self._bus = bus = chip.mcu.i2c[0]
        self._later = chip.clock.create_alarm(self._answer)
        self._pending = None
        bus.on_connect = self._on_connect
        bus.on_write_byte = self._on_write

    def _answer(self):
        self._pending()

    def _after(self, action):
        self._pending = action
        self._later.schedule(BYTE_US * 1000)

    def _on_connect(self, address, _mode):
        self._control = None
        ack = self.present and address == ADDRESS
        self._after(lambda: self._bus.complete_connect(ack))

    def _on_write(self, value):
        self.bytes_seen += 1
        if self._control is None:
            self._control = value
        elif self._control == 0x40:
            at = self._page * WIDTH + self._x
            if self.memory[at] != value:
                self.memory[at] = value
                self.changed = True
            self._advance()
        else:
            self._command.append(value)
            if len(self._command) > _ARGUMENTS.get(self._command[0], 0):
                self._execute(self._command)
                self._command = bytearray()
        self._after(lambda: self._bus.complete_write(True))

    def _advance(self):
        if self._x < self._columns[1]:
            self._x += 1
            return
        self._x = self._columns[0]
        self._page = self._page + 1 if self._page < self._pages[1] else self._pages[0]

    def _execute(self, command):
        code = command[0]
        if code in (0xAE, 0xAF):
            self.on = code == 0xAF
        elif code == 0x21:
            self._columns = (command[1], command[2])
            self._x = command[1]
        elif code == 0x22:
            self._pages = (command[1], command[2])
            self._page = command[1]

    def pixel(self, x, y):
        return bool(self.memory[(y // 8) * WIDTH + x] >> (y % 8) & 1)

    def lines(self):
        """The text of each line, without blanks at its end; "?" where pixels are no letter of the font."""
        out = []
        for page in range(PAGES):
            row = self.memory[page * WIDTH : (page + 1) * WIDTH]
            text = "".join(
                self._letters.get(bytes(row[x : x + font.COLUMNS]), "?")
                for x in range(0, WIDTH - font.CELL + 1, font.CELL)
            )
            out.append(text.rstrip())
        return out
