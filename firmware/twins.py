"""The inner loops of squares.py, lights.py and wire.py in plain Python, equal to kernels.py's in every
value (a test
says so).

They run where MicroPython's viper does not: on CPython, and on ports without native code.
"""


def scan(job, buffers):
    """One scan of the sensors; gives the number of squares whose decision changed.

    job      array('i'): squares, on, off (counts), equal scans wanted, counts that count as a movement;
             out: [5] sensors that moved, [6] sum of |reading - last reading| of those that did not, [7]
             their number
    buffers  readings H, base i (counts * 64 that an empty square would read now), gain H (256 is 1), state B,
             pending B (wanted state << 6 | scans so far), residual h, still H (reading when it last moved),
             last H, changes H (out: square << 2 | state before)
    """
    readings, base, gain, state, pending, residual, still, last, changes = buffers
    size, on, off, scans, reach = job[0], job[1], job[2], job[3], job[4]
    found = moved = noise = 0
    for i in range(size):
        r = readings[i]
        d = r - still[i]
        if d > reach or d < -reach:
            still[i] = r
            moved += 1
        else:
            d = r - last[i]
            noise += d if d >= 0 else -d
        last[i] = r
        residual[i] = d = ((r - (base[i] >> 6)) * gain[i]) >> 8
        s = state[i]
        want = 0
        if d >= on:
            want = 1
        elif d <= -on:
            want = 2
        elif s == 1:
            if d >= off:
                want = 1
        elif s == 2:
            if d <= -off:
                want = 2
        if want == s:
            pending[i] = 0
            continue
        p = pending[i]
        p = p + 1 if p >> 6 == want else (want << 6) + 1
        if p & 63 >= scans:
            pending[i] = 0
            state[i] = want
            changes[found] = (i << 2) + s
            found += 1
        else:
            pending[i] = p
    job[5] = moved
    job[6] = noise
    job[7] = size - moved
    return found


def spread(job, base, table):
    """Adds one magnet's field to every square's base.

    job    array('i'): width, height, x, y of the magnet, and what to add its field times: 1 north came, -1
    south
           came, 2 south became north, ...
    table  array('h'): field in counts * 64 at [distance in y * width + distance in x]; 0 at 0
    """
    width, height, x0, y0, sign = job[0], job[1], job[2], job[3], job[4]
    at = 0
    for y in range(height):
        row = (y - y0 if y > y0 else y0 - y) * width
        for x in range(width):
            base[at] += sign * table[row + (x - x0 if x > x0 else x0 - x)]
            at += 1


def accumulate(size, readings, sums):
    """Adds one scan (H) to the sums (i)."""
    for i in range(size):
        sums[i] += readings[i]


def tally(size, role, colour, counts):
    """Counts the squares of each look: index role, or 12 + colour where the role is COLOUR (11)."""
    for i in range(32):
        counts[i] = 0
    for i in range(size):
        k = role[i]
        if k == 11:
            k = 12 + colour[i]
        counts[k & 31] += 1


def fill(size, role, colour, buffers):
    """Writes the shade (3 bytes a look) of each square's look into the frame; buffers: shades, rgb."""
    shade, rgb = buffers
    at = 0
    for i in range(size):
        k = role[i]
        if k == 11:
            k = 12 + colour[i]
        k = (k & 31) * 3
        rgb[at] = shade[k]
        rgb[at + 1] = shade[k + 1]
        rgb[at + 2] = shade[k + 2]
        at += 3


def crc_bytes(data, size, table):
    """CRC-16/CCITT-FALSE of the first `size` bytes; table (H): what each high nibble adds."""
    crc = 0xFFFF
    for i in range(size):
        byte = data[i]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte & 15)]
    return crc
