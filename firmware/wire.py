"""Frames of the wire, version 1 (docs/protocol.md). Pure; the host imports this same file.

    frame = encode({"t": "move", "n": 17})      b'@{"t":"move","n":17} 5A3F\\n'
    kind, value = decode(line)

A line is one of three things: a FRAME (value: the object), TEXT (value: the line; console output, kept
and never parsed) or BAD (value: why; the line began like a frame and is not one).
"""

import json
from array import array

try:
    from .kernels import crc_bytes
except (ImportError, SyntaxError):  # no native code here
    from .twins import crc_bytes

VERSION = 1
MAX_FRAME = 512  # bytes, from "@" to the newline; a reader may refuse more
ENTRY = 400  # bytes of one entry of an owner's rules, so that it fits a frame of its own
ENTRIES = 12  # at most so many

FRAME = 0
TEXT = 1
BAD = 2

_TABLE = array("H", [0] * 16)  # CRC of each high nibble: 32 bytes of the chip; 256 entries would be 512
for _n in range(16):
    _c = _n << 12
    for _ in range(4):
        _c = ((_c << 1) ^ 0x1021) & 0xFFFF if _c & 0x8000 else (_c << 1) & 0xFFFF
    _TABLE[_n] = _c


def crc16(data):
    """CRC-16/CCITT-FALSE (polynomial 1021, start FFFF) of bytes; b"123456789" gives 29B1."""
    return crc_bytes(0, 0, 0, (data, _TABLE, len(data)))


def encode(value):
    """The frame of a JSON object, as bytes with the newline. ValueError when it exceeds MAX_FRAME."""
    body = json.dumps(value, separators=(",", ":")).encode()
    frame = b"@" + body + b" %04X\n" % crc16(body)
    if len(frame) > MAX_FRAME:
        raise ValueError("frame of %d bytes" % len(frame))
    return frame


def decode(line):
    """(FRAME, object) or (TEXT, bytes) or (BAD, reason) of one line, with or without its line end."""
    line = line.rstrip(b"\r\n")
    if not line.startswith(b"@{"):
        return TEXT, line
    if len(line) >= MAX_FRAME:
        return BAD, "longer than %d bytes" % MAX_FRAME
    if len(line) < 8 or line[-5:-4] != b" ":
        return BAD, "no check at the end"
    body = line[1:-5]
    try:
        check = int(line[-4:], 16)
    except ValueError:
        return BAD, "no check at the end"
    if check != crc16(body):
        return BAD, "check says %04X, the bytes give %04X" % (check, crc16(body))
    try:
        value = json.loads(body.decode())
    except ValueError:
        return BAD, "not JSON"
    if not isinstance(value, dict):
        return BAD, "not an object"
    return FRAME, value


def split(event, room=MAX_FRAME - 60):
    """The events that tell a setup: itself, or where its option `rules` is too long for a frame, a note for
    each entry of the rules and then the setup, whose rules say how many notes go before it.
    """
    rules = event["opt"].get("rules")
    if not isinstance(rules, dict) or len(json.dumps(event)) <= room:
        return [event]
    notes = [{"t": "note", "what": "rules", "k": key, "v": rules[key]} for key in sorted(rules)]
    opt = dict(event["opt"])
    opt["rules"] = {"entries": len(notes)}
    event = dict(event)
    event["opt"] = opt
    return notes + [event]


def join(setup, notes):
    """The setup with its rules whole; notes: the `rules` notes that went before it, oldest first."""
    rules = setup["opt"].get("rules") if isinstance(setup["opt"], dict) else None
    count = rules.get("entries") if isinstance(rules, dict) else None
    if not isinstance(count, int) or not 0 < count <= len(notes):
        return setup
    setup = dict(setup)
    setup["opt"] = dict(setup["opt"])
    setup["opt"]["rules"] = {note.get("k"): note.get("v") for note in notes[-count:]}
    return setup
