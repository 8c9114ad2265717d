"""Positions of Castellers, castells side on, for the terminal and as SVG."""

from xml.sax.saxutils import escape

from rich.text import Text

from shared_rules.castellers_moves import parts
from shared_rules.castellers_score import is_valid

# Okabe and Ito's palette where it has the colour; number and letter stand on every casteller besides.
FILL = {"r": "#d55e00", "g": "#009e73", "b": "#0072b2", "p": "#cc79a7", "w": "#fbfaf5"}
INK = {"r": "#ffffff", "g": "#ffffff", "b": "#ffffff", "p": "#1b1b1d", "w": "#1b1b1d"}
WIDTH = 96  # characters of a line of castells
CELL = 3  # of a casteller


def place(last):
    """(castell, column) of a move that builds, from 0, or None."""
    kind, _, at, column = parts(last) if last is not None else ("", 0, 0, 0)
    return (at, column) if kind in ("build", "take") else None


def text(game, hidden=False, last=None):
    """Every seat's castells side on, and its set. hidden: what the bag gives next, too."""
    out = Text()
    seat_of_last = game.history[-1][0] if game.history else None
    for seat in range(game.players):
        points = game.points(seat)
        turn = ", to move" if game.turn == seat else ""
        out.append(f"Seat {seat + 1}{turn}", "bold")
        out.append(f"   {points['total']} points, {-points['bases']} bases   set:", "dim")
        for kind in game.set_of(seat):
            out.append(" ")
            out.append(kind, _style(kind))
        out.append("\n")
        marked = place(last) if seat == seat_of_last else None
        _castells(out, game.castells(seat), marked)
    if hidden:
        out.append("Bag, in its order: " + " ".join(game.seen_by(None)["bag"]), "dim")
    else:
        out.append(f"Bag: {game.bag_left()}", "dim")
    return out


def _style(kind):
    return f"bold {INK[kind[0]]} on {FILL[kind[0]]}"


def _castells(out, castells, marked):
    """Rows of castells, as many beside each other as a line holds."""
    row, used = [], 0
    for at, castell in enumerate(castells):
        width = CELL * max(1, len(castell)) + 3
        if row and used + width > WIDTH:
            _row(out, row, marked)
            row, used = [], 0
        row.append((at, castell))
        used += width
    if row:
        _row(out, row, marked)


def _row(out, row, marked):
    high = max((len(column) for _, castell in row for column in castell), default=0)
    for level in range(high, 0, -1):
        for at, castell in row:
            out.append("  ")
            for index, column in enumerate(castell or [[]]):
                if len(column) < level:
                    out.append(" " * CELL)
                    continue
                kind = column[level - 1]
                top = marked == (at, index) and level == len(column)
                out.append(kind, _style(kind))
                out.append("<" if top else " ", "bold")
            out.append(" ")
        out.append("\n")
    for at, castell in row:
        width = CELL * max(1, len(castell)) - 1
        name = f"{at + 1}{'*' if is_valid(castell) and castell else ''}"
        out.append("  " + name.center(width, "=") + "  ", "dim")
    out.append("\n")


# SVG: one unit is a pixel

SIZE = 30  # of a casteller
GAP = 16  # between castells
LEFT = 20
LINE = 900  # a row of castells is at most so wide


def svg(game, hidden=False, last=None, title=""):
    """A picture of the position: a band a seat, its castells side on, its set below."""
    bands, y = [], 46
    seat_of_last = game.history[-1][0] if game.history else None
    for seat in range(game.players):
        marked = place(last) if seat == seat_of_last else None
        drawn, y = _band(game, seat, y, marked)
        bands.append(drawn)
    height = y + 20
    caption = escape(title or _caption(game))
    width = LINE + 2 * LEFT
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" font-family="DejaVu Sans, Verdana, sans-serif">',
            f"<title>{escape(title or 'Castellers')}</title>",
            f'<rect width="{width}" height="{height}" fill="#f4f1ea"/>',
            f'<text x="{LEFT}" y="30" font-size="16" fill="#4a4741">{caption}</text>',
            *bands,
            "</svg>\n",
        ]
    )


def _band(game, seat, y, marked):
    """(SVG of a seat's band, the y below it)."""
    castells = game.castells(seat)
    points = game.points(seat)
    drawn = []
    name = f"Seat {seat + 1}" + (" \u25cf" if game.turn == seat else "")
    words = f"{points['total']} points: " + ", ".join(
        f"{key} {points[key]}" for key in ("castellers", "blue", "bases", "tallest", "widest") if points[key]
    )
    drawn.append(
        f'<text x="{LEFT}" y="{y + 16}" font-size="15" font-weight="bold" fill="#2b2926">{name}</text>'
        f'<text x="{LEFT + 90}" y="{y + 16}" font-size="13" fill="#6b665d">{escape(words)}</text>'
    )
    y += 26
    for row in _rows(castells):
        high = max((len(column) for _, castell in row for column in castell), default=0)
        ground = y + high * SIZE + 4
        x = LEFT
        for at, castell in row:
            drawn.append(_castell(x, ground, at, castell, marked))
            x += max(1, len(castell)) * SIZE + GAP
        y = ground + 24
    x = LEFT
    for kind in game.set_of(seat):
        if x + 22 > LEFT + LINE:
            x, y = LEFT, y + 24
        drawn.append(_casteller(x, y, kind, 20))
        x += 23
    return "\n".join(drawn), y + 34


def _rows(castells):
    rows, used = [[]], 0
    for at, castell in enumerate(castells):
        width = max(1, len(castell)) * SIZE + GAP
        if rows[-1] and used + width > LINE:
            rows.append([])
            used = 0
        rows[-1].append((at, castell))
        used += width
    return rows if castells else []


def _castell(x, ground, at, castell, marked):
    width = max(1, len(castell)) * SIZE
    valid = bool(castell) and is_valid(castell)
    drawn = [
        f'<rect x="{x - 3}" y="{ground}" width="{width + 6}" height="5" rx="2"'
        f' fill="{"#b08d57" if valid else "#cfc7b8"}"/>',
        f'<text x="{x + width / 2}" y="{ground + 18}" font-size="11" text-anchor="middle" fill="#4a4741">'
        f"{at + 1}{' valid' if valid else ''}</text>",
    ]
    for index, column in enumerate(castell):
        for level, kind in enumerate(column):
            top = marked == (at, index) and level == len(column) - 1
            drawn.append(_casteller(x + index * SIZE, ground - (level + 1) * SIZE, kind, SIZE, top))
    return "".join(drawn)


def _casteller(x, y, kind, size, marked=False):
    """A casteller from the side: its colour, number and letter; the last one built has a rim."""
    rim = ' stroke="#1b1b1d" stroke-width="3"' if marked else ' stroke="#00000055"'
    return (
        f'<rect x="{x + 1}" y="{y + 1}" width="{size - 2}" height="{size - 2}" rx="{size * 0.2:.0f}"'
        f' fill="{FILL[kind[0]]}"{rim}/>'
        f'<text x="{x + size / 2}" y="{y + size * 0.68:.1f}" font-size="{size * 0.5:.0f}" font-weight="bold"'
        f' text-anchor="middle" fill="{INK[kind[0]]}">{kind[1]}</text>'
    )


def _caption(game):
    ply = len(game.history)
    if game.turn is not None:
        return f"Castellers, after {ply} plies: seat {game.turn + 1} to move, {game.bag_left()} in the bag"
    ranking = game.ranking()
    first = ranking[0] if isinstance(ranking[0], list) else [ranking[0]]
    who = " and ".join(str(seat + 1) for seat in first)
    return f"Castellers, after {ply} plies: seat {who} wins" if len(first) == 1 else (
        f"Castellers, after {ply} plies: seats {who} share the first place"
    )
