"""Code where it lies: what never changes in a module is used in the flash that holds its file, and its copy in the
heap is given up.

MicroPython 1.23 copies bytecode, viper's machine code and long strings into the heap: two fifths of what a module
costs there. But the bytes are those of the file, nothing in them is changed by loading, the flash is in the address
space, and littlefs never moves a block of a file that is not written. So once a module is loaded its functions and
strings are pointed at the flash, and the next collection takes the copies back.

    code = Code(where the file system begins)
    code.note(file, size, blocks)       of each module that is loaded
    code.move()                         at any time after that, and
    code.forget()                       when the modules are loaded

Whatever does not fit leaves the copy in use. An object is moved only when every byte in the flash is the one in the
heap, and while it does not run: a frame, on the stack or in the heap, begins with its function and a pointer into
the bytecode. (Machine code has no such frame: none that is noted may load modules.) The build puts the places of
these bytes behind each module (host: flash/mpy.py).
"""

from array import array

import micropython
import uctypes

FLASH = 0x10000000  # read through the cache
RAM = 0x20000000
RAM_END = 0x20040000
STACK_END = 0x20042000
FRAMES = 200  # more than ever are
BLOCK = 4096  # of the file system
MARK = b"LB"  # ends a module that tells its places


class Code:
    """moved: bytes that the heap need not hold any more."""

    def __init__(self, begin):
        self.moved = 0
        self._begin = begin
        self._places = array("I")  # three words each: address in the flash, bytes, the first four bytes

    def note(self, file, size, blocks):
        """Remembers where the parts of a module lie. file: open, of size bytes; blocks: list that gets the numbers
        of the file system's blocks that a read touches.

        A file's block but the first begins with pointers to earlier ones: one more than its number has factors
        of two.
        """
        file.seek(size - 4)
        tail = file.read(4)
        if tail[2:] != MARK:
            return
        count = tail[0] | tail[1] << 8
        file.seek(size - 4 - 4 * count)
        places = file.read(4 * count)
        found = array("I", bytes(12 * count))
        start = number = known = 0
        while start < size:
            pointers = 4 if number else 0
            while number and not number >> (pointers // 4 - 1) & 1:
                pointers += 4
            end = min(size, start + BLOCK - pointers)
            file.seek(start)
            first = file.read(16)
            for block in blocks:
                address = self._begin + BLOCK * block + pointers
                if uctypes.bytes_at(address, 16) == first:
                    job = array("I", (count, start, end, address - start))
                    known = _fill(places, job, found, known)
                    break
            start = end
            number += 1
        self._places.extend(found[: 3 * known])

    def move(self):
        """Points the objects of the modules that were noted at the flash, as far as they exist."""
        places = self._places
        if not places:
            return
        types = array("I", [id(type(kind)) for kind in (_plain, _steps, _copy, "", b"")])
        running = array("I", bytes(4 * FRAMES))
        frames = uctypes.addressof(running)
        kinds = array("I", (types[0], types[1], frames + 4 * FRAMES))
        frames = _frames(_stack(), STACK_END, frames, kinds)
        frames = _frames(RAM, RAM_END, frames, kinds)
        running = set(running)
        if frames == kinds[2] or id(Code.move) + 1 not in running:  # then frames look otherwise in this MicroPython
            return
        start = uctypes.addressof(places)
        end = start + 4 * len(places)
        last = start
        at = RAM
        while True:
            at = _next(at, RAM_END, types)
            if at == RAM_END:
                break
            copy = _copy(at)
            place = 0
            if copy:
                size = _size(at, types)
                place = _find(last, end, copy, size) or _find(start, last, copy, size)
            if place and at + 1 not in running:
                last = place + 12
                self.moved += _point(at, place)
            at += 16
        self._places = places[: 3 * _rest(places, len(places) // 3)]

    def forget(self):
        """Forgets what was not moved."""
        self._places = array("I")


def _plain():
    pass


def _steps():
    yield


@micropython.viper
def _fill(places: ptr16, job: ptr32, found: ptr32, known: int) -> int:
    # places: offset and size of each part; job: their number, first and end of the data that lie in one block
    # of the flash, the address that offset 0 would have there
    for i in range(job[0]):
        offset = places[2 * i]
        size = places[2 * i + 1]
        if offset >= job[1] and offset + size <= job[2] and size >= 4:
            address = job[3] + offset
            byte = ptr8(address)
            found[3 * known] = address
            found[3 * known + 1] = size
            found[3 * known + 2] = byte[0] | byte[1] << 8 | byte[2] << 16 | byte[3] << 24
            known += 1
    return known


@micropython.asm_thumb
def _stack():
    # The last word on the stack.
    mov(r0, sp)


@micropython.asm_thumb
def _frames(r0, r1, r2, r3):
    # Of the frames between r0 and r1: the functions, each plus 1 lest this list look like frames, put from r2 on;
    # gives where they end. What looks like a frame counts: the address of an object of one of the two types at r3,
    # then one up to 4096 bytes behind its bytecode's. The third word at r3 is where the room ends.
    label(LOOP)
    ldr(r4, [r0, 0])
    lsr(r5, r4, 18)
    mov(r6, 8)
    lsl(r6, r6, 8)
    cmp(r5, r6)
    bne(NEXT)
    lsl(r5, r4, 28)
    bne(NEXT)
    ldr(r5, [r4, 0])
    ldr(r6, [r3, 0])
    cmp(r5, r6)
    beq(FUNCTION)
    ldr(r6, [r3, 4])
    cmp(r5, r6)
    bne(NEXT)
    label(FUNCTION)
    ldr(r5, [r4, 12])
    ldr(r6, [r0, 4])
    sub(r6, r6, r5)
    beq(NEXT)
    lsr(r6, r6, 12)
    bne(NEXT)
    add(r4, 1)
    str(r4, [r2, 0])
    add(r2, 4)
    ldr(r6, [r3, 8])
    cmp(r2, r6)
    beq(OUT)
    label(NEXT)
    add(r0, 4)
    cmp(r0, r1)
    bne(LOOP)
    label(OUT)
    mov(r0, r2)


@micropython.asm_thumb
def _next(r0, r1, r2):
    # The first object from r0 on that is of one of the five types at r2; r1 when there is none before it.
    ldr(r3, [r2, 0])
    ldr(r4, [r2, 4])
    ldr(r5, [r2, 8])
    ldr(r6, [r2, 12])
    ldr(r7, [r2, 16])
    label(LOOP)
    cmp(r0, r1)
    beq(OUT)
    ldr(r2, [r0, 0])
    cmp(r2, r3)
    beq(OUT)
    cmp(r2, r4)
    beq(OUT)
    cmp(r2, r5)
    beq(OUT)
    cmp(r2, r6)
    beq(OUT)
    cmp(r2, r7)
    beq(OUT)
    add(r0, 16)
    b(LOOP)
    label(OUT)


@micropython.viper
def _copy(thing: int) -> int:
    # A function is four words: type, globals, nested functions, code; a string: type, hash, length, bytes. The
    # address of code or bytes, or 0 when they do not lie in the heap.
    copy = ptr32(thing)[3]
    if copy & 15 or copy < 0x20000000 or copy >= 0x20040000:
        return 0
    return copy


@micropython.viper
def _size(thing: int, types: ptr32) -> int:
    # A string's length. 0: a function does not tell.
    kind = ptr32(thing)[0]
    if kind == types[3] or kind == types[4]:
        return ptr32(thing)[2]
    return 0


@micropython.asm_thumb
def _find(r0, r1, r2, r3):
    # The first place from r0 on, before r1, whose bytes are those at r2 and as many as r3, unless that is 0; 0 when
    # there is none.
    ldr(r7, [r2, 0])
    label(LOOP)
    cmp(r0, r1)
    bcs(NONE)
    ldr(r4, [r0, 8])
    cmp(r4, r7)
    bne(NEXT)
    ldr(r6, [r0, 4])
    cmp(r6, 0)  # moved already
    beq(NEXT)
    cmp(r3, 0)
    beq(ANY)
    cmp(r3, r6)
    bne(NEXT)
    label(ANY)
    ldr(r5, [r0, 0])
    add(r6, r6, r5)
    mov(r4, r2)
    label(BYTE)
    push({r6, r7})
    ldrb(r6, [r5, 0])
    ldrb(r7, [r4, 0])
    cmp(r6, r7)
    pop({r6, r7})
    bne(NEXT)
    add(r5, 1)
    add(r4, 1)
    cmp(r5, r6)
    bne(BYTE)
    b(OUT)
    label(NEXT)
    add(r0, 12)
    b(LOOP)
    label(NONE)
    mov(r0, 0)
    label(OUT)


@micropython.viper
def _point(thing: int, place: ptr32) -> int:
    # Points the object at its place in the flash. The bytes that this frees.
    size = place[1]
    ptr32(thing)[3] = place[0]
    place[1] = 0
    place[2] = 0
    return size


@micropython.viper
def _rest(places: ptr32, count: int) -> int:
    # Moves the places that are left to the front; their number.
    rest = 0
    for i in range(count):
        if places[3 * i + 1]:
            places[3 * rest] = places[3 * i]
            places[3 * rest + 1] = places[3 * i + 1]
            places[3 * rest + 2] = places[3 * i + 2]
            rest += 1
    return rest
