"""The simulated board as a widget: squares that glow, pieces on them, and what lies beside the board."""

import functools
import math

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

BASE = (34, 30, 26)  # the board's colour
PRINTED = (58, 50, 42)  # of squares with something printed on them
ASIDE = (16, 16, 16)
CURSOR = (255, 255, 255)
LABEL = (120, 120, 120)
MARK = (110, 100, 90)
BRACKETS = ("()", "[]", "<>", "{}")  # of the pieces of each seat: not by colour alone
CELLS = ((5, 2), (4, 2), (3, 1), (2, 1))  # width and height of a square, the largest that fits is taken


@functools.lru_cache(maxsize=4096)
def style(ink, paper):
    return Style.parse("#{:02x}{:02x}{:02x} on #{:02x}{:02x}{:02x}".format(*ink, *paper))


@functools.lru_cache(maxsize=4096)
def glow(red, green, blue, base):
    """The colour of a square over its LED, as the eye sees it: low values are bright already."""
    most = max(red, green, blue)
    if not most:
        return base
    strength = 0.25 + 0.75 * math.sqrt(most / 255)
    lit = (red * 255 // most, green * 255 // most, blue * 255 // most)
    return tuple(int(b + (c - b) * strength) for b, c in zip(base, lit, strict=True))


class BoardView(Widget, can_focus=True):
    """cursor: a square's number, or a piece that lies beside the board."""

    DEFAULT_CSS = "BoardView { width: 1fr; height: 1fr; }"

    def __init__(self, session):
        super().__init__()
        self.session = session
        self.board = session.board
        self.marks = session.stage.marks()
        self.cursor = session.board.squares // 2 + session.board.width // 2

    # Where things are on the screen

    def cell(self):
        """(width, height) of a square in characters."""
        room = self.size.height - 3  # beside the board above and below, and the letters
        for width, height in CELLS:
            if width * self.board.width + 3 <= self.size.width and height * self.board.height <= room:
                return width, height
        return CELLS[-1]

    def beside(self, below):
        """Pieces beside the board that are drawn above it, or below it."""
        middle = self.board.height * self.board.pitch_mm / 2
        stage, holding = self.session.stage, self.session.user.holding
        lying = [
            p
            for p in self.session.world.pieces.values()
            if p.on and stage.square_under(p) is None and p not in holding and p.z < 5
            and (p.y > middle) == below
        ]
        return sorted(lying, key=lambda p: p.x)

    def place_at(self, x, y):
        """The square or piece at a character of the widget, or None."""
        width, height = self.cell()
        row, column = (y - 1) // height, (x - 3) // width
        if y == 0 or row >= self.board.height:
            lying = self.beside(below=y > 0)
            at = (x - 3) // 5
            last = 1 + height * self.board.height
            return lying[at] if y in (0, last) and 0 <= at < len(lying) and x >= 3 else None
        if x >= 3 and 0 <= column < self.board.width:
            return row * self.board.width + column
        return None

    # Cursor

    def step(self, dx, dy):
        """Move the cursor; from the top and bottom rows it goes to the pieces beside the board."""
        width, height = self.board.width, self.board.height
        if not isinstance(self.cursor, int):
            self._step_beside(dx, dy)
            return
        y, x = divmod(self.cursor, width)
        if not 0 <= y + dy < height:
            lying = self.beside(below=dy > 0)
            if lying:
                self.cursor = lying[min(len(lying) - 1, x * self.cell()[0] // 5)]
            return
        self.cursor = (y + dy) * width + max(0, min(width - 1, x + dx))

    def _step_beside(self, dx, dy):
        width, height = self.board.width, self.board.height
        for below in (False, True):
            lying = self.beside(below)
            if self.cursor in lying:
                at = lying.index(self.cursor)
                if dx:
                    self.cursor = lying[max(0, min(len(lying) - 1, at + dx))]
                elif dy == (-1 if below else 1):
                    column = min(width - 1, at * 5 // self.cell()[0])
                    self.cursor = (height - 1) * width + column if below else column
                return
        self.cursor = 0  # the piece that the cursor was on was lifted

    def under_cursor(self):
        """What the cursor points at, in words."""
        stage = self.session.stage
        if not isinstance(self.cursor, int):
            return stage.words(self.cursor)
        piece = stage.piece_on(self.cursor)
        words = (self.board.square_name(self.cursor), stage.printed(self.cursor), stage.words(piece) if piece else "")
        return ", ".join(word for word in words if word)

    def on_click(self, event):
        place = self.place_at(event.x, event.y)
        if place is not None:
            self.app.act(place)

    # Drawing

    def render_line(self, y):
        width, height = self.cell()
        rows = height * self.board.height
        if y == 0:
            segments = self._beside_line(self.beside(below=False))
        elif y <= rows:
            segments = self._row((y - 1) // height, (y - 1) % height, width)
        elif y == rows + 1:
            segments = self._beside_line(self.beside(below=True))
        elif y == rows + 2:
            letters = "".join(chr(97 + x).center(width) for x in range(self.board.width))
            segments = [Segment("   " + letters, style(LABEL, ASIDE))]
        else:
            segments = []
        return Strip(segments).adjust_cell_length(self.size.width, style(LABEL, ASIDE))

    def _beside_line(self, lying):
        segments = [Segment("   ", style(LABEL, ASIDE))]
        for piece in lying:
            segments += self._piece(piece, 5, ASIDE, piece is self.cursor)
        return segments

    def _row(self, row, line, width):
        stage, rgb = self.session.stage, self.session.table.rgb
        label = str(self.board.height - row).rjust(2) + " " if line == 0 else "   "
        segments = [Segment(label, style(LABEL, ASIDE))]
        for square in range(row * self.board.width, (row + 1) * self.board.width):
            base = PRINTED if square in self.marks else BASE
            paper = glow(*rgb[3 * square : 3 * square + 3], base)
            here = square == self.cursor
            piece = stage.piece_on(square) if line == 0 else None
            if piece is not None:
                segments += self._piece(piece, width, paper, here)
                continue
            mark = self.marks.get(square, " ") if line == 0 else " "
            text = mark.center(width)
            if here and line == 0:
                text = ">" + text[1:-1] + "<" if width > 2 else "><"
            segments.append(Segment(text, style(CURSOR if here else MARK, paper)))
        return segments

    def _piece(self, piece, width, paper, here):
        """A piece in a square of `width` characters."""
        text, face, seat = self.session.stage.face(piece)
        ink = (0, 0, 0) if sum(face) > 300 else (255, 255, 255)
        if width < 4:  # the bracket stands on the square, so that its light is seen
            rest = (BRACKETS[seat][1] if seat is not None else " ").ljust(width - 1)
            edge = style((0, 0, 0) if sum(paper) > 300 else CURSOR, paper)
            return [Segment("<" if here else text[:1], style(ink, face)), Segment(rest, edge)]
        left, right = BRACKETS[seat] if seat is not None else "  "
        sides = "><" if here else "  "
        body = left + text + right
        around = width - len(body)
        before = around // 2
        return [
            Segment(sides[0].rjust(before) if before else "", style(CURSOR, paper)),
            Segment(body, style(ink, face)),
            Segment(sides[1].ljust(around - before), style(CURSOR, paper)),
        ]
