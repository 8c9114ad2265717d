"""A whole match on a simulated board, in the board's own time, recorded by the ordinary host over its port.

    outcome = run(boards.load("lode8"), "tau", log="t.jsonl", seed=7, engine="micropython")

The host runs in a thread of its own and knows the board by its port alone: it connects, sets the game up,
records and acknowledges. The board's clock stands still until the host has set the game up, and waits for it
to take every byte: so one seed gives the same moves and durable events on every engine and machine.
"""

import contextlib
import tempfile
import threading
import time

from lodeboard import boards, ports
from lodeboard.board import Board
from lodeboard.errors import LodeboardError
from lodeboard.games import commands
from lodeboard.log.record import Recorder
from lodeboard.log.write import LogWriter
from lodeboard.sim import stage
from lodeboard.sim.eyes import Eyes
from lodeboard.sim.hands import Hands
from lodeboard.sim.server import Server
from lodeboard.sim.table import SimTable
from lodeboard.sim.world import World

LIMIT_MS = 4 * 3600 * 1000  # of board time for a game: something is wrong beyond it
PATIENCE_S = 60.0  # for the host to write the rest of the log when the match is over
PLIES = 300  # after so many moves in a game the player in turn gives up: two greedy ones may go on for ever


class Host(threading.Thread):
    """Records the board at a port. ready: the game is set up. error: what ended it early, or None."""

    def __init__(self, port, writer, commands):
        super().__init__(name="host", daemon=True)
        self.port = port
        self.writer = writer
        self.commands = commands
        self.ready = False
        self.error = None
        self.last = 0  # number of the last durable event that is in the log
        self.finish = threading.Event()
        self._asked = None

    def run(self):
        try:
            with Board(self.port, reconnect=False) as board:
                recorder = Recorder(board, self.writer)
                for c, keys in self.commands:
                    board.command(c, **keys)
                self.ready = True
                while not self.finish.is_set():
                    if self._asked:
                        c, keys = self._asked
                        board.command(c, **keys)
                        self._asked = None
                    for event in board.events(0.05):
                        recorder.take(event)
                    self.last = board.last or 0
        except Exception as error:
            self.error = error

    @property
    def over(self):
        return self.error is not None

    def ask(self, table, c, **keys):
        """Send a command while the board's clock stands still."""
        self._asked = (c, keys)
        table.greet(lambda: self._asked is None or self.over)


def run(board, game, log, seed=1, engine="python", games=1, options=None, players=(), sloppiness=1.0,
        errors=0.0, haste=1.0, progress=None):
    """Play `games` games into the file `log`; {"board_ms", "seconds", "plies", "mistakes"}.

    players: a function (game) -> move for each seat. progress(table, stage): called now and then.
    LodeboardError: the log cannot be written, the board was lost, the match did not end.
    """
    from lodeboard.sim import engines

    began = time.monotonic()
    options = options or {}
    with LogWriter(log, append=False) as writer, tempfile.TemporaryDirectory(prefix="lodeboard-") as folder:
        sim = engines.open(engine, boards.firmware_config(board, game), folder, seed)
        server = None
        try:
            world, eyes, server = World(board, seed), Eyes(board), Server()
            hands = Hands(world, seed, sloppiness)
            table = SimTable(board, sim, world, [hands], eyes, server)
            plays = stage.open(game, board=board, world=world, hands=hands, eyes=eyes, seed=seed,
                               players=players, errors=errors, haste=haste, options=options,
                               games=games, plies=PLIES)
            host = Host(server.pty or server.url, writer,
                        commands(game, options, seed=seed, games=games))
            with contextlib.ExitStack() as told:
                if engine == "rp2040":  # the host has more patience with a port that says so
                    about = {"pty": server.pty, "url": server.url, "board": board.name, "engine": engine}
                    told.enter_context(ports.announced(**about))
                _play(table, plays, host, games, progress)
        finally:
            sim.close()
            if server is not None:
                server.close()
    return {
        "engine": engine,
        "seed": seed,
        "board": board.name,
        "board_ms": table.now,
        "seconds": round(time.monotonic() - began, 2),
        "mistakes": plays.stats,
    }


def _play(table, plays, host, games, progress):
    """From the host's greeting to the last event in the log."""
    table.greet(lambda: True)  # the engine has started before anybody asks it something
    host.start()
    table.greet(lambda: host.ready or host.over)
    plays.hands.start(plays.script())
    watch = _Watch(progress, table, plays)

    def done():
        if plays.tired:
            host.ask(table, "resign", s=table.eyes.seat + 1)
            plays.tired = False
        watch()
        return host.over or plays.hands.idle

    ended = table.run_lockstep(done, limit_ms=games * LIMIT_MS)
    patience = time.monotonic() + PATIENCE_S
    table.greet(lambda: host.over or host.last >= table.eyes.last or time.monotonic() > patience)
    host.finish.set()
    table.greet(lambda: not host.is_alive())
    if host.error is not None:
        raise host.error
    if host.last < table.eyes.last:
        raise LodeboardError(
            f"The log ends at event {host.last} of {table.eyes.last}: the host was too slow.", "Try again.", 3
        )
    if not ended:
        raise LodeboardError("The match did not end.", "This is a fault: please report the command.", 1)


class _Watch:
    """Calls progress ten times a second."""

    def __init__(self, progress, table, plays):
        self._progress, self._table, self._plays = progress, table, plays
        self._ticks = 0
        self._next = 0.0

    def __call__(self):
        self._ticks += 1
        if self._progress and self._ticks % 50 == 0 and time.monotonic() >= self._next:
            self._next = time.monotonic() + 0.1
            self._progress(self._table, self._plays)
