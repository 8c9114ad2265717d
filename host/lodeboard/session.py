"""The host's half of the wire without a port: bytes in, events and bytes out. board.py gives it a port.

    session = Session(since=16, jid="5f2c...")
    session.greet(now)                       now: seconds of any clock that only goes on
    port.write(session.take_output())
    session.feed(port.read(), now)
    session.events, session.replies, session.synced

Durable events come out in order and once: what is there already is dropped, and a gap or a damaged frame
makes it ask the board again.
"""

import time
from collections import deque

from .errors import LodeboardError
from .firmware import wire

SYNC_S = 1.0  # before an unanswered sync is sent again
DAMAGE_S = 5.0  # between two syncs for damaged frames when the last one brought nothing new
GAP_TRIES = 2  # before a durable event that does not come counts as missing
LINE_MAX = 4096  # bytes without a line end before they are taken as a line of their own
SAW_LINES = 20  # lines from before the hello that are kept for a complaint


class Session:
    """One connection, and what is known of the board and its journal.

    since, jid   the last durable event that the caller holds, and the journal that it is from
    hello        the board's, or None before it;  last, jid   of the newest durable event
    events       deque of what came, for the caller to take (see board.py)
    replies      {number of the command as text: answer}
    saw          lines that came before the hello
    """

    def __init__(self, since=None, jid=None, watching=False):
        self.patience = 1  # how many times as long as a real board this one may take (ports.patience)
        self.hello = None
        self.jid = jid
        self.last = since
        self.acked = None
        self.watching = watching
        self.events = deque()
        self.replies = {}
        self.saw = []
        self._out = bytearray()
        self._rx = bytearray()
        self._partial = {}
        self._i = 0
        self._sync = None  # the number of the sync that is under way
        self._sync_at = 0.0
        self._now = 0.0
        self._fresh = None  # the newest hello since the sync was sent
        self._damaged = False  # a damaged frame came that was not asked for again yet
        self._asked = (None, 0.0)  # the newest number when one was, and when
        self._gap = [None, 0]  # the number before a gap, and how often the board was asked for what follows

    @property
    def synced(self):
        """Whether the board has answered the newest sync."""
        return self._sync is None and self.hello is not None

    @property
    def caught_up(self):
        """Whether every durable event that the board had when it said hello has come and was taken."""
        end = self._end()
        return self.synced and not self.events and (end is None or (self.last or 0) >= end)

    def _end(self):
        """The last number of the journal when the board said hello; None when it told none."""
        end = self.hello.get("last")
        return end if isinstance(end, int) else None

    # Out

    def take_output(self):
        """The bytes to send."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def send(self, c, **keys):
        """Queue a command; the number of its answer. LodeboardError when it is too long for a frame."""
        self._i += 1
        try:
            self._out += wire.encode({"c": c, "i": self._i, **keys})
        except (ValueError, TypeError):
            raise LodeboardError(
                f"The command {c} is too long for the wire.", "Shorten what it says."
            ) from None
        return self._i

    def greet(self, now):
        """Ask for the hello and for every durable event later than `last`."""
        since = {} if self.last is None else {"since": self.last}
        self._sync = self.send("sync", proto=wire.VERSION, **since)
        self._sync_at = self._now = now
        self._damaged = False
        self._fresh = None

    def fetch(self, after, now):
        """Ask for the durable events later than number `after` again; they come as events."""
        self.last = after
        self.events = deque(event for event in self.events if event.get("n", after) <= after)
        self.greet(now)

    def ack(self, n):
        """Tell the board that everything up to n is safe here. None and old numbers are no news."""
        if n is not None and (self.acked is None or n > self.acked):
            self.acked = n
            self._out += wire.encode({"c": "ack", "n": n})

    # In

    def feed(self, data, now):
        """Take in bytes, perhaps none. LodeboardError: the board speaks another protocol."""
        self._now = now
        if self._sync is not None and now > self._sync_at + SYNC_S * self.patience:
            self.greet(now)
        self._rx += data
        if b"\n" in data or len(self._rx) > LINE_MAX:
            *lines, rest = bytes(self._rx).split(b"\n")
            if not lines:
                lines, rest = [rest], b""
            self._rx = bytearray(rest)
            for line in lines:
                at = line.find(b"@{")
                if at > 0:  # text without a line end, then a frame
                    self._line(line[:at])
                self._line(line[max(at, 0) :])
        if self._damaged and self._sync is None:
            self._ask_again()

    def unfinished(self):
        """What came after the last line end: a prompt, say."""
        return bytes(self._rx)

    def _line(self, line):
        if self.hello is None and len(self.saw) < SAW_LINES:
            self.saw.append(line[:80])
        kind, value = wire.decode(line)
        if kind == wire.FRAME:
            if "re" in value:
                self._answer(value)
            else:
                self._event(value)
        elif self.hello is None:
            pass  # from before the connection
        elif kind == wire.TEXT:
            if value.strip():
                self._tell("text", line=value.decode("utf-8", "replace"))
        else:
            self._tell("damaged", why=value, line=line.decode("utf-8", "replace").rstrip("\r"))
            if self._sync is None:  # else it comes again anyway
                self._damaged = True  # it may have been a durable event
                self._ask_again()

    def _ask_again(self):
        """Ask for a damaged frame again: at once, but for one that stays damaged only now and then."""
        last, at = self._asked
        if last != self.last or self._now >= at + DAMAGE_S * self.patience:
            self._asked = (self.last, self._now)
            self.greet(self._now)

    def _tell(self, kind, **keys):
        self.events.append(stamped({"host": kind, **keys}))

    def _answer(self, reply):
        """Keep an answer; a long one comes in several frames, all but the last with `more`."""
        if reply["re"] == self._sync:
            self._synced(reply)
            return
        number = str(reply["re"])  # as text: a board may answer with anything
        if number in self._partial:
            reply = merged(self._partial.pop(number), reply)
        (self._partial if reply.get("more") else self.replies)[number] = reply

    def _synced(self, reply):
        """The board has answered the sync: compare journals, then let the durable events in."""
        if "err" in reply:
            raise LodeboardError(
                f"The board refuses this program: {sentence(reply['err'])}",
                "Bring both to the same version: `lodeboard flash` or `pip install -U lodeboard`.",
            )
        if self._fresh is None:
            return  # the hello before it was damaged: the sync is repeated
        self._sync = None
        known, self.hello = self.hello, self._fresh
        jid, end = self.hello.get("jid"), self._end()
        if self.last is not None and jid != self.jid:
            self._tell("journal", was=self.jid, jid=jid)
            self.jid, self.last, self.acked = jid, None, None
            self.hello = known
            self.greet(self._now)
            return
        self.jid = jid
        if self.last is not None and end is not None and end < self.last:
            self._tell("rewound", n=end)
            self.last = end
        if known is None or any(self.hello.get(key) != known.get(key) for key in ("jid", "serial")):
            self.events.append(stamped(self.hello))
        if self.watching:
            self.send("watch", on=True)

    def _event(self, event):
        if event.get("t") == "hello":
            self._hello(event)
        elif "n" in event:
            if self._sync is None:
                self._durable(event)  # else it is from before the sync, and comes again
        elif self.hello is not None:
            self.events.append(stamped(event))

    def _hello(self, hello):
        proto = hello.get("proto")
        if isinstance(proto, int) and proto > wire.VERSION:
            raise LodeboardError(
                f"The board speaks protocol {proto}, this program up to {wire.VERSION}.",
                "Update it: `pip install -U lodeboard`.",
            )
        if self._sync is None:
            self.greet(self._now)  # it has just started, and has forgotten that we listen
        else:
            self._fresh = hello

    def _durable(self, event):
        n = event["n"]
        if not isinstance(n, int) or isinstance(n, bool):
            self._tell("damaged", why="n is not a number", line=str(event))
            return
        end = self._end()
        if self.last is None and end is not None and n > end + 1:
            self.last = end
        if self.last is not None:
            if n <= self.last:
                return
            if n > self.last + 1:
                if self._gap[0] != self.last:
                    self._gap = [self.last, 0]
                if self._gap[1] < GAP_TRIES:
                    self._gap[1] += 1
                    self.greet(self._now)  # one got lost on the way: the board has it still
                    return
                self._tell("missing", **{"from": self.last + 1, "to": n - 1})
        self.last = n
        self.events.append(stamped(event))


def merged(first, rest):
    """The answer of which two frames came: the list that was cut in two is whole again."""
    lists = [key for key in rest if isinstance(rest[key], list) and isinstance(first.get(key), list)]
    cut = [key for key in lists if first[key] != rest[key]]
    if not cut and lists:
        cut = [max(lists, key=lambda key: len(rest[key]))]
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
