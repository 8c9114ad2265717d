"""The panel: a display of 8 lines of 21 characters, four buttons and a buzzer.

    panel.page("Tau  game 1", "Light to move.", "Hidden: orange")
    for name, long in panel.press(now, bits): ...
    panel.play(PLACED); panel.step(now); panel.tone
"""

LINES = 8
WIDTH = 21

BUTTONS = ("ok", "undo", "hint", "menu")  # bit 0 to bit 3 of the buttons
LONG_MS = 800  # a button held so long was pressed long

# Tunes: (Hz, ms) after another; 0 Hz is a rest.
PLACED = ((1175, 40),)
TAKEN_BACK = ((880, 50), (660, 50))
REFUSED = ((220, 120), (0, 40), (220, 120))
MENDED = ((880, 40), (1175, 60))
STARTED = ((660, 80), (880, 80), (1175, 120))
WON = ((784, 120), (988, 120), (1175, 120), (1568, 300))
ATTENTION = ((988, 60), (0, 60), (988, 60))


def wrap(text, width=WIDTH):
    """The lines of a text, broken at spaces; a word that is too long is cut."""
    lines = []
    line = ""
    for word in text.split(" "):
        while len(word) > width:
            if line:
                lines.append(line)
                line = ""
            lines.append(word[:width])
            word = word[width:]
        if not line:
            line = word
        elif len(line) + 1 + len(word) <= width:
            line = line + " " + word
        else:
            lines.append(line)
            line = word
    if line:
        lines.append(line)
    return lines


class Panel:
    """lines: list of 8 texts of at most 21 characters; tone: Hz, 0 is silence; stale: the lines changed."""

    def __init__(self):
        self.lines = [""] * LINES
        self.tone = 0
        self.stale = True
        self._bits = 0  # buttons that are down, after two equal reads
        self._last = 0
        self._since = [0] * len(BUTTONS)
        self._spent = 0  # buttons whose long press was told already
        self._tune = ()
        self._note = 0
        self._until = 0

    def page(self, title, text, foot=""):
        """Writes the display: a title, a sentence broken over the middle, a foot of one line."""
        lines = wrap(text)[: LINES - 2]
        while len(lines) < LINES - 2:
            lines.append("")
        self.show([title[:WIDTH]] + lines + [foot[:WIDTH]])

    def show(self, lines):
        """Writes the display, line by line; a list shorter than the display leaves the rest blank."""
        for i in range(LINES):
            line = lines[i][:WIDTH] if i < len(lines) else ""
            if line != self.lines[i]:
                self.lines[i] = line
                self.stale = True

    def press(self, now, bits):
        """What was pressed: a list of (name, long). Short counts at release, long as soon as it is long."""
        if bits != self._last:
            self._last = bits
            return ()
        return self._edges(now, bits) if bits or self._bits else ()

    def _edges(self, now, bits):
        pressed = []
        for i in range(len(BUTTONS)):
            bit = 1 << i
            if bits & bit and not self._bits & bit:
                self._since[i] = now
                self._spent &= ~bit
            elif bits & bit and not self._spent & bit and now - self._since[i] >= LONG_MS:
                self._spent |= bit
                pressed.append((BUTTONS[i], True))
            elif self._bits & bit and not bits & bit and not self._spent & bit:
                pressed.append((BUTTONS[i], False))
        self._bits = bits
        return pressed

    def play(self, tune):
        """Begins a tune; it replaces the one that sounds."""
        self._tune = tune
        self._note = 0
        self._until = 0

    def step(self, now):
        """Keeps the tune going; afterwards tone is what the buzzer sounds now."""
        if not self._tune:
            return
        if self._until == 0:
            self._until = now + self._tune[0][1]
            self.tone = self._tune[0][0]
        while now >= self._until:
            self._note += 1
            if self._note >= len(self._tune):
                self._tune = ()
                self.tone = 0
                return
            self.tone, ms = self._tune[self._note]
            self._until += ms
