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
        array("i", [(2048 + below(300) - 200) * 64 + below(64) for _ in range(size)]),
        array("H", [128 + below(385) for _ in range(size)]),
        bytearray([below(3) for _ in range(size)]),
        bytearray([(below(3) << 6) + below(4) for _ in range(size)]),
        array("h", [0] * size),
        array("H", [max(0, min(4095, r + below(80) - 40)) for r in readings]),
        array("H", [max(0, min(4095, r + below(20) - 10)) for r in readings]),
        array("H", [0] * size),
    )


def copy(buffers):
    return tuple([type(b)(b) if isinstance(b, bytearray) else array(code(b), b) for b in buffers])


def code(a):
    return str(a)[7]  # array('H', ...


def same(a, b, what):
    for i in range(len(a)):
        if list(a[i]) != list(b[i]):
            raise AssertionError(f"{what}: buffer {i} differs")


compared = 0
for _ in range(int(sys.argv[2])):
    width, height = 4 + random.below(17), 4 + random.below(17)
    size = width * height

    one = fresh(size)
    two = copy(one)
    job = array("i", [size, 40 + random.below(400), 20 + random.below(20), 1 + random.below(4), 30, 0, 0, 0])
    twin = array("i", job)
    for _ in range(4):
        found = kernels.scan(job, one)
        assert found == twins.scan(twin, two), "scan: number of changes"
        same((job,) + one, (twin,) + two, "scan")
        compared += size
        for sq in range(size):
            one[0][sq] = two[0][sq] = max(0, min(4095, one[0][sq] + random.below(60) - 30))

    table = array("h", [random.below(3000) - 2000 for _ in range(size)])
    job = array("i", [width, height, random.below(width), random.below(height), random.below(5) - 2])
    a, b = array("i", one[1]), array("i", one[1])
    kernels.spread(job, a, table)
    twins.spread(job, b, table)
    same((a,), (b,), "spread")
    kernels.accumulate(size, one[0], a)
    twins.accumulate(size, one[0], b)
    same((a,), (b,), "accumulate")

    role = bytearray([random.below(12) for _ in range(size)])
    colour = bytearray([random.below(20) for _ in range(size)])
    a, b = array("H", [7] * 32), array("H", [9] * 32)
    kernels.tally(size, role, colour, a)
    twins.tally(size, role, colour, b)
    same((a,), (b,), "tally")
    shade = bytearray([random.below(256) for _ in range(96)])
    a, b = bytearray(3 * size), bytearray(3 * size)
    kernels.fill(size, role, colour, (shade, a))
    twins.fill(size, role, colour, (shade, b))
    same((a,), (b,), "fill")

    data = bytes([random.below(256) for _ in range(random.below(500))])
    nibbles = array("H", [random.below(65536) for _ in range(16)])
    assert kernels.crc_bytes(data, len(data), nibbles) == twins.crc_bytes(data, len(data), nibbles), "crc"
print(compared)
