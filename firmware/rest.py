"""Whether what stands on the board was set down there: a hand that slides or hovers is not done yet."""

from .squares import SCANS

# From the last reading that changed to the lights 60 ms may pass. Squares decide after 3 scans; what is left
# is for a piece to read the same, so that a slide or a hovering hand is not taken for a piece set down.
ANSWER_MS = 57
# "The same": the means of the three thirds of that time differ by less than this, so that neither the rise of
# a passing piece nor its peak passes for rest. A slide across a square at 30 mm/s differs by 0.2 mT.
SETTLE_MT = 0.15
SETTLE_DEVIATIONS = 3.3  # and by less than so many standard deviations of such a difference
NOISE_UMT = 80  # of a reading, until it is measured
RISE_SHARE = 0.5  # of the time that its field took to rise, a piece must read the same
RESTLESS_MS = 1500  # decisions that held so long count, however much a reading trembles
ASKEW_MS = 500  # between two looks for pieces that stand askew
FRAME_SQUARES = 20  # in one `sense` event


class Rest:
    """Keeps settled, changed_at and weak of a table, and tells each change as a `sense` event."""

    def __init__(self, table, config):
        self.table = table
        self._arrivals = []  # squares that filled since the board last rested
        self._readings = []  # of each, the newest last
        self._times = []  # of each: [ms when it filled, ms since when it reads the same, 0: it does not]
        self._third = 3  # readings in a third of that time
        self._lapse = 40  # between two scans, eighths of a ms
        self._last = 0
        self._next_look = 0
        self._per_mt = config["counts_per_mt"]

    def update(self, now, changed):
        """After a scan: True when the board came to rest, or when pieces stand askew that did not."""
        table = self.table
        self._lapse += min(50, now - self._last) - self._lapse // 8
        self._last = now
        if changed:
            table.changed_at = now
            table.settled = False
            self._tell_changes()
        if not table.settled:
            if not self._at_rest(now):
                return False
            table.settled = True
            self._arrivals = []
            self._readings = []
            self._times = []
        elif now < self._next_look:
            return False
        elif self._askew() == table.weak:
            self._next_look = now + ASKEW_MS
            return False
        self._next_look = now + ASKEW_MS
        table.weak = self._askew()
        event = {"t": "sense", "d": [], "r": 1}
        if table.weak:
            event["w"] = table.weak[:FRAME_SQUARES]
        table.emit(event)
        return True

    def _tell_changes(self):
        squares = self.table.squares
        data = []
        for sq in squares.changed:
            data.append([sq, squares.state[sq], squares.mt10(sq)])
            if sq in self._arrivals:
                at = self._arrivals.index(sq)
                del self._arrivals[at], self._readings[at], self._times[at]
            if squares.state[sq]:
                self._arrivals.append(sq)
                self._readings.append([])
                self._times.append([self._last, 0])
        for i in range(0, len(data), FRAME_SQUARES):
            self.table.emit({"t": "sense", "d": data[i : i + FRAME_SQUARES]})

    def _at_rest(self, now):
        lapse = max(1, self._lapse // 8)
        answer_ms = getattr(self.table.referee, "ANSWER_MS", ANSWER_MS)
        settle_ms = max(20, answer_ms - SCANS * lapse)
        self._third = max(1, min(3, (settle_ms + lapse) // (3 * lapse)))
        changed_at = self.table.changed_at
        if now - changed_at >= RESTLESS_MS:
            return True
        residual = self.table.squares.residual
        rests = now - changed_at >= settle_ms - lapse
        for i in range(len(self._arrivals)):
            readings = self._readings[i]
            readings.append(residual[self._arrivals[i]])
            if len(readings) > 9:
                readings.pop(0)
            if not self._set_down(now, self._times[i], readings):
                rests = False
        return rests

    def _set_down(self, now, times, readings):
        """Whether a piece reads the same for long enough: the longer it took to come, the longer.

        A piece that slides across a square takes 5.7 mm from the threshold to the peak of its field and stays
        within the band for 1 mm, at any speed; one that is set down stays.
        """
        if not self._same(readings):
            times[1] = 0
            return False
        times[1] = times[1] or now
        window = self._lapse * 3 * self._third // 8
        rise = times[1] - window - times[0]
        return now - times[1] + window >= rise * RISE_SHARE

    def _same(self, readings):
        third = self._third
        if len(readings) < 3 * third:
            return False
        noise_mt = (self.table.squares.noise_umt or NOISE_UMT) / 1000
        band_mt = max(SETTLE_MT, SETTLE_DEVIATIONS * noise_mt * (2 / third) ** 0.5)
        sums = [sum(readings[-part * third : len(readings) - (part - 1) * third]) for part in (3, 2, 1)]
        return max(sums) - min(sums) <= band_mt * self._per_mt * third

    def _askew(self):
        squares = self.table.squares
        return [sq for sq in range(squares.size) if squares.state[sq] and squares.weak(sq)]
