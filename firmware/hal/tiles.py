"""The tile chain: walking token, select lines and ADC, over registers in viper.

    tiles = Tiles(config)
    tiles.count()             tiles in the chain, by the token that comes back
    tiles.scan(readings)      readings: array('H'), a count of 12 bits a square; True when the chain is whole

A tile wakes its sensors while its flip-flop holds a token, and puts the selected sensor on the line when its
neighbour before it holds none: a run of tokens walks through the chain, its last tile is read, the ones
before it settle meanwhile. With a run of RUN tiles a tile rests RUN - 1 turns before its own, so a turn need
last only settle_us / (RUN - 1). Cost: settle_us + tiles * max(settle_us / 2, 16 squares * 4 us);
25 tiles with 200 us: 2.7 ms; three tiles are awake meanwhile, none between scans. docs/chip.md has the circuit.
"""

from array import array

import micropython
from machine import ADC, Pin

RUN = 3  # tiles awake at once
LINE_US = 2  # from a change of the select lines to the start of a conversion, in steps of the timer: 1 to 2 us
MOST_TILES = 64  # count() gives up there

# indices into the plan that the inner loop reads
_TILES, _RUN, _SETTLE, _TOKEN, _CLOCK, _ADC, _BACK, _LINE = range(8)
_WOKEN = 8  # and from here when each tile woke, us


@micropython.viper
def _scan(readings, order, flips, plan_) -> int:
    # order[i]: square of the i-th conversion; flips[i]: select lines that change before it
    out = ptr16(readings)
    square = ptr16(order)
    flip = ptr32(flips)
    plan = ptr32(plan_)
    sio = ptr32(0xD0000000)  # 1: IN, 5: OUT_SET, 6: OUT_CLR, 7: OUT_XOR
    timer = ptr32(0x40054000)  # 10: TIMERAWL, us
    adc = ptr32(0x4004C000)  # 0: CS, 1: RESULT
    tiles: int = plan[0]
    run: int = plan[1]
    settle: int = plan[2]
    token: int = plan[3]
    clock: int = plan[4]
    start: int = plan[5]
    back: int = plan[6]
    line: int = plan[7]
    seen: int = 0
    n: int = 0
    sio[5] = token
    while n < run:
        sio[5] = clock
        plan[8 + n] = timer[10]
        sio[6] = clock
        n += 1
    sio[6] = token
    at: int = 0
    tile: int = 0
    while tile < tiles:
        if tile == tiles - 1 and sio[1] & back:
            seen = 1
        woken: int = plan[8 + tile]
        while timer[10] - woken < settle:
            pass
        i: int = 0
        while i < 16:
            sio[7] = flip[i]
            woken = timer[10]
            while timer[10] - woken < line:
                pass
            adc[0] = start
            while adc[0] & 0x100 == 0:
                pass
            out[square[at]] = adc[1]
            at += 1
            i += 1
        sio[5] = clock
        plan[8 + tile + run] = timer[10]
        sio[6] = clock
        tile += 1
    if sio[1] & back:  # a token that stays is a chain that does not shift
        seen = 0
    return seen


class Tiles:
    """config: as docs/architecture.md has it; uses its tiles, chain, settle_us and pins."""

    def __init__(self, config):
        pins = config["pins"]
        tiles = config["tiles"]
        select = pins["select"]
        self._token = Pin(pins["token"], Pin.OUT, value=0)
        self._clock = Pin(pins["clock"], Pin.OUT, value=0)
        self._back = Pin(pins["token_back"], Pin.IN, Pin.PULL_DOWN)
        self._select = [Pin(number, Pin.OUT, value=0) for number in select]
        self._adc = ADC(Pin(pins["analog"]))
        # Gray order: one select line moves at a time, so the line never shows a third sensor in between
        gray = [i ^ (i >> 1) for i in range(16)]
        self._order = array("H", (config["chain"][16 * t + g] for t in range(tiles) for g in gray))
        self._flips = array("i", [0] * 16)
        for i in range(16):
            changed = gray[i] ^ gray[i - 1]
            for bit in range(4):
                if changed >> bit & 1:
                    self._flips[i] |= 1 << select[bit]
        self._select[3].value(1)  # where the Gray walk ends, so where it begins
        self._plan = array("i", [0] * (_WOKEN + tiles + RUN))
        for index, value in (
            (_TILES, tiles),
            (_RUN, RUN),
            (_SETTLE, config["settle_us"]),
            (_TOKEN, 1 << pins["token"]),
            (_CLOCK, 1 << pins["clock"]),
            (_ADC, (pins["analog"] - 26) << 12 | 4 | 1),
            (_BACK, 1 << pins["token_back"]),
            (_LINE, LINE_US),
        ):
            self._plan[index] = value
        self.clear()

    def scan(self, readings):
        return _scan(readings, self._order, self._flips, self._plan) == 1

    def shift(self, token):
        """One clock: token (0 or 1) goes into the first tile."""
        self._token.value(token)
        self._clock.value(1)
        self._clock.value(0)

    def clear(self):
        """Shift out whatever the flip-flops woke up with: they have no reset."""
        for _ in range(MOST_TILES):
            self.shift(0)
        self._token.value(0)

    def count(self):
        """Tiles that hand the token on, by when it comes back; 0 when it never does."""
        self.clear()
        found = 0
        self.shift(1)
        for n in range(1, MOST_TILES + 1):
            if self._back.value():
                found = n
                break
            self.shift(0)
        self.clear()
        return found
