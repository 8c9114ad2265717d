"""What runs in a slot: the board's own files, the self-test, and the loop until a host wants the prompt.

All other modules are loaded by run(), from a slot that is mounted for it: hal/slot.py says why.
"""

import gc
import json
import time
from array import array

from .hal.slot import Slot

STAYS_UP_MS = 5000
SUPPLY_MS = 1000  # between two looks at what feeds the board
COLLECT_MS = 200  # after a move, while hands are away: the collection's 20 ms are not to fall into the next


def load(path):
    """The object of a JSON file; None when there is no such file."""
    try:
        with open(path) as file:
            return json.load(file)
    except OSError:
        return None


def head(path):
    """What a manifest says before its list of files, which is long."""
    with open(path) as file:
        text = file.read(256)
    return json.loads(text[: text.index(',"main"')] + "}")


def run(slot, stays_up):
    """Run the board. stays_up() is called once, when the start has proved itself."""
    files = Slot("/slots/" + slot)
    files.take_over("/fw")
    from . import selftest
    from .files import Files
    from .hal.pico import Pico
    from .shell import Shell

    files.settle()
    config = load("/config.json")
    manifest = head("/slots/" + slot + "/manifest.json")
    if config is None:
        raise OSError("there is no /config.json: run lodeboard flash --board NAME")
    hal = Pico(config, watchdog=True)
    hal.info["fw"] = manifest["version"]
    hal.info["hash"] = manifest["hash"]
    shell = Shell(config, hal, Files("/journal"))
    selftest.at_start(shell, hal, config, array("H", [0] * (config["width"] * config["height"])))
    for key in ("chain", "leds", "pins"):  # the pins have them, and 4 KiB on lode20 are worth it
        del config[key]
    gc.collect()
    loop(shell, hal, files, stays_up)
    hal.close()


def loop(shell, hal, files, stays_up):
    """Turns of TICK_MS until the host asks for the prompt; time that a long turn took is not caught up.

    On a USB port a large board takes longer turns (hal.scan_ms).
    """
    usb = hal.usb
    collected = 0
    last = begun = time.ticks_ms()
    now = looked = 0
    period = hal.scan_ms()
    while usb.wanted is None:
        tick = time.ticks_ms()
        now += time.ticks_diff(tick, last)  # ticks_ms wraps after 12 days: the board's time does not
        last = tick
        turn = time.ticks_us()
        shell.tick(now)
        hal.poll()
        hal.loop_us = time.ticks_diff(time.ticks_us(), turn)
        if files.fresh:  # another game's code was loaded
            files.settle()
            files.forget()
        changed = shell.table.changed_at
        if changed != collected and now - changed > COLLECT_MS:
            collected = changed
            gc.collect()
        if stays_up is not None and time.ticks_diff(tick, begun) > STAYS_UP_MS:
            stays_up()
            stays_up = None
        if now - looked >= SUPPLY_MS:
            looked = now
            period = hal.scan_ms()
        rest = period - time.ticks_diff(time.ticks_ms(), tick)
        if rest > 0:
            time.sleep_ms(rest)
