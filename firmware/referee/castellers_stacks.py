"""Which column grew, or lost its top: a likelihood over the columns that could have.

    stacks = Stacks(squares, layout["level"], config["kernel"])
    if stacks.step(home): ...            once a step; True when an average of the resting board is complete
    order, sure = stacks.judge(((sq, 2, 1), (other, 3, 1)))

From the second level on a casteller is too high for a square to decide. It raises the field of its own sensor
and of those around, and a hand that sets it down shifts columns: a shift of 0.3 mm changes the own sensor of a
column by 0.25 mT, as much as a casteller on the third level does (1.23, 0.26, 0.095 mT on levels 2, 3, 4; next
to it 0.21, 0.13, 0.065). So no single sensor tells. For each candidate the change of all sensors around it is
compared with what a casteller there would add, every column being free to have shifted; nothing having
happened is a candidate too. Sure is what is more likely than anything else by a log margin of _MARGIN and
explains what was measured (a chi-square gate). What follows from that is the referee's to say: how levels,
asks and OK go together is in referee/castellers.py.

The noise is measured, not assumed: two averages in a row of a resting board differ by it. A magnet's field at
a height is a dipole's, its strength and height taken from the board's kernel.
"""

import math
from array import array

try:
    from .castellers_kernel import weigh
except (ImportError, SyntaxError):  # no native code here
    from .castellers_twin import weigh

SCANS = 32  # of an average
_MT = 1024  # what is compared is in parts of a mT: a chip allocates memory for every fraction
_NOISE_MT = 0.05  # of a change at least: drift, supply and lights do not show in two averages in a row
_NOISE_SQUARES = 29  # compared for the noise after each average, others each time
_SIDE = 3  # rows and columns of a template: the squares around a candidate that are compared, by distance
_ONE = 128  # a log likelihood of 1 in what the squares of changes add up to
_MARGIN = 12 * _ONE
_LOST = 120  # parts of a mT: a column whose sensor changes by less than 0.12 mT is not looked at
_FELL = 12 * _ONE  # so much likelier than nothing that castellers fell: people are asked; bumps give 7 at most
_EVIDENCE = 3 * _ONE  # a casteller is thought to stand somewhere when that is so much likelier than nothing
_GATE = 45 * _ONE // 2  # of chi-square, on top of the number of sensors
_LEVELS = 7
_WIGGLE_MT = 0.6  # a column whose sensor reads so much else,
_WIGGLE_NOISES = 6  # and so many standard deviations of one reading,
_WIGGLE_SCANS = 6  # in so many scans, and twice as often as any other column, is being rocked


class Stacks:
    """noise_mt: measured, of the change from one average to the next; 0 until known.

    ready: there is an average from before.

    squares: the board's Squares. level: height of a casteller in squares. kernel: as in config.json.
    """

    def __init__(self, squares, level, kernel):
        self.squares = squares
        self.noise_mt = 0.0
        self.ready = False
        self.order = ()  # of the last judge(): all candidates, likeliest first, however little speaks for them
        size = squares.size
        squares.listen(SCANS)  # its memory and the next array's are large blocks: while there are some
        self._before = squares.spare()
        self._states = bytearray(size)  # as the board stood before
        self._compared = 0  # the next square whose noise is measured
        self._square_sum = 0.0
        self._count = 0
        self._previous = array("i", [0] * _NOISE_SQUARES)  # sums of those squares in the average before
        self._pair = -1  # the first of them; -1: there is no average to compare with
        # A magnet's own square is never asked for it: only there it is more than 15 bits.
        self._near = array("h", [min(32767, int(counts * SCANS)) for row in kernel for counts in row])
        self._job = array("i", [squares.width, squares.height] + [0] * 10)  # see castellers_twin.py
        self._job[7] = (2 * squares.nominal_zero - 1) * SCANS - 1500
        self._job[8] = int(_MT * 256 / (SCANS * squares.counts_per_mt))
        self._job[9] = len(kernel)
        self._templates = _templates(kernel, level, squares.counts_per_mt)
        self._reference = ()  # wiggle(): [square, residual at rest, scans that differed]
        self._watching = False

    # Averages

    def forget(self):
        """What was measured says nothing any more: something moved that is no move."""
        self.ready = False
        self.order = ()
        self._pair = -1

    def step(self, home):
        """Once a step. home: the board stands right, so that an average is one from before.

        True when an average is complete: the board has rested for SCANS scans.
        """
        squares = self.squares
        if squares.listening:
            return False
        done = squares.heard()
        if done:
            if home:
                self._before[:] = squares.summed()
                self._states[:] = squares.state
                self.ready = True
                self._measure_noise()
            else:
                self._pair = -1
        return done

    def complete(self):
        """Whether step() will find an average of the resting board to compare with the one before."""
        return self.ready and not self.squares.listening and self.squares.heard()

    def go_on(self):
        """After step(): the next average begins."""
        if not self.squares.listening:
            self.squares.listen(SCANS)

    def _measure_noise(self):
        """Compares some squares with the average before, then looks at others."""
        sums, size, at = self.squares.total, self.squares.size, self._pair
        if at >= 0:
            moved = 0
            total = 0
            for i in range(_NOISE_SQUARES):
                d = sums((at + i) % size) - self._previous[i]
                if d > 16 * SCANS or d < -16 * SCANS:
                    moved = 1  # half a mT: not the noise of a mean
                total += d * d
            if not moved:
                self._square_sum += total
                self._count += _NOISE_SQUARES
                if self._count >= 8 * _NOISE_SQUARES:
                    scale = SCANS * self.squares.counts_per_mt
                    self.noise_mt = math.sqrt(self._square_sum / self._count) / scale
                    if self._count >= 64 * _NOISE_SQUARES:  # the older half is forgotten
                        self._square_sum /= 2
                        self._count //= 2
        self._pair = at = (self._compared * _NOISE_SQUARES) % size
        self._compared += 1
        for i in range(_NOISE_SQUARES):
            self._previous[i] = sums((at + i) % size)

    def sigma_mt(self):
        """Noise of a change, mT, as far as it is known."""
        return max(_NOISE_MT, self.noise_mt)

    # What changed

    def _changed(self):
        """array('i') of the squares whose state is another than before: x, y, 2 + the change of their pole."""
        found = array("i")
        state, width = self.squares.state, self.squares.width
        for sq in range(len(state)):
            if state[sq] != self._states[sq]:
                found.append(sq % width)
                found.append(sq // width)
                found.append(2 + _SIGN[state[sq]] - _SIGN[self._states[sq]])
        return found

    def _asked(self, changed):
        """What weigh() is given, but for the candidate."""
        squares, job = self.squares, self._job
        noise = int(self.sigma_mt() * _MT)
        job[6] = noise * noise
        job[10] = len(changed)
        return (
            squares.state, self._states, squares.summed(), self._before, squares.gain, self._templates, self._near,
            changed, job,
        )  # fmt: skip

    def _weigh(self, sq, level, sign, rest):
        job, width = self._job, self.squares.width
        job[2], job[3], job[4] = sq % width, sq // width, sign < 0
        job[5] = (level - 2) * _SIDE * _SIDE
        return weigh(0, 0, 0, rest)

    def fell(self, columns):
        """Whether one of these columns, height << 9 | square, seems to have lost castellers since the last average.

        To be asked before step(), when an average of the board standing right is complete. A column that was
        bumped loses field at its own sensor alone, so that alone is never enough.
        """
        squares, rest = self.squares, None
        for column in columns:
            sq, height = column & 511, column >> 9
            lost = (self._before[sq] - squares.total(sq)) * self._job[8] >> 8
            if lost > _LOST or -lost > _LOST:
                rest = rest or self._asked(self._changed())
                for level in (2, 3):
                    if level <= height and self._weigh(sq, level, -1, rest) > _FELL:
                        return True
        return False

    def judge(self, candidates):
        """(squares of the candidates, likeliest first; whether the first is sure).

        candidates: (square, level, sign): a casteller that came (1) onto this level of the column there, or
        left it (-1). The list is empty where nothing speaks for any of them. To be asked when step() says that
        an average is complete.
        """
        if not self.ready or not candidates:
            return (), False
        rest = self._asked(self._changed())
        ranked = []
        for sq, level, sign in candidates:
            gain = self._weigh(sq, level, sign, rest)
            ranked.append((gain, sq, self._job[11] <= _GATE))
        ranked.sort(reverse=True)
        best = ranked[0]
        self.order = tuple([entry[1] for entry in ranked])
        if best[0] < _EVIDENCE:
            return (), False
        margin = best[0] - max(0, ranked[1][0] if len(ranked) > 1 else 0)
        return self.order, margin >= _MARGIN and best[2]

    # A wiggle: the natural answer to "which column?"

    def watch(self, columns):
        """From the next average on, wiggle() looks at the columns on these squares."""
        self._reference = [[sq, 0, 0] for sq in columns]
        self._watching = False

    def wiggle(self, averaged):
        """Once a step: the square of the column that was rocked since watch(), or -1.

        averaged: what step() gave. A column that rocks by 1 mm changes its own sensor by 1.6 mT, its
        neighbour's by 0.03.
        """
        squares = self.squares
        if averaged:
            for entry in self._reference:
                entry[1] = squares.residual[entry[0]]
                entry[2] = 0
            self._watching = True
        if not self._watching:
            return -1
        band = int(max(_WIGGLE_MT, _WIGGLE_NOISES * squares.noise_umt / 1000) * squares.counts_per_mt)
        best = second = 0
        found = -1
        for entry in self._reference:
            if abs(squares.residual[entry[0]] - entry[1]) > band:
                entry[2] += 1
            if entry[2] > best:
                best, second, found = entry[2], best, entry[0]
            elif entry[2] > second:
                second = entry[2]
        return found if best >= _WIGGLE_SCANS and best >= 2 * second else -1


_SIGN = (0, 1, -1)  # of a state's field


def _dipole(r2, h):
    d2 = r2 + h * h
    return (2 * h * h - r2) / (d2 * d2 * math.sqrt(d2))


def _templates(kernel, level, counts_per_mt):
    """array('h'), parts of a mT that a casteller adds: for level 2, 3, ... _SIDE rows (dy) of _SIDE columns (dx).

    kernel: counts of a seated magnet. Its far field gives the dipole's strength, the ratio of a near to a far
    value the height of its centre over the sensor, both in squares.
    """
    low, high = 0.05, 0.65  # the nearer value changes its sign at 0.7
    wanted = kernel[0][1] / kernel[0][3]
    for _ in range(30):
        middle = (low + high) / 2
        if _dipole(1, middle) / _dipole(9, middle) > wanted:
            low = middle
        else:
            high = middle
    strength = kernel[0][3] / _dipole(9, low) / counts_per_mt
    table = array("h")
    for above in range(1, _LEVELS):
        h = low + above * level
        for dy in range(_SIDE):
            for dx in range(_SIDE):
                mt = strength * _dipole(dx * dx + dy * dy, h)
                table.append(int(_MT * mt + (0.5 if mt > 0 else -0.5)))
    return table
