"""`lodeboard demo`: a whole game on a simulated board, then its review."""

import json
import os
import sys
import tempfile

import click

SEEDS = click.IntRange(-(2**31), 2**32 - 1)  # what the board takes


@click.command()
@click.option("--game", default="tau", show_default=True, help="tau, callisto or castellers.")
@click.option("--seed", default=1, show_default=True, type=SEEDS, help="One seed gives one game, everywhere.")
@click.option("--engine", default="python", show_default=True, help="python, micropython or rp2040.")
@click.option("--board", "board_name", help="lode8, lode16, lode20 or a board file.  [default: the smallest]")
@click.option("--log", "log_path", type=click.Path(dir_okay=False), help="Keep the log in this file.")
@click.option("--games", default=1, show_default=True, type=click.IntRange(1, 1000), help="In the match.")
@click.option("--open", "is_open", is_flag=True, help="Tau: both colours stay known (Calypso).")
@click.option("--repetition", type=click.IntRange(2), help="Tau: the N-th same position is a draw.")
@click.option("--edition", help="Callisto: 2009 or 2014.")
@click.option("--players", type=click.IntRange(2, 4), help="Number of players, where there is a choice.")
@click.option("--teams", is_flag=True, help="Callisto of 2009: two players with two colours each.")
@click.option("--bag", type=click.Choice(["board", "real"]), help="Castellers: whose bag gives the pieces.")
@click.option("--rules", "rules_file", metavar="FILE", help="Tables of the owner's box, JSON.")
@click.option("--player", "kinds", multiple=True, help="random or greedy, once for all seats or once a seat.")
@click.option("--sloppiness", default=1.0, show_default=True, type=click.FloatRange(0, 4),
              help="How far off hands set pieces down: 1 is 1 mm and 2 degrees.")
@click.option("--errors", default=0.0, show_default=True, type=click.FloatRange(0, 1),
              help="Share of moves that begin with a mistake.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable review.")
def command(game, seed, engine, board_name, log_path, games, is_open, repetition, edition, players, teams,
            bag, rules_file, kinds, sloppiness, errors, as_json):
    """Play a match on a simulated board with virtual hands, record it over its port, and review the log.

    The board is simulated; the firmware on it and the host that records it are the real ones.
    """
    from .. import games as tables
    from ..sim import choices, demo

    options = {"open": is_open or None, "repetition": repetition, "edition": edition, "players": players,
             "teams": teams or None, "bag": bag,
             "rules": tables.read_rules(rules_file) if rules_file else None}  # fmt: skip
    rules = choices.rules(game, options)
    tables.warn_unverified(rules)
    board = choices.board(board_name, game, rules)
    choices.engine(engine)
    seats = choices.players(kinds, rules, seed)
    with tempfile.TemporaryDirectory(prefix="lodeboard-") as folder:
        path = log_path or os.path.join(folder, "demo.jsonl")
        choices.new_log(path)
        with choices.progress(games) as progress:
            outcome = demo.run(
                board, game, path, seed=seed, engine=engine, games=games, players=seats,
                options={key: value for key, value in options.items() if value is not None},
                sloppiness=sloppiness, errors=errors, progress=progress,
            )  # fmt: skip
        return show(path, log_path, outcome, as_json)


def show(path, log_path, outcome, as_json):
    """The review of the log that was made."""
    from ..log.collect import load
    from ..review.games import games
    from .review import report

    collected = load(path)
    found = games(collected.events)
    if as_json:
        summaries = [{"number_in_log": n, **game.summary()} for n, game in enumerate(found, 1)]
        print(json.dumps({"file": log_path, **outcome, **collected.summary(), "games": summaries}))
    else:
        report(log_path or "demo", collected, list(enumerate(found, 1)))
        mistakes = ", ".join(f"{name} {n}" for name, n in sorted(outcome["mistakes"].items()))
        print(
            f"Simulated: engine {outcome['engine']}, seed {outcome['seed']}, "
            f"{outcome['board_ms'] / 1000:.0f} s at the board in {outcome['seconds']:.1f} s"
            + (f"; hands: {mistakes}." if mistakes else "."),
        )
        if log_path:
            print(f"The log is in {log_path}.")
    sys.stdout.flush()
    return 1 if any(game.fault for game in found) else 0
