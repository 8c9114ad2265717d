"""The command line `lodeboard`: a lazy group, so that --help imports no command.

`cli/NAME.py` holds the command NAME as `command`. It prints its answer on stdout, raises LodeboardError for
what comes from outside, and returns its exit status (None is 0).
"""

import difflib
import errno
import importlib
import os
import sys

import click

from .. import __version__
from ..errors import LodeboardError

# One line a command: help lists them without importing them. The order is the one that --help shows.
COMMANDS = {
    "demo": "Play a whole game on a simulated board, then review it.",
    "sim": "A simulated board to play on, in the terminal.",
    "play": "Follow a board live, and take a seat with a computer player.",
    "log": "Record what a board says in a file.",
    "review": "Show the games in a log: moves, times, positions, pictures.",
    "verify": "Replay records and say where they break the rules.",
    "perft": "Count the positions of a game, ply by ply.",
    "ports": "List the serial ports and the Lodeboards behind them.",
    "monitor": "Show a port's lines, raw and decoded.",
    "doctor": "Check this computer: Python, port rights, tools, folders.",
    "build": "Build the firmware for the chip.",
    "firmware": "Fetch and list MicroPython firmware.",
    "flash": "Put the firmware on a board.",
    "calibrate": "Measure a board's sensors at rest and with magnets.",
    "selftest": "Let a board test its sensors, lights and memory.",
    "bench": "Measure the firmware against its budgets.",
    "hardware": "Check a board file: pins, tiles, layouts, parts and budgets.",
    "convert": "Convert records from and to other programs' formats.",
}

# Errors of a stream that has no name: a full disk or a quota behind `> FILE`, a closed or a broken descriptor.
WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx):
        return list(COMMANDS)

    def get_command(self, ctx, name):
        if name not in COMMANDS:
            return None
        return importlib.import_module("lodeboard.cli." + name).command

    def resolve_command(self, ctx, args):
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, 1)
            hint = f"Did you mean `lodeboard {near[0]}`?" if near else "`lodeboard --help` lists them all."
            raise LodeboardError(f"There is no command {args[0]!r}.", hint)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx):
        try:
            status = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()  # here, so that a closed pipe is noticed here
            return status
        except BrokenPipeError:
            silence()  # the reader of our output has gone (`| head`)
            return 0

    def format_commands(self, ctx, formatter):
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="lodeboard %(version)s")
def cli():
    """An electronic game board that knows Tau, Callisto and Castellers.

    `lodeboard COMMAND --help` explains a command. Exit status: 0 done, 1 the answer is no,
    2 wrong usage or input, 3 no board or lost board.
    """


def complain(sentence):
    """One line on stderr."""
    try:
        print("lodeboard: " + " ".join(sentence.split()), file=sys.stderr)
    except OSError:
        pass  # nobody listens to stderr either


def run(args=None):
    """Run the command line; returns the exit status. Nothing from outside ends in a traceback."""
    try:
        status = cli.main(args=args, prog_name="lodeboard", standalone_mode=False)
        return status if isinstance(status, int) else 0
    except LodeboardError as error:
        complain(str(error))
        return error.code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        path = error.ctx.command_path if getattr(error, "ctx", None) else "lodeboard"
        complain(f"{ended(error.format_message())} See `{path} --help`.")
        return 2
    except (KeyboardInterrupt, click.Abort):
        return 130
    except OSError as error:
        if error.filename is not None:
            complain(f"{error.filename}: {error.strerror}. Check the name, the rights and the space there.")
        elif error.errno in WRITING:
            complain(f"The output cannot be written: {error.strerror}. Check where it goes, and the space there.")
            silence()
        else:
            raise
        return 2


def ended(sentence):
    """A sentence with a full stop where it has no end of its own."""
    return sentence if sentence.endswith((".", "?", ")")) else sentence + "."


def silence():
    """Send what is still unwritten nowhere, or Python would complain again when it ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main():
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # what a board or a file says may hold what this terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run())
