"""The append-only record of durable events: survives a pulled plug at any byte.

    journal = Journal(store, entropy)
    line = journal.append({"t": "move", ...})      numbers the event; the line is also its frame on the wire
    for line in journal.since(16): ...
    journal.tidy()                                 when hands are away: prepares the next append
    journal.open_game()                            what table.resume() takes, or None

The store holds segments of about 2 KiB, 000000/00000001.log and so on, each a head and then events, a frame a
line (wire.py). A line that a power cut tore is dropped at the next start, and the next write begins on a new line;
nothing is ever written twice, and an acknowledgement costs no write (the next segment's head carries it).
Over its limit the journal gives up its oldest segments, but none that the open game needs; if then there is
still no room, events are kept in memory and the game goes on: `trouble` says so.
"""

from array import array

from . import wire

SEGMENT = 2048  # bytes; LittleFS copies a file's last block at each append, so shorter ones are quicker
NEARLY_FULL = 1536  # from here on tidy() begins the next one
LIMIT = 131072  # bytes in all
FOLDER = 4  # segments: making room in a folder's log takes 5 ms with as many names, 70 ms with sixty
UNSAVED = 64  # events kept in memory while the store is full
NO_HOLE = -2


class Journal:
    """jid: name of this journal. boot: starts before this one. first, last: numbers held; last is first - 1
    when empty.

    acked: the last number that a host has acknowledged. trouble: one sentence while events cannot be kept.
    """

    def __init__(self, store, entropy, limit=LIMIT):
        self._store = store
        self._limit = limit
        self.jid = None
        self.boot = 0
        self.first = 1
        self.last = 0
        self.acked = 0
        self.trouble = None
        self._segments = array("i")  # four each: number of its file, first and last event or 0, bytes
        self._sequence = 0
        self._bytes = 0
        self._game = 0  # number of the last game's setup; 0: none
        self._open = False  # it goes on
        self._unsaved = []  # lines
        self._mend = b""  # what the next write begins with: a line end after a torn line
        self._head = True  # the next write begins with a head
        self._load()
        if self.jid is None:
            self.jid = "%08x" % entropy

    def append(self, event):
        """Gives the event its number `n`, keeps it, and returns its line. ValueError: longer than a frame."""
        event["n"] = self.last + 1
        line = wire.encode(event)
        self.last += 1
        self._note(event)
        self._unsaved.append(line)
        self._save()
        return line

    def ack(self, n):
        """Everything up to n is safe with the host."""
        if self.acked < n <= self.last:
            self.acked = n

    def since(self, n):
        """Yields the lines of the events after n, oldest first."""
        segments = array("i", self._segments)
        for at in range(0, len(segments), 4):
            if segments[at + 2] > n:
                for line, event in _frames(self._store.read(_name(segments[at]))):
                    if event.get("n", 0) > n:
                        yield line
        for line in self._unsaved:
            if wire.decode(line)[1]["n"] > n:
                yield line

    def open_game(self):
        """The open game: its setup event (`g`, `opt`, `match`, `game`, `seed`) with `moves`, Texts such as
        "2:~C3", and `holes`, array('h'): ply, from and to of each hole that its notes tell, NO_HOLE for none.
        """
        if not self._open:
            return None
        record = None
        notes = []
        holes = array("h")
        for line in self.since(max(0, self._game - 1 - wire.ENTRIES)):
            event = wire.decode(line)[1]
            kind = event["t"]
            if event["n"] == self._game:
                record = wire.join(event, notes)
                record["moves"] = Texts()
            elif kind == "note" and event.get("what") == "rules":
                notes.append(event)
            elif record is None:
                continue
            elif kind == "move":
                record["moves"].append("%d:%s" % (event["s"], event["m"]))
            elif kind == "undo" and record["moves"]:
                record["moves"].pop()
                while len(holes) and holes[-3] > len(record["moves"]):
                    holes = holes[:-3]
            elif kind == "note" and event.get("what") == "hole":
                for value in (event["ply"], event["from"], event["to"]):
                    holes.append(NO_HOLE if value is None else value)
        if record is not None:
            record["holes"] = holes
        return record

    def _load(self):
        """Reads what the last start left: whole from the last segment with a head on, of the others only
        heads.
        """
        names = [name for name in self._store.names() if name == _name(_number(name))]
        whole = len(names) - 1
        while whole > 0 and _head(self._store.read(names[whole])) is None:
            whole -= 1
        for i in range(len(names)):
            data = self._store.read(names[i])
            head = _head(data)
            segment = array("i", [_number(names[i]), 0, 0, len(data)])
            if head is not None and i < whole:
                segment[1] = head["last"] + 1
                self._end_last_segment(head["last"])
            else:
                self._read_segment(segment, data)
            self._segments.extend(segment)
            self._bytes += len(data)
            self._mend = b"" if data.endswith(b"\n") or not data else b"\n"
            self._sequence = max(self._sequence, segment[0])
        self.first = self.last + 1
        for at in range(len(self._segments) - 4, -4, -4):
            if self._segments[at + 2]:
                self.first = self._segments[at + 1]

    def _read_segment(self, segment, data):
        self._head = True
        for _, event in _frames(data):
            if "jid" in event:
                self._head = False
                self.jid = event["jid"]
                self.boot = event["boot"]
                self.acked = event["ack"]
                self.last = event["last"]
                self._game = event["game"]
                self._open = event["open"]
                self._end_last_segment(self.last)
            elif event.get("n", 0) > self.last:
                self.last = event["n"]
                segment[1] = segment[1] or self.last
                segment[2] = self.last
                self._note(event)

    def _end_last_segment(self, last):
        """A head told where the segment before it ends."""
        segments = self._segments
        if segments:
            segments[-2] = last if segments[-3] <= last else 0

    def _note(self, event):
        """Follows which game is open and how often the board has started."""
        kind = event.get("t")
        if kind == "setup":
            self._game = event["n"]
            self._open = True
        elif kind == "move" or kind == "undo":  # an undo may take the end back
            self._open = self._game > 0
        elif kind == "result":
            self._open = False
        elif kind == "note":
            what = event.get("what")
            if what == "abandon":
                self._open = False
            elif what == "start":
                self.boot = max(self.boot, event.get("boot", 0))

    def tidy(self):
        """Begins the next segment where this one is nearly full: a new file lasts up to 25 ms on the chip."""
        segments = self._segments
        if segments and segments[-1] > NEARLY_FULL and segments[-2] and not self._unsaved:
            self._begin_segment()
            self._write(b"", self.last + 1)

    def _save(self):
        """Writes what is unsaved, in one write."""
        data = b"".join(self._unsaved)
        segments = self._segments
        if not segments or segments[-1] + len(data) > SEGMENT and segments[-2]:
            self._begin_segment()
        self._write(data, self.last - len(self._unsaved) + 1)

    def _begin_segment(self):
        self._sequence += 1
        self._segments.extend(array("i", [self._sequence, 0, 0, 0]))
        self._head = True
        self._mend = b""

    def _write(self, data, first):
        """Writes lines, those from event `first` to the last, maybe none, with what must stand before them."""
        if self._head:
            data = self._head_line(first) + data
        data = self._mend + data
        try:
            self._make_room(len(data))
            segments = self._segments
            self._store.append(_name(segments[-4]), data)
        except OSError as error:
            self.trouble = "The journal cannot be written (%s); the game goes on without it." % error
            self._mend = b"\n"  # a part of it may have been written
            if len(self._unsaved) > UNSAVED:
                self._unsaved.pop(0)
            return
        self.trouble = None
        self._unsaved = []
        self._mend = b""
        self._head = False
        if first <= self.last:
            segments[-3] = segments[-3] or first
            segments[-2] = self.last
        segments[-1] += len(data)
        self._bytes += len(data)

    def _head_line(self, first):
        """The head of a segment whose first event has this number: what a start must know of those before."""
        head = {"jid": self.jid, "boot": self.boot, "ack": self.acked, "last": first - 1}
        head["game"] = self._game
        head["open"] = self._open
        return wire.encode(head)

    def _make_room(self, wanted):
        """Removes the oldest segments of ended games until `wanted` bytes fit; OSError when that is not
        enough.
        """
        needed = self._game - wire.ENTRIES if self._open else self.last
        while self._bytes + wanted > self._limit:
            if len(self._segments) < 8 or self._segments[2] >= needed:
                raise OSError("%d bytes are full" % self._limit)
            number, _, last, size = self._segments[:4]
            self._store.remove(_name(number))
            self._segments = self._segments[4:]
            self._bytes -= size
            self.first = max(self.first, last + 1)


class Texts:
    """Texts one after the other, in few bytes each: two hundred moves in a list take 16 KiB of a computer's memory."""

    def __init__(self):
        self._bytes = bytearray()
        self._ends = array("I")

    def append(self, text):
        self._bytes.extend(text.encode())
        self._ends.append(len(self._bytes))

    def pop(self):
        """Drops the last one."""
        self._ends = self._ends[:-1]
        self._bytes = self._bytes[: self._ends[-1] if self._ends else 0]

    def __len__(self):
        return len(self._ends)

    def __getitem__(self, at):
        if not 0 <= at < len(self._ends):
            raise IndexError(at)
        return bytes(self._bytes[self._ends[at - 1] if at else 0 : self._ends[at]]).decode()


def _frames(data):
    """Yields (line with its line end, object) of the whole frames in a segment."""
    at = 0
    while at < len(data):
        end = data.find(b"\n", at)
        if end < 0:
            end = len(data)
        kind, value = wire.decode(data[at:end])
        if kind == wire.FRAME:
            yield data[at:end] + b"\n", value
        at = end + 1


def _head(data):
    """The head of a segment, or None when its first line is none."""
    end = data.find(b"\n")
    kind, value = wire.decode(data[: end + 1])
    return value if kind == wire.FRAME and "jid" in value else None


def _name(number):
    return "%06d/%08d.log" % (number // FOLDER, number)


def _number(name):
    """The number in a segment's name; 0 is none's."""
    try:
        return int(name[-12:-4])
    except ValueError:
        return 0
