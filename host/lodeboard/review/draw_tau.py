"""Positions of Tau, for the terminal and as SVG."""

from xml.sax.saxutils import escape

from rich.text import Text

from shared_rules.tau import HOLES, PIECES, parts

NAMES = {
    "y": "yellow",
    "o": "orange",
    "r": "red",
    "p": "purple",
    "b": "blue",
    "g": "green",
    "w": "white",
    "k": "black",
}
# Okabe and Ito's palette where it has the colour: told apart by colour-blind people too.
FILL = {
    "y": "#f0e442",
    "o": "#e69f00",
    "r": "#d62f2f",
    "p": "#8e4fb3",
    "b": "#1f6fc0",
    "g": "#1f9e6b",
    "w": "#fbfaf5",
    "k": "#1b1b1d",
}
DARK_INK = "yow"  # colours that black letters are read on


def marked(last):
    """Numbers of the holes that the last move touched."""
    if last is None:
        return ()
    kind = parts(last)
    return kind[1:] if kind[0] == "move" else (kind[-1],)


def text(game, hidden=False, last=None):
    """The board with the racks above and below it. `y1` is yellow of seat 1, with `hidden` `y/o1`."""
    at = {HOLES[hole]: game.stick_at(hole) for hole in range(len(HOLES))}
    line = {HOLES[hole] for hole in game.line()}
    touched = {HOLES[hole] for hole in marked(last)}
    out = Text()
    _rack(out, game, 1)
    out.append("\n")
    for rank in "54321":
        out.append(f" {rank} ", "dim")
        for file in "ABCDE":
            _cell(out, file + rank, at, line, touched, hidden)
        out.append("\n")
    out.append("   " + "".join(f"  {file}    " for file in "ABCDE").rstrip() + "\n\n", "dim")
    _rack(out, game, 0)
    return out


def _cell(out, name, at, line, touched, hidden):
    """Seven columns: [y/o1] in a winning line, (y/o1) touched by the last move."""
    if name not in at:
        out.append(" " * 7)
        return
    stick = at[name]
    left, right = "[]" if name in line else "()" if name in touched else "  "
    label, style = ".", "dim"
    if stick is not None:
        seat, _, up, down = stick
        label = f"{up}/{down}{seat + 1}" if hidden else f"{up}{seat + 1}"
        style = _style(up)
    before = (5 - len(label)) // 2
    out.append(" " * before + left, "bold")
    out.append(label, style)
    out.append(right + " " * (5 - len(label) - before), "bold")


def _style(colour):
    return f"bold {'black' if colour in DARK_INK else 'white'} on {FILL[colour]}"


def _rack(out, game, seat):
    out.append(f"   Seat {seat + 1}" + (" to move" if game.turn == seat else "") + ":")
    rack = game.off_board(seat)
    for piece in PIECES:
        out.append(" ")
        if piece in rack:
            for colour in piece:
                out.append(colour, _style(colour))
        else:
            out.append("..", "dim")
    out.append("\n")


# SVG: one unit is a pixel; a hole every STEP

STEP = 92
LEFT = 150
TOP = 96
HOLE = 31  # radius


def _centre(name):
    return LEFT + "ABCDE".index(name[0]) * STEP, TOP + (5 - int(name[1])) * STEP


def svg(game, hidden=False, last=None, title=""):
    """A picture of the position, 668 x 600."""
    parts_ = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 668 600" width="668" height="600"'
        ' font-family="DejaVu Sans, Verdana, sans-serif">',
        f"<title>{escape(title or 'Tau')}</title>",
        '<defs><linearGradient id="wood" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#3d4a52"/>'
        '<stop offset="1" stop-color="#29333a"/></linearGradient></defs>',
        '<rect width="668" height="600" fill="#f4f1ea"/>',
        '<rect x="88" y="34" width="492" height="492" rx="92" fill="url(#wood)"/>',
    ]
    for at, file in enumerate("ABCDE"):
        parts_.append(_label(LEFT + at * STEP, 549, file))
    for rank in range(1, 6):
        parts_.append(_label(66, TOP + (5 - rank) * STEP + 6, rank))
    touched = marked(last)
    for hole, name in enumerate(HOLES):
        x, y = _centre(name)
        ring = (
            ' stroke="#ffd84d" stroke-width="3"'
            if hole in touched
            else ' stroke="#55646d" stroke-width="1.5"'
        )
        parts_.append(f'<circle cx="{x}" cy="{y}" r="{HOLE}" fill="#1d2429"{ring}/>')
    if len(touched) == 2:
        parts_.append(_arrow(_centre(HOLES[touched[0]]), _centre(HOLES[touched[1]])))
    won = game.line()
    for line in game.lines:
        if set(line) <= set(won) and _completed(game, line):
            (x1, y1), (x2, y2) = _centre(HOLES[line[0]]), _centre(HOLES[line[2]])
            parts_.append(
                f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#ffd84d" stroke-width="80"'
                ' stroke-linecap="round" opacity="0.55"/>'
            )
    for hole, name in enumerate(HOLES):
        stick = game.stick_at(hole)
        if stick:
            parts_.append(_stick(*_centre(name), stick[0], stick[2], stick[3] if hidden else None))
    for seat in (0, 1):
        parts_.append(_svg_rack(game, seat))
    parts_.append(_label(334, 582, escape(title or _caption(game)), 15))
    parts_.append("</svg>")
    return "\n".join(parts_) + "\n"


def _completed(game, line):
    colours = {game.stick_at(hole)[2] for hole in line} - {"w"}
    return len(colours) <= 1 and "k" not in colours


def _label(x, y, words, size=17):
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" fill="#4a4741">{words}</text>'


def _stick(x, y, seat, up, down, radius=27):
    """A stick from above: its colour in a rim of its owner's wood; `down`, the covered one, on a badge."""
    rim = ("#f3e3c0", "#6b4326")[seat]
    ink = "#1b1b1d" if up in DARK_INK else "#ffffff"
    drawn = [
        f'<circle cx="{x + 1.5}" cy="{y + 2.5}" r="{radius + 1}" fill="#000" opacity="0.35"/>',
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{rim}"/>',
        f'<circle cx="{x}" cy="{y}" r="{radius - 5}" fill="{FILL[up]}" stroke="#00000055"/>',
        f'<text x="{x}" y="{y + radius * 0.22:.1f}" font-size="{radius * 0.62:.0f}" font-weight="bold"'
        f' text-anchor="middle" fill="{ink}" opacity="0.8">{up}</text>',
    ]
    if down:
        at, r = radius * 0.62, radius * 0.4
        ink = "#1b1b1d" if down in DARK_INK else "#ffffff"
        drawn.append(
            f'<circle cx="{x + at:.1f}" cy="{y + at:.1f}" r="{r:.1f}" fill="{FILL[down]}" stroke="{rim}"'
            ' stroke-width="2.5"/>'
            f'<text x="{x + at:.1f}" y="{y + at + r * 0.38:.1f}" font-size="{r * 1.05:.0f}"'
            f' text-anchor="middle" fill="{ink}">{down}</text>'
        )
    return "".join(drawn)


def _svg_rack(game, seat):
    """Seven places beside the board, seat 1 on the left: sticks that still wait, both ends seen."""
    x = (32, 636)[seat]
    rack = game.off_board(seat)
    drawn = [_label(x, 34, f"{seat + 1}" + ("\u25cf" if game.turn == seat else ""), 17)]
    for at, piece in enumerate(PIECES):
        y = 74 + at * 68
        drawn.append(f'<circle cx="{x}" cy="{y}" r="17" fill="#ddd6c8"/>')
        if piece in rack:
            drawn.append(_stick(x, y, seat, piece[0], piece[1], 21))
    return "".join(drawn)


def _arrow(start, goal):
    """From hole to hole, leaving the goal's disc free."""
    (x1, y1), (x2, y2) = start, goal
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    k = (length - HOLE - 4) / length
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x1 + (x2 - x1) * k:.1f}" y2="{y1 + (y2 - y1) * k:.1f}"'
        ' stroke="#ffd84d" stroke-width="4" stroke-dasharray="2 9" stroke-linecap="round"/>'
    )


def _caption(game):
    ply = len(game.history)
    if game.turn is not None:
        return f"Tau, after {ply} plies: seat {game.turn + 1} to move"
    ranking = game.ranking()
    winner = "a draw" if isinstance(ranking[0], list) else f"seat {ranking[0] + 1} wins"
    return f"Tau, after {ply} plies: {winner}"
