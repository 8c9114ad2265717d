"""Whether what stands on the board was set down there: a hand that slides or hovers is not done yet."""

from array import array

from .squares import MOST_BEGUN

try:
    from .kernels import steady
except (ImportError, SyntaxError):  # no native code here
    from .twins import steady

# From the last reading that changed to the lights 60 ms may pass: up to one scan until it is read, then the
# readings that must be the same (those that decide the square count too), the referee's work, and the wire.
BOUND_MS = 60
ANSWER_MS = 150  # a piece that still moves after that waits for its own hand
WORK_MS = 10  # from the scan that shows rest to a frame of light, where a referee does not say,
SQUARE_US = 39  # and for each square: its reading, and its light on the wire
# "The same": the means of the three thirds of those readings differ by less than this, so that neither the
# rise of a passing piece nor its peak passes for rest. A slide across a square at 30 mm/s differs by 0.2 mT.
SETTLE_MT = 0.15
SETTLE_DEVIATIONS = 3.3  # and by less than so many standard deviations of such a difference
TREMBLE_DEVIATIONS = 6  # of one reading, between the least and the most: in a hand they differ by more
NOISE_UMT = 80  # of a reading, until it is measured
LEAST, MOST_READINGS = 3, 9  # that must be the same
LONG_MS = 16  # a turn that took longer says nothing of the scans to come
RISE_SHARE = 0.5  # of the time that its field took to rise, a piece must read the same
LIFT_MS = 37  # a board whose last change was a lift rests after that
RESTLESS_MS = 1500  # decisions that held so long count, however much a reading trembles
ASKEW_MS = 500  # between two looks for pieces that stand askew
FRAME_SQUARES = 20  # in one `sense` event
MOST = MOST_BEGUN  # arrivals that are followed; where more come at once, the newest

# An arrival: a square that fills, or filled since the board last rested. SINCE: when it began to read the same, ms;
# 0: it does not. NUMBER of readings so far; RING and job of the kernel that compares them.
_SQUARE, _POLE, _BEGAN, _SINCE, _NUMBER, _RING, _REST = range(7)


class Rest:
    """Keeps settled, changed_at and weak of a table, and tells each change as a `sense` event."""

    def __init__(self, table, config):
        self.table = table
        self._arrivals = []
        self._left_ms = 0  # that the readings may take
        self._wanted = LEAST  # readings that must be the same
        self._bands = ()  # counts by which the sums of thirds of 1, 2, ... readings may differ,
        self._noise = -1  # with this noise
        self._job = array("i", [MOST_READINGS, 0, 0, 0, 0])  # of steady()
        self._lapse = 64 * 5  # between two scans, 64ths of a ms
        self._last = 0
        self._lifted_at = 0
        self._next_look = 0
        self._per_mt = config["counts_per_mt"]
        self._work_ms = config["width"] * config["height"] * SQUARE_US // 1000 + 1

    def update(self, now, changed):
        """After a scan: True when the board came to rest, or when pieces stand askew that did not."""
        table = self.table
        self._lapse += 8 * min(LONG_MS, now - self._last) - self._lapse // 8
        self._last = now
        if changed:
            table.changed_at = now
            table.settled = False
            self._tell_changes()
        if table.squares.begun:
            self._begin()
        if self._arrivals:
            self._listen()
        if not table.settled:
            if not self._at_rest(now):
                return False
            table.settled = True
            self._arrivals = []
            return self._look(now, True)
        return now >= self._next_look and self._look(now, False)

    def _look(self, now, rested):
        """Looks for pieces that stand askew; tells rest, and changes of those. Whether it told something."""
        table = self.table
        weak = table.squares.askew()
        self._next_look = now + ASKEW_MS
        if weak == table.weak and not rested:
            return False
        table.weak = weak
        event = {"t": "sense", "d": [], "r": 1}
        if weak:
            event["w"] = weak[:FRAME_SQUARES]
        table.emit(event)
        return True

    def answering(self, now):
        """Whether hands wait for a light that is near: nothing else may take the wire or the time of a turn."""
        return len(self._arrivals) > 0 and now - self._arrivals[-1][_BEGAN] < ANSWER_MS

    def _tell_changes(self):
        squares = self.table.squares
        self._plan()
        data = None
        for sq in squares.changed:
            state = squares.state[sq]
            if data is None or len(data) == FRAME_SQUARES:
                data = []
                self.table.emit({"t": "sense", "d": data})
            data.append((sq, state, squares.mt10(sq)))
            if not state:
                self._lifted_at = self._last
            elif self._arrival(sq, state) is None:
                self._follow(sq, state)

    def _arrival(self, sq, pole):
        for arrival in self._arrivals:
            if arrival[_SQUARE] == sq and arrival[_POLE] == pole:
                return arrival
        return None

    def _begin(self):
        squares = self.table.squares
        self._plan()
        for sq in squares.begun:
            self._follow(sq, squares.pending[sq] >> 6)

    def _follow(self, sq, pole):
        """A square begins to fill."""
        arrivals = self._arrivals
        for i in range(len(arrivals)):
            if arrivals[i][_SQUARE] == sq:
                arrivals.pop(i)
                break
        if len(arrivals) >= MOST:
            arrivals.pop(0)
        ring = array("H", [0] * MOST_READINGS)
        arrivals.append([sq, pole, self._last, 0, 0, ring, (ring, self._job)])

    def _listen(self):
        """Every arrival's reading, which no other square's decision changes; those that came to nothing are let go."""
        squares, arrivals = self.table.squares, self._arrivals
        i = 0
        while i < len(arrivals):
            arrival = arrivals[i]
            sq = arrival[_SQUARE]
            if squares.state[sq] != arrival[_POLE] and not squares.pending[sq]:
                arrivals.pop(i)
                continue
            number = arrival[_NUMBER]
            arrival[_RING][number % MOST_READINGS] = squares.readings[sq]
            arrival[_NUMBER] = number + 1
            i += 1

    def _at_rest(self, now):
        if now - self.table.changed_at >= RESTLESS_MS:
            return True
        return now - self._lifted_at >= LIFT_MS and self._all_down(now)

    def _all_down(self, now):
        down = True
        for arrival in self._arrivals:
            if not self._set_down(now, arrival):
                down = False
        return down

    def _plan(self):
        """As many readings as there is time for, and how much they may differ."""
        work_ms = self._work_ms + getattr(self.table.referee, "WORK_MS", WORK_MS)
        lapse = max(64, self._lapse)
        self._left_ms = left_ms = BOUND_MS - work_ms - lapse // 64
        self._wanted = max(LEAST, min(MOST_READINGS, left_ms * 64 // lapse + 1))
        noise = self.table.squares.noise_umt or NOISE_UMT
        if noise != self._noise:
            self._noise = noise
            bands = []
            for third in range(1, MOST_READINGS // 3 + 1):
                band_mt = max(SETTLE_MT, SETTLE_DEVIATIONS * noise / 1000 * (2 / third) ** 0.5)
                bands.append(int(band_mt * self._per_mt * third))
            self._bands = bands
            self._job[3] = int(max(SETTLE_MT, TREMBLE_DEVIATIONS * noise / 1000) * self._per_mt)

    def _set_down(self, now, arrival):
        """Whether a piece reads the same for long enough: the longer it took to come, the longer.

        A piece that slides across a square takes 5.7 mm from the threshold to the peak of its field and stays
        within the band for 1 mm, at any speed; one that is set down stays.
        """
        if self.table.squares.state[arrival[_SQUARE]] != arrival[_POLE]:
            return False  # it is not decided yet
        number = arrival[_NUMBER]
        if number < self._wanted and not (number >= LEAST and self._late(now, arrival)):
            return False
        if not self._stands(arrival, min(number, self._wanted)):
            arrival[_SINCE] = 0
            return False
        return self._stood(now, arrival, min(number, self._wanted))

    def _late(self, now, arrival):
        """Turns took longer than they use to: there is no time for another reading."""
        return now + self._lapse // 64 - arrival[_BEGAN] > self._left_ms

    def _stands(self, arrival, number):
        job = self._job
        job[1] = number
        job[2] = arrival[_NUMBER]
        job[4] = self._bands[(number + 1) // 3 - 1]
        return steady(0, 0, 0, arrival[_REST])

    def _stood(self, now, arrival, number):
        arrival[_SINCE] = since = arrival[_SINCE] or now
        window = self._lapse // 64 * (number - 1)
        return now - since + window >= (since - window - arrival[_BEGAN]) * RISE_SHARE
