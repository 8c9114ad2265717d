"""What is wrong with a port, as a sentence of what and one of what to do (LodeboardError, code 3)."""

import errno
import os
import stat

import serial

from . import folders
from .errors import LodeboardError


def trouble(name, error):
    """The LodeboardError for an error of opening `name`."""
    code = error.errno if isinstance(error, OSError) else None
    text = str(error)
    if isinstance(error, ValueError) or (isinstance(error, serial.SerialException) and "protocol" in text):
        return LodeboardError(f"{name} is not a port's name.", "Use a device, or socket://HOST:PORT.", 2)
    if "://" in name:
        return LodeboardError(
            f"Nobody answers at {name}.", "Is the simulator running? `lodeboard ports` shows.", 3
        )
    if code in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in text:
        return busy(name)
    if code in (errno.EACCES, errno.EPERM) or "PermissionError" in text:
        if os.name == "nt":  # pragma: no cover
            return busy(name)
        return LodeboardError(f"You may not open {name}.", rights_cure(name), 3)
    if code in (errno.ENOENT, errno.ENXIO, errno.ENODEV) or "FileNotFoundError" in text:
        return LodeboardError(f"There is no port {name}.", present(), 3)
    return LodeboardError(f"{name} is not a serial port.", present(), 3)


def present():
    """A sentence that names the ports that exist."""
    from . import ports

    names = [port.name for port in ports.candidates(every=True)]
    if not names:
        return "No port is there at all: check the cable, or start `lodeboard sim tau`."
    return "There " + ("is " if len(names) == 1 else "are ") + ", ".join(names) + "."


class Busy(LodeboardError):
    """Another program holds the port."""


def busy(name):
    holder = holding(name)
    by = f" by {holder}" if holder else " by another program"
    return Busy(f"{name} is held{by}.", "End that program, then try again.", 3)


def holding(name):
    """ "screen (process 4711)" that has the device open, or None; Linux, own processes only."""
    try:
        real = os.path.realpath(name)
        pids = [int(entry) for entry in os.listdir("/proc") if entry.isdigit() and int(entry) != os.getpid()]
    except OSError:
        return None
    for pid in pids:
        try:
            for fd in os.listdir(f"/proc/{pid}/fd"):
                if os.path.realpath(f"/proc/{pid}/fd/{fd}") == real:
                    with open(f"/proc/{pid}/comm") as file:
                        return f"{file.read().strip()} (process {pid})"
        except OSError:
            continue
    return None


def rights_cure(name):
    """The exact command that gives this user the right to open a device."""
    try:
        import grp

        user = folders.user()
        info = os.stat(name)
        group = grp.getgrgid(info.st_gid)
    except (ImportError, OSError, KeyError):
        return f"Run: sudo chmod a+rw {name}"
    if info.st_gid == 0 or not info.st_mode & stat.S_IWGRP:
        return f"Run: sudo chmod a+rw {name}"
    if user in group.gr_mem:
        return f"You are in the group {group.gr_name} since a later login: log out and in again."
    return f"Run: sudo usermod -aG {group.gr_name} {user}, then log out and in again."


def gone(name, saw):
    """The port failed while the board was being greeted."""
    if not saw and "://" in name:
        return LodeboardError(
            f"{name} closed at once: another program is connected there.",
            "End that program, then try again.",
            3,
        )
    return LodeboardError(f"{name} was lost while connecting.", "Check the cable, then try again.", 3)


def not_a_lodeboard(name, saw):
    """Nothing at the port said hello. saw: the lines that came instead."""
    text = b" ".join(line.strip() for line in saw).decode("ascii", "replace")
    text = "".join(c if " " <= c <= "~" else "." for c in text).strip()
    if ">>>" in text or "MicroPython" in text:
        return LodeboardError(
            f"{name} has MicroPython without the Lodeboard firmware.",
            f"Run: lodeboard flash --port {name}",
            3,
        )
    what = f"it sent {text[:60]!r}" if text else "it is silent"
    return LodeboardError(
        f"{name} is not a Lodeboard: no hello came, {what}.", "`lodeboard ports` shows which port is one.", 3
    )
