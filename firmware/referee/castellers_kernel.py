"""The inner loop of castellers_stacks.py in viper. castellers_twin.py is the same in plain Python: read it there.

Whole words are never negative here: a 64-bit computer's viper reads no sign with them.
"""

import micropython
from micropython import const

_PART = const(31)
_LIFTED_PART = const(51)
_SHIFT = const(256)
_SHIFT_NEXT = const(31)
_WIDE_COUNTS = const(18)
_WIDE = const(256)
_MOST = const(4000)
_BUMPED = const(11 * 128)
_REACH = const(2)
_SIDE = const(_REACH + 1)


@micropython.viper
def weigh(at: int, d: int, v: int, rest) -> int:
    state = ptr8(rest[0])
    states = ptr8(rest[1])
    total = ptr32(rest[2])
    before = ptr32(rest[3])
    gains = ptr16(rest[4])
    table = ptr16(rest[5])
    near = ptr16(rest[6])
    changed = ptr32(rest[7])
    job = ptr32(rest[8])
    width = job[0]
    height = job[1]
    x0 = job[2]
    y0 = job[3]
    gain = 0
    chi = 0
    y = y0 - _REACH
    if y < 0:
        y = 0
    while y < height and y <= y0 + _REACH:
        x = x0 - _REACH
        if x < 0:
            x = 0
        while x < width and x <= x0 + _REACH:
            at = y * width + x
            after = total[at]
            was = before[at]
            pole = int(state[at])
            if pole == int(states[at]) and after > 1500 and after < job[7]:
                d = after - was
                v = job[6]
                if pole:
                    v += _SHIFT * _SHIFT
                if x > 0 and state[at - 1]:
                    v += _SHIFT_NEXT * _SHIFT_NEXT
                if x < width - 1 and state[at + 1]:
                    v += _SHIFT_NEXT * _SHIFT_NEXT
                if y > 0 and state[at - width]:
                    v += _SHIFT_NEXT * _SHIFT_NEXT
                if y < height - 1 and state[at + width]:
                    v += _SHIFT_NEXT * _SHIFT_NEXT
                i = 0
                while i < job[10]:
                    dx = x - changed[i]
                    if dx < 0:
                        dx = 0 - dx
                    dy = y - changed[i + 1]
                    if dy < 0:
                        dy = 0 - dy
                    if dx < job[9] and dy < job[9]:
                        field = int(near[dy * job[9] + dx])
                        if field & 0x8000:
                            field -= 0x10000
                        field *= changed[i + 2] - 2
                        d -= field
                        field = ((field * job[8] >> 8) * _LIFTED_PART) >> 8
                        v += field * field
                    i += 3
                d = ((d * job[8] >> 8) * int(gains[at])) >> 8
                if d > _MOST:
                    d = _MOST
                elif d < 0 - _MOST:
                    d = 0 - _MOST
                code = ((after >> 5) & 1023) - 512
                if code < _WIDE_COUNTS and code > 0 - _WIDE_COUNTS:
                    v += _WIDE * _WIDE
                else:
                    code = ((was >> 5) & 1023) - 512
                    if code < _WIDE_COUNTS and code > 0 - _WIDE_COUNTS:
                        v += _WIDE * _WIDE
                dx = x - x0
                if dx < 0:
                    dx = 0 - dx
                dy = y - y0
                if dy < 0:
                    dy = 0 - dy
                grown = int(table[job[5] + dy * _SIDE + dx])
                if grown & 0x8000:
                    grown -= 0x10000
                if job[4]:
                    grown = 0 - grown
                part = (grown * _PART) >> 8
                part *= part
                this = (d - grown) * (d - grown) * 64 // (v + part)
                chi += this - 64
                wider = part * 64 // v
                speaks = d * d * 64 // v - this - wider + ((wider * wider) >> 7)
                if pole:
                    if speaks > _BUMPED:
                        speaks = _BUMPED
                    elif speaks < 0 - _BUMPED:
                        speaks = 0 - _BUMPED
                gain += speaks
            x += 1
        y += 1
    job[11] = chi
    return gain
