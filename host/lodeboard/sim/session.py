"""A simulated board to play on: what `lodeboard sim` keeps together, for the terminal and for --headless.

    with Session(board, "tau", folder) as session:
        session.run(done, speed=1.0)              or session.tick() by hand
        session.server.url, session.server.pty

The folder keeps what outlives a killed simulator: the board's flash (config.json, journal, calibration) and
table.json, where the pieces stand. One process uses a folder at a time.
"""

import contextlib
import json
import os
import shutil
from pathlib import Path

from lodeboard import boards, folders, ports
from lodeboard.errors import LodeboardError
from lodeboard.firmware import wire
from lodeboard.games import commands
from lodeboard.sim import engines, stage
from lodeboard.sim.eyes import Eyes
from lodeboard.sim.hands import Hands
from lodeboard.sim.server import Server
from lodeboard.sim.table import SimTable
from lodeboard.sim.world import World

TABLE_FILE = "table.json"
KEPT = ("config.json", "calibration.json", "journal", "flash", "flash.bin", TABLE_FILE)
SAVE_MS = 2000  # of board time between two looks at where the pieces stand


class Session:
    """players: a function (game) -> move for each seat, None where a person moves.

    laid: the pieces stand where SETUP wants them at the start. LodeboardError: folder in use or not writable,
    another game's folder, engine not there, port or link taken.
    """

    def __init__(self, board, game, folder, engine="python", seed=1, options=None, players=(), sloppiness=1.0,
                 errors=0.0, laid=False, port=0, link=None):
        self.board = board
        self.game = game
        self.engine_name = engine
        self.folder = Path(folder)
        self._open = contextlib.ExitStack()
        self._saved_at = 0
        self._low = []  # pieces in hand that are about to stand
        with contextlib.ExitStack() as stack:  # whatever fails here closes what was opened before it
            stack.enter_context(locked(self.folder))
            self.server = stack.enter_context(serve(port, link))
            values = self._kept(options or {})
            self.engine = stack.enter_context(
                contextlib.closing(engines.open(engine, boards.firmware_config(board, game), self.folder, seed))
            )
            self.world = World(board, seed)
            self.eyes = Eyes(board)
            self.hands = Hands(self.world, seed, sloppiness)
            self.user = Hands(self.world, f"{seed} user", sloppiness)
            both = [self.hands, self.user]
            self.table = SimTable(board, self.engine, self.world, both, self.eyes, self.server)
            self.stage = stage.open(
                game, board=board, world=self.world, hands=self.hands, eyes=self.eyes, seed=seed,
                players=players, errors=errors, options=options,
            )  # fmt: skip
            self.stage.guests = (self.user,)
            if values is not None:
                self.stage.restore(values)
            else:
                for c, keys in commands(game, options or {}, seed=seed):
                    self.table.said += wire.encode({"c": c, **keys})
                if laid:
                    self.stage.lay_set_up()
            if any(players):
                self.hands.start(self.stage.script())
            stack.enter_context(ports.announced(**self.about()))
            self._open = stack.pop_all()

    def about(self):
        """Where this board is: what --json, the port file and `lodeboard ports` say."""
        return {
            "pty": self.server.pty,
            "url": self.server.url,
            "board": self.board.name,
            "engine": self.engine_name,
            "game": self.game,
            "pid": os.getpid(),
            "state": str(self.folder),
        }

    def tick(self):
        """One tick; keeps where the pieces stand, and the game, whenever it matters.

        A piece that comes down is kept before the board can decide on it: a killed simulator must not find it
        where it was before, with the move in the journal.
        """
        last, seen, low, port = self.eyes.last, self.eyes.seen, self._low, self.server.pty
        self.table.tick()
        if self.server.pty not in (port, None):  # the cable was pulled and is back
            ports.announce(**self.about())
        held = self.hands.holding + self.user.holding
        self._low = [piece.key for piece in held if piece.z < stage.STANDS_MM]
        if self.hands.idle and self.eyes.seen != seen:
            self.stage.follow()  # a person moves: the virtual hands must know the game when they are called
        if self._low != low or self.eyes.last != last or self.table.now - self._saved_at >= SAVE_MS:
            self._saved_at = self.table.now
            self.save()

    def run(self, done, speed=1.0):
        """Tick at `speed` times the clock's pace until done()."""
        self.table.run_realtime(done, speed, self.tick)

    def save(self):
        """Write table.json. A full disk costs only this: the board's journal is what counts."""
        file = self.folder / TABLE_FILE
        spare = file.with_suffix(".new")
        values = {"game": self.game, "options": self.stage.options, "stage": self.stage.save()}
        try:
            spare.write_text(json.dumps(values))
            os.replace(spare, file)
        except OSError:
            spare.unlink(missing_ok=True)

    def _kept(self, options):
        """What the folder holds for the stage, or None when it is fresh."""
        file = self.folder / TABLE_FILE
        try:
            values = json.loads(file.read_text())
            kept = values["game"], values["options"]
            stage_values = values["stage"]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError):
            raise LodeboardError(f"{file} cannot be read.", "Add --fresh to start anew.") from None
        if kept != (self.game, options):
            raise LodeboardError(
                f"{self.folder} holds another table: {kept[0]} {kept[1] or ''}".rstrip() + ".",
                "Name another folder with --state, or add --fresh to start anew.",
            )
        return stage_values

    def close(self):
        """End the session; the folder stays."""
        self.save()
        self._open.close()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


def serve(port, link):
    """A Server. LodeboardError when its port or link cannot be had."""
    try:
        return Server(port, link)
    except OSError as error:
        what = f"The link {link}" if error.filename else f"TCP port {port}"
        raise LodeboardError(f"{what} cannot be made: {error.strerror}.", "Name another.") from None


def usual_folder(board, game, seed):
    """The folder of a simulator that names none: the same command finds the same board again."""
    name = f"{game}-{board.name}-{seed}"
    return folders.state() / "sim" / name


def fresh(folder):
    """Remove what a simulator keeps in a folder, and nothing else."""
    with locked(folder):
        for name in KEPT:
            path = Path(folder) / name
            try:
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)
            except OSError as error:
                raise LodeboardError(f"{path}: {error.strerror}.", "Name another folder.") from None


@contextlib.contextmanager
def locked(folder):
    """The folder, made if need be, for this process alone. The lock goes with the process."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        fd = os.open(Path(folder) / "lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise LodeboardError(
            f"{folder} cannot keep a simulated board: {error.strerror}.", "Name another folder with --state."
        ) from None
    try:
        take_lock(fd)
    except OSError:
        os.close(fd)
        raise LodeboardError(
            f"Another simulator uses {folder}.", "End it, or name another folder with --state."
        ) from None
    try:
        yield
    finally:
        os.close(fd)


def take_lock(fd):
    """Lock an open file against other processes. OSError when one has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
