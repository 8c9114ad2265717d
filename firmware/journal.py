"""The append-only record of durable events: survives a pulled plug at any byte.

    journal = Journal(store, entropy)
    line = journal.append({"t": "move", ...})      numbers the event; the line is also its frame on the wire
    for line in journal.since(16): ...
    journal.tidy()                                 when hands are away: prepares the next append
    journal.open_game()                            what table.resume() takes, or None

The store holds segments of 1 to 2 KiB, 000000/00000001.log and so on, each a head and then events, a frame a
line (wire.py). A line that a power cut tore is dropped at the next start, and the next write begins on a new line;
nothing is ever written twice, and an acknowledgement costs no write (the next segment's head carries it).
When there are too many the journal gives up its oldest ones, but none that the open game needs; if then there is
still no room, events are kept in memory and the game goes on: `trouble` says so.
"""

from array import array

from . import wire

SEGMENT = 2048  # bytes at most; LittleFS copies a file's last block at each append, so shorter ones are quicker
NEARLY_FULL = 1280  # from here on tidy() begins the next one
LIMIT = 131072  # bytes in all, counted as if every segment were full: 64 of them hold about 960 moves
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
        self._most = max(2, limit // SEGMENT)  # segments
        self.jid = None
        self.boot = 0
        self.first = 1
        self.last = 0
        self.acked = 0
        self.trouble = None
        self._oldest = 1  # number of the oldest segment's file
        self._firsts = array("i")  # of each segment its first event's number; 0: not looked up
        self._size = 0  # bytes of the newest one
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
        at = len(self._firsts) - 1
        while at > 0 and self._first_of(at) > n + 1:
            at -= 1
        for number in range(self._oldest + max(0, at), self._oldest + len(self._firsts)):
            for line, event in _frames(self._store.read(_name(number))):
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
        """Reads what the last start left from the last segment with a head on; older ones are looked up when they
        are asked for: one takes the chip 5 ms.
        """
        folders = sorted(self._store.names(""))
        newest = self._end(folders, -1)
        if not newest:
            return
        self._oldest = max(self._end(folders, 1), newest - 2 * self._most)
        whole = newest
        data = last = self._store.read(_name(newest))
        while whole > self._oldest and _head(data) is None:
            whole -= 1
            data = self._store.read(_name(whole))
        self._firsts.extend(array("i", [0] * (whole - self._oldest)))
        for number in range(whole, newest):
            self._read_segment(self._store.read(_name(number)))
        self._read_segment(last)
        self.first = self._first_of(0)

    def _end(self, folders, step):
        """Number of the oldest segment, or with step -1 of the newest; 0 where there is none. folders: sorted."""
        for folder in folders[::step]:
            numbers = [_number(folder, name) for name in self._store.names(folder)] if "." not in folder else ()
            numbers = sorted([number for number in numbers if number])
            if numbers:
                return numbers[::step][0]
        return 0

    def _read_segment(self, data):
        """The newest one: what goes on from here."""
        self._head = True
        first = 0
        for _, event in _frames(data):
            if "jid" in event:
                self._head = False
                self.jid = event["jid"]
                self.boot = event["boot"]
                self.acked = event["ack"]
                self.last = event["last"]
                self._game = event["game"]
                self._open = event["open"]
            elif event.get("n", 0) > self.last:
                self.last = event["n"]
                first = first or self.last
                self._note(event)
        self._firsts.append(first or self.last + 1)
        self._size = len(data)
        self._mend = b"" if data.endswith(b"\n") or not data else b"\n"

    def _first_of(self, at):
        """Number of the first event of a segment, 0 being the oldest; of an empty one, the next one's."""
        firsts = self._firsts
        found = at
        while not firsts[found]:
            firsts[found] = _first_number(self._store.read(_name(self._oldest + found)))
            if not firsts[found]:
                found += 1
        firsts[at] = firsts[found]
        return firsts[at]

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
        if self._firsts and self._size > NEARLY_FULL and not self._unsaved:
            self._begin_segment()
            self._write(b"")

    def _save(self):
        """Writes what is unsaved, in one write."""
        data = b"".join(self._unsaved)
        firsts = self._firsts
        if not firsts or self._size + len(data) > SEGMENT and firsts[-1] < self._first_unsaved():
            self._begin_segment()
        self._write(data)

    def _first_unsaved(self):
        return self.last - len(self._unsaved) + 1

    def _begin_segment(self):
        self._firsts.append(0)
        self._size = 0
        self._head = True
        self._mend = b""

    def _write(self, data):
        """Writes the lines of the unsaved events, maybe none, with what must stand before them."""
        if self._head:
            if not self._size:
                self._firsts[-1] = self._first_unsaved()
            data = self._head_line() + data
        data = self._mend + data
        try:
            self._make_room()
            self._store.append(_name(self._oldest + len(self._firsts) - 1), data)
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
        self._size += len(data)

    def _head_line(self):
        """The head of a segment that begins with what is unsaved: what a start must know of those before."""
        head = {"jid": self.jid, "boot": self.boot, "ack": self.acked, "last": self._first_unsaved() - 1}
        head["game"] = self._game
        head["open"] = self._open
        return wire.encode(head)

    def _make_room(self):
        """Removes the oldest segments of ended games until they are few enough; OSError when that cannot be."""
        needed = self._game - wire.ENTRIES if self._open else self.last
        while len(self._firsts) > self._most:
            if self._first_of(1) > needed:
                raise OSError("%d segments are full" % self._most)
            self._store.remove(_name(self._oldest))
            self._oldest += 1
            self._firsts = self._firsts[1:]
            self.first = self._firsts[0]


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


def _first_number(data):
    """Number of the first event that a segment holds or its head announces; 0 where neither is whole."""
    for _, event in _frames(data):
        if "jid" in event:
            return event["last"] + 1
        if "n" in event:
            return event["n"]
    return 0


def _name(number):
    return "%06d/%08d.log" % (number // FOLDER, number)


def _number(folder, name):
    """The number of a segment, from its folder's and its own name; 0 is none's."""
    try:
        number = int(name[:8])
    except ValueError:
        return 0
    return number if _name(number) == folder + "/" + name else 0
