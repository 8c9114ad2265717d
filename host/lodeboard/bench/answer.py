"""From a sensor's change to the light that answers it: the whole firmware on the emulated chip, wire included.

    for row in tau("lode20"): ...        lifts and moves of a game of Tau, on the external supply and on USB
    for row in callisto(): ...           pieces that no larger legal one contains, lode20

A change is a magnet that is there, or gone, from one moment to the next; each comes at another point of the
firmware's turn. The light is the frame that the LEDs have latched.
"""

from .. import boards
from ..firmware import wire
from ..flash import build, cache
from ..sim.emulated.board import EmulatedBoard, flash_image
from . import games

BOUND_US = 60_000
BOOT_LIMIT_MS = 5000
LIMIT_MS = 500
MOVES = 20
USB_MOVES = 8
EXTERNAL_V = 5.0
REST_MS = 250  # after a move: the journal is written, and 200 ms after it memory is collected
COLUMNS = 8  # the first moves of four players, columns all, are played and not measured
HOLD_MS = 100  # a stick in the air
TURN_MS = 5
GOLDEN = 0.618  # of a turn from each change's moment to the next one's: they spread evenly


class Bench:
    """A board that started by itself, a game on it, and a hand whose magnets jump."""

    def __init__(self, board, built=None, keep=None):
        """keep: {path: bytes} of files that are on its flash already."""
        self.config = boards.firmware_config(boards.load(board))
        image = flash_image(self.config, built or build.build(), cache.find(), keep=keep)
        self.emulated = EmulatedBoard(self.config, image)
        self.chip = self.emulated.chip
        self._on = {}
        self._field = [0.0] * (self.config["width"] * self.config["height"])
        self._changes = 0
        seen = bytearray()

        def in_setup():
            seen.extend(self.chip.receive())
            return b'"s":"SETUP"' in seen and any(self.emulated.leds.rgb)

        self.chip.run_until(in_setup, BOOT_LIMIT_MS)
        self.started_us = round(self.chip.now_us)

    def begin(self, game, options, setup=()):
        """A game; setup: [(square, pole), ...] of the pieces that it begins with."""
        self.chip.send(wire.encode({"c": "new", "g": game, "opt": options, "seed": 1}))
        self.chip.run_ms(600)
        for square, pole in setup:
            self._set(square, pole)
        self.chip.run_ms(600)

    def supply(self, external):
        self.emulated.supply.external(EXTERNAL_V if external else 0)
        self.chip.run_ms(1200)  # the firmware looks once a second

    def _set(self, square, pole):
        """A magnet with this pole up, or 0 for none, in place of what stands there: its nominal field around it."""
        kernel, width, readings = self.config["kernel"], self.config["width"], self.emulated.readings
        change = pole - self._on.get(square, 0)
        self._on[square] = pole
        x, y = square % width, square // width
        for to in range(len(readings)):
            dx, dy = abs(to % width - x), abs(to // width - y)
            if dx < len(kernel) and dy < len(kernel):
                self._field[to] += change * kernel[dy][dx]
                readings[to] = max(0, min(4095, round(self.config["zero"] + self._field[to])))

    def change(self, squares, pole, lit):
        """us from the change of squares to the frame that lit(red, green, blue) of the first of them holds for."""
        self._changes += 1
        self.chip.run_us(self._changes * GOLDEN % 1 * TURN_MS * 1000)
        leds, at = self.emulated.leds, 3 * squares[0]
        for square in squares:
            self._set(square, pole)
        begun = self.chip.now_us
        answered = self.chip.run_until(lambda: lit(*leds.rgb[at : at + 3]), LIMIT_MS, 100)
        return round(leds.latched_ns / 1000 - begun) if answered else LIMIT_MS * 1000

    def change_any(self, square, pole):
        """As change() of one square, to the frame in which its light is another."""
        was = tuple(self.emulated.leds.rgb[3 * square : 3 * square + 3])
        return self.change([square], pole, lambda *rgb: rgb != was)


def p95(times):
    """By nearest rank."""
    return sorted(times)[max(0, -(-len(times) * 95 // 100) - 1)]


def row(what, measured, bound, unit="us", at_least=False, note=""):
    """One budget (board.py)."""
    ok = measured >= bound if at_least else measured <= bound
    return {
        "what": what, "measured": measured, "bound": bound, "unit": unit, "ok": ok, "at_least": at_least,
        "note": note,
    }  # fmt: skip


def p95_row(what, times, bound=BOUND_US):
    """The budget of what was measured several times, us."""
    note = f"mean {sum(times) // len(times)}, longest {max(times)}"
    return row(f"{what}, p95 of {len(times)}", p95(times), bound, note=note)


def tau(bench, number=MOVES):
    """Rows of a board whose Bench is given; lode20 is measured on both supplies."""
    config = bench.config
    bench.begin("tau", {"starter": 1}, games.tau_setup(config))
    supplies = [True, False] if config["limits"].get("scan_ms", TURN_MS) > TURN_MS else [True]
    moves = games.tau_hands(config, number + USB_MOVES)
    for external in supplies:
        bench.supply(external)
        lifts, drops = [], []
        for start, goal, pole in moves[: number if external else USB_MOVES]:
            lifts.append(bench.change_any(start, 0))
            bench.chip.run_ms(HOLD_MS)
            drops.append(bench.change_any(goal, pole))
            bench.chip.run_ms(REST_MS)
            bench.chip.receive()
        del moves[:number]
        on = "" if external else ", on USB power"
        yield p95_row("lift: sensor's change to light latched" + on, lifts)
        yield p95_row("move that is complete: sensor's change to light latched" + on, drops)


def callisto(number=MOVES):
    """A piece's squares fill at once; the light is that of the last move, which the next turn's frame shows."""
    bench = Bench("lode20")
    bench.begin("callisto", {"edition": "2009", "players": 4, "starter": 1})
    bench.supply(True)
    times = []
    for squares in games.callisto_hands(bench.config, COLUMNS + number):
        times.append(bench.change(squares, 1, lambda red, green, _: red >= green and red > 0))
        bench.chip.run_ms(REST_MS)
        bench.chip.receive()
    del times[:COLUMNS]
    yield p95_row("callisto: a piece that is complete to the next turn's light latched", times)
