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
from .session import Session, sentence, stamped

RETRY_S = 0.5  # between two looks for a lost port
GREET_S = 1.5  # for a board to say hello at a port that may be the lost one's
STRANGER_S = 30.0  # before a port with another board is asked again
TURN_S = 0.25  # longest wait for bytes


class Board:
    """A board behind `url` (None: the only one there is). LodeboardError when there is none.

    since, jid: the last durable event that the caller holds, and the journal that it is from. Without them
    the board sends what nobody has acknowledged. reconnect=False makes a lost port a LodeboardError.
    """

    def __init__(self, url=None, since=None, jid=None, timeout=5.0, reconnect=True):
        self.port = url or ports.choose()
        self._reconnect = reconnect
        self._strangers = {}
        self._retry_at = 0.0
        self._serial, self._session = connect(self.port, Session(since, jid), timeout, ports.patience(self.port))

    # Connection

    @property
    def hello(self):
        """The board's hello, a dict."""
        return self._session.hello

    @property
    def jid(self):
        """The journal that numbers are from."""
        return self._session.jid

    @property
    def last(self):
        """The number of the newest durable event that came, or None."""
        return self._session.last

    @property
    def waiting(self):
        """How many events have come and were not yielded yet."""
        return len(self._session.events)

    @property
    def caught_up(self):
        """Whether every durable event that the board had when it said hello was yielded."""
        return self._session.caught_up

    @property
    def connected(self):
        return self._serial is not None

    def close(self):
        if self._serial is not None:
            close(self._serial)
            self._serial = None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def _lost(self):
        self.close()
        if not self._reconnect:
            raise LodeboardError(
                f"The board at {self.port} is lost.", "Check the cable, then start again.", 3
            )
        self._session.events.append(stamped({"host": "lost", "port": self.port}))

    def _find_again(self):
        """One look for the lost board, at its old port and, known by its serial number, at any other."""
        names = [self.port] + [port.name for port in ports.candidates() if port.name != self.port]
        now = time.monotonic()
        return any(self._is_back(name) for name in names if self._strangers.get(name, 0) <= now)

    def _is_back(self, name):
        """Whether our board is behind a port; then it is connected again. Another's is left as it was."""
        old = self._session
        patience = ports.patience(name) if name == self.port else 1  # a stranger's port is not held for long
        try:
            serial, session = connect(name, Session(old.last, old.jid, old.watching), GREET_S, patience)
        except LodeboardError:
            return False
        number = session.hello.get("serial")
        if session.hello.get("jid") != old.jid and (number is None or number != old.hello.get("serial")):
            close(serial)
            self._strangers[name] = time.monotonic() + STRANGER_S
            return False
        back = stamped({"host": "back", "port": name})
        session.events = deque([*old.events, back, *session.events])
        self.port, self._serial, self._session = name, serial, session
        return True

    # Events and commands

    def events(self, timeout=None):
        """Yield events as they come; ends `timeout` seconds after the call (None: never)."""
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            while self._session.events:
                yield self._session.events.popleft()
            left = TURN_S if end is None else end - time.monotonic()
            if left < 0:
                return
            self._turn(min(left, TURN_S))

    def _turn(self, timeout):
        """Take in what comes within `timeout` seconds, or look for a lost port."""
        if self._serial is not None:
            self._guarded(pump, timeout)
            return
        now = time.monotonic()
        if now < self._retry_at:
            time.sleep(min(timeout, self._retry_at - now))
        elif not self._find_again():
            self._retry_at = time.monotonic() + RETRY_S

    def _guarded(self, act, *args):
        """Do something with the port; False when it was lost."""
        if self._serial is None:
            return False
        try:
            act(self._serial, self._session, *args)
        except OSError:  # serial.SerialException is one
            self._lost()
            return False
        return True

    def command(self, c, timeout=2.0, **keys):
        """Send a command; the reply. LodeboardError: the board's refusal (code 1), silence or loss (3)."""
        if self._serial is None:
            raise LodeboardError(f"The board at {self.port} is lost.", "Wait for it, then try again.", 3)
        number = str(self._session.send(c, **keys))
        replies = self._session.replies
        end = time.monotonic() + timeout * self._session.patience
        while number not in replies:
            left = end - time.monotonic()
            if left <= 0:
                what, do = (
                    f"The board at {self.port} does not answer `{c}`.",
                    "Unplug it and plug it in again.",
                )
                raise LodeboardError(what, do, 3)
            if not self._guarded(pump, left):
                what = f"The board at {self.port} was lost before it answered `{c}`."
                raise LodeboardError(what, "Check the cable, then try again.", 3)
        reply = replies.pop(number)
        if "err" in reply:
            raise LodeboardError(sentence(reply["err"]), "", 1)
        if c == "watch":
            self._session.watching = bool(keys.get("on"))
        return reply

    def fetch(self, after):
        """Ask for the durable events later than number `after` again; they come as events."""
        self._session.fetch(after, time.monotonic())
        self._guarded(flush)

    def ack(self, n):
        """Tell the board that everything up to n is safe here. None and old numbers are no news."""
        if self._serial is not None:
            self._session.ack(n)
            self._guarded(flush)


# A port and the session on it


def connect(name, session, timeout, patience=1):
    """(open port, session with the board's hello). LodeboardError: see ports.py; another protocol."""
    serial = ports.open_port(name)
    try:
        session.patience = patience
        end = time.monotonic() + timeout * patience
        session.greet(time.monotonic())
        flush(serial, session)
        while not session.synced:
            left = end - time.monotonic()
            if left <= 0:
                raise ports.not_a_lodeboard(name, [*session.saw, session.unfinished()])
            pump(serial, session, min(left, 0.1))
        return serial, session
    except OSError:
        close(serial)
        raise ports.gone(name, session.saw) from None
    except BaseException:
        close(serial)
        raise


def pump(serial, session, timeout):
    """Send what is to be sent, and take in what comes within `timeout` seconds. OSError: the port is lost."""
    flush(serial, session)
    session.feed(ports.read(serial, timeout), time.monotonic())
    flush(serial, session)


def flush(serial, session):
    data = session.take_output()
    if data:
        ports.write(serial, data)


def close(serial):
    try:
        serial.close()
    except OSError:
        pass  # it is gone already
