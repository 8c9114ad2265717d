"""Whether what stands on the board was set down there: a hand that slides or hovers is not done yet."""

SETTLE_MS = 40  # a piece that read the same for so long was set down
SETTLE_MT = 0.2  # "the same": a slide across a square faster than 26 mm/s leaves this band within SETTLE_MS
SETTLE_NOISES = 4  # or so many standard deviations of the measured noise
RESTLESS_MS = 1500  # decisions that held so long count, however much a reading trembles
ASKEW_MS = 500  # between two looks for pieces that stand askew
FRAME_SQUARES = 20  # in one `sense` event


class Rest:
    """Keeps settled, changed_at and weak of a table, and tells each change as a `sense` event."""

    def __init__(self, table, config):
        self.table = table
        self._arrivals = []  # squares that filled since the board last rested: [square, residual, since ms]
        self._next_look = 0
        self._per_mt = config["counts_per_mt"]

    def update(self, now, changed):
        """After a scan: True when the board came to rest, or when pieces stand askew that did not."""
        table = self.table
        if changed:
            table.changed_at = now
            table.settled = False
            self._tell_changes(now)
        if not table.settled:
            if not self._at_rest(now):
                return False
            table.settled = True
            self._arrivals = []
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

    def _tell_changes(self, now):
        squares = self.table.squares
        data = []
        for sq in squares.changed:
            data.append([sq, squares.state[sq], squares.mt10(sq)])
            self._arrivals = [arrival for arrival in self._arrivals if arrival[0] != sq]
            if squares.state[sq]:
                self._arrivals.append([sq, squares.residual[sq], now])
        for i in range(0, len(data), FRAME_SQUARES):
            self.table.emit({"t": "sense", "d": data[i : i + FRAME_SQUARES]})

    def _at_rest(self, now):
        changed_at = self.table.changed_at
        if now - changed_at >= RESTLESS_MS:
            return True
        squares = self.table.squares
        band_mt = max(SETTLE_MT, SETTLE_NOISES * squares.noise_umt / 1000)
        band = int(band_mt * self._per_mt)
        rests = now - changed_at >= SETTLE_MS
        for arrival in self._arrivals:
            reads = squares.residual[arrival[0]]
            if abs(reads - arrival[1]) > band:
                arrival[1] = reads
                arrival[2] = now
            if now - arrival[2] < SETTLE_MS:
                rests = False
        return rests

    def _askew(self):
        squares = self.table.squares
        return [sq for sq in range(squares.size) if squares.state[sq] and squares.weak(sq)]
