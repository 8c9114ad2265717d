"""`lodeboard review`: the games in a log."""

import json
import sys

import click

PIPE_WIDTH = 160  # columns where there is no terminal


@click.command()
@click.argument("log", type=click.Path(dir_okay=False))
@click.option("--game", "number", type=click.IntRange(1), help="Only this game of the log, from 1.")
@click.option("--ply", type=click.IntRange(0), help="Show the board after this ply.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output, complete.")
@click.option(
    "--svg", type=click.Path(dir_okay=False), metavar="FILE", help="Draw the position ('-': stdout)."
)
@click.option("--hidden", is_flag=True, help="Draw covered colours too.")
@click.option("--step", is_flag=True, help="Step through a game with the arrow keys.")
@click.option("--record", type=click.Path(dir_okay=False), metavar="FILE", help="Write the games as records.")
def command(log, number, ply, as_json, svg, hidden, step, record):
    """Show the games in LOG: moves with thinking times, positions, take-backs, illegal tries, what was lost.

    LOG is a file of `lodeboard log`, or what a terminal program saved from the port. Pictures, boards and
    steps are of the last game unless --game names one. Exit status: 0, 1 when the log breaks the rules.
    """
    from ..log.collect import load
    from ..review.games import games
    from ..review.matches import matches

    collected = load(log)
    found = games(collected.events)
    chosen = list(enumerate(found, 1))
    if number is not None:
        chosen = [pick(found, number, log)]
    if ply is not None or svg or step:
        chosen = chosen if number is not None else [pick(found, len(found) or 1, log)]
    if record:
        write_records(record, chosen)
    if svg:
        write_svg(svg, *chosen[0], ply, hidden)
    if as_json:
        summary = {"file": log, **collected.summary(), "matches": matches(found)}
        print(
            json.dumps({**summary, "games": [{"number_in_log": n, **game.summary()} for n, game in chosen]})
        )
    elif step:
        from ..review.step import run

        run(*chosen[0], hidden)
    elif ply is not None:
        board(*chosen[0], ply, hidden)
    elif not svg and not record:
        report(log, collected, chosen)
    return 1 if any(game.fault for _, game in chosen) else 0


def pick(found, number, log):
    from ..errors import LodeboardError

    if number > len(found):
        count = "no game" if not found else "one game" if len(found) == 1 else f"{len(found)} games"
        raise LodeboardError(
            f"There is {count} in {log}, not {number}.", f"`lodeboard review {log}` lists them."
        )
    return number, found[number - 1]


def report(log, collected, chosen):
    from rich.console import Console

    from ..review import show

    console = Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)
    show.overview(console, log, collected, [game for _, game in chosen])
    console.print()
    for number, game in chosen:
        show.game_table(console, number, game)
    show.standings(console, [game for _, game in chosen])


def known_ply(number, game, ply):
    """The ply asked for (None: the last), when its position is known."""
    from ..errors import LodeboardError

    if game.rules is None:
        raise LodeboardError(
            f"Game {number} cannot be shown: {game.fault['why']}.", "Choose another with --game.", 1
        )
    if ply is None:
        return game.known
    if ply > game.known:
        raise LodeboardError(
            f"The position after ply {ply} of game {number} is not known.", f"--ply goes up to {game.known}."
        )
    return ply


def board(number, game, ply, hidden):
    from rich.console import Console

    from ..review import show

    show.position(Console(highlight=False), game, known_ply(number, game, ply), hidden)


def write_svg(path, number, game, ply, hidden):
    from ..errors import LodeboardError
    from ..review.draw import drawer

    draw = drawer(game.name)
    if draw is None:
        raise LodeboardError(f"There is no picture for {game.name}.", "Use --ply without --svg.")
    rules = game.position(known_ply(number, game, ply))
    picture = draw.svg(rules, hidden, rules.history[-1][1] if rules.history else None)
    write(path, picture)


def write_records(path, chosen):
    from ..errors import LodeboardError

    records = [game.record() for _, game in chosen if game.rules is not None and game.known]
    if not records:
        raise LodeboardError(
            "No game here has a move that can be replayed.", "Choose another log or --game.", 1
        )
    write(path, "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records))


def write(path, text):
    from ..errors import LodeboardError

    if path == "-":
        sys.stdout.write(text)
        return
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise LodeboardError(f"{path} cannot be written: {error.strerror}.", "Choose another name.") from None
