"""The chip's start: chooses a slot, counts the boots that failed, falls back, starts the firmware.

It lies outside the slots, as /main.py:

    /slot           "a" or "b": the slot in force; replaced by one rename
    /slots/a/       manifest.json, firmware/*.mpy, shared_rules/*.mpy; /slots/b/ likewise
    /fails          boots that began since one stayed up; gone when all is well
    /fallback       why the board went back to the slot before, one sentence
    /crash          the last traceback
    /config.json /calibration.json /journal/   the board's own: no deployment touches them

After three boots that did not stay up for five seconds the other slot is taken; after six the board stays at
MicroPython's prompt until its power was off.
"""

import io
import os
import sys

FALL_BACK = 3  # boots of one slot
GIVE_UP = 6  # of both
CRASH_BYTES = 1500
WATCHDOG_MS = 8000
MOUNT = "/fw"  # where start.py puts the slot


def read(path):
    """A small file's text without blanks around it; "" when there is none."""
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return ""


def write(path, text):
    """Replace a file in one step. On a flash that takes nothing more the start goes on without."""
    try:
        with open(path + ".new", "w") as file:
            file.write(text)
        os.rename(path + ".new", path)
    except OSError:
        pass


def remove(path):
    try:
        os.remove(path)
    except OSError:
        pass


def whole(root, slot):
    """True when a slot has a manifest: it is the last file that a deployment puts there."""
    try:
        os.stat(root + "/slots/" + slot + "/manifest.json")
        return True
    except OSError:
        return False


def choose(root, powered_on):
    """(slot or None, boots that failed before this one); writes what changes. root: "" on the chip."""
    slot = read(root + "/slot") or "a"
    text = read(root + "/fails")
    fails = int(text) if text.isdigit() else 0
    if fails >= GIVE_UP:
        if not powered_on:
            return None, fails
        fails = GIVE_UP - 1
    other = "b" if slot == "a" else "a"
    broken = not whole(root, slot)
    if (broken or fails == FALL_BACK) and whole(root, other):
        why = "is not complete" if broken else "did not stay up in %d starts" % fails
        write(root + "/fallback", "Slot %s %s, so slot %s runs." % (slot, why, other))
        write(root + "/slot", other)
        slot = other
    elif broken:
        return None, fails
    write(root + "/fails", str(fails + 1))
    return slot, fails


def guard(fails):
    """A start that hangs ends with the watchdog, and counts as failed. What is typed waits for the firmware, which
    knows who wants the prompt; but after a failed start Ctrl-C works at once.
    """
    import machine
    import micropython

    machine.WDT(timeout=WATCHDOG_MS)
    if not fails:
        micropython.kbd_intr(-1)


def calm():
    """At the prompt nobody feeds the watchdog: stop it (its control register, alias that clears bits). Ctrl-C works.

    The slot's code is forgotten: a deployment may overwrite where it runs, and `main()` takes what is there then.
    """
    import machine
    import micropython

    machine.mem32[0x4005B000] = 1 << 30
    micropython.kbd_intr(3)
    for name in list(sys.modules):
        if name.split(".")[0] in ("firmware", "shared_rules"):
            del sys.modules[name]
    if MOUNT[1:] in os.listdir("/"):
        os.umount(MOUNT)
    sys.path[:] = ["", ".frozen", "/lib"]


def crashed(error):
    """Keep the traceback, show it, give a host two seconds to take the prompt, then start anew."""
    import time

    import machine

    text = io.StringIO()
    sys.print_exception(error, text)
    text = text.getvalue()[-CRASH_BYTES:]
    print(text)
    if read("/crash") != text.strip():
        write("/crash", text)
    time.sleep(2)
    machine.reset()


def main():
    import machine

    powered_on = machine.reset_cause() == machine.PWRON_RESET
    slot, fails = choose("", powered_on)
    if slot is None:
        print("Lodeboard: no slot starts. Put the firmware on again with: lodeboard flash")
        return
    sys.path[:] = ["/slots/" + slot, ".frozen"]
    guard(fails)
    try:
        from firmware.start import run

        run(slot, lambda: remove("/fails"))
    except KeyboardInterrupt:
        pass
    except Exception as error:
        calm()
        crashed(error)
    calm()


if __name__ == "__main__":
    main()
