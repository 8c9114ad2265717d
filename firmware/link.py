"""The board's end of the wire (docs/protocol.md): bytes -> commands, events -> frames. It never waits.

    link = Link(journal)
    for command in link.feed(hal.read()): ...      dicts with "c"; damaged frames become error events by
    themselves link.send(event)                               a passing event or a reply; dropped when the
    queue is full link.send_line(n, line)                        a durable event, as the journal wrote it
    link.pump(hal.write)                           once a turn

Durable events that did not fit, or that a host asks for with `sync`, are read from the journal again when
there is room. What nobody reads costs QUEUE bytes and no time.
"""

from . import wire

PASSING = 3072  # bytes queued beyond which passing events are dropped,
DURABLE = 4096  # durable ones wait in the journal,
QUEUE = 6144  # and replies are dropped
REPLAY = 8  # events read from the journal in one turn
_CONTROL = bytes(range(32))  # Ctrl-C and its like in front of a frame come from terminals


class Link:
    def __init__(self, journal):
        self._journal = journal
        self._line = b""
        self._overlong = False
        self._queue = []
        self._queued = 0
        self._offset = 0  # bytes of the first frame that are out
        self._sent = None  # number of the last durable event that is out or queued; None until a sync
        self._replay = None  # the journal's lines after that
        self._found = False
        self._dropped = 0

    # In

    def feed(self, data):
        """Takes bytes; gives the commands that they complete. A line longer than a frame is dropped."""
        commands = []
        if not data:
            return commands
        lines = data.replace(b"\r", b"\n").split(b"\n")
        for i in range(len(lines)):
            if not self._overlong:
                self._line += lines[i]
            if len(self._line) > wire.MAX_FRAME:
                self._overlong = True
                self._line = self._line[:2]
            if i == len(lines) - 1:
                break
            command = self._parse()
            self._line = b""
            self._overlong = False
            if command is not None:
                commands.append(command)
        return commands

    def _parse(self):
        if self._overlong:
            if self._line == b"@{":
                self._complain("it is longer than %d bytes" % wire.MAX_FRAME)
            return None
        kind, value = wire.decode(self._line.lstrip(_CONTROL))
        if kind == wire.BAD:
            self._complain(value)
        if kind != wire.FRAME:
            return None
        if not isinstance(value.get("c"), str):
            self.reply(value, None, "This frame names no command.")
            return None
        return value

    def _complain(self, why):
        self.send({"t": "error", "what": "A frame from the host was damaged: %s." % why})

    # Out

    def reply(self, command, answer=None, error=None):
        """Answers a command that wants it (key `i`): the keys of `answer`, or one sentence of `error`."""
        if "i" not in command:
            return
        reply = {"re": command["i"]}
        if error:
            reply["err"] = error
        else:
            reply["ok"] = True
            reply.update(answer or {})
        self.send(reply)

    def sync(self, command, hello):
        """Answers a sync: hello, the reply, then the durable events after `since`. What was queued is
        dropped.
        """
        proto = command.get("proto", wire.VERSION)
        if not isinstance(proto, int) or proto > wire.VERSION:
            self.reply(command, None, "This board speaks protocol %d." % wire.VERSION)
            return
        del self._queue[1 if self._offset else 0 :]
        self._queued = len(self._queue[0]) if self._queue else 0
        self._dropped = 0
        self._replay = None
        since = command.get("since")
        if not isinstance(since, int):
            since = self._journal.acked
        self._sent = min(max(since, 0), self._journal.last)
        self.send(hello)
        self.reply(command)

    def send(self, event):
        """Queues a passing event or a reply, in as many frames as it needs."""
        limit = QUEUE if "re" in event or event.get("t") == "hello" else PASSING
        for frame in frames(event):
            if self._queued + len(frame) > limit:
                self._dropped += 1
            else:
                self._push(frame)

    def send_text(self, data):
        """Queues console text (bytes, whole lines), between frames and never inside one."""
        if self._queued + len(data) <= QUEUE:
            self._push(data)

    def send_line(self, n, line):
        """Queues a durable event unless it must wait for its turn in the journal."""
        if self._queued + len(line) <= DURABLE and (self._sent is None or self._sent == n - 1):
            self._push(line)
            if self._sent is not None:
                self._sent = n

    def pump(self, write):
        """Gives the port what it takes. write(bytes) -> number of bytes taken."""
        if self._sent is not None and self._sent < self._journal.last:
            self._catch_up()
        while True:
            if not self._queue:
                if self._dropped and self._sent is not None:
                    what = "%d passing events were dropped: nobody read them." % self._dropped
                    self._dropped = 0
                    self.send({"t": "error", "what": what})
                    continue
                return
            frame = self._queue[0]
            taken = write(memoryview(frame)[self._offset :] if self._offset else frame)
            self._offset += taken
            if self._offset < len(frame):
                return
            self._offset = 0
            self._queued -= len(frame)
            self._queue.pop(0)

    def _push(self, frame):
        self._queue.append(frame)
        self._queued += len(frame)

    def _catch_up(self):
        """Queues some of the events that the journal holds, as far as there is room."""
        if self._replay is None:
            self._replay = self._journal.since(self._sent)
            self._found = False
        for _ in range(REPLAY):
            if self._queued > DURABLE - wire.MAX_FRAME:
                return
            try:
                line = next(self._replay)
            except StopIteration:
                self._replay = None
                if not self._found:  # the journal has no more of them
                    self._sent = self._journal.last
                return
            self._found = True
            n = wire.decode(line)[1]["n"]
            if n > self._sent:
                self._push(line)
                self._sent = n


def frames(event):
    """The frames of a passing event or reply: one, or several with the same keys when one cannot hold it.

    The longest list (or the lights' letters) is cut in two: all frames but the last have "more": true, and an
    offset `o` moves on. Where nothing can be cut in two the longest text is shortened.
    """
    try:
        return [wire.encode(event)]
    except ValueError:
        pass
    except TypeError:
        return [wire.encode({"t": "error", "what": "An event could not be written."})]
    longest = None
    for key in event:
        value = event[key]
        if isinstance(value, (list, tuple)) or (key == "m" and "o" in event):
            if len(value) > 1 and (longest is None or len(value) > len(event[longest])):
                longest = key
    if longest is None:
        return frames(shortened(event))
    value = event[longest]
    half = len(value) // 2
    first = dict(event)
    first[longest] = value[:half]
    first["more"] = True
    rest = dict(event)
    rest[longest] = value[half:]
    if "o" in event:
        rest["o"] = event["o"] + half
    return frames(first) + frames(rest)


def shortened(event):
    """The event with its longest text cut by half, so that it ends; without texts, an error event in its
    place.
    """
    longest = None
    for key in event:
        if isinstance(event[key], str) and (longest is None or len(event[key]) > len(event[longest])):
            longest = key
    if longest is None or len(event[longest]) < 8:
        return {"t": "error", "what": "An event was too long for a frame."}
    short = dict(event)
    short[longest] = event[longest][: len(event[longest]) // 2] + "..."
    return short
