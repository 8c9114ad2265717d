"""Stepping through a game with keys."""

import re
import sys

import click
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ..errors import LodeboardError
from . import show
from .draw import drawer
from .game import start

FAR = 10**9
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
    "g": -FAR,
    "G": FAR,
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "\xe0G"), -FAR),  # Home, by terminal
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "\xe0O"), FAR),  # End
}
KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])|\xe0.|.", re.DOTALL)
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
            for key in keys(click.getchar()):
                if key in ("q", "Q", "\x1b", "\x04"):
                    return
                if key == "c":
                    hidden = not hidden
                at = max(0, min(len(steps) - 1, at + KEYS.get(key, 0)))


def keys(text):
    """The keys in what a terminal sent at once: a key that is held down sends many. Arrows as with CSI."""
    return [key.replace("\x1bO", "\x1b[") if key[-1] in "ABCD" else key for key in KEY.findall(text)]
