"""The plain twin of castellers_kernel.py: what a casteller more, or less, on one column would explain."""

_PART = 31  # of 256: tolerance of a casteller's field, of magnet, sensor, and how it is set down
_LIFTED_PART = 51  # of 256: of a bottom piece's field where it came or went
_SHIFT = 256  # of a column's own sensor when it shifts in its well: 0.25 mT
_SHIFT_NEXT = 31  # of the sensors at its edges: 0.03 mT
_WIDE_COUNTS = 18  # a mean so near to 512, 1536, 2560 or 3584, where the RP2040's converter has wide codes,
_WIDE = 256  # may be so wrong: 0.25 mT
_SCANS = 32  # of an average
_MOST = 4000  # of a change, so that squares fit 32 bits: no casteller on a column does so much
_BUMPED = 11 * 128  # at most so much speaks for a column from its own sensor alone: it may have been bumped
_REACH = 2  # squares around a column that are compared
_SIDE = _REACH + 1


def weigh(at, d, v, rest):
    """Log likelihood that a column grew over that nothing did, in 128ths; job[11] becomes the chi-square, in 64ths.

    rest: state B and states B (before); total i and before i: sums of 32 scans; gain H; table h: what a casteller
    adds, from level 2 on, rows of dy, parts of a mT; near h: a seated magnet's field in sums; changed i: x, y and
    2 + the change of the pole of each bottom piece that came or went; job i: width, height, x, y of the column,
    whether one came off it, first of the table's level, variance of the noise, sum beyond which a sensor is at its
    end, parts of a mT in a sum * 256, rows of near, numbers in changed.

    For each sensor around: d is what it reads more than before, beside what bottom pieces did; v the variance of
    that when nothing grew.
    """
    state, states, total, before, gains, table, near, changed, job = rest
    width, height, x0, y0, off, first, noise, top, per_sum, rows, numbers = job[:11]
    gain = chi = 0
    for y in range(max(0, y0 - _REACH), min(height, y0 + _REACH + 1)):
        for x in range(max(0, x0 - _REACH), min(width, x0 + _REACH + 1)):
            at = y * width + x
            after, was = total[at], before[at]
            if state[at] != states[at] or after <= 1500 or after >= top:
                continue  # its own piece came or went, or the sensor is at its end
            d = after - was
            v = noise
            if state[at]:
                v += _SHIFT * _SHIFT
            if x and state[at - 1]:
                v += _SHIFT_NEXT * _SHIFT_NEXT
            if x < width - 1 and state[at + 1]:
                v += _SHIFT_NEXT * _SHIFT_NEXT
            if y and state[at - width]:
                v += _SHIFT_NEXT * _SHIFT_NEXT
            if y < height - 1 and state[at + width]:
                v += _SHIFT_NEXT * _SHIFT_NEXT
            for i in range(0, numbers, 3):
                dx, dy = abs(x - changed[i]), abs(y - changed[i + 1])
                if dx < rows and dy < rows:
                    field = (changed[i + 2] - 2) * near[dy * rows + dx]
                    d -= field
                    field = (field * per_sum >> 8) * _LIFTED_PART >> 8
                    v += field * field
            d = (d * per_sum >> 8) * gains[at] >> 8
            d = max(-_MOST, min(_MOST, d))
            if abs((after // _SCANS & 1023) - 512) < _WIDE_COUNTS or abs((was // _SCANS & 1023) - 512) < _WIDE_COUNTS:
                v += _WIDE * _WIDE
            grown = table[first + abs(y - y0) * _SIDE + abs(x - x0)]
            if off:
                grown = -grown
            part = grown * _PART >> 8
            part *= part
            this = (d - grown) * (d - grown) * 64 // (v + part)
            chi += this - 64
            wider = part * 64 // v  # the logarithm of 1 + wider is that less half of its square
            speaks = d * d * 64 // v - this - wider + (wider * wider >> 7)
            if state[at]:
                speaks = max(-_BUMPED, min(_BUMPED, speaks))
            gain += speaks
    job[11] = chi
    return gain
