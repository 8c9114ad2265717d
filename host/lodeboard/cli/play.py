"""`lodeboard play`: follow a board live, and take a seat with a computer player."""

import contextlib
import signal
import sys

import click


@click.command()
@click.option("--port", metavar="PORT", help="Device or URL; without it, the only board there is.")
@click.option("--seat", type=click.IntRange(1, 4), help="Seat of the computer player, from 1.")
@click.option("--player", help="random or greedy.  [default: greedy, with --seat]")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the player.")
@click.option("--spectator", is_flag=True, help="Show covered colours: not for the eyes of the players.")
@click.option("--log", "log_path", type=click.Path(dir_okay=False), metavar="FILE", help="Record as well.")
@click.option("--until-result", is_flag=True, help="End when a game has ended.")
def command(port, seat, player, seed, spectator, log_path, until_result):
    """Follow a board until Ctrl-C: position, moves, clocks, what the board says.

    With --seat, the computer decides for that seat: the board lights what to do with its piece. Covered
    colours are shown for as long as the board shows them, and to --spectator.
    """
    from .. import players
    from ..board import Board
    from ..follow import Follower, Opponent

    check(seat, player)
    chosen = players.make(player or "greedy", seed) if seat else None
    follower = Follower(spectator)
    with contextlib.ExitStack() as stack:
        recording = Recording(stack, log_path, port)
        board = stack.enter_context(Board(port, since=recording.since, jid=recording.jid))
        recording.begin(board)
        opponent = Opponent(board, follower, seat, chosen, player or "greedy") if seat else None
        screen = stack.enter_context(make_screen(board, follower, opponent))
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # the seat is given back then, too
        try:
            follow(board, follower, opponent, recording, screen, until_result)
        except KeyboardInterrupt:
            pass  # the usual end
        if opponent:
            opponent.leave()
    return 0


def check(seat, player):
    if player and not seat:
        raise click.UsageError("--player needs --seat: the seat that the player takes")


def follow(board, follower, opponent, recording, screen, until_result):
    while True:
        for event in board.events(0.2):
            recording.take(event)
            follower.take(event)
            if opponent:
                opponent.take(event)
                opponent.step()
            screen.take(event)
            if until_result and event.get("t") == "result" and event.get("n", 0) > recording.known:
                return
        if opponent:
            opponent.step()
        screen.refresh()


class Recording:
    """The log of --log, or nothing. `known`: number of the last event that is not news."""

    def __init__(self, stack, path, port):
        from ..log.write import LogWriter

        self.writer = stack.enter_context(LogWriter(path, port=port)) if path else None
        self.recorder = None
        self.since = self.writer.last if path else None
        self.jid = self.writer.jid if path else None
        self.known = 0
        self._held = 0

    def begin(self, board):
        """Have the whole journal sent, to follow the game from its setup on.

        What the log has already is not written again.
        """
        from ..log.record import Recorder

        self.known = board.hello.get("last") or 0
        if self.writer:
            self.recorder = Recorder(board, self.writer)
            self._held = self.since or 0
            if self.since is not None and board.jid != self.jid:
                self._held = 0
        board.fetch(max(0, (board.hello.get("first") or 1) - 1))

    def take(self, event):
        if self.recorder and event.get("n", self._held + 1) > self._held:
            self.recorder.take(event)


def make_screen(board, follower, opponent):
    from ..review.live import Lines, Screen

    return (Screen if sys.stdout.isatty() else Lines)(board, follower, opponent)
