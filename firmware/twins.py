"""The inner loops of squares.py, lights.py and wire.py in plain Python, equal to kernels.py's in every value.

They run where MicroPython's viper does not: on CPython, and on ports without native code. The first three
arguments are the kernels' registers and mean nothing here.
"""


def scan(_i, _pole, _d, rest):
    """One scan of the sensors; gives the number of squares whose decision changed.

    rest: readings H; job i: squares, on, off (counts), equal scans wanted, counts beyond which a reading has
    moved, and out [5] sensors that moved, [6] squares that began to fill; base i (counts * 64 that an empty
    square would read now); gain H (256 is 1); state B; pending B (wanted state << 6 | scans so far); residual h;
    still H (reading when it last moved); changes H (out: square << 2 | state before; from the end backwards
    the squares that read as filled for the first time)
    """
    readings, job, base, gain, state, pending, residual, still, changes = rest
    on, off, scans, reach = job[1], job[2], job[3], job[4]
    found = moved = fresh = 0
    for i in range(job[0]):
        r = readings[i]
        d = r - still[i]
        if d > reach or d < -reach:
            still[i] = r
            moved += 1
        residual[i] = d = ((r - (base[i] >> 6)) * gain[i]) >> 8
        pole = 1
        if d < 0:
            pole = 2
            d = -d
        before = state[i]
        if d < off or d < on and pole != before:
            pole = 0
        if pole == before:
            pending[i] = 0
            continue
        p = pending[i]
        p = p + 1 if p >> 6 == pole else (pole << 6) + 1
        if p & 63 >= scans:
            pending[i] = 0
            state[i] = pole
            changes[found] = (i << 2) + before
            found += 1
        else:
            pending[i] = p
            if p & 63 == 1 and pole:
                fresh += 1
                changes[job[0] - fresh] = i
    job[5] = moved
    job[6] = fresh
    return found


def spread(_at, _near, _end, rest):
    """Adds one magnet's field to every square's base.

    rest: job i: width, height, x, y of the magnet, and what to add its field times: 1 north came, -1 south
    came, 2 south became north, ...; base i; table i: field in counts * 64 at [distance in y * width +
    distance in x]
    """
    job, base, table = rest
    width, height, x0, y0, sign = job[0], job[1], job[2], job[3], job[4]
    at = 0
    for y in range(height):
        row = (y - y0 if y > y0 else y0 - y) * width
        for x in range(width):
            base[at] += sign * table[row + (x - x0 if x > x0 else x0 - x)]
            at += 1


def accumulate(_i, _size, _spare, rest):
    """Adds one scan to the sums. rest: readings H, sums i, their number."""
    readings, sums, size = rest
    for i in range(size):
        sums[i] += readings[i]


def flag_low(_i, _d, _limit, rest):
    """Flags the occupied squares that read low; gives their number.

    rest: state B, residual h, low B (flags), job i: squares, counts below which a square is low, counts
    from which a low one is no longer
    """
    state, residual, low, job = rest
    found = 0
    for i in range(job[0]):
        d = residual[i]
        low[i] = 1 if state[i] and (d if d >= 0 else -d) < (job[2] if low[i] else job[1]) else 0
        found += low[i]
    return found


def tally(_i, _k, role, rest):
    """Counts the squares of each look (the role, or 12 + colour where it is COLOUR, 11); gives their cost
    in uA.

    rest: colour B, counts H (out), cost i (uA of one square at full brightness), squares
    """
    colour, counts, cost, size = rest
    for i in range(32):
        counts[i] = 0
    for i in range(size):
        k = role[i]
        if k == 11:
            k = 12 + colour[i]
        counts[k & 31] += 1
    return sum([counts[i] * cost[i] for i in range(32)])


def dim(_k, _i, _value, rest):
    """The shade of each look in use; gives their current in uA.

    rest: shade B (out, 3 a look), looks B (full brightness), level B (255 is full), counts H, job i: scale
    (4096 dims nothing), uA of one step of red, green, blue. A look that is lit keeps one step of its
    strongest colour.
    """
    shade, looks, level, counts, job = rest
    used = 0
    for k in range(32):
        if not counts[k]:
            continue
        bright = level[k] + (level[k] >> 7)
        most = each = lit = 0
        for i in range(3):
            value = looks[3 * k + i]
            if value > looks[3 * k + most]:
                most = i
            shade[3 * k + i] = value = (value * bright * job[0]) >> 20
            lit += value
            each += value * job[1 + i]
        if not lit and bright and looks[3 * k + most]:
            shade[3 * k + most] = 1
            each = job[1 + most]
        used += each * counts[k]
    return used


def fill(_at, _k, _rgb, rest):
    """Writes the shade of each square's look into the frame. rest: role B, colour B, shade B, rgb B (out),
    squares.
    """
    role, colour, shade, rgb, size = rest
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


def crc_bytes(_crc, _i, _byte, rest):
    """CRC-16/CCITT-FALSE. rest: bytes, table H (what each high nibble adds), their number."""
    data, table, size = rest
    crc = 0xFFFF
    for i in range(size):
        byte = data[i]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ table[(crc >> 12) ^ (byte & 15)]
    return crc


def differing(_i, _want, _is_seen, rest):
    """Squares that are not as wanted; gives their number.

    rest: wanted B (0, 1, 2, or 3 for either pole); seen B; piece B (which is wanted, 0 for any); at B (which
    is there); out H: square << 2 | 0 to be emptied, 1 to be filled, 2 to be turned over, 3 another piece
    is there; number of squares
    """
    wanted, seen, piece, at, out, size = rest
    found = 0
    for i in range(size):
        want, is_seen = wanted[i], seen[i]
        if not want:
            if not is_seen:
                continue
            out[found] = i << 2
        elif not is_seen:
            out[found] = i << 2 | 1
        elif piece[i] and piece[i] != at[i]:
            out[found] = i << 2 | 3
        elif want != is_seen and want != 3:
            out[found] = i << 2 | 2
        else:
            continue
        found += 1
    return found


def find(i, value, _end, rest):
    """The first place from i on that holds a value, or -1. rest: bytes, their number."""
    data, size = rest
    for at in range(i, size):
        if data[at] == value:
            return at
    return -1


def steady(_i, _value, _total, rest):
    """1 where a ring's newest readings are those of a piece that stands, else 0.

    rest: ring H; job i: size of the ring, how many readings, how many were ever put there, counts between the
    least and the most of them, counts between the sums of their thirds, which may overlap
    """
    ring, job = rest
    size, number, end = job[0], job[1], job[2]
    readings = [ring[i % size] for i in range(end - number, end)]
    if max(readings) - min(readings) > job[3]:
        return 0
    third = (number + 1) // 3
    sums = [sum(readings[at : at + third]) for at in (0, (number - third) // 2, number - third)]
    return 1 if max(sums) - min(sums) <= job[4] else 0
