"""`lodeboard monitor`: what goes over a board's port."""

import json
import sys
import time

import click


@click.command()
@click.option("--port", metavar="PORT", help="Device or URL; without it, the only board there is.")
@click.option("--raw", is_flag=True, help="The bytes as they come; nothing is sent.")
@click.option("--watch", is_flag=True, help="Ask for lights, display and statistics too.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(port, raw, watch, as_json):
    """Show what a board says until Ctrl-C: every event with its board time, console text, damaged lines.

    Nothing is acknowledged, so a log recorded later has it all.
    """
    from .. import ports
    from ..board import Board

    try:
        if raw:
            show_raw(port or ports.choose())
        else:
            show(Board(port), watch, json.dumps if as_json else line)
    except KeyboardInterrupt:
        pass  # the usual end
    return 0


def show(board, watch, form):
    with board:
        if watch:
            board.command("watch", on=True)
        for event in board.events():
            print(form(event), flush=True)


def show_raw(port):
    from .. import ports
    from ..errors import LodeboardError

    connection = ports.open_port(port)
    try:
        while True:
            sys.stdout.buffer.write(ports.read(connection, 0.5))
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError:
        raise LodeboardError(f"{port} is lost.", "Check the cable, then start again.", 3) from None
    finally:
        connection.close()


def line(event):
    """An event as a line for people: host's time, board's time, kind, the rest."""
    clock = time.strftime("%H:%M:%S", time.localtime(event["h"])) + f".{int(event['h'] * 1000) % 1000:03d}"
    kind = event.get("t") or event.get("host") or "?"
    at = event.get("at")
    board = f"{at / 1000:10.3f}" if isinstance(at, (int, float)) else " " * 10
    if event.get("host") == "text":
        return f"{clock} {board}  | {event['line']}"
    rest = " ".join(
        f"{key}={short(value)}" for key, value in event.items() if key not in ("h", "t", "host", "at")
    )
    mark = "* " if "host" in event else "  "
    return f"{clock} {board}{mark}{kind:<8} {rest}"


def short(value):
    return value if isinstance(value, str) and " " not in value else json.dumps(value, separators=(",", ":"))
