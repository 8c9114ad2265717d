"""Reading logs: our own NDJSON, and serial captures as any terminal program saves them.

    for entry in entries(open(path, "rb")):
        entry.line, entry.event, entry.text, entry.bad

The input is bytes and is never trusted. Frames are found anywhere in a line, behind time stamps and between
console text; a frame that was wrapped, split, stamped in the middle or torn apart by a traceback is put
together again when the check of a candidate fits. Memory does not grow with the file.
"""

import binascii
import codecs
import json
import re
from collections import deque, namedtuple

from ..firmware.wire import BAD, MAX_FRAME, decode

# line: number in the file, from 1; exactly one of event (dict), text (str), bad (why, str) is set;
# source: the damaged text with `bad`, else ""
Entry = namedtuple("Entry", "line event text bad source", defaults=(None, None, None, ""))

WINDOW = 12  # lines in which the rest of a broken frame is looked for
PIECE_MAX = 2048  # bytes of a line that may belong to a broken frame
LINE_MAX = 1 << 16  # bytes: more without a line end is cut there

END = re.compile(rb"\} [0-9A-Fa-f]{4}")
TAIL = re.compile(rb"[0-9A-Fa-f]\s*$")
ESCAPES = re.compile(rb"\x1b(\[[0-9;?]*[ -/]*[@-~]|[@-Z\\-_])")
# A time stamp of minicom, tio, grabserial, Tera Term, the Arduino IDE, ts(1) and their like.
STAMP = re.compile(
    rb"\[[0-9][0-9 :.,/TZ+-]{2,32}\] ?"
    rb"|(?:[A-Z][a-z]{2} [ 0-9]\d |\d{4}-\d\d-\d\d[T ])?\d\d?:\d\d:\d\d(?:[.,]\d+)?Z?(?: ?(?:->|[|>:]))? ?"
)
LOG_KEYS = ("t", "host", "re", "c")


def entries(file):
    """Yield the Entries of a binary file, in order; a mended frame stands where its first piece stood."""
    waiting = deque()  # entries, and Fragments that wait for their rest; a Fragment is first, or it is empty
    for number, line in lines(file):
        found, rest = whole(line)
        waiting.extend(Entry(number, event=event) for event in found)
        if rest is not None:
            item = _mend(waiting, number, rest)
            if item is not None:
                waiting.append(item)
        yield from _ripe(waiting, number - WINDOW)
    yield from _ripe(waiting, None)


def _ripe(waiting, before):
    """Yield what waits no longer: up to the first Fragment that is not older than line `before`."""
    while waiting:
        item = waiting[0]
        if isinstance(item, Fragment):
            if before is not None and item.line > before:
                return
            item = item.given_up()
        elif isinstance(item, Loose):
            item = item.given_up()
        waiting.popleft()
        yield item


def lines(file, size=1 << 16):
    """Yield (number, line without its end) of a binary file. LF, CR LF and CR end a line; UTF-16 is known."""
    first = file.read(size)
    decoder = _utf16(first)
    number = 0
    rest = b""
    chunk = first
    while chunk:
        if decoder is not None:
            chunk = decoder.decode(chunk).encode("utf-8", "replace")
        elif number == 0 and not rest and chunk.startswith(codecs.BOM_UTF8):
            chunk = chunk[3:]
        rest += chunk
        held = b""
        if rest.endswith(b"\r"):  # an LF may follow in the next chunk
            rest, held = rest[:-1], rest[-1:]
        *done, rest = re.split(rb"\r*\n|\r", rest)
        rest += held
        for line in done:
            number += 1
            yield number, line
        while len(rest) > LINE_MAX:
            number += 1
            yield number, rest[:LINE_MAX]
            rest = rest[LINE_MAX:]
        chunk = file.read(size)
    if rest.strip(b"\r"):
        yield number + 1, rest.strip(b"\r")


def _utf16(first):
    """A decoder when the file is UTF-16 (a redirection in PowerShell), else None."""
    head = first[:400]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return codecs.getincrementaldecoder("utf-16")("replace")
    if len(head) >= 8 and head[1::2].count(0) > len(head) * 0.4 and not head[0::2].count(0):
        return codecs.getincrementaldecoder("utf-16-le")("replace")
    return None


def whole(line):
    """(events that stand complete in a line, what is left of it or None)."""
    if b"\0" in line or b"\x1b" in line:
        line = ESCAPES.sub(b"", line).replace(b"\0", b"")
    stripped = line.strip()
    if stripped.startswith(b"{"):
        event = logged(stripped)
        if event is not None:
            return [event], None
    found = []
    if b"@{" not in line and b'{"' in line and END.search(line):
        mended = line.replace(b'{"', b'@{"', 1)  # a split, or a cut, may have taken the "@" away
        if _frame_at(mended, mended.find(b"@{")):
            line = mended
    at = line.rfind(b"@{")
    while at >= 0:
        frame = _frame_at(line, at)
        if frame is not None:
            event, end = frame
            found.insert(0, event)
            line = line[:at] + line[end:]
        at = line.rfind(b"@{", 0, at)
    if not line.strip() or (found and b"@{" not in line and not END.search(line) and _pattern(line)):
        return found, None  # nothing, or what a terminal program put in front
    return found, line


def _frame_at(line, at):
    """(event, end) of the valid frame that starts at an offset of line, or None."""
    for end in END.finditer(line, at, at + MAX_FRAME):
        event = checked(line[at : end.end()])
        if event is not None:
            return event, end.end()
    return None


def checked(frame):
    """The object of a frame whose check fits, else None. binascii's CRC is the wire's, in C."""
    if frame[-5:-4] != b" " or len(frame) >= MAX_FRAME:
        return None
    try:
        if binascii.crc_hqx(frame[1:-5], 0xFFFF) != int(frame[-4:], 16):
            return None
        value = json.loads(frame[1:-5])
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def logged(line):
    """The event of a line of our own log, else None."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and any(key in value for key in LOG_KEYS) else None


# Broken frames


class Loose:
    """A line of console text that may turn out to be a piece of a frame."""

    def __init__(self, line, data):
        self.line = line
        self.data = data

    def given_up(self):
        text = self.data.decode("utf-8", "replace")
        headless = self.line == 1 and text.rstrip().endswith("}")  # a log that was cut at its beginning
        if headless or END.search(self.data.rstrip()[-6:]):
            return Entry(self.line, bad="its beginning is missing", source=text)
        return Entry(self.line, text=text)


class Fragment:
    """A line with the beginning of a frame (or of a line of our log) that is not complete in it.

    piece: bytes from the beginning on; stamp: a pattern like what stood before it in its line, or None.
    """

    def __init__(self, line, data):
        self.line = line
        self.data = data
        at = data.find(b"@{")
        self.framed = at >= 0
        self.piece = data[max(at, 0) :].lstrip() if not self.framed else data[at:]
        self.stamp = _pattern(data[:at]) if at > 0 else None
        self.read = checked if self.framed else logged

    def given_up(self):
        source = self.data.decode("utf-8", "replace")
        if not self.framed:
            return Entry(self.line, bad="not JSON", source=source)
        kind, why = decode(self.piece.rstrip())
        return Entry(self.line, bad=why if kind == BAD else "cannot be read", source=source)

    def alone(self):
        """The event when a time stamp in the middle is all that is wrong."""
        return self.read(STAMP.sub(b"", self.piece).rstrip()) if self.framed else None

    def joined(self, rest):
        """The event that piece and the lines `rest` give, or None."""
        for strip in (self.stamp, STAMP, None):
            parts = [part if strip is None else _without(strip, part) for part in rest]
            for gap in (b"", b" "):
                event = self.read(self.piece + gap + gap.join(parts).rstrip())
                if event is not None:
                    return event
        if self.framed and len(rest) == 1 and TAIL.search(rest[0]):
            return self._torn(rest[0])
        return None

    def _torn(self, last):
        """The frame when text was printed into it: its beginning ends somewhere in piece, last is its end."""
        for strip in (None, self.stamp, STAMP):
            tail = (last if strip is None else _without(strip, last)).rstrip()
            for cut in range(len(self.piece) - 1, 1, -1):
                event = checked(self.piece[:cut] + tail)
                if event is not None:
                    return event
        return None


def _pattern(prefix):
    """A pattern that other lines' prefixes match when they differ in digits and letters only, or None."""
    if not re.search(rb"\d", prefix) or len(prefix) > 60:
        return None
    parts = re.split(rb"(\d+|[A-Za-z]+)", prefix)
    return re.compile(
        b"".join(
            rb"\d+" if part[:1].isdigit() else rb"[A-Za-z]+" if part[:1].isalpha() else re.escape(part)
            for part in parts
        )
    )


def _without(stamp, line):
    match = stamp.match(line)
    return line[match.end() :] if match else line


def _mend(waiting, number, rest):
    """Try the rest of a line on the Fragments that wait; the item to append, or None when it was used."""
    if len(rest) > PIECE_MAX:
        source = rest[:PIECE_MAX].decode("utf-8", "replace")
        return (
            Entry(number, bad="longer than a frame", source=source)
            if b"@{" in rest
            else Entry(number, text=source)
        )
    begins = _without(STAMP, rest).startswith(b"@{")  # then it is the rest of nothing
    for at in range(-1 if begins else len(waiting) - 1, -1, -1):
        fragment = waiting[at]
        if not isinstance(fragment, Fragment):
            continue
        between = [item for item in list(waiting)[at + 1 :] if isinstance(item, (Loose, Fragment))]
        for used in (between, []):
            event = fragment.joined([item.data for item in used] + [rest])
            if event is not None:
                waiting[at] = Entry(fragment.line, event=event)
                for item in used:
                    waiting.remove(item)
                return None
    if b"@{" in rest or rest.lstrip().startswith(b'{"'):
        item = Fragment(number, rest)
        event = item.alone()
        return item if event is None else Entry(number, event=event)
    return Loose(number, rest)
