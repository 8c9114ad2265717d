"""A scripted board for the host's tests: speaks frames behind a real pty or TCP port, from a thread.

    with FakeBoard() as board:
        board.emit("move", g="tau", s=0, m="y/o@C3", ply=1)     durable, because of its kind
        Board(board.name)

It knows nothing of games. What it did wrong on purpose: `mangle`, a function on the bytes of the next frame.
"""

import os
import select
import socket
import threading
import time
import tty

from lodeboard.firmware import wire

DURABLE = ("setup", "move", "undo", "result", "note")


class FakeBoard:
    """port: "pty", "tcp" or None (closed until open()); hello: keys that differ from the usual."""

    def __init__(self, port="pty", **hello):
        self.hello = {"proto": 1, "board": "lode8", "rev": "A", "sim": True, "serial": "fake-1", "jid": "j1"}
        self.hello.update(
            {"fw": "0.1.0", "hash": "0", "games": ["tau"], "mem": 150000, "state": "TURN", "g": "tau"}
        )
        self.hello.update(hello)
        self.journal = []
        self.acked = 0
        self.commands = []  # every command received
        self.answers = {"watch": {}, "press": {}, "play": {}, "seat": {}, "position": {}, "info": {}}
        self.mangle = []
        self.at = 0
        self._client = self._listener = self._master = self._slave = None
        self._joined = False
        self._lock = threading.RLock()
        self._over = False
        self._rx = b""
        self.name = None
        if port:
            self.open(port)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._over = True
        self._thread.join(5)
        self.close()

    # Ports

    def open(self, port="pty"):
        """Open a new port, usually under another name."""
        with self._lock:
            self._joined = False
            if port == "tcp":
                self._listener = socket.create_server(("127.0.0.1", 0))
                self.name = f"socket://127.0.0.1:{self._listener.getsockname()[1]}"
            else:
                self._master, self._slave = os.openpty()
                tty.setraw(self._slave)
                self.name = os.ttyname(self._slave)

    def close(self):
        """Pull the plug: the port is gone, the journal is not."""
        with self._lock:
            for end in (self._client, self._listener):
                if end is not None:
                    end.close()
            for end in (self._master, self._slave):
                if end is not None:
                    os.close(end)
            self._client = self._listener = self._master = self._slave = None
            self._rx = b""

    # Board to host

    def emit(self, t, **keys):
        """Something happened on the board; durable ones get their number and stay."""
        with self._lock:
            self.at += 1000
            event = {"t": t, "at": self.at, **keys}
            if t in DURABLE:
                event["n"] = len(self.journal) + 1
                self.journal.append(event)
            if self._joined:
                self.send(event)
            return event

    def send(self, value):
        self.raw(wire.encode(value))

    def raw(self, data):
        """Bytes to the host, through `mangle` once."""
        with self._lock:
            if self.mangle:
                data = self.mangle.pop(0)(data)
            try:
                if self._client is not None:
                    self._client.sendall(data)
                elif self._master is not None:
                    os.write(self._master, data)
            except OSError:
                pass

    # Host to board

    def _serve(self):
        while not self._over:
            with self._lock:
                ends = [end for end in (self._client, self._listener, self._master) if end is not None]
                ready = select.select(ends, [], [], 0)[0]
                if self._listener in ready and self._listener is not None:
                    client, _ = self._listener.accept()
                    if self._client is not None:
                        client.close()
                    else:
                        self._client, self._joined = client, False
                data = b""
                if self._client is not None and self._client in ready:
                    try:
                        data = self._client.recv(4096)
                    except OSError:
                        pass
                    if not data:
                        self._client.close()
                        self._client, self._joined = None, False
                elif self._master is not None and self._master in ready:
                    data = os.read(self._master, 4096)
                self._rx += data
                *lines, self._rx = self._rx.split(b"\n")
                for line in lines:
                    kind, value = wire.decode(line)
                    if kind == wire.FRAME:
                        self.commands.append(value)
                        self.obey(value)
            if not ready:
                time.sleep(0.002)

    def obey(self, command):
        c, i = command.get("c"), command.get("i")
        if c == "ack":
            self.acked = max(self.acked, command["n"])
        elif c in ("sync", "info"):
            last = len(self.journal)
            self.send({"t": "hello", "at": self.at, "first": 1, "last": last, **self.hello})
            self.send({"re": i, "ok": True})
            if c == "sync":
                self._joined = True
                for event in self.journal[command.get("since", self.acked) :]:
                    self.send(event)
        elif c in self.answers:
            answer = self.answers[c]
            answer = answer(command) if callable(answer) else answer
            self.send({"re": i, **({} if "err" in answer else {"ok": True}), **answer})
        else:
            self.send({"re": i, "err": f"unknown command {c}"})


def wait_for(condition, seconds=60):
    """Until condition() holds; the test fails when it never does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)


def play_record(board, record, undo_at=None):
    """Let a board play a record's game: setup, moves, result."""
    options = {key: record[key] for key in record if key not in ("game", "moves", "legal", "ranking")}
    board.emit("setup", g=record["game"], opt=options, match=1, game=1, seed=7)
    for ply, move in enumerate(record["moves"], 1):
        seat, text = move.split(":")
        board.emit("state", s="TURN", seat=int(seat), ply=ply - 1, text="play")
        board.emit("lift", q="a1", p="n")
        board.emit("move", g=record["game"], s=int(seat), m=text, ply=ply)
        if ply == undo_at:
            board.emit("undo", g=record["game"], s=int(seat), m=text, ply=ply - 1)
            board.emit("move", g=record["game"], s=int(seat), m=text, ply=ply)
    if "ranking" in record:
        board.emit("result", g=record["game"], ranking=record["ranking"], scores=None, by="win")
