"""Positions of Callisto, for the terminal (20 x 20 squares in 80 x 24 characters) and as SVG."""

from xml.sax.saxutils import escape

from rich.table import Table
from rich.text import Text

from shared_rules.polyomino import SHAPES

NAMES = ("blue", "yellow", "red", "green")
# Okabe and Ito's palette, as far as it goes: told apart by colour-blind people; the seat's number stands on
# every square besides.
FILL = ("#1f6fc0", "#f0e442", "#d62f2f", "#1f9e6b")
INK = ("#ffffff", "#1b1b1d", "#ffffff", "#1b1b1d")
STYLES = ("bold white on #1f6fc0", "bold black on #f0e442", "bold white on #d62f2f", "bold black on #1f9e6b")
FREE, DARK = "dim", "dim on #303030"


def pieces_on(game):
    """{square: number of the move that covers it}."""
    return {square: ply for ply, (_, move) in enumerate(game.history) for square in game.squares(move)}


def text(game, hidden=False, last=None):
    """The board with what each seat still has beside it. hidden: nothing is hidden in Callisto."""
    return beside(board(game, last), hands(game))


def beside(drawn, words):
    """The drawn board with words in the rest of the terminal's width."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, min_width=max(map(len, drawn.plain.split("\n"))))
    grid.add_column(overflow="fold")
    grid.add_row(drawn, words)
    return grid


def board(game, last=None):
    """The board alone, two characters a square: `1` on a piece, `1-` where it goes on to the right, `1o` on a
    column, `1<` on the last move, `.` free, `:` free and dark."""
    size, on = game.size, pieces_on(game)
    marked = set(game.squares(last)) if last is not None else ()
    out = Text()
    for y in range(size):
        out.append(f"{size - y:2} ", "dim")
        for x in range(size):
            _cell(out, game, on, marked, x, y)
        out.append("\n")
    out.append("   " + "".join(f"{chr(97 + x)} " for x in range(size)).rstrip(), "dim")
    return out


def _cell(out, game, on, marked, x, y):
    square = y * game.size + x
    content = game.owner[square]
    if content == 255:
        out.append("  ")
    elif not content:
        out.append(*((". ", FREE) if game.light(x, y) else (": ", DARK)))
    else:
        seat = (content & 7) - 1
        joined = x + 1 < game.size and on.get(square) == on.get(square + 1)
        sign = "o" if content > 8 else "<" if square in marked else "-" if joined else " "
        out.append(f"{seat + 1}{sign}", STYLES[seat])


def hands(game, seats=(0, 1, 2, 3)):
    """What each seat still has, as lines of at most 33 characters; the pieces of these seats one by one."""
    out = Text()
    for seat in range(game.players):
        out.append(f"{seat + 1}", STYLES[seat])
        turn = " to move" if game.turn == seat else " is out" if game.out[seat] else ""
        words = f" {NAMES[seat]}{turn}: {game.penalty()[seat]} squares left\n"
        out.append(words, "bold" if game.turn == seat else "")
        if seat not in seats:
            continue
        line = "  "
        for word in _words(game, seat):
            if len(line) + len(word) + 1 > 33:
                out.append(line + "\n")
                line = "  "
            line += word + " "
        out.append(line.rstrip() + "\n")
    if game.unverified:
        out.append("The pieces are unverified.", "yellow")
    return out


def _words(game, seat):
    """Shapes that a seat still has, "2xV3"."""
    found = []
    for name, count in zip(game.pieces.names, game.hands[seat], strict=True):
        if count:
            found.append(name if count == 1 else f"{count}x{name}")
    if game.columns[seat]:
        found.append(f"{game.columns[seat]}xcolumn")
    return found or ["nothing"]


# SVG: one unit is a pixel; a square every STEP

STEP = 28
LEFT = 40
TOP = 24
PANEL = 250  # beside the board: what each seat still has
MINI = 7  # a square of a piece that is not placed


def svg(game, hidden=False, last=None, title=""):
    """A picture of the position with the pieces that are left."""
    side = game.size * STEP
    width, height = LEFT + side + PANEL, TOP + side + 60
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" font-family="DejaVu Sans, Verdana, sans-serif">',
        f"<title>{escape(title or 'Callisto')}</title>",
        f'<rect width="{width}" height="{height}" fill="#f4f1ea"/>',
    ]
    for y in range(game.size):
        drawn.append(_label(LEFT - 14, TOP + y * STEP + 18, game.size - y))
        drawn.append(_label(LEFT + y * STEP + STEP / 2, TOP + side + 18, chr(97 + y)))
        for x in range(game.size):
            if game.inside(x, y):
                fill = "#e5dccb" if game.light(x, y) else "#b9ab92"
                drawn.append(
                    f'<rect x="{LEFT + x * STEP}" y="{TOP + y * STEP}" width="{STEP}" height="{STEP}"'
                    f' fill="{fill}" stroke="#cabfa9"/>'
                )
    for seat, move in game.history:
        drawn.append(_piece(game, seat, move, move == last))
    for seat in range(game.players):
        drawn.append(_panel(game, seat, LEFT + side + 24, TOP + 6 + seat * (side // game.players)))
    drawn.append(_label(LEFT + side / 2, TOP + side + 46, escape(title or _caption(game)), 15))
    drawn.append("</svg>")
    return "\n".join(drawn) + "\n"


def _label(x, y, words, size=13, anchor="middle"):
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}" fill="#4a4741">{words}</text>'
    )


def _piece(game, seat, move, is_last):
    """A piece as one shape with its seat's number; a column as a disc."""
    cells = [(square % game.size, square // game.size) for square in game.squares(move)]
    edge = ' stroke="#ffffff" stroke-width="3"' if is_last else ' stroke="#00000088" stroke-width="1.5"'
    x, y = LEFT + cells[0][0] * STEP, TOP + cells[0][1] * STEP
    number = (
        f'<text x="{x + STEP / 2:g}" y="{y + STEP * 0.68:g}" font-size="14" font-weight="bold"'
        f' text-anchor="middle" fill="{INK[seat]}">{seat + 1}</text>'
    )
    if game.shape(move) is None:
        middle = f'cx="{x + STEP / 2:g}" cy="{y + STEP / 2:g}"'
        return (
            f'<circle {middle} r="{STEP * 0.42:g}" fill="{FILL[seat]}"{edge}/>'
            f'<circle {middle} r="{STEP * 0.3:g}" fill="none" stroke="{INK[seat]}" opacity="0.5"/>{number}'
        )
    path = outline(cells, LEFT, TOP, STEP, 1.5)
    return f'<path d="{path}" fill="{FILL[seat]}"{edge} stroke-linejoin="round"/>{number}'


def outline(cells, left, top, step, inset=0.0):
    """SVG path around a polyomino: its edges joined to rings, drawn a little inside."""
    edges = {}
    for x, y in cells:
        # clockwise, so that the piece lies to the right of each edge
        for start, end, beside in (
            ((x, y), (x + 1, y), (x, y - 1)),
            ((x + 1, y), (x + 1, y + 1), (x + 1, y)),
            ((x + 1, y + 1), (x, y + 1), (x, y + 1)),
            ((x, y + 1), (x, y), (x - 1, y)),
        ):
            if beside not in cells:
                edges.setdefault(start, []).append(end)
    path = []
    while edges:
        start = min(edges)
        ring, at, came = [], start, None
        while at in edges:
            following = _next(edges, at, came)
            came = (following[0] - at[0], following[1] - at[1])
            ring.append((at, came))
            at = following
        points = []
        for number, (corner, leaves) in enumerate(ring):
            enters = ring[number - 1][1]
            # the inside lies to the right of both edges
            x = left + corner[0] * step - inset * (enters[1] + leaves[1]) / (1 if enters != leaves else 2)
            y = top + corner[1] * step + inset * (enters[0] + leaves[0]) / (1 if enters != leaves else 2)
            points.append(f"{x:g} {y:g}")
        path.append("M" + "L".join(points) + "Z")
    return "".join(path)


def _next(edges, at, came):
    """The edge to follow from a corner, taken out: where two meet, the right turn keeps to one square."""
    ends = edges[at]
    end = ends[0]
    if came is not None and len(ends) > 1:
        right = (at[0] - came[1], at[1] + came[0])
        end = right if right in ends else end
    ends.remove(end)
    if not ends:
        del edges[at]
    return end


def _panel(game, seat, x, y):
    """What a seat still has, drawn small."""
    turn = " to move" if game.turn == seat else " (out)" if game.out[seat] else ""
    drawn = [
        f'<rect x="{x}" y="{y}" width="14" height="14" fill="{FILL[seat]}" stroke="#00000088"/>',
        _label(x + 22, y + 12, f"seat {seat + 1}{turn}: {game.penalty()[seat]} left", 13, "start"),
    ]
    at_x, at_y = x, y + 24
    kinds = [([(0, 0)], game.columns[seat])]
    given = (game.options["rules"] or {}).get("shapes", {})
    for name, count in zip(game.pieces.names, game.hands[seat], strict=True):
        cells = given.get(name, SHAPES.get(name))
        cells = cells["cells"] if isinstance(cells, dict) else cells
        kinds.append(([tuple(cell) for cell in cells], count))
    for cells, count in kinds:
        for _ in range(count):
            wide = (max(cell[0] for cell in cells) + 1) * MINI
            if at_x + wide > x + PANEL - 40:
                at_x, at_y = x, at_y + 4 * MINI
            paint = f'fill="{FILL[seat]}" stroke="#00000066"'
            if cells == [(0, 0)]:
                drawn.append(f'<circle cx="{at_x + 4}" cy="{at_y + 4}" r="4" {paint}/>')
            else:
                drawn.append(f'<path d="{outline(cells, at_x, at_y, MINI)}" {paint}/>')
            at_x += wide + 6
    return "".join(drawn)


def _caption(game):
    edition = f"Callisto {game.options['edition']}, after {len(game.history)} plies"
    if game.turn is not None:
        return f"{edition}: seat {game.turn + 1} to move"
    first = game.ranking()[0]
    seats = " and ".join(str(seat + 1) for seat in first) if isinstance(first, list) else first + 1
    return f"{edition}: seat {seats} wins"
