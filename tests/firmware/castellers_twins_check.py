"""Runs on MicroPython: castellers_kernel.py (viper) against castellers_twin.py; prints how often they were compared.

Arguments: the folder that holds the package `firmware`, and the number of boards.
"""

import sys
from array import array

sys.path.insert(0, sys.argv[1])
from firmware.referee import castellers_kernel, castellers_twin  # noqa: E402
from shared_rules.game import Random  # noqa: E402

below = Random(31).below


def board():
    """Buffers of weigh(): sums at rest and moved a little or a lot, pieces that came and went, any tolerance."""
    width, height = 4 + below(17), 4 + below(17)
    size = width * height
    before = [below(131000) if below(5) == 0 else 65536 + below(40000) - 20000 for _ in range(size)]
    after = [max(0, min(131040, b + (below(400) - 200 if below(4) else below(80000) - 40000))) for b in before]
    state = bytearray([below(3) for _ in range(size)])
    states = bytearray([below(3) if below(12) == 0 else s for s in state])
    changed = array("i")
    for sq in range(size):
        if state[sq] != states[sq] and len(changed) < 30:
            for value in (sq % width, sq // width, below(5)):
                changed.append(value)
    rows = 1 + below(6)
    job = array("i", [width, height, below(width), below(height), below(2), 9 * below(6)])
    for value in (2000 + below(20000), 129000, 150 + below(400), rows, len(changed), 0):
        job.append(value)
    return (
        state,
        states,
        array("i", after),
        array("i", before),
        array("H", [128 + below(385) for _ in range(size)]),
        array("h", [below(2600) - 1300 for _ in range(9 * 6)]),
        array("h", [below(60000) - 30000 for _ in range(rows * rows)]),
        changed,
        job,
    )


compared = 0
for _ in range(int(sys.argv[2])):
    rest = board()
    for _ in range(12):
        rest[8][2], rest[8][3] = below(rest[8][0]), below(rest[8][1])
        twin_job = array("i", rest[8])
        ours = castellers_kernel.weigh(0, 0, 0, rest)
        theirs = castellers_twin.weigh(0, 0, 0, rest[:8] + (twin_job,))
        assert ours == theirs and list(rest[8]) == list(twin_job), (ours, theirs)
        compared += 1
print(compared)
