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
