"""`lodeboard log`: record what a board says."""

import shutil
import sys
from datetime import date

import click


@click.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False))
@click.option("--port", metavar="PORT", help="Device or URL; without it, the only board there is.")
@click.option("--until-result", is_flag=True, help="End when a game has ended.")
def command(file, port, until_result):
    """Record a board in FILE (lodeboard-DATE.jsonl) until Ctrl-C.

    An existing log is continued: what the board did in the meantime comes first, and nothing comes twice.
    A lost port is waited for, also under another name.
    """
    from ..board import Board
    from ..log.record import Recorder
    from ..log.write import LogWriter

    file = file or f"lodeboard-{date.today().isoformat()}.jsonl"
    status = Status(file)
    with LogWriter(file, port=port) as writer, Board(port, since=writer.last, jid=writer.jid) as board:
        recorder = Recorder(board, writer)
        try:
            for event in events(board, recorder):
                status.take(event, recorder.count)
                if until_result and event.get("t") == "result":
                    break
        except KeyboardInterrupt:
            pass  # the usual end of a recording
        finally:
            status.end()
    return 0


def events(board, recorder):
    """Every event, after it was recorded."""
    yield from recorder.begin()
    for event in board.events():
        recorder.take(event)
        yield event


class Status:
    """One line on a terminal's stderr that says what is recorded; silent in a pipe."""

    def __init__(self, file):
        self.file = file
        self.shown = sys.stderr.isatty()
        self.where = ""
        self.line = ""

    def take(self, event, count):
        if not self.shown:
            return
        kind, host = event.get("t"), event.get("host")
        if kind == "setup":
            self.where = f", {event.get('g')}"
        elif kind in ("move", "undo"):
            self.where = f", {event.get('g')} ply {event.get('ply')}"
        elif kind == "result":
            self.where = f", {event.get('g')} ended"
        lost = f"; {event['port']} is lost, waiting for it" if host == "lost" else ""
        line = f"{self.file}: {count} events{self.where}{lost}; Ctrl-C ends"
        if host == "back":
            print(f"\r\x1b[K{event['port']} is back", file=sys.stderr)
        if line != self.line:
            self.line = line
            room = shutil.get_terminal_size().columns - 1
            print(f"\r\x1b[K{line[:room]}", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print(file=sys.stderr)
