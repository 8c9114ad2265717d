"""The self-test of the start: tiles, sensors, memory, journal; each finding is a code and a sentence.

The code is shown on the lights: so many of the first LEDs of the chain blink as "take away" does. The sentence
is on the display and on the wire (the shell sends it, and answers `selftest` with it). Play goes on all the
same: a board with a dead sensor is better than none.
"""

import gc
import time

from .lights import TAKE, Lights
from .squares import RAIL

TILES = 1
SENSORS = 2
MEMORY = 3
JOURNAL = 4

LEAST_MEMORY = 65536  # bytes of heap; the largest game needs less
SHOW_MS = 3000


def findings(config, tiles, readings, memory, journal):
    """List of (code, sentence), empty when all is well.

    tiles: found by the token; readings: ADC counts; memory: free bytes; journal: its trouble, or None
    """
    found = []
    if tiles != config["tiles"]:
        wants = "%d tiles answer, the board file says %d" % (tiles, config["tiles"])
        found.append((TILES, wants + ": see to the tiles' cables."))
    bad = [sq for sq in range(len(readings)) if not RAIL <= readings[sq] <= 4095 - RAIL]
    if bad:
        names = ", ".join([square_name(config, sq) for sq in bad[:6]]) + (" and more" if len(bad) > 6 else "")
        found.append((SENSORS, "No sensor answers at %s." % names))
    if memory < LEAST_MEMORY:
        found.append((MEMORY, "Only %d KiB of memory are free." % (memory // 1024)))
    if journal:
        found.append((JOURNAL, journal))
    return found


def square_name(config, sq):
    """The board's name of a square: a1 is bottom left."""
    return chr(97 + sq % config["width"]) + str(config["height"] - sq // config["width"])


def at_start(shell, hal, config, readings):
    """Test, show and tell. Takes SHOW_MS when something is wrong, else no time to speak of."""
    hal.scan(readings)
    gc.collect()
    found = findings(config, hal.tested["tiles"], readings, gc.mem_free(), shell.journal.trouble)
    if not found:
        return
    code, sentence = found[0]
    if code == TILES:
        hal.trouble = sentence
        hal.lost = False  # it was never whole: play goes on with the tiles that are there
    lights = Lights(config)
    for led in range(code):
        lights.role[config["leds"][led]] = TAKE
    hal.display(wrapped("Self-test %d: %s" % (code, sentence)))
    begun = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), begun) < SHOW_MS:
        if lights.paint(time.ticks_diff(time.ticks_ms(), begun)):
            hal.show(lights.rgb)
        hal.poll()
        time.sleep_ms(5)


def wrapped(text, width=21):
    """The lines of a text, broken between words."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines
