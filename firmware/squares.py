"""Readings -> squares: empty, north or south, decided on the residue with the neighbours' fields taken away.

    squares = Squares(config)
    if squares.update(now, readings):
        for sq in squares.changed: ...

A magnet weakens the field of every other square, most where many of one pole stand: a plain threshold errs
on one square in a thousand with pieces 3 mm and 5 degrees off. So each square keeps its `base`, what an
empty square would read now: its zero plus the nominal field of every decided neighbour on the whole board.
A decision that changes adds its own field to all bases; between changes a scan costs one subtraction a
square. On from 3.5 mT, off under 2.5 leaves 1.8 mT to the weakest piece and 0.9 to the strongest empty
square of a simulated million, and lies clear of the four wide codes of the RP2040's ADC (512, 1536, 2560,
3584: 13.8 and 41.2 mT with a DRV5055A2), whose step of 8 to 9 counts is 0.25 mT. Zero drifts with
temperature: squares known to be empty follow it slowly, never far from their calibration and never into a
file; squares that a person calibrated do not follow at all.
"""

from array import array

try:
    from .kernels import accumulate, flag_low, scan, spread
except (ImportError, SyntaxError):  # no native code here
    from .twins import accumulate, flag_low, scan, spread

EMPTY = 0
NORTH = 1  # the pole that raises the reading
SOUTH = 2

SCANS = 3  # equal decisions in a row before a square changes
MOST_BEGUN = 12  # squares told that begin to fill in one scan: a piece has at most five
MOVED_MT = 0.8  # a reading this far from where it rested has moved; two noises of 0.1 differ by 0.14
WEAK_MT = 12.0  # a resting piece that reads less stands more than 5 mm off
WEAK_BAND_MT = 0.8
WEAK_REST_MS = 400
# So many low squares at rest are decided anew: pieces that all went at once leave the field of their own
# absence, in which each square seems to hold a weak one.
DOUBTFUL = 4
SETTLED_MT = (16, 12, 9, 7, 5)  # thresholds of the first rounds at a cold start, sure squares first
ROUNDS = 12  # at a cold start, after those
DRIFT_MS = 2000  # rest before the zero of empty squares follows
DRIFT_STEP = 2  # of 64 a count; one square each update, so about 0.1 counts in a second on 64 squares
DRIFT_MT = 1.0  # as far as it follows
NOISE_SAMPLES = 2000  # one each update: the noise is known to 2 %
NORMAL_GAIN = 256
RAIL = 120  # counts from either end of the ADC where no sensor in order comes (it saturates at 0.2 V)
HEAR_MS = 1000  # between two looks whether a sensor answers again


class Squares:
    """The state of every square of a board.

    state       bytearray, a square each: EMPTY, NORTH or SOUTH
    changed     list of squares that the last update changed
    begun       list of squares that read as filled in the last update for the first time: SCANS equal ones decide
    pending     bytearray, a square each: what it reads as (<< 6) and for how many scans; 0: as it was decided
    readings    what the last update was given
    residual    array('h'), counts: (reading - base) * gain of the last update
    scratch     array('H'), a square each: for kernels' lists of squares, of the moment only
    noise_umt   resting noise of one reading (standard deviation), thousandths of a mT; 0 until measured
    listening   scans that listen() still waits for
    muted       squares whose sensor does not answer, or is not to be believed: their state stays as it was
    muted_anew  the last update changed muted
    """

    def __init__(self, config):
        self.width = config["width"]
        self.height = config["height"]
        self.size = size = self.width * self.height
        self.counts_per_mt = config["counts_per_mt"]
        self.nominal_zero = config["zero"]
        self.state = bytearray(size)
        self.changed = []
        self.begun = []
        self.pending = bytearray(size)
        self.residual = array("h", bytes(2 * size))
        self.zero = array("h", bytes(2 * size))  # calibrated, counts * 8
        self.drift = array("h", bytes(2 * size))  # counts * 64
        self.gain = array("H", bytes(2 * size))
        self.manual = False
        self.noise_umt = 0
        self.listening = 0
        self.muted = []  # one list for ever: the track and the referee look at it too
        self.muted_anew = False
        self._most_muted = min(size // 8, 20)
        self._ignored = []  # those that people said lie
        self._hear_at = 0
        self._heard_again = []  # answered at the last look
        self.own = int(config["kernel"][0][0])
        self._base = array("i", bytes(4 * size))
        self._still = array("H", bytes(2 * size))
        self.scratch = array("H", bytes(2 * size))
        self._job = array("i", [size, 0, 0, SCANS, int(MOVED_MT * self.counts_per_mt), 0, 0])
        self._spread_job = array("i", [self.width, self.height, 0, 0, 0])
        field = _whole_board(config["kernel"], self.width, self.height)
        self._spread_rest = (self._spread_job, self._base, field)
        self._low = bytearray(size)
        limits = [size, int(WEAK_MT * self.counts_per_mt), int((WEAK_MT + WEAK_BAND_MT) * self.counts_per_mt)]
        self._low_rest = (self.state, self.residual, self._low, array("i", limits))
        self._low_at = -1
        self._low_count = 0
        self._sums = None
        self._spare = None
        self._heard = 0
        self._wanted = 0
        self._fresh = True
        self._now = 0
        self._moved_at = 0
        self._doubted = False
        self._next_drift = 0
        self._drift_limit = int(DRIFT_MT * self.counts_per_mt * 64)
        self._noise_sum = 0
        self._noise_count = 0
        self._noise_square = 0
        self._noise_last = -1
        self._rest = (
            None,  # the readings
            self._job,
            self._base,
            self.gain,
            self.state,
            self.pending,
            self.residual,
            self._still,
            self.scratch,
        )
        self.set_thresholds(3.5, 2.5)
        self.calibrate(None)

    def set_thresholds(self, on_mt, off_mt):
        """|residual| from which a square counts as occupied, and below which it counts as empty again, mT."""
        self._job[1] = int(on_mt * self.counts_per_mt)
        self._job[2] = int(off_mt * self.counts_per_mt)

    def calibrate(self, calibration):
        """Takes a calibration: {"zero": [counts * 8, ...], "gain": [256 is nominal, ...], "manual": bool},
        or None.

        What is missing or does not fit this board is nominal. The next update decides anew, as at a cold
        start.
        """
        given = calibration or {}
        zero = given.get("zero")
        gain = given.get("gain")
        for sq in range(self.size):
            self.zero[sq] = zero[sq] if zero and len(zero) == self.size else self.nominal_zero * 8
            self.gain[sq] = gain[sq] if gain and len(gain) == self.size else NORMAL_GAIN
            self.drift[sq] = 0
        del self.muted[:], self._ignored[:]
        self.manual = bool(given.get("manual"))
        self._fresh = True

    def calibration(self):
        """The calibration in force, as calibrate() takes it; drift is no part of it."""
        return {"zero": list(self.zero), "gain": list(self.gain), "manual": self.manual}

    def update(self, now, readings):
        """Takes one scan (array('H'), counts, in the order of squares); True when any decision changed."""
        self._now = now
        self.readings = readings
        if self.changed:
            self.changed = []
        if self.begun:
            self.begun = []
        self.muted_anew = False
        if self._fresh:
            self._cold_start(now, readings)
            return len(self.changed) > 0
        if self._rest[0] is not readings:
            self._rest = (readings,) + self._rest[1:]
        found = self._take_scan(readings)
        if self._job[6]:
            self._take_begun()
        if self.muted and now >= self._hear_at:
            self._hear_again(now, readings)
        if self._job[5]:
            self._moved_at = now
            self._doubted = False
            if self.listening:
                self.listen(self._wanted)
        elif not self._doubted and now - self._moved_at >= WEAK_REST_MS:
            self._doubted = True
            if self._flag_low() >= DOUBTFUL:
                self._cold_start(now, readings)
                self._moved_at = now - WEAK_REST_MS
                return len(self.changed) > 0
        if self.listening and not self._job[5]:
            if not self._heard:
                self._clear_sums()
            accumulate(0, 0, 0, (readings, self._sums, self.size))
            self._heard += 1
            self.listening -= 1
        self._measure_noise(readings)
        if not self.manual and now - self._moved_at > DRIFT_MS:
            self._follow_drift()
        return found > 0

    def rested_ms(self, now):
        """ms since any reading last moved noticeably."""
        return now - self._moved_at

    def weak(self, sq):
        """A piece rests on the square and its field is low ("straighten me"); while the board moves, what it
        was.
        """
        self._flag_low()
        return self._low[sq] == 1

    def askew(self):
        """List of the squares that are weak: one look at all is cheaper than weak() for each."""
        if not self._flag_low():
            return []
        return [sq for sq in range(self.size) if self._low[sq]]

    def _flag_low(self):
        """Flags low squares, once an update, while the board rests; gives their number."""
        if self._low_at != self._now and self._now - self._moved_at >= WEAK_REST_MS:
            self._low_at = self._now
            self._low_count = flag_low(0, 0, 0, self._low_rest)
        return self._low_count

    def mt10(self, sq):
        """The square's residual in tenths of a mT, for events."""
        return int(self.residual[sq] * 10 / self.counts_per_mt)

    def field10(self, sq, reading):
        """A reading of the square as tenths of a mT from its zero, neighbours and all."""
        return int((reading * 8 - self.zero[sq]) * 10 / (8 * self.counts_per_mt))

    def listen(self, scans):
        """Sums up as many scans; a movement starts it over. When listening is 0 average() and summed() may be
        asked, until listen(0) lets the sums go.
        """
        self._wanted = self.listening = scans
        self._heard = 0
        if not scans:
            self._sums = None
        elif self._sums is None:
            self._sums = array("i", bytes(4 * self.size))

    def heard(self):
        """Whether average() and summed() may be asked."""
        return self._heard > 0 and not self.listening

    def spare(self):
        """array('i'), a square each, for a referee; kept from game to game, for it is as large as any block."""
        if self._spare is None:
            self._spare = array("i", bytes(4 * self.size))
        return self._spare

    def _clear_sums(self):
        for sq in range(self.size):
            self._sums[sq] = 0

    def average(self, sq):
        """The square's mean reading since listen(), counts * 8."""
        return (self._sums[sq] * 8 + self._heard // 2) // self._heard

    def total(self, sq):
        """The sum of the scans since listen() of a square, counts."""
        return self._sums[sq]

    def summed(self):
        """Those sums, array('i'), to look at or to copy; of the moment only."""
        return self._sums

    def force(self, states):
        """Takes these states as decided (bytes, a square each): the replay of sense events."""
        if self._fresh:
            self._empty()
        self.changed = [sq for sq in range(self.size) if states[sq] != self.state[sq]]
        for sq in self.changed:
            before = self.state[sq]
            self.state[sq] = states[sq]
            self._decided(sq, before, states[sq])

    def ignore(self, sq, state):
        """The sensor lies, people say: from now on the square is in this state."""
        before = self.state[sq]
        if before != state:
            self.state[sq] = state
            self._decided(sq, before, state)
        self._ignored.append(sq)
        if sq not in self.muted:
            self.muted.append(sq)

    def heed(self):
        """Believes every sensor again that people told to ignore."""
        for sq in self._ignored:
            self.muted.remove(sq)
        del self._ignored[:]

    def ignoring(self):
        """Whether people told to ignore a sensor."""
        return len(self._ignored) > 0

    def _take_scan(self, readings):
        """Decides one scan; the number of squares that changed, which `changed` now ends with."""
        found = scan(0, 0, 0, self._rest)
        return self._take_found(found, readings) if found else 0

    def _take_found(self, found, readings):
        changed = 0
        for i in range(found):
            sq = self.scratch[i] >> 2
            before = self.scratch[i] & 3
            if sq in self.muted or self._mute(sq, readings):
                self.state[sq] = before
            else:
                self._decided(sq, before, self.state[sq])
                self.changed.append(sq)
                changed += 1
        return changed

    def _take_begun(self):  # apart: a name that a list's own loop sees costs memory in every call
        found, last = self.scratch, self.size - 1
        self.begun = [found[last - i] for i in range(min(self._job[6], MOST_BEGUN))]

    def _mute(self, sq, readings):
        """Mutes a sensor that does not answer. Where many do not it is a cable's fault, and better seen."""
        if RAIL <= readings[sq] <= 4095 - RAIL or len(self.muted) >= self._most_muted:
            return False
        self.muted.append(sq)
        self.muted_anew = True
        return True

    def _hear_again(self, now, readings):
        """A sensor that answers at two looks is believed again."""
        self._hear_at = now + HEAR_MS
        answers = []
        for sq in list(self.muted):
            if sq not in self._ignored and RAIL <= readings[sq] <= 4095 - RAIL:
                answers.append(sq)
                if sq in self._heard_again:
                    self.muted.remove(sq)
                    self.muted_anew = True
        self._heard_again = answers

    def _decided(self, sq, before, after):
        """Adds the change of a square's own field to every base."""
        self._low[sq] = 0
        job = self._spread_job
        job[2] = sq % self.width
        job[3] = sq // self.width
        job[4] = _SIGN[after] - _SIGN[before]
        spread(0, 0, 0, self._spread_rest)

    def _cold_start(self, now, readings):
        """Decides all squares at once: the sure ones first, each round with the fields of those before taken
        away.
        """
        before = bytes(self.state)
        self._empty()
        dead = [sq for sq in range(self.size) if not RAIL <= readings[sq] <= 4095 - RAIL]
        if len(dead) > self._most_muted:  # a cable's fault
            dead = []
        muted = dead + [sq for sq in self._ignored if sq not in dead]
        self.muted_anew = muted != self.muted
        self.muted[:] = muted
        for sq in muted:
            if before[sq]:
                self.state[sq] = before[sq]
                self._decided(sq, EMPTY, before[sq])
        self._still[:] = readings
        self._rest = (readings,) + self._rest[1:]
        job = self._job
        on = job[1]
        job[3] = 1
        for i in range(len(SETTLED_MT) + ROUNDS):
            job[1] = on
            if i < len(SETTLED_MT):
                job[1] = max(on, int(SETTLED_MT[i] * self.counts_per_mt))
            if not self._take_scan(readings) and job[1] == on:
                break
        job[1] = on
        job[3] = SCANS
        self.changed = [sq for sq in range(self.size) if self.state[sq] != before[sq]]
        self._moved_at = now

    def _empty(self):
        """No square is decided: every base is its zero."""
        for sq in range(self.size):
            self.state[sq] = EMPTY
            self._base[sq] = self.zero[sq] * 8 + self.drift[sq] + 32
        self._fresh = False

    def _measure_noise(self, readings):
        """Compares two readings of one square, then goes to the next one.

        The mean |difference| of two readings is 2 / sqrt(pi) = 1.128 standard deviations of one.
        """
        sq = self._noise_square
        last = self._noise_last
        if last >= 0 and not self._job[5]:
            self._noise_sum += abs(readings[sq] - last)
            self._noise_count += 1
            if self._noise_count >= NOISE_SAMPLES:
                scale = 1.128 * self.counts_per_mt * self._noise_count
                self.noise_umt = int(self._noise_sum * 1000 / scale)
                self._noise_sum = self._noise_count = 0
        self._noise_square = sq = (sq + 1) % self.size
        self._noise_last = readings[sq]
        if sq not in self.muted:
            self._mute(sq, readings)  # it may have died as what it read before

    def _follow_drift(self):
        """One empty square's zero moves a small step towards its reading."""
        sq = self._next_drift
        self._next_drift = (sq + 1) % self.size
        if self.state[sq]:
            return
        step = DRIFT_STEP if self.residual[sq] > 0 else -DRIFT_STEP
        if abs(self.drift[sq] + step) <= self._drift_limit:
            self.drift[sq] += step
            self._base[sq] += step


_SIGN = (0, 1, -1)  # of a state's field


def _whole_board(kernel, width, height):
    """array('i') of one magnet's nominal field, counts * 64, at [dy * width + dx]; 0 at 0.

    kernel: counts, [dy][dx] as far as it goes; from there on with the cube of the distance, as a dipole's.
    """
    reach = len(kernel) - 1
    far = kernel[0][reach] * reach * reach * reach
    field = array("i", bytes(4 * width * height))
    for dy in range(height):
        for dx in range(width):
            if dy <= reach and dx <= reach:
                counts = kernel[dy][dx]
            else:
                counts = far / (dx * dx + dy * dy) ** 1.5
            field[dy * width + dx] = int(counts * 64 + (0.5 if counts > 0 else -0.5)) if dx or dy else 0
    return field
