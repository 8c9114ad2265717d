"""Makes a saved board file the same to the byte every time.

KiCad gives each item a random stamp and writes items in the order of the stamps. Here the items of the file
are put in the order of their text without stamps, and each gets a stamp counted from there.
"""

import re
import uuid
from pathlib import Path

_STAMP = re.compile(r"\(tstamp [0-9a-f-]+\)")
_SPACE = uuid.UUID("5f1d2c04-6f2a-4f0e-9a51-10deb0a4d000")
#: items whose order is KiCad's own choice; everything else in the file stays where it is
_LOOSE = (
    "footprint",
    "gr_",
    "segment",
    "via",
    "arc",
    "zone",
    "pad",
    "fp_line",
    "fp_circle",
    "fp_poly",
    "fp_arc",
    "fp_text",
)


def _blocks(lines, indent):
    """Splits lines into items that begin at `indent` spaces."""
    head = " " * indent + "("
    blocks = []
    for line in lines:
        if line.startswith(head) or not blocks:
            blocks.append([line])
        else:
            blocks[-1].append(line)
    return blocks


def _kind(block, indent):
    return block[0][indent + 1 :]


def _plain(block):
    return _STAMP.sub("", "\n".join(block))


def _sort(blocks, indent):
    """Loose items in the order of their text, after the fixed ones."""
    fixed = [b for b in blocks if not _kind(b, indent).startswith(_LOOSE)]
    loose = sorted((b for b in blocks if _kind(b, indent).startswith(_LOOSE)), key=_plain)
    return fixed + loose


def settle(path):
    """Rewrites the board file at `path` in its settled order with counted stamps."""
    path = Path(path)
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    head, body, tail = lines[:1], lines[1:-1], lines[-1:]
    out = []
    for block in _sort([_inner(b) for b in _blocks(body, 2)], 2):
        out += block
    count = 0

    def stamp(_):
        nonlocal count
        count += 1
        return f"(tstamp {uuid.uuid5(_SPACE, f'{path.stem} {count}')})"

    text = _STAMP.sub(stamp, "\n".join(head + out + tail) + "\n")
    path.write_text(text, encoding="utf-8")


def _inner(block):
    """An item with its own loose items settled; the closing bracket stays last."""
    if not _kind(block, 2).startswith("footprint"):
        return block
    inner = _sort(_blocks(block[1:-1], 4), 4)
    return block[:1] + [line for b in inner for line in b] + block[-1:]
