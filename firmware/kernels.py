"""The inner loops of squares.py, lights.py and wire.py in viper. twins.py has the same loops in plain
Python: read
them there.

A viper function takes at most four arguments, so numbers travel in `job`, an array('i'), and buffers in a
tuple. Cells of an array('h') are read as unsigned: the low 16 bits carry the sign themselves where they are
stored.
"""

import micropython


@micropython.viper
def scan(job, buffers) -> int:
    j = ptr32(job)
    size = j[0]
    on = j[1]
    off = j[2]
    scans = j[3]
    reach = j[4]
    readings = ptr16(buffers[0])
    base = ptr32(buffers[1])
    gain = ptr16(buffers[2])
    state = ptr8(buffers[3])
    pending = ptr8(buffers[4])
    residual = ptr16(buffers[5])
    still = ptr16(buffers[6])
    last = ptr16(buffers[7])
    changes = ptr16(buffers[8])
    found = 0
    moved = 0
    noise = 0
    quiet = 0
    i = 0
    while i < size:
        r = readings[i]
        d = r - still[i]
        if d > reach or d < 0 - reach:
            still[i] = r
            moved += 1
        else:
            d = r - last[i]
            if d < 0:
                d = 0 - d
            noise += d
            quiet += 1
        last[i] = r
        d = ((r - (base[i] >> 6)) * gain[i]) >> 8
        residual[i] = d
        s = state[i]
        want = 0
        if d >= on:
            want = 1
        elif d <= 0 - on:
            want = 2
        elif s == 1:
            if d >= off:
                want = 1
        elif s == 2:
            if d <= 0 - off:
                want = 2
        if want == s:
            pending[i] = 0
        else:
            p = pending[i]
            if (p >> 6) == want:
                p += 1
            else:
                p = (want << 6) + 1
            if (p & 63) >= scans:
                pending[i] = 0
                state[i] = want
                changes[found] = (i << 2) + s
                found += 1
            else:
                pending[i] = p
        i += 1
    j[5] = moved
    j[6] = noise
    j[7] = quiet
    return found


@micropython.viper
def spread(job, base_buffer, table_buffer):
    j = ptr32(job)
    width = j[0]
    height = j[1]
    x0 = j[2]
    y0 = j[3]
    sign = j[4]
    base = ptr32(base_buffer)
    table = ptr16(table_buffer)
    at = 0
    y = 0
    while y < height:
        row = (y - y0) * width
        if row < 0:
            row = 0 - row
        x = 0
        while x < width:
            d = x - x0
            if d < 0:
                d = 0 - d
            field = table[row + d]
            if field & 0x8000:
                field -= 0x10000
            base[at] = base[at] + sign * field
            at += 1
            x += 1
        y += 1


@micropython.viper
def accumulate(size: int, readings_buffer, sums_buffer):
    readings = ptr16(readings_buffer)
    sums = ptr32(sums_buffer)
    i = 0
    while i < size:
        sums[i] = sums[i] + readings[i]
        i += 1


@micropython.viper
def tally(size: int, role_buffer, colour_buffer, counts_buffer):
    role = ptr8(role_buffer)
    colour = ptr8(colour_buffer)
    counts = ptr16(counts_buffer)
    i = 0
    while i < 32:
        counts[i] = 0
        i += 1
    i = 0
    while i < size:
        k = role[i]
        if k == 11:
            k = 12 + colour[i]
        k = k & 31
        counts[k] = counts[k] + 1
        i += 1


@micropython.viper
def fill(size: int, role_buffer, colour_buffer, buffers):
    role = ptr8(role_buffer)
    colour = ptr8(colour_buffer)
    shade = ptr8(buffers[0])
    rgb = ptr8(buffers[1])
    at = 0
    i = 0
    while i < size:
        k = role[i]
        if k == 11:
            k = 12 + colour[i]
        k = (k & 31) * 3
        rgb[at] = shade[k]
        rgb[at + 1] = shade[k + 1]
        rgb[at + 2] = shade[k + 2]
        at += 3
        i += 1


@micropython.viper
def crc_bytes(data_buffer, size: int, table_buffer) -> int:
    data = ptr8(data_buffer)
    table = ptr16(table_buffer)
    crc = 0xFFFF
    i = 0
    while i < size:
        byte = data[i]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte & 15)]
        i += 1
    return crc
