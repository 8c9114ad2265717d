"""A log as a whole: every event once, in the order of the board's journal, and what was lost.

log = load("evening.jsonl")
for line, event in log.events: ...
for loss in log.losses: print(loss["text"])
"""

import itertools
import json
from collections import namedtuple

from ..errors import LodeboardError
from ..inputs import open_input
from .read import entries
from .write import FORMAT

Item = namedtuple("Item", "line event")

# Streams that say nothing about a game's course; an evening of them would fill the memory.
BULK = frozenset(("sense", "readings", "lights", "panel", "stats", "lift", "drop"))
# What an event must have to be believed: a log's own lines have no check.
SHAPES = {
    "setup": {"g": str, "opt": dict},
    "move": {"g": str, "s": int, "m": str, "ply": int},
    "undo": {"g": str, "s": int, "m": str, "ply": int},
    "result": {"g": str, "ranking": (list, type(None)), "by": str},
    "note": {"what": str},
}
SHOWN = 20  # damaged lines that are named one by one


class Log:
    """events: list of Items; losses: list of dicts, each with `kind`, `text` (one sentence) and numbers.

    kinds: "missing" (from, to: numbers of the journal), "damaged" (line, why, source), "conflict" (line, n),
    "newer" (format). hellos: every different hello. console: lines of console text; duplicates: events that
    came again.
    """

    def __init__(self):
        self.events = []
        self.losses = []
        self.hellos = []
        self.console = 0
        self.duplicates = 0
        self.damaged = 0

    def summary(self):
        """Plain JSON values."""
        return {
            "boards": [
                {key: hello.get(key) for key in ("board", "serial", "jid", "sim", "fw", "hash")}
                for hello in self.hellos
            ],
            "console": self.console,
            "duplicates": self.duplicates,
            "damaged": self.damaged,
            "lost": self.losses,
        }


def load(path):
    """The Log in a file. LodeboardError when it cannot be read or holds nothing of a board."""
    try:
        with open_input(path, "Give the name of a log.") as file:
            log = collect(file)
    except OSError as error:
        raise LodeboardError(f"{path} cannot be read: {error.strerror}.", "Give the name of a log.") from None
    if not log.events and not log.hellos:
        raise LodeboardError(
            f"{path} holds no events of a Lodeboard.", "Is it a log or a capture of its port?"
        )
    return log


def collect(file):
    """The Log in a binary file."""
    log = Log()
    sorter = _Sorter(log)
    for entry in entries(file):
        if entry.bad is not None:
            log.damaged += 1
            if log.damaged <= SHOWN:
                _lose(
                    log,
                    "damaged",
                    f"Line {entry.line} is damaged: {entry.bad}.",
                    line=entry.line,
                    source=entry.source[:200],
                )
        elif entry.text is not None:
            log.console += 1
        else:
            _take(log, sorter, entry.line, entry.event)
    if log.damaged > SHOWN:
        _lose(log, "damaged", f"{log.damaged - SHOWN} more lines are damaged.")
    sorter.finish()
    return log


def _lose(log, kind, text, **keys):
    log.losses.append({"kind": kind, "text": text, **keys})


def _take(log, sorter, line, event):
    host = event.get("host")
    if host == "text":
        log.console += 1
    elif host == "damaged":
        log.damaged += 1
        if log.damaged <= SHOWN:
            why = f"Line {line}: a frame came damaged from the board: {event.get('why')}."
            _lose(log, "damaged", why, line=line, source=str(event.get("line"))[:200])
    elif host in ("log", "continue"):
        number = event.get("format")
        if isinstance(number, int) and number > FORMAT:
            text = f"Line {line}: the log has format {number}, this program knows up to {FORMAT}."
            _lose(log, "newer", text, line=line, format=number)
    elif host in ("lost", "back"):
        sorter.passing(line, event, event)
    elif event.get("t") == "hello":
        sorter.hello(line, event)
    elif "n" in event:
        why = misshapen(event)
        if why:
            log.damaged += 1
            _lose(log, "damaged", f"Line {line}: {why}.", line=line, source=str(event)[:200])
        else:
            sorter.durable(line, event)
    elif isinstance(event.get("t"), str) and event["t"] not in BULK:
        sorter.passing(line, event)


def misshapen(event):
    """Why a durable event cannot be believed, or None."""
    kind, n = event.get("t"), event["n"]
    if not isinstance(n, int) or isinstance(n, bool) or n < 1:
        return "an event's number is no number"
    if not isinstance(kind, str):
        return "an event has no kind"
    for key, shape in SHAPES.get(kind, {}).items():
        value = event.get(key)
        if not isinstance(value, shape) or isinstance(value, bool):
            return f"a {kind} has no proper {key}"
    return None


class _Sorter:
    """Puts events in the order of their journals, whatever order a capture has them in.

    A passing event belongs behind the newest durable one before it. When a number comes again with another
    content, the journal had lost its end: a new generation begins.
    """

    def __init__(self, log):
        self.log = log
        self.items = []  # (journal, generation, n, order, Item)
        self.journals = {}
        self.jid = None
        self.journal = 0
        self.after = None  # number of the durable event before this line, since the hello
        self.generation = 0
        self.newest = 0
        self.seen = {}  # (journal, generation) -> {n: content}
        self.heard = set()  # what passing events said, to know those of a log that is here twice
        self.promised = {}  # (journal, generation) -> the last number that a hello named

    def hello(self, line, event):
        jid = event.get("jid")
        if jid != self.jid and isinstance(jid, str):
            if self.jid is None:
                self.journals[jid] = self.journal
            elif jid not in self.journals:
                self.journals[jid] = len(self.journals)
            self.jid, self.journal = jid, self.journals[jid]
            self.generation = max((g for j, g in self.seen if j == self.journal), default=0)
            self.newest = max(self.seen.get((self.journal, self.generation), ()), default=0)
        last = event.get("last")
        if isinstance(last, int) and not isinstance(last, bool):
            self.promised[self.journal, self.generation] = last
        if not any(same_board(event, hello) for hello in self.log.hellos):
            self.log.hellos.append(event)
        self.after = None
        self.passing(line, event)

    def durable(self, line, event):
        n = event["n"]
        self.after = n
        content = {key: value for key, value in event.items() if key != "h"}
        seen = self.seen.setdefault((self.journal, self.generation), {})
        if n in seen:
            old = seen[n]
            if old == content:
                self.log.duplicates += 1
                return
            text = f"Line {line}: number {n} came again with another content; the board had lost its end."
            _lose(self.log, "conflict", text, line=line, n=n)
            self.generation += 1
            seen = self.seen.setdefault((self.journal, self.generation), {})
        seen[n] = content
        self.newest = max(seen) if len(seen) == 1 else max(self.newest, n)
        self._put(n, line, event)

    def passing(self, line, event, content=None):
        """An event without a number. The same at the same place and time of the board is one that came again."""
        if content is None:
            content = {key: value for key, value in event.items() if key != "h"}
        if "at" in content or "h" in content:
            mark = hash((self.journal, self.after, json.dumps(content, sort_keys=True)))
            if mark in self.heard:
                self.log.duplicates += 1
                return
            self.heard.add(mark)
        self._put(self.newest, line, event)

    def _put(self, n, line, event):
        self.items.append((self.journal, self.generation, n, len(self.items), Item(line, event)))

    def finish(self):
        """Sort, and name the numbers that are missing."""
        self.items.sort(key=lambda item: item[:4])
        self.log.events = events = []
        for place, items in itertools.groupby(self.items, key=lambda item: item[:2]):
            expected = None
            if place[1] == 0 and events:
                events.append(Item(None, {"host": "journal"}))  # another board, or one that was erased
            for _, _, n, _, item in items:
                if "n" in item.event:
                    if expected is not None and n > expected:
                        events.append(self._missing(expected, n - 1, item.line))
                    expected = n + 1
                events.append(item)
            if expected is not None and self.promised.get(place, 0) >= expected:
                events.append(self._missing(expected, self.promised[place], None))

    def _missing(self, first, last, line):
        which = (
            f"Number {first} of the journal is"
            if first == last
            else f"Numbers {first} to {last} of the journal are"
        )
        _lose(self.log, "missing", which + " missing.", **{"from": first, "to": last})
        return Item(line, {"host": "missing", "from": first, "to": last})


def same_board(one, other):
    return all(one.get(key) == other.get(key) for key in ("board", "serial", "jid", "fw", "hash"))
