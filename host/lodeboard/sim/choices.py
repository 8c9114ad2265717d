"""What a person chose on the command line, checked: game, board, engine, players, files."""

import contextlib
import difflib
import os
import sys

from lodeboard import boards, games
from lodeboard.errors import LodeboardError


def rules(game, options):
    """A game of the rules with these options. LodeboardError names an unknown game, option or value."""
    import shared_rules

    if game not in shared_rules.GAMES:
        near = difflib.get_close_matches(game, shared_rules.GAMES, 1)
        do = f"Did you mean {near[0]}?" if near else "Choose one of them."
        raise LodeboardError(f"There is no game {game}; there are {', '.join(shared_rules.GAMES)}.", do)
    return games.load(game, **options)


def board(name, game, rules=None):
    """The Board of a name or file; without one the smallest that has a layout for the game.

    rules: the game as it is to be played, where its options decide how large it is.
    """
    if name is None:
        return next(b for b in map(boards.load, boards.names()) if fits(b, game, rules))
    chosen = boards.load(name)
    if not fits(chosen, game, rules):
        fitting = [n for n in boards.names() if fits(boards.load(n), game, rules)]
        what = game if game not in chosen.data["games"] else f"{game} with these options"
        raise LodeboardError(
            f"{chosen.name} has no layout for {what}.", f"Choose --board {' or '.join(fitting)}."
        )
    return chosen


def fits(board, game, rules):
    """Whether a Board has a layout for a game, with the options of `rules` where that is given."""
    if game not in board.data["games"]:
        return False
    if game != "callisto" or rules is None:
        return True
    wanted = (rules.options["edition"], rules.players)
    entries = board.data["layouts"][game]["boards"]
    return wanted in [(str(entry["edition"]), entry["players"]) for entry in entries]


def engine(name):
    """LodeboardError unless there is such an engine."""
    from lodeboard.sim.engines import ENGINES

    if name not in ENGINES:
        near = difflib.get_close_matches(name, ENGINES, 1)
        do = f"Did you mean {near[0]}?" if near else "Choose one of them."
        raise LodeboardError(f"There is no engine {name}; there are {', '.join(ENGINES)}.", do)


def players(kinds, rules, seed):
    """A function (game) -> move for each seat of a game. kinds: one for all seats, or one a seat."""
    from lodeboard.players import make

    kinds = list(kinds) or ["random"]
    if len(kinds) == 1:
        kinds *= rules.players
    if len(kinds) != rules.players:
        raise LodeboardError(
            f"{len(kinds)} players are named for {rules.players} seats.",
            "Give --player once, or once a seat.",
        )
    return [make(kind, mixed(seed, seat)).choose for seat, kind in enumerate(kinds)]


def hands(who, kinds, rules, seed):
    """Players for the seats that virtual hands play, None for the others. who: all, none, "1", "1,2"."""
    seats = range(1, rules.players + 1)
    chosen = list(seats) if who == "all" else [] if who == "none" else None
    if chosen is None:
        try:
            chosen = [int(number) for number in who.split(",")]
        except ValueError:
            chosen = [0]
        if not set(chosen) <= set(seats):
            raise LodeboardError(
                f"{who} names no hands.", f"Give all, none, or seats from 1 to {rules.players} (--hands 1)."
            )
    made = players(kinds, rules, seed)
    return [made[seat - 1] if seat in chosen else None for seat in seats]


def mixed(seed, seat):
    """A seed for a seat: neighbouring seeds of the generator begin alike."""
    return (seed * 0x9E3779B1 + (seat + 1) * 0x85EBCA6B) & 0xFFFFFFFF


def new_log(path):
    """LodeboardError when a file is there that is no log: it would be lost."""
    from lodeboard.log.write import recognised

    try:
        with open(path, "rb") as file:
            first = file.read(4096)
    except FileNotFoundError:
        return
    except OSError as error:
        raise LodeboardError(f"{path}: {error.strerror}.", "Choose another file for the log.") from None
    if os.path.isfile(path) and first and not recognised(first):
        raise LodeboardError(f"{path} holds something that is no log.", "Choose another file for the log.")


@contextlib.contextmanager
def progress(count):
    """A function (table, stage) that shows how far a match is; None where nobody watches a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting the simulated board") as status:

        def tell(table, stage):
            plies = len(stage.game.history) if stage.game else 0
            clock = f"{table.now // 60000}:{table.now // 1000 % 60:02d}"
            status.update(
                f"simulated board, {clock} at the table: game {stage.played + 1} of {count}, "
                f"{table.eyes.state or 'start'}, move {plies}"
            )

        yield tell
