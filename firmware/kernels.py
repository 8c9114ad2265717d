"""The inner loops of squares.py, lights.py and wire.py in viper. twins.py has the same loops in plain Python:
read them there.

A viper function takes at most four arguments, so buffers come in a tuple and numbers in a `job`, array('i').
Viper keeps the first three locals in registers, and arguments come first: so each kernel begins with the
three that its loop uses most, and is called with 0 for them. That halves its time. The low 16 bits of a
negative number are what an array('h') holds of it.
"""

import micropython


@micropython.viper
def scan(i: int, pole: int, d: int, rest) -> int:
    readings = ptr16(rest[0])
    job = ptr32(rest[1])
    base = ptr32(rest[2])
    gain = ptr16(rest[3])
    state = ptr8(rest[4])
    pending = ptr8(rest[5])
    residual = ptr16(rest[6])
    still = ptr16(rest[7])
    changes = ptr16(rest[8])
    size = job[0]
    on = job[1]
    off = job[2]
    scans = job[3]
    reach = job[4]
    found = 0
    moved = 0
    fresh = 0
    i = 0
    while i < size:
        pole = readings[i]
        d = pole - still[i]
        if d < 0:
            d = 0 - d
        if d > reach:
            still[i] = pole
            moved += 1
        d = ((pole - (base[i] >> 6)) * gain[i]) >> 8
        residual[i] = d
        pole = 1
        if d < 0:
            pole = 2
            d = 0 - d
        if d < off:
            pole = 0
        elif d < on:
            if pole != state[i]:
                pole = 0
        d = state[i]
        if pole == d:
            pending[i] = 0
        else:
            p = pending[i]
            if (p >> 6) == pole:
                p += 1
            else:
                p = (pole << 6) + 1
            if (p & 63) >= scans:
                pending[i] = 0
                state[i] = pole
                changes[found] = (i << 2) + d
                found += 1
            else:
                pending[i] = p
                if (p & 63) == 1:
                    if pole:
                        fresh += 1
                        changes[size - fresh] = i
        i += 1
    job[5] = moved
    job[6] = fresh
    return found


@micropython.viper
def spread(at: int, near: int, end: int, rest):
    job = ptr32(rest[0])
    width = job[0]
    height = job[1]
    x0 = job[2]
    y0 = job[3]
    sign = job[4]
    at = int(ptr32(rest[1]))
    table = int(ptr32(rest[2]))
    y = 0
    while y < height:
        d = y - y0
        if d < 0:
            d = 0 - d
        end = table + ((d * width) << 2)
        near = end + (x0 << 2)
        while near > end:
            ptr32(at)[0] = ptr32(at)[0] + sign * ptr32(near)[0]
            near -= 4
            at += 4
        end += (width - x0) << 2
        while near < end:
            ptr32(at)[0] = ptr32(at)[0] + sign * ptr32(near)[0]
            near += 4
            at += 4
        y += 1


@micropython.viper
def accumulate(i: int, size: int, spare: int, rest):
    readings = ptr16(rest[0])
    sums = ptr32(rest[1])
    size = int(rest[2])
    i = 0
    while i < size:
        sums[i] = sums[i] + readings[i]
        i += 1


@micropython.viper
def flag_low(i: int, d: int, limit: int, rest) -> int:
    state = ptr8(rest[0])
    residual = ptr16(rest[1])
    low = ptr8(rest[2])
    job = ptr32(rest[3])
    size = job[0]
    found = 0
    i = 0
    while i < size:
        if state[i]:
            d = residual[i]
            if d & 0x8000:
                d = 0x10000 - d
            limit = job[1]
            if low[i]:
                limit = job[2]
            if d < limit:
                low[i] = 1
                found += 1
            else:
                low[i] = 0
        else:
            low[i] = 0
        i += 1
    return found


@micropython.viper
def tally(i: int, k: int, role: ptr8, rest) -> int:
    colour = ptr8(rest[0])
    counts = ptr16(rest[1])
    cost = ptr32(rest[2])
    size = int(rest[3])
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
    k = 0
    i = 0
    while i < 32:
        k += counts[i] * cost[i]
        i += 1
    return k


@micropython.viper
def dim(k: int, i: int, value: int, rest) -> int:
    shade = ptr8(rest[0])
    looks = ptr8(rest[1])
    level = ptr8(rest[2])
    counts = ptr16(rest[3])
    job = ptr32(rest[4])
    scale = job[0]
    used = 0
    k = 0
    while k < 32:
        if counts[k]:
            bright = level[k]
            bright += bright >> 7
            most = 0
            lit = 0
            each = 0
            i = 0
            while i < 3:
                value = looks[3 * k + i]
                if value > looks[3 * k + most]:
                    most = i
                value = (value * bright * scale) >> 20
                lit += value
                shade[3 * k + i] = value
                each += value * job[1 + i]
                i += 1
            if lit == 0 and bright and looks[3 * k + most]:
                shade[3 * k + most] = 1
                each = job[1 + most]
            used += each * counts[k]
        k += 1
    return used


@micropython.viper
def fill(at: int, k: int, rgb: int, rest):
    role = int(ptr8(rest[0]))
    colour = ptr8(rest[1])
    shade = int(ptr8(rest[2]))
    rgb = int(ptr8(rest[3]))
    end = role + int(rest[4])
    at = role
    while at < end:
        k = ptr8(at)[0]
        if k == 11:
            k = 12 + colour[at - role]
        k = (k & 31) * 3 + shade
        ptr8(rgb)[0] = ptr8(k)[0]
        ptr8(rgb)[1] = ptr8(k)[1]
        ptr8(rgb)[2] = ptr8(k)[2]
        rgb += 3
        at += 1


@micropython.viper
def crc_bytes(crc: int, i: int, byte: int, rest) -> int:
    data = ptr8(rest[0])
    table = ptr16(rest[1])
    size = int(rest[2])
    crc = 0xFFFF
    i = 0
    while i < size:
        byte = data[i]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte & 15)]
        i += 1
    return crc


@micropython.viper
def differing(i: int, want: int, is_seen: int, rest) -> int:
    wanted = ptr8(rest[0])
    seen = ptr8(rest[1])
    piece = ptr8(rest[2])
    at = ptr8(rest[3])
    out = ptr16(rest[4])
    size = int(rest[5])
    found = 0
    i = 0
    while i < size:
        want = wanted[i]
        is_seen = seen[i]
        if want == 0:
            if is_seen:
                out[found] = i << 2
                found += 1
        elif is_seen == 0:
            out[found] = (i << 2) | 1
            found += 1
        elif piece[i] and piece[i] != at[i]:
            out[found] = (i << 2) | 3
            found += 1
        elif want != is_seen:
            if want != 3:
                out[found] = (i << 2) | 2
                found += 1
        i += 1
    return found


@micropython.viper
def find(i: int, value: int, end: int, rest) -> int:
    data = ptr8(rest[0])
    end = int(rest[1])
    while i < end:
        if data[i] == value:
            return i
        i += 1
    return -1


@micropython.viper
def steady(i: int, value: int, total: int, rest) -> int:
    ring = ptr16(rest[0])
    job = ptr32(rest[1])
    size = job[0]
    number = job[1]
    third = (number + 1) // 3
    least = 0xFFFF
    most = 0
    low = 0xFFFFF
    high = 0
    i = job[2] - number
    end = job[2]
    while i < end:
        value = ring[i % size]
        if value < least:
            least = value
        if value > most:
            most = value
        i += 1
    if most - least > job[3]:
        return 0
    part = 0
    while part < 3:
        i = end - number
        if part == 1:
            i += (number - third) // 2
        elif part == 2:
            i = end - third
        last = i + third
        total = 0
        while i < last:
            total += ring[i % size]
            i += 1
        if total < low:
            low = total
        if total > high:
            high = total
        part += 1
    if high - low > job[4]:
        return 0
    return 1
