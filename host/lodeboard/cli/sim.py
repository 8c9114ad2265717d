"""`lodeboard sim`: a simulated board to play on, in the terminal, or serving its port without a screen."""

import json
import os
import signal
import sys

import click

SEEDS = click.IntRange(-(2**31), 2**32 - 1)  # what the board takes


@click.command()
@click.argument("game", default="tau")
@click.option("--engine", default="python", show_default=True, help="python, micropython or rp2040.")
@click.option("--board", "board_name", help="lode8, lode16, lode20 or a board file.  [default: the smallest]")
@click.option("--seed", default=1, show_default=True, type=SEEDS, help="For parts, noise, hands and the lot.")
@click.option("--headless", is_flag=True, help="No screen: print the port and serve it.")
@click.option("--hands", "who", metavar="WHO",
              help="Seats that virtual hands play: all, none, 1, 1,2.  [default: all if headless]")
@click.option("--player", "kinds", multiple=True, help="random or greedy, once for all seats or once a seat.")
@click.option("--speed", default=1.0, show_default=True, type=click.FloatRange(0.1, 100),
              help="Of the board's clock: 2 is twice as fast as a real board.")
@click.option("--sloppiness", default=1.0, show_default=True, type=click.FloatRange(0, 4),
              help="How far off hands set pieces down: 1 is 1 mm and 2 degrees.")
@click.option("--errors", default=0.0, show_default=True, type=click.FloatRange(0, 1),
              help="Share of the virtual hands' moves that begin with a mistake.")
@click.option("--fault", "faults", multiple=True, metavar="FAULT",
              help="Engine rp2040: dead:c3, stuck:c3=3000, tile:2, led:9, display, brownout, usb:off, usb:on, power, "
              "cut:40; from the start, or so many seconds after it: usb:off@20.")
@click.option("--state", type=click.Path(file_okay=False), metavar="DIR",
              help="What outlives the simulator: journal, calibration, where the pieces stand.")
@click.option("--fresh", is_flag=True, help="Forget what the state folder holds.")
@click.option("--tcp", default=0, type=click.IntRange(0, 65535), help="TCP port.  [default: a free one]")
@click.option("--link", type=click.Path(), help="Make a symbolic link to the pty: a name that stays.")
@click.option("--port-file", type=click.Path(dir_okay=False), help="Write the ports to this file, as JSON.")
@click.option("--open", "is_open", is_flag=True, help="Tau: both colours stay known (Calypso).")
@click.option("--repetition", type=click.IntRange(2), help="Tau: the N-th same position is a draw.")
@click.option("--edition", help="Callisto: 2009 or 2014.")
@click.option("--players", type=click.IntRange(2, 4), help="Number of players, where there is a choice.")
@click.option("--teams", is_flag=True, help="Callisto of 2009: two players with two colours each.")
@click.option("--bag", type=click.Choice(["board", "real"]), help="Castellers: whose bag gives the pieces.")
@click.option("--rules", "rules_file", metavar="FILE", help="Tables of the owner's box, JSON.")
@click.option("--json", "as_json", is_flag=True, help="With --headless: print the ports as JSON.")
def command(game, engine, board_name, seed, headless, who, kinds, speed, sloppiness, errors, faults, state,
            fresh, tcp, link, port_file, is_open, repetition, edition, players, teams, bag, rules_file, as_json):
    """A simulated board that plays GAME (tau): on the terminal, with keys or mouse, or --headless.

    It runs the real firmware. `lodeboard log`, `play` and `monitor` open its port from a second terminal, one
    at a time, as with a real board. It keeps its journal: the same command finds the same board again.
    """
    from .. import games as tables
    from ..sim import choices, session

    given = {"open": is_open or None, "repetition": repetition, "edition": edition, "players": players,
             "teams": teams or None, "bag": bag,
             "rules": tables.read_rules(rules_file) if rules_file else None}  # fmt: skip
    options = {key: value for key, value in given.items() if value is not None}
    rules = choices.rules(game, options)
    tables.warn_unverified(rules)
    board = choices.board(board_name, game, rules)
    choices.engine(engine)
    seats = choices.hands(who or ("all" if headless else "none"), kinds, rules, seed)
    if not headless and not (sys.stdin.isatty() and sys.stdout.isatty()):
        from ..errors import LodeboardError

        raise LodeboardError("There is no terminal to show the board on.", "Add --headless.")
    folder = state or session.usual_folder(board, game, seed)
    if fresh:
        session.fresh(folder)
    if faults and engine != "rp2040":
        from ..errors import LodeboardError

        raise LodeboardError(f"The engine {engine} has no faults.", "Add --engine rp2040.")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with session.Session(
        board, game, folder, engine=engine, seed=seed, options=options, players=seats, sloppiness=sloppiness,
        errors=errors, laid=not headless, port=tcp, link=link,
    ) as running:  # fmt: skip
        for fault in faults:
            running.engine.fault(fault)
        if port_file:
            write_ports(port_file, running.about())
        if headless:
            return serve(running, speed, as_json)
        from ..sim.tui import Tabletop

        Tabletop(running, speed).run()


def serve(running, speed, as_json):
    """Print the ports and run until somebody ends it."""
    about = running.about()
    if as_json:
        print(json.dumps(about), flush=True)
    else:
        names = " and ".join(name for name in (about["pty"], about["url"]) if name)
        print(f"Simulated {about['board']}, engine {about['engine']}: port {names}")
        port = about["pty"] or about["url"]
        print(f"Try: lodeboard log evening.jsonl --port {port}    Ctrl-C ends.", flush=True)
    try:
        running.run(lambda: False, speed)
    except KeyboardInterrupt:
        return 0


def write_ports(path, about):
    """The ports in a file that is whole as soon as it is there."""
    from ..errors import LodeboardError

    try:
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(json.dumps(about) + "\n")
        os.replace(path + ".new", path)
    except OSError as error:
        raise LodeboardError(f"{path} cannot be written: {error.strerror}.", "Choose another name.") from None
