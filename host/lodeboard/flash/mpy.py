"""Where the parts of a compiled module (.mpy, version 6 of MicroPython's format) lie that never change.

    parts(data)          [(kind, offset, length), ...] in bytes from the start of the file: bytecode, viper's machine
                         code, strings and bytes; kind of code, or None
    with_footer(data)    the module with these places behind it, as firmware/hal/in_place.py reads them

Source of the format: MicroPython 1.23, docs/reference/mpyfiles.rst and py/persistentcode.c.
"""

import struct

VERSION = 6
FOOTER_MARK = b"LB"
_HEADER = 4  # "M", version, flags and architecture, bits of a small int
_BYTECODE, _NATIVE_PY, _NATIVE_VIPER, _NATIVE_ASM = 0, 1, 2, 3
_NO_DATA = (0, 1, 2, 3, 4)  # fun_table, None, False, True, Ellipsis
_STRINGS = (5, 6)  # str and bytes: with a null at the end
_TUPLE = 10
_BLOCK = 4096  # of the file system
_LEAST = 4  # bytes: what is shorter is not worth its place
_MOST = _BLOCK - 4  # what is longer fits no block but a file's first
_REACH = 1 << 16  # offsets are so short


def parts(data):
    """The places in the order of the file. ValueError when this is no module of that version."""
    if data[:2] != b"M" + bytes([VERSION]):
        raise ValueError(f"a module of MicroPython's format {VERSION} begins otherwise")
    reader = _Reader(data)
    names, constants = reader.number(), reader.number()
    for _ in range(names):
        length = reader.number()
        if not length & 1:  # otherwise one of MicroPython's own names, by number
            reader.skip((length >> 1) + 1)
    for _ in range(constants):
        reader.constant()
    reader.code()
    return reader.places


def with_footer(data, machine_code=True):
    """The module, then each part's offset and length, their number (16 bits each, lowest first), and a mark.

    MicroPython's loader stops at the module's end and never sees all this. Machine code (machine_code=False leaves it
    out) is repeated behind the module where the file's offset divides by 4, and so is what would lie in two blocks
    of the file system.
    """
    data = bytearray(data)
    places = []
    for kind, offset, length in parts(bytes(data)):
        if not _LEAST <= length <= _MOST or kind == _NATIVE_VIPER and not machine_code:
            continue  # it stays in the heap
        if kind == _NATIVE_VIPER and offset % 4 or _split(offset, length):
            part = data[offset : offset + length]
            data += bytes(-len(data) % 4)
            while _split(len(data), length):
                data += bytes(4)
            offset = len(data)
            data += part
        if offset + length < _REACH:
            places.append((offset, length))
    words = [word for place in places for word in place] + [len(places)]
    return bytes(data) + struct.pack(f"<{len(words)}H", *words) + FOOTER_MARK


def _split(offset, length):
    """Whether a part lies in two blocks of the flash. A block but the first begins with pointers to earlier ones,
    one more than its number has factors of two (littlefs' SPEC.md, "CTZ skip-lists").
    """
    start, number = 0, 0
    while True:
        pointers = 4 * (number & -number).bit_length() if number else 0
        end = start + _BLOCK - pointers
        if offset < end:
            return offset + length > end
        start, number = end, number + 1


class _Reader:
    """places: [(kind of code or None, offset, length), ...] of what was read."""

    def __init__(self, data):
        self._data = data
        self._at = _HEADER
        self.places = []

    def number(self):
        """Seven bits a byte, the highest first."""
        value = 0
        while True:
            if self._at >= len(self._data):
                raise ValueError("the module is cut off")
            byte = self._data[self._at]
            self._at += 1
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value

    def skip(self, count):
        self._at += count

    def constant(self):
        kind = self.number()
        if kind in _NO_DATA:
            return
        count = self.number()
        if kind == _TUPLE:
            for _ in range(count):
                self.constant()
            return
        if kind in _STRINGS:
            self.places.append((None, self._at, count))
            count += 1
        self.skip(count)

    def code(self):
        """One function, and those that it holds."""
        kind_and_length = self.number()
        kind, nested, length = kind_and_length & 3, kind_and_length & 4, kind_and_length >> 3
        if kind in (_BYTECODE, _NATIVE_VIPER):
            self.places.append((kind, self._at, length))
        self.skip(length)
        if kind == _NATIVE_PY:
            self.number()  # where its prelude lies
        elif kind != _BYTECODE:
            self.number()  # scope flags
            if kind == _NATIVE_ASM:
                self.number()  # arguments
                self.number()  # types
        if nested:
            for _ in range(self.number()):
                self.code()
