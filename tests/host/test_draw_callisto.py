"""Callisto drawn: the terminal's 80 x 24, the picture's pieces, what a review adds."""

import re
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from lodeboard.bench import callisto as bench
from lodeboard.review import draw_callisto, live
from lodeboard.review.draw import drawer
from rich.console import Console

from shared_rules.polyomino import SHAPES


def game_after(plies, seed=1):
    return next(game for game in bench.random_game(seed) if len(game.history) == plies)


def shown(renderable):
    console = Console(width=80, height=24, force_terminal=False)
    with console.capture() as capture:
        console.print(renderable)
    return capture.get().rstrip("\n").split("\n")


@pytest.mark.parametrize("plies", [0, 30, 70])
def test_twenty_by_twenty_squares_fit_a_terminal_of_80_by_24(plies):
    game = game_after(plies)
    lines = shown(drawer("callisto").text(game, last=game.history[-1][1] if game.history else None))
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    board = [line[:43] for line in lines[:20]]
    free = sum(line.count(".") + line.count(":") for line in board)
    assert free == game.owner.count(0)
    for seat in range(4):
        signs = sum(len(re.findall(rf"{seat + 1}[-o< ]", line[3:] + " ")) for line in board)
        assert signs == sum(content & 247 == 1 + seat for content in game.owner)


def test_a_game_that_is_followed_live_fits_too():
    game = game_after(60)
    moves = [f"{seat + 1}:{game.text(move)}" for seat, move in game.history]
    reviewed = SimpleNamespace(name="callisto", number=1, match=4, result=None, broken=None, moves=moves)
    follower = SimpleNamespace(
        game=reviewed, rules=game, spectator=False, state={"s": "TURN", "text": "Seat 2 to move. Out: Seat 1."},
        last_move=lambda: game.history[-1][1], moves=lambda: moves, clocks=lambda now: [61000] * 4,
        announcement=lambda now: None,
    )  # fmt: skip
    hello = {"board": "lode20", "serial": "sim-3", "sim": True}
    board = SimpleNamespace(hello=hello, port="/dev/pts/3", connected=True)
    lines = shown(live.picture(board, follower, None, alert="Not allowed: no piece has this shape"))
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    assert "TURN: Seat 2 to move" in " ".join(lines)


def test_the_picture_holds_every_piece_and_what_is_left():
    game = game_after(40)
    tree = ElementTree.fromstring(draw_callisto.svg(game, last=game.history[-1][1], title="A < B"))
    count = {name: len(tree.findall(f".//{{http://www.w3.org/2000/svg}}{name}")) for name in ("path", "circle")}
    columns = sum(move < 1024 for _, move in game.history)
    left = sum(sum(hand) for hand in game.hands)
    assert count["path"] == 40 - columns + left
    assert count["circle"] == 2 * columns + sum(game.columns)


@pytest.mark.parametrize("name", ["X5", "U5", "W5", "O4", "2"])
def test_an_outline_goes_once_around_a_piece(name):
    cells = [tuple(cell) for cell in SHAPES[name]]
    path = draw_callisto.outline(cells, 0, 0, 1)
    points = [tuple(map(float, point.split())) for point in re.findall(r"[\d.]+ [\d.]+", path)]
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1], strict=True)) / 2
    assert path.count("M") == 1 and area == len(cells)
