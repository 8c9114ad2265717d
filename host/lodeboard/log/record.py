"""Recording a board: what comes is written, then acknowledged."""

import time

CLOSED = ("SETUP", "OVER", None)  # states of a table without an open game


class Recorder:
    """Writes a board's events to a LogWriter, and acknowledges when they are on the disk.

    for event in board.events(): recorder.take(event)
    """

    def __init__(self, board, writer):
        self.board = board
        self.writer = writer
        self.count = 0
        self._unacknowledged = None
        if writer.last is not None and writer.jid == board.jid:
            # Recording may have been killed between writing and acknowledging.
            board.ack(min(writer.last, board.hello.get("last", 0)))

    def take(self, event):
        self.writer.write(event)
        if "t" in event:
            self.count += 1
        if "n" in event:
            self._unacknowledged = event["n"]
        if self._unacknowledged is not None and not self.board.waiting:
            self.writer.sync()
            self.board.ack(self._unacknowledged)
            self._unacknowledged = None

    def begin(self, wait=1.0):
        """For a new log of a board in mid-game: take the open game from its setup on. Yields as it records.

        What the board sends by itself begins with what nobody has acknowledged, perhaps the middle of a game.
        """
        hello = self.board.hello
        if not self.writer.new or hello.get("state") in CLOSED or not hello.get("last"):
            return
        own = list(until(self.board, hello["last"], wait))
        if not any(event.get("t") == "setup" for event in own):
            own = self._from_setup(own, wait)
        for event in own:
            self.take(event)
            yield event

    def _from_setup(self, own, wait):
        """The same events, with those of the open game before them."""
        hello = self.board.hello
        first = next((event["n"] for event in own if "n" in event), hello["last"] + 1)
        self.board.fetch(max(0, hello.get("first", 1) - 1))
        durable = [event for event in until(self.board, hello["last"], wait) if "n" in event]
        setups = [event["n"] for event in durable if event["t"] == "setup" and event["n"] < first]
        start = setups[-1] if setups else first
        passing = [event for event in own if "n" not in event]
        return passing[:1] + [event for event in durable if event["n"] >= start] + passing[1:]


def until(board, n, wait):
    """Yield events until the durable one with number n has come, or no durable one comes for `wait` seconds.

    What the board says besides is waited for ten times as long at most: it may never end.
    """
    quiet = time.monotonic() + wait
    end = quiet + 9 * wait
    while (board.last is None or board.last < n or board.waiting) and time.monotonic() < min(quiet, end):
        for event in board.events(0.05):
            if "n" in event:
                end = time.monotonic() + 10 * wait
            if "host" not in event:
                quiet = time.monotonic() + wait
            yield event
