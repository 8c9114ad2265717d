"""Runs on MicroPython: kernels.py (viper) against twins.py on random boards; prints the squares compared.

Arguments: the folder that holds the package `firmware`, and the number of rounds.
"""

import sys
from array import array

sys.path.insert(0, sys.argv[1])
from firmware import kernels, twins  # noqa: E402
from shared_rules.game import Random  # noqa: E402

random = Random(20)


def fresh(size):
    """Buffers of scan(): readings around zero and around pieces, states and counts in any combination."""
    below = random.below
    readings = array("H", [below(4096) if below(3) else 2048 + below(400) - 200 for _ in range(size)])
    return (
        readings,
        array("i", [size, 40 + below(400), 20 + below(20), 1 + below(4), 30, 0, 0]),
        array("i", [(2048 + below(300) - 200) * 64 + below(64) for _ in range(size)]),
        array("H", [128 + below(385) for _ in range(size)]),
        bytearray([below(3) for _ in range(size)]),
        bytearray([(below(3) << 6) + below(4) for _ in range(size)]),
        array("h", [0] * size),
        array("H", [max(0, min(4095, r + below(80) - 40)) for r in readings]),
        array("H", [0] * size),
    )


def copy(buffers):
    """The same values in buffers of their own."""
    return tuple([bytearray(b) if isinstance(b, bytearray) else copied(b) for b in buffers])


def copied(value):
    return array(str(value)[7], value) if isinstance(value, array) else value  # array('H', ...


def same(name, rest, *first):
    """Runs kernel and twin on equal buffers; all of them and the results must be equal. Gives the result."""
    twin_rest = copy(rest)
    first = first or (0, 0, 0)
    result = getattr(kernels, name)(*first + (rest,))
    if result != getattr(twins, name)(*first + (twin_rest,)):
        raise AssertionError(name + ": results differ")
    for i in range(len(rest)):
        equal = rest[i] == twin_rest[i] if isinstance(rest[i], int) else list(rest[i]) == list(twin_rest[i])
        if not equal:
            raise AssertionError(name + ": buffer %d differs" % i)  # noqa: UP031
    return result


compared = 0
for _ in range(int(sys.argv[2])):
    below = random.below
    width, height = 4 + below(17), 4 + below(17)
    size = width * height

    rest = fresh(size)
    for _ in range(4):
        same("scan", rest)
        compared += size
        for sq in range(size):
            rest[0][sq] = max(0, min(4095, rest[0][sq] + below(60) - 30))
    limits = array("i", [size, 300 + below(300), 600 + below(100)])
    low = bytearray([below(2) for _ in range(size)])
    same("flag_low", (rest[4], rest[6], low, limits))

    table = array("i", [below(3000) - 2000 for _ in range(size)])
    job = array("i", [width, height, below(width), below(height), below(5) - 2])
    same("spread", (job, rest[2], table))
    same("accumulate", (rest[0], rest[2], size))

    role = bytearray([below(12) for _ in range(size)])
    colour = bytearray([below(20) for _ in range(size)])
    counts = array("H", [7] * 32)
    cost = array("i", [below(60000) for _ in range(32)])
    same("tally", (colour, counts, cost, size), 0, 0, role)
    looks = bytearray([below(256) if below(3) else 0 for _ in range(96)])
    level = bytearray([below(256) for _ in range(32)])
    shade = bytearray(96)
    job = array("i", [below(4097) if below(2) else below(40), 79, 60 + below(40), 79])
    same("dim", (shade, looks, level, counts, job))
    same("fill", (role, colour, shade, bytearray(3 * size), size))

    data = bytes([below(256) for _ in range(below(500))])
    same("find", (bytearray(role), size), below(size), below(14), 0)
    wanted = bytearray([below(4) for _ in range(size)])
    piece = bytearray([below(3) for _ in range(size)])
    at = bytearray([below(3) for _ in range(size)])
    same("differing", (wanted, rest[4], piece, at, array("H", [0] * size), size))
    number, centre = 3 + below(7), 6 + below(4000)
    ring = array("H", [centre + below(12) - 6 for _ in range(9)])
    same("steady", (ring, array("i", [9, number, number + below(30), 4 + below(10), below(12)])))
    same("crc_bytes", (data, array("H", [below(65536) for _ in range(16)]), len(data)))
print(compared)
