"""The tile chain: walking tokens, select lines and ADC, over registers in viper.

    tiles = Tiles(config)
    tiles.count()             tiles in the chain, by the token that comes back
    tiles.scan(readings)      readings: array('H'), a count of 12 bits a square; True when the chain is whole

A tile's sensors are awake while its flip-flop holds a token (Q) or one is about to come (D), and its selected
sensor is on the line while it holds one and none follows (Q and not D; docs/hardware/token.md). So RUN tokens
walk through the chain together: the last of them is read, the RUN tiles before it settle meanwhile, and a
tile's turn need last only settle_us / RUN. Cost: settle_us + tiles * max(settle_us / RUN, 16 * 4 us);
25 tiles with 200 us: 2.7 ms. RUN + 1 tiles are awake meanwhile, none between scans.
"""

from array import array

import micropython
from machine import ADC, Pin

RUN = 2  # tokens that walk together
LINE_US = 2  # steps of the timer from a change of the select lines to a conversion: 1 to 2 us
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
    # plan[8 + tile]: when the token reached the tile's D and woke it; D follows its source after 0.1 us, so
    # every edge waits for the timer's next step
    sio[5] = token
    woken: int = timer[10]
    plan[8] = woken
    while n < run:
        while timer[10] == woken:
            pass
        sio[5] = clock
        woken = timer[10]
        n += 1
        plan[8 + n] = woken
        sio[6] = clock
    while timer[10] == woken:
        pass
    sio[6] = token
    at: int = 0
    tile: int = 0
    while tile < tiles:
        if tile == tiles - 1 and sio[1] & back:
            seen = 1
        woken = plan[8 + tile]
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
        tile += 1
        plan[8 + tile + run] = timer[10]
        sio[6] = clock
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
        self._plan = array("i", [0] * (_WOKEN + tiles + RUN + 1))
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
