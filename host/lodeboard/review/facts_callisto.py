"""Callisto's review: how much of the board each colour covers over time, and the pieces that are left."""

from .draw_callisto import NAMES

COLUMNS = 40  # of the chart of the covered squares, at most
BARS = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"


def summary(reviewed):
    """coverage: of each ply from 0 the squares that each seat covers; left: of each seat its unplaced pieces
    and columns by name; penalty: their squares; unverified: a sentence, or None."""
    game = reviewed.rules
    return {
        "coverage": coverage(reviewed),
        "left": [left(game, seat) for seat in range(game.players)],
        "penalty": game.penalty(),
        "unverified": game.unverified,
    }


def coverage(reviewed):
    game = reviewed.position(0)
    rows = [[0] * game.players]
    for entry in reviewed.moves[: reviewed.known]:
        seat, move = game.turn, game.parse(entry["move"])
        game.play(move)
        row = list(rows[-1])
        row[seat] += len(game.squares(move))
        rows.append(row)
    return rows


def left(game, seat):
    """{shape's name: how many} of what a seat has not placed, "column" among them."""
    found = {name: count for name, count in zip(game.pieces.names, game.hands[seat], strict=True) if count}
    if game.columns[seat]:
        found["column"] = game.columns[seat]
    return found


def lines(reviewed):
    """A row a seat: a chart of its covered squares over the plies, their number, what is left."""
    game, rows = reviewed.rules, coverage(reviewed)
    step = max(1, -(-(len(rows) - 1) // COLUMNS))
    most = max(1, max(rows[-1]))
    found = [f"squares covered, a bar every {step} plies:" if step > 1 else "squares covered, ply by ply:"]
    for seat in range(game.players):
        chart = "".join(BARS[-(-row[seat] * (len(BARS) - 1) // most)] for row in rows[step::step])
        names = ", ".join(
            name if count == 1 else f"{count} {name}" for name, count in left(game, seat).items()
        )
        words = f"seat {seat + 1} ({NAMES[seat]}) {chart} {rows[-1][seat]}"
        found.append(f"{words}; left {game.penalty()[seat]}: {names or 'nothing'}")
    if game.unverified:
        found.append(f"Unverified pieces: {game.unverified}.")
    return found
