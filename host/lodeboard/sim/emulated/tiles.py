"""The tile chain as the pins see it: flip-flops, load switches, sensors waking up, multiplexers, one line.

    chain = TileChain(config, readings)     readings: array('H') of ADC counts in the order of squares, shared
    Chip(uf2, devices=[chain, ...])

A tile's flip-flop holds a token (Q) and sees its neighbour's a little later (D; the TOKEN pin for the first
tile). Q or D powers the sensors; Q without D puts the multiplexer on the line. A sensor shows its field after
settle_us of power, before that a part of it. The line follows its source within LINE_US.
"""

from lodeboard.errors import LodeboardError

SAMPLE_US = 2.0  # the RP2040's ADC: 96 cycles of 48 MHz
LINE_US = 0.8  # multiplexer's resistance and the line's capacitance, to 12 bits
D_NS = 150  # from a token's change to the next flip-flop's input: 1 kOhm with 100 pF, and a Schmitt buffer
FLOATING = 0  # the line's pull-down when no tile drives it
FULL = 4095


class TileChain:
    """faults: {"missing_tile": n}, {"dead": {sq: counts}}, {"stuck_token": True}; may change while it runs."""

    def __init__(self, config, readings):
        self.config = config
        self.readings = readings
        self.supplies = {}  # counts of the other ADC channels; the supply's device sets them
        self.dead = {}
        self.missing_tile = None
        self.stuck_token = False
        self.tiles = config["tiles"]
        self.scans = 0  # times that the last tile was read
        self.most_awake = 0
        self._settle_ns = config["settle_us"] * 1000
        self._q = [True] * self.tiles  # flip-flops wake up with anything
        self._awake = [0.0] * self.tiles
        self._level = 0
        self._token = self._token_before = False
        self._token_ns = 0.0
        self._before = self._q  # what the flip-flops held before the last edge
        self._edge_ns = 0.0
        self._line_since = 0.0

    def attach(self, chip):
        self._clock = chip.clock
        self._mcu = mcu = chip.mcu
        pins = self.config["pins"]
        self._select = pins["select"]
        self._back = mcu.gpio[pins["token_back"]]
        mcu.gpio[pins["clock"]].add_listener(self._on_clock)
        mcu.gpio[pins["token"]].add_listener(self._on_token)
        for pin in self._select:
            mcu.gpio[pin].add_listener(self._on_select)
        self._analog = pins["analog"] - 26
        self._done = self._clock.create_alarm(self._convert)
        self._channel = 0
        mcu.adc.on_adc_read = self._on_adc_read

    def _present(self):
        return self.tiles if self.missing_tile is None else self.missing_tile

    def _on_token(self, value, _old):
        self._token_before, self._token = self._token, value == 1
        self._token_ns = self._line_since = now = self._clock.nanos
        if self._token and not self._q[0] and self._present():
            self._awake[0] = now

    def _on_select(self, _value, _old):
        self._line_since = self._clock.nanos

    def _on_clock(self, value, old):
        if value != 1 or old == 1 or self.stuck_token:
            return
        now = self._clock.nanos
        last = self._q
        # D has not followed yet when the edge comes too soon
        ahead = last if now - self._edge_ns >= D_NS else self._before
        first = self._token if now - self._token_ns >= D_NS else self._token_before
        self._before, self._edge_ns = last, now
        self._q = [first, *ahead[:-1]]
        for tile in range(self._present(), self.tiles):
            self._q[tile] = False
        was_awake = self._powered(last)
        is_awake = self._powered(self._q)
        for tile in range(self.tiles):
            if is_awake[tile] and not was_awake[tile]:
                self._awake[tile] = now
        self._line_since = now
        self.most_awake = max(self.most_awake, sum(is_awake))
        self._back.set_input_value(self._q[-1])

    def _powered(self, q):
        present = self._present()
        return [tile < present and (q[tile] or (q[tile - 1] if tile else self._token)) for tile in range(self.tiles)]

    def _enabled(self):
        """The tile on the line, None for none, -1 for several."""
        found = None
        before = self._token
        for tile in range(self.tiles):
            q = self._q[tile]
            if q and not before:
                found = tile if found is None else -1
            before = q
        return found

    def _on_adc_read(self, channel):
        self._channel = channel
        self._done.schedule(SAMPLE_US * 1000)

    def _convert(self):
        # sampling takes the first part of a conversion: the line must be settled by then
        started = self._clock.nanos - SAMPLE_US * 1000
        if self._channel == self._analog:
            value = self._line(started)
        else:
            value = self.supplies.get(self._channel, 0)
        self._mcu.adc.complete_adc_read(value, False)

    def _line(self, now):
        tile = self._enabled()
        if tile is None:
            level = FLOATING
        elif tile < 0:
            level = FULL // 2  # two outputs against each other: nothing to rely on
        else:
            bits = self._mcu.sio.gpio_value
            at = sum((bits >> pin & 1) << n for n, pin in enumerate(self._select))
            square = self.config["chain"][16 * tile + at]
            level = self.dead.get(square, self.readings[square])
            awake_ns = now - self._awake[tile]
            if awake_ns < self._settle_ns:
                level = int(level * awake_ns / self._settle_ns)
            if tile == self.tiles - 1 and at == 8:
                self.scans += 1
        if now - self._line_since < LINE_US * 1000:
            level = (level + self._level) // 2
        self._level = level
        return level


def readings_of(config, value=None):
    """A fresh array of readings at rest."""
    from array import array

    rest = config["zero"] if value is None else value
    if not 0 <= rest <= FULL:
        raise LodeboardError(f"A reading of {rest} counts is not in 0..{FULL}.", "Give a value of 12 bits.", 2)
    return array("H", [rest] * (config["width"] * config["height"]))
