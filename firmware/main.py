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


def read(path):
    """A small file's text without blanks around it; "" when there is none."""
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return ""


def write(path, text):
    """Replace a file in one step."""
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)


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


class Window:
    """A slot as a file system that knows its names beforehand and gives files from memory.

    The flash's own needs 5 ms to look a path up, and an import looks up three, also before it takes a module
    of MicroPython's own such as `time`: so nothing else is on sys.path.
    """

    def __init__(self, root):
        self.root = root
        self.sizes = {}  # of a folder None
        self._list("")

    def _list(self, folder):
        self.sizes[folder] = None
        for entry in os.ilistdir(self.root + folder):
            path = folder + "/" + entry[0]
            if entry[1] & 0x4000:
                self._list(path)
            else:
                self.sizes[path] = entry[3]

    def mount(self, readonly, mkfs):
        pass

    def umount(self):
        pass

    def chdir(self, path):
        pass

    def forget(self):
        """Give up the names, 6 KiB of heap: what is imported later is looked up in the flash."""
        self.sizes = None

    def stat(self, path):
        if self.sizes is None:
            return os.stat(self.root + path)
        size = self.sizes.get(path, -1)
        if size == -1:
            raise OSError(2)
        mode = 0x4000 if size is None else 0x8000
        return (mode, 0, 0, 0, 0, 0, size or 0, 0, 0, 0)

    def open(self, path, mode):
        with open(self.root + path, "rb") as file:
            return io.BytesIO(file.read())


def calm():
    """Stop the watchdog: at the prompt nobody feeds it. (Its control register, alias that clears bits.)"""
    import machine

    machine.mem32[0x4005B000] = 1 << 30


def crashed(error):
    """Keep the traceback, show it, give a host two seconds to take the prompt, then start anew."""
    import time

    import machine

    text = io.StringIO()
    sys.print_exception(error, text)
    text = text.getvalue()[-CRASH_BYTES:]
    print(text)
    try:
        if read("/crash") != text.strip():
            write("/crash", text)
    except OSError:
        pass  # flash is full: it was shown
    time.sleep(2)
    machine.reset()


def main():
    import machine

    powered_on = machine.reset_cause() == machine.PWRON_RESET
    slot, fails = choose("", powered_on)
    if slot is None:
        print("Lodeboard: no slot starts. Put the firmware on again with: lodeboard flash")
        return
    window = Window("/slots/" + slot)
    os.mount(window, "/fw")
    sys.path[:] = ["/fw", ".frozen"]
    try:
        from firmware.start import run

        window.forget()
        run(slot, lambda: remove("/fails"))
    except KeyboardInterrupt:
        pass
    except Exception as error:
        calm()
        crashed(error)
    calm()


if __name__ == "__main__":
    main()
