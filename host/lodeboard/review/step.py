"""Stepping through a game with keys."""

import sys

import click
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ..errors import LodeboardError
from . import show
from .draw import drawer
from .game import start

KEYS = {
    "\x1b[C": 1,
    " ": 1,
    "l": 1,
    "\r": 1,
    "\n": 1,
    "\xe0M": 1,
    "\x1b[D": -1,
    "h": -1,
    "\x7f": -1,
    "\x08": -1,
    "\xe0K": -1,
    "\x1b[B": 10,
    "j": 10,
    "\xe0P": 10,
    "\x1b[A": -10,
    "k": -10,
    "\xe0H": -10,
    "\x1b[H": -(10**9),
    "g": -(10**9),
    "\x1b[F": 10**9,
    "G": 10**9,
}
HELP = "right, left: a step; down, up: ten; Home, End; c: covered colours; q: leave"


def frames(game):
    """[(heading, moves on the board)] for the start, each move and take-back, while positions are known.

    What else happened stands in the heading of the step after which it did.
    """
    found = [["Start", []]]
    moves = []
    for entry in game.timeline:
        kind = entry["kind"]
        if kind == "move":
            if entry["legal"] is None:
                break  # not played by the rules: a fault, or something was lost before it
            moves = [*moves, entry["move"]]
            time = show.seconds(entry["think_ms"], entry["at_least"])
            found.append([f"Ply {entry['ply']}: seat {entry['seat']} {entry['move']} ({time})", moves])
        elif kind == "undo":
            moves = moves[:-1]
            words = show.happening(entry)
            found.append([words[0].upper() + words[1:], moves])
        else:
            words = show.happening(entry)
            if words:
                found[-1][0] += f"\n  {words}"
    return [tuple(frame) for frame in found]


def picture(game, frame, hidden, where):
    """What the terminal shows of one frame."""
    heading, moves = frame
    rules = start(game.name, game.options)
    for text in moves:
        rules.play(rules.parse(text))
    draw = drawer(game.name)
    last = rules.history[-1][1] if rules.history else None
    board = (
        draw.text(rules, hidden, last) if draw else Text(str(rules.seen_by(None if hidden else rules.turn)))
    )
    return Group(Text(heading, "bold"), Text(""), board, Text(f"{where}   {HELP}", "dim"))


def run(number, game, hidden=False):
    """Show the game step by step until q is pressed. LodeboardError without a terminal."""
    if game.rules is None:
        raise LodeboardError(f"Game {number} cannot be shown: {game.fault['why']}.", "Choose another.", 1)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise LodeboardError("--step needs a terminal.", "Use --ply N in a pipe.")
    steps = frames(game)
    at = 0
    with Live(console=Console(highlight=False), auto_refresh=False, screen=True) as live:
        while True:
            live.update(picture(game, steps[at], hidden, f"{at + 1}/{len(steps)}"), refresh=True)
            key = click.getchar()
            if key in ("q", "Q", "\x1b", "\x04"):
                return
            if key == "c":
                hidden = not hidden
            at = max(0, min(len(steps) - 1, at + KEYS.get(key, 0)))
