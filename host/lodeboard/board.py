"""One connected board: synchronises, acknowledges, comes back after a lost port, yields events.

    with Board("/dev/ttyACM0", since=16, jid="5f2c...") as board:
        print(board.hello["board"])
        for event in board.events():
            store(event)
            board.ack(event.get("n"))

An event is the dict of a frame with `h`, the host's clock (seconds since 1970, UTC), in front. What the host
itself has to tell has no `t` but `host`:

    {"host": "text", "line": "..."}                   console text: tracebacks, prints
    {"host": "damaged", "why": "...", "line": "..."}  a line that began like a frame; the board is asked again
    {"host": "lost", "port": "..."}                   the port went away
    {"host": "back", "port": "..."}                   ... and is back, perhaps under another name
    {"host": "journal", "was": "...", "jid": "..."}   another journal than the caller's: numbers start anew
    {"host": "missing", "from": 17, "to": 18}         durable events that the board no longer has
    {"host": "rewound", "n": 16}                      the board's journal ends before what the caller holds
"""

import time
from collections import deque

from . import ports
from .errors import LodeboardError
from .firmware import wire

RETRY_S = 0.5  # between two looks for a lost port
SYNC_S = 1.0  # before an unanswered sync is sent again
GREET_S = 1.5  # for a board to say hello at a port that may be the lost one's
STRANGER_S = 30.0  # before a port with another board is asked again
GAP_TRIES = 2  # before a durable event that does not come counts as missing
LINE_MAX = 4096  # bytes without a line end before they are taken as a line of their own


class Board:
    """A board behind `url` (None: the only one there is). LodeboardError when there is none.

    since, jid: the last durable event that the caller holds, and the journal that it is from. Without them
    the board sends what nobody has acknowledged. reconnect=False makes a lost port a LodeboardError.
    """

    def __init__(self, url=None, since=None, jid=None, timeout=5.0, reconnect=True):
        self.port = url or ports.choose()
        self.hello = None
        self.jid = jid
        self.last = since
        self._acked = None
        self._reconnect = reconnect
        self._watching = False
        self._events = deque()
        self._replies = {}  # by their number as text: a board may answer with anything
        self._partial = {}
        self._i = 0
        self._strangers = {}
        self._retry_at = 0.0
        self._reset(None)
        self._open(self.port, timeout)

    # Connection

    def _reset(self, serial):
        self._serial = serial
        self._rx = bytearray()
        self._sync = None  # the number of the sync that is under way
        self._sync_at = 0.0
        self._fresh = None  # the newest hello since the sync was sent
        self._gap = [None, 0]  # the number before a gap, and how often the board was asked for what follows
        self._saw = []

    def _open(self, name, timeout):
        """Open a port and synchronise with the board behind it."""
        self._reset(ports.open_port(name))
        self.port = name
        try:
            self._handshake(timeout)
        except (OSError, ValueError):  # serial.SerialException is an OSError
            self.close()
            raise ports.gone(name, self._saw) from None
        except BaseException:
            self.close()
            raise

    def _handshake(self, timeout):
        end = time.monotonic() + timeout
        self._send_sync()
        while self._sync is not None:
            left = end - time.monotonic()
            if left <= 0:
                raise ports.not_a_lodeboard(self.port, [*self._saw, bytes(self._rx)])
            self._pump(min(left, 0.1))

    def _send_sync(self):
        self._i += 1
        self._sync = self._i
        self._sync_at = time.monotonic()
        self._fresh = None
        command = {"c": "sync", "i": self._i, "proto": wire.VERSION}
        if self.last is not None:
            command["since"] = self.last
        self._write(command)

    def _synced(self, reply):
        """The board has answered the sync: compare journals, then let the durable events in."""
        hello = self._fresh
        if "err" in reply:
            raise LodeboardError(
                f"The board at {self.port} refuses this program: {sentence(reply['err'])}",
                "Bring both to the same version: `lodeboard flash` or `pip install -U lodeboard`.",
            )
        if hello is None:
            return  # answered without a hello (it was damaged): the sync is repeated
        self._sync = None
        known, self.hello = self.hello, hello
        jid = hello.get("jid")
        if self.last is not None and jid != self.jid:
            self._tell("journal", was=self.jid, jid=jid)
            self.jid, self.last, self._acked = jid, None, None
            self._send_sync()
            return
        self.jid = jid
        end = hello.get("last")
        if self.last is not None and isinstance(end, int) and end < self.last:
            self._tell("rewound", n=end)
            self.last = end
        if known is None or any(hello.get(key) != known.get(key) for key in ("jid", "serial", "boot")):
            self._events.append(stamped(hello))
        if self._watching:
            self._write({"c": "watch", "on": True})

    def _lost(self):
        name = self.port
        self.close()
        if not self._reconnect:
            raise LodeboardError(f"The board at {name} is lost.", "Check the cable, then start again.", 3)
        self._tell("lost", port=name)

    def _find_again(self):
        """One look for the lost board, at its old port and, known by its serial number, at any other."""
        names = [self.port] + [port.name for port in ports.candidates() if port.name != self.port]
        now = time.monotonic()
        return any(self._is_back(name) for name in names if self._strangers.get(name, 0) <= now)

    def _is_back(self, name):
        """Whether our board is behind a port; then it is synchronised. Another's is left as it was."""
        old = self.port, self.hello, self.jid, self.last, self._acked
        events, self._events = self._events, deque()
        self.hello = None
        try:
            self._open(name, GREET_S)
            serial = self.hello.get("serial")
            if self.hello.get("jid") == old[2] or (serial is not None and serial == old[1].get("serial")):
                self._events.appendleft(stamped({"host": "back", "port": name}))
                self._events.extendleft(reversed(events))
                return True
            self.close()
            self._strangers[name] = time.monotonic() + STRANGER_S
        except LodeboardError:
            pass
        self.port, self.hello, self.jid, self.last, self._acked = old
        self._events = events
        return False

    def close(self):
        if self._serial is not None:
            try:
                self._serial.close()
            except OSError:
                pass
            self._serial = None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    @property
    def waiting(self):
        """How many events have come and were not yielded yet."""
        return len(self._events)

    @property
    def caught_up(self):
        """Whether every durable event that the board had when it said hello was yielded."""
        end = self.hello.get("last")
        behind = isinstance(end, int) and (self.last or 0) < end
        return not self._events and self._sync is None and not behind

    @property
    def connected(self):
        return self._serial is not None

    # Bytes in and out

    def _write(self, command):
        ports.write(self._serial, wire.encode(command))

    def _pump(self, timeout):
        """Wait up to `timeout` seconds for bytes and take in the lines that they complete."""
        data = ports.read(self._serial, timeout)
        if self._sync is not None and time.monotonic() > self._sync_at + SYNC_S:
            self._send_sync()
        self._rx += data
        if b"\n" not in data:
            if len(self._rx) > LINE_MAX:
                self._line(bytes(self._rx))
                self._rx.clear()
            return
        *lines, rest = bytes(self._rx).split(b"\n")
        self._rx = bytearray(rest)
        for line in lines:
            self._line(line)

    def _line(self, line):
        if self.hello is None:
            self._saw.append(line[:80])
        kind, value = wire.decode(line)
        if kind == wire.TEXT:
            if value.strip() and self._sync is None:
                self._tell("text", line=value.decode("utf-8", "replace"))
        elif kind == wire.BAD:
            if self._sync is None:
                self._tell("damaged", why=value, line=line.decode("utf-8", "replace").rstrip("\r"))
                self._send_sync()  # it may have been a durable event
        elif "re" in value:
            if value["re"] == self._sync:
                self._synced(value)
            else:
                self._reply(value)
        else:
            self._event(value)

    def _end(self):
        """The last number of the journal when the board said hello."""
        end = self.hello.get("last")
        return end if isinstance(end, int) else 1 << 62

    def _reply(self, reply):
        """Keep an answer; a long one comes in several frames, all but the last with `more`."""
        number = str(reply["re"])
        if number in self._partial:
            reply = merged(self._partial.pop(number), reply)
        (self._partial if reply.get("more") else self._replies)[number] = reply

    def _event(self, event):
        if event.get("t") == "hello":
            self._hello(event)
        elif self._sync is not None:
            pass  # from before the sync: what is durable comes again
        elif "n" in event:
            self._durable(event)
        else:
            self._events.append(stamped(event))

    def _hello(self, hello):
        proto = hello.get("proto")
        if isinstance(proto, int) and proto > wire.VERSION:
            raise LodeboardError(
                f"The board at {self.port} speaks protocol {proto}, this program up to {wire.VERSION}.",
                "Update it: `pip install -U lodeboard`.",
            )
        self._fresh = hello
        if self._sync is None:
            self._send_sync()  # it has just started, and has forgotten that we listen
            self._fresh = hello

    def _durable(self, event):
        n = event["n"]
        if not isinstance(n, int) or isinstance(n, bool):
            self._tell("damaged", why="n is not a number", line=str(event))
            return
        if self.last is None and n > self._end() + 1:
            self.last = self._end()
        if self.last is not None:
            if n <= self.last:
                return
            if n > self.last + 1:
                if self._gap[0] != self.last:
                    self._gap = [self.last, 0]
                if self._gap[1] < GAP_TRIES:
                    self._gap[1] += 1
                    self._send_sync()  # one got lost on the way: the board has it still
                    return
                self._tell("missing", **{"from": self.last + 1, "to": n - 1})
        self.last = n
        self._events.append(stamped(event))

    def fetch(self, after):
        """Ask for the durable events later than number `after` again; they come as events."""
        self.last = after
        self._events = deque(event for event in self._events if event.get("n", after) <= after)
        self._write_or_lose(self._send_sync)

    def _write_or_lose(self, send, *args):
        if self._serial is None:
            return
        try:
            send(*args)
        except (OSError, ValueError):
            self._lost()

    def _tell(self, kind, **keys):
        self._events.append(stamped({"host": kind, **keys}))

    # For callers

    def events(self, timeout=None):
        """Yield events as they come; ends `timeout` seconds after the call (None: never)."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            while self._events:
                yield self._events.popleft()
            left = 0.25 if end is None else end - time.monotonic()
            if left < 0:
                return
            self._turn(min(left, 0.25))

    def _turn(self, timeout):
        """Take in what comes within `timeout` seconds, or look for a lost port."""
        if self._serial is None:
            now = time.monotonic()
            if now < self._retry_at:
                time.sleep(min(timeout, self._retry_at - now))
                return
            if not self._find_again():
                self._retry_at = time.monotonic() + RETRY_S
            return
        try:
            self._pump(timeout)
        except (OSError, ValueError):
            self._lost()

    def command(self, c, timeout=2.0, **keys):
        """Send a command; the reply. LodeboardError: the board's refusal (code 1), silence or loss (3)."""
        if self._serial is None:
            raise LodeboardError(f"The board at {self.port} is lost.", "Wait for it, then try again.", 3)
        self._i += 1
        i = self._i
        end = time.monotonic() + timeout
        try:
            self._write({"c": c, "i": i, **keys})
            while str(i) not in self._replies:
                left = end - time.monotonic()
                if left <= 0:
                    raise LodeboardError(
                        f"The board at {self.port} does not answer `{c}`.",
                        "Unplug it and plug it in again.",
                        3,
                    )
                self._pump(left)
        except (OSError, ValueError):
            self._lost()
            raise LodeboardError(
                f"The board at {self.port} was lost before it answered `{c}`.",
                "Check the cable, then try again.",
                3,
            ) from None
        reply = self._replies.pop(str(i))
        if "err" in reply:
            raise LodeboardError(sentence(reply["err"]), "", 1)
        if c == "watch":
            self._watching = bool(keys.get("on"))
        return reply

    def ack(self, n):
        """Tell the board that everything up to n is safe here. None and old numbers are no news."""
        if n is None or self._serial is None or (self._acked is not None and n <= self._acked):
            return
        self._acked = n
        self._write_or_lose(self._write, {"c": "ack", "n": n})


def merged(first, rest):
    """The answer of which two frames came: the list that was cut in two is whole again."""
    lists = [key for key in rest if isinstance(rest[key], list) and isinstance(first.get(key), list)]
    cut = [key for key in lists if first[key] != rest[key]] or sorted(lists, key=lambda key: len(rest[key]))[
        -1:
    ]
    whole = {key: value for key, value in first.items() if key != "more"} | rest
    whole.update((key, first[key] + rest[key]) for key in cut)
    return whole


def stamped(event):
    """The event with the host's clock in front."""
    return {"h": round(time.time(), 3), **event}


def sentence(text):
    """A board's words as a sentence of ours."""
    text = " ".join(str(text).split()) or "no reason given"
    return text[0].upper() + text[1:].rstrip(".") + "."
