"""The board's budgets (docs/performance.md), measured on the emulated chip with its tiles in emulated time.

    for row in rows("lode20"): print(row["what"], row["measured"], row["bound"], row["unit"])

One row is one budget. `measured` is us, or bytes of the heap that are left (`at_least`).
"""

import json

from .. import boards
from ..errors import LodeboardError
from ..firmware import wire
from ..flash import build, cache
from ..sim.emulated.board import EmulatedBoard, flash_image
from . import answer, games
from .answer import p95_row, row
from .console import SLOT, Console

RESUME_LIMIT_MS = 20000
ANSWER_LIMIT_MS = 5000

# On the chip: the shell as start.py makes it, then what is asked for.
_PARTS = SLOT + """
import gc, time, json, micropython
from array import array
from firmware.files import Files
from firmware.hal.pico import Pico
from firmware.shell import Shell
config = json.load(open('/config.json'))
hal = Pico(config)
micropython.kbd_intr(3)
hal.info['fw'] = hal.info['hash'] = ''
hal.write = len
shell = Shell(config, hal, Files('/journal'))
slot.settle()
slot.forget()
size = config['width'] * config['height']
now = 0
def turn():
    global now
    now += 5
    shell.tick(now)
    hal.poll()
for _ in range(4):
    turn()
def longest(times, work):
    worst = 0
    for n in range(times):
        gc.collect()
        start = time.ticks_us()
        work(n)
        worst = max(worst, time.ticks_diff(time.ticks_us(), start))
    return worst
"""

_SCAN = """
readings = array('H', [0] * size)
print(longest(5, lambda n: hal.scan(readings)))
"""

# Every square changes its meaning, so all is painted, limited and put into the wire's order.
_LIGHTS = """
lights = shell.table.lights
def frame(n):
    for sq in range(size):
        lights.role[sq] = 1 + (sq + n) % 10
    start = time.ticks_us()
    lights.paint(10000 + 40 * n)
    hal.show(lights.rgb)
    return time.ticks_diff(time.ticks_us(), start)
worst = 0
for n in range(5):
    gc.collect()
    worst = max(worst, frame(n))
    time.sleep_ms(20)
print(worst)
"""

# Nobody does anything, and what the display is to show is shown.
_REST = """
for _ in range(80):
    turn()
gc.collect()
before = gc.mem_alloc()
longest = 0
for _ in range(50):
    start = time.ticks_us()
    turn()
    longest = max(longest, time.ticks_diff(time.ticks_us(), start))
print(json.dumps([longest, (gc.mem_alloc() - before) // 50]))
"""

# The next segment is begun, and memory is collected, while hands are away, as shell and loop do.
_JOURNAL = """
times = []
for n in range(120):
    event = {'t': 'move', 'at': 1000000 + n, 'g': 'tau', 's': n & 1, 'm': 'y/o@C3', 'ply': n}
    start = time.ticks_us()
    shell.journal.append(event)
    times.append(time.ticks_diff(time.ticks_us(), start))
    shell.journal.tidy()
    gc.collect()
print(json.dumps(times))
"""


def rows(board="lode20"):
    """The table; each row a dict of what, measured, bound, unit, ok, at_least."""
    built = build.build()
    keep = {"/journal/" + name: data for name, data in games.full_journal().items()}
    bench = answer.Bench(board, built, keep)
    yield row("start-up to SETUP, lights on, journal full", bench.started_us, 1_500_000)
    yield from answer.tau(bench)
    prompt, emulated = _prompt(built, board, keep)
    squares = emulated.config["width"] * emulated.config["height"]
    yield row(f"reading {squares} squares", int(prompt.run(_SCAN)), 3000)
    what = f"painting and limiting {squares} LEDs besides the wire"
    yield row(what, int(prompt.run(_LIGHTS)), 1500)
    longest, taken = json.loads(prompt.run(_REST))
    yield row("a turn of the loop at rest, longest of 50", longest, 5000)
    yield row("heap that a turn at rest takes", taken, 16, "bytes")
    yield p95_row("journal append, journal full", json.loads(prompt.run(_JOURNAL, 120000)), 10000)
    for name, record in games.longest(boards.load(board).data["games"]):
        what = f"heap left, {name}, {len(record['moves'])} moves played"
        yield row(what, heap_left(built, board, record), 96 * 1024, "bytes", at_least=True)


def heap_left(built, board, record):
    """Bytes that a board says are free, when it has come up with a game open in its journal and goes on with it."""
    config = boards.firmware_config(boards.load(board))
    keep = {"/journal/" + name: data for name, data in games.journal_of(record).items()}
    emulated = EmulatedBoard(config, flash_image(config, built, cache.find(), keep=keep))
    chip, said = emulated.chip, bytearray()

    def told(what):
        said.extend(chip.receive())
        return what in said

    if not chip.run_until(lambda: told(b'"hello"'), RESUME_LIMIT_MS):
        raise LodeboardError(f"The board does not come up: {bytes(said[-80:])!r}.", "See the journal's game.", 1)
    chip.send(wire.encode({"c": "resume"}))
    chip.run_ms(1000)
    said.clear()
    chip.send(wire.encode({"c": "info", "i": 1}))
    if not chip.run_until(lambda: told(b'"re":1'), ANSWER_LIMIT_MS):
        raise LodeboardError(f"The board does not answer: {bytes(said[-80:])!r}.", "See the journal's game.", 1)
    hellos = [wire.decode(line)[1] for line in bytes(said).splitlines() if b'"hello"' in line]
    return hellos[-1]["mem"]


def _prompt(built, board, keep):
    config = boards.firmware_config(boards.load(board))
    keep = {**keep, "/main.py": b""}  # it starts to the prompt
    emulated = EmulatedBoard(config, flash_image(config, built, cache.find(), keep=keep))
    prompt = Console(emulated.chip)
    prompt.run(_PARTS)
    return prompt, emulated
