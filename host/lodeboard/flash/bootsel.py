"""The drive RPI-RP2 of a Pico in BOOTSEL: finding it, checking it, copying an image to it.

    drive = bootsel.find()             the only one there is; mounted if it was not
    bootsel.copy(image, drive, step)   returns when the drive has gone, which is how the chip says thanks

Where drives are differs between systems: bootsel_linux.py, bootsel_macos.py, bootsel_windows.py have each one
function, drives(), a list of folders.
"""

import errno
import importlib
import os
import sys
import time
from pathlib import Path

from ..errors import LodeboardError

LABEL = "RPI-RP2"
INFO = "INFO_UF2.TXT"
BOARD_ID = "RPI-RP2"
CHUNK = 64 * 1024
GONE_S = 30  # from the last byte to the drive's going

HOLD = "Hold BOOTSEL while you plug the Pico in, then repeat the command."


def drives():
    """Folders of the drives that look like a Pico's."""
    name = {"darwin": "bootsel_macos", "win32": "bootsel_windows"}.get(sys.platform, "bootsel_linux")
    return importlib.import_module("." + name, __package__).drives()


def find(given=None):
    """Folder of the drive of a Pico in BOOTSEL: `given`, else the only one. LodeboardError: none, two, wrong chip."""
    if given is not None:
        check(Path(given))
        return Path(given)
    found = drives()
    if not found:
        raise LodeboardError(f"No drive {LABEL} is there.", HOLD, 3)
    if len(found) > 1:
        names = ", ".join(str(path) for path in found)
        raise LodeboardError(
            f"There are {len(found)} drives {LABEL}: {names}.", f"Choose one: --drive {found[0]}."
        )
    check(found[0])
    return found[0]


def wait(timeout_s=20):
    """find(), for a board that is on its way into BOOTSEL."""
    end = time.monotonic() + timeout_s
    while True:
        try:
            return find()
        except LodeboardError as error:
            if error.code != 3 or time.monotonic() > end:
                raise
        time.sleep(0.3)


def info(drive):
    """{"Board-ID": "RPI-RP2", ...} of the drive's INFO_UF2.TXT. LodeboardError when there is none."""
    path = drive / INFO
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM):
            raise LodeboardError(
                f"You may not read {drive}.", f"Run: sudo chown -R $USER {drive}, or mount it as yourself.", 2
            ) from None
        raise LodeboardError(f"{drive} is not the drive of a Pico: it has no {INFO}.", HOLD, 3) from None
    pairs = (line.split(":", 1) for line in text.splitlines() if ":" in line)
    return {key.strip(): value.strip() for key, value in pairs}


def check(drive):
    """LodeboardError unless the drive is an RP2040's."""
    board = info(drive).get("Board-ID", "nothing")
    if board != BOARD_ID:
        raise LodeboardError(
            f"{drive} belongs to another chip: it says {board}, a Pico says {BOARD_ID}.",
            "Lodeboard needs a Raspberry Pi Pico with the RP2040 (not the Pico 2).",
        )


def copy(path, drive, step=lambda done, total: None):
    """Copy a UF2 file to a drive and wait until the drive has gone. LodeboardError: it went before the end."""
    data = path.read_bytes()
    done = 0
    target = drive / path.name
    try:
        with open(target, "wb", buffering=0) as out:
            while done < len(data):
                done += out.write(data[done : done + CHUNK])
                step(done, len(data))
            try:
                os.fsync(out.fileno())
            except OSError:
                pass  # the chip took the last block and started: the drive is gone
    except OSError as error:
        if done >= len(data):
            pass  # likewise, while closing
        elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise LodeboardError(
                f"You may not write to {drive}.", "Mount the drive as yourself, or run with sudo.", 2
            ) from None
        elif error.errno == errno.ENOSPC:
            raise LodeboardError(
                f"{drive} has no room for {path.name}.", "Unplug the Pico and begin again.", 1
            ) from None
        else:
            raise LodeboardError(
                f"The drive {drive} went away after {done // 1024} of {len(data) // 1024} KiB.",
                f"The Pico starts nothing now. {HOLD}",
                3,
            ) from None
    end = time.monotonic() + GONE_S
    while (drive / INFO).exists():
        if time.monotonic() > end:
            raise LodeboardError(
                f"The Pico did not take {path.name}: the drive {drive} is still there.",
                "Unplug the Pico and begin again.",
                3,
            )
        time.sleep(0.1)
