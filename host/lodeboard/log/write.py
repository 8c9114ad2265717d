"""Writing a log: NDJSON, flushed a line at a time (docs/log-format.md).

with LogWriter("evening.jsonl") as log:
    with Board(url, since=log.last, jid=log.jid) as board:
        for event in board.events():
            log.write(event)
            board.ack(log.last)
"""

import contextlib
import errno
import json
import os
import stat
import time
from datetime import datetime, timezone

from .. import __version__
from ..errors import LodeboardError

FORMAT = 1


class LogWriter:
    """A log file that is open for appending, and locked against a second writer.

    An existing log is continued: `jid` and `last` are the journal and the number of the last durable event in
    it (None when it holds none). append=False replaces the file. `new` says that the file held nothing.
    The heading is written with the first event: where no board was found, no file and no line is left behind.
    """

    def __init__(self, path, append=True, port=None):
        self.path = os.fspath(path)
        self.jid = None
        self.last = None
        self.port = port
        self._heading = b""
        self._made = not os.path.lexists(self.path)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
        try:
            self._fd = os.open(self.path, flags, 0o666)
        except OSError as error:
            raise self._refused(error) from None
        try:
            if stat.S_ISREG(os.fstat(self._fd).st_mode):
                lock(self._fd, self.path)
            self.new = not append or os.fstat(self._fd).st_size == 0
            if self.new:
                if os.fstat(self._fd).st_size:
                    os.ftruncate(self._fd, 0)
                self._head("log")
            else:
                self._continue()
        except BaseException:
            os.close(self._fd)
            raise

    def _head(self, kind, before=b""):
        """Keep the line that stands before the first event, and what must stand before that line."""
        made = datetime.now(timezone.utc).isoformat(timespec="seconds")
        by = "lodeboard " + __version__
        self._heading = before + encode(
            {"host": kind, "format": FORMAT, "by": by, "made": made, "port": self.port}
        )

    def _continue(self):
        """Find where the file ends: its journal, its last number, and whether its last line is whole."""
        from .read import entries

        with open(self.path, "rb") as file:
            first = file.read(4096)
            if b"\n" not in first and first.startswith(b'{"h":'):
                os.ftruncate(self._fd, 0)  # killed while it wrote its first line
                self.new = True
                self._head("log")
                return
            if not recognised(first):
                raise LodeboardError(
                    f"{self.path} is not a Lodeboard log; nothing was written to it.",
                    "Give another file name.",
                )
            file.seek(0)
            for entry in entries(file):
                event = entry.event
                if event is None:
                    continue
                if event.get("t") == "hello" and event.get("jid") != self.jid:
                    self.jid = event.get("jid")
                    self.last = None
                n = event.get("n")
                if isinstance(n, int) and not isinstance(n, bool):
                    self.last = n
            file.seek(-1, os.SEEK_END)
            torn = file.read(1) != b"\n"
        self._head("continue", b"\n" if torn else b"")

    def write(self, event):
        """Append one event (a dict) as a line and hand it to the operating system."""
        self._put(self._heading + encode(event))
        self._heading = b""
        if event.get("t") == "hello":
            if event.get("jid") != self.jid:
                self.jid, self.last = event.get("jid"), None
        elif "n" in event:
            self.last = event["n"]

    def sync(self):
        """Put what was written on the disk, before a board is told that it is safe."""
        try:
            os.fsync(self._fd)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EROFS):  # a pipe or a device
                raise self._refused(error) from None

    def _put(self, data):
        size = os.fstat(self._fd).st_size
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            try:
                os.ftruncate(self._fd, size)  # no half line stays behind
            except OSError:
                pass  # a device, or a file system that is past helping: the reader copes with a torn line
            raise self._refused(error) from None

    def _refused(self, error):
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            return LodeboardError(
                f"{self.path}: the disk is full; everything before this moment is recorded.",
                "Free some space and start again: the board keeps what is missing, and sends it.",
            )
        return LodeboardError(
            f"{self.path} cannot be written: {error.strerror}.",
            "Choose a folder and a name that you may write to.",
        )

    def close(self):
        if self._fd is not None:
            if self._made and os.fstat(self._fd).st_size == 0:
                with contextlib.suppress(OSError):  # Windows removes no open file
                    os.unlink(self.path)
            os.close(self._fd)
            self._fd = None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


def encode(event):
    """An event (dict) as a line, with the host's clock; half a surrogate pair stays an escape."""
    if "h" not in event:
        event = {"h": round(time.time(), 3), **event}
    line = json.dumps(event, separators=(",", ":"), ensure_ascii=False)
    try:
        return line.encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(event, separators=(",", ":")).encode() + b"\n"


def recognised(first):
    """Whether the first bytes of a file are those of a log that we may append to."""
    line = first.split(b"\n", 1)[0]
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(header, dict) and header.get("host") == "log"


if os.name == "nt":  # pragma: no cover

    def lock(fd, path):
        """Refuse a second writer. Windows locks bytes: take one far behind any end of file."""
        import msvcrt

        try:
            os.lseek(fd, 1 << 40, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            raise _locked(path) from None

else:

    def lock(fd, path):
        """Refuse a second writer; the lock goes with the process, so a killed one leaves none behind."""
        import fcntl

        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _locked(path) from None
        except OSError:
            pass  # a file system without locks: better an unlocked log than none


def _locked(path):
    return LodeboardError(
        f"{path} is being written by another lodeboard.", "Stop that one, or give another file name."
    )
