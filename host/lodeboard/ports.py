"""Finding and opening ports, and saying in a sentence what is wrong with one.

A port's name is a device (`/dev/ttyACM0`, `COM3`) or a URL of pyserial's (`socket://127.0.0.1:4001`).
A running simulator tells where it is in `sims_dir()/PID.json`:

    {"pty": "/dev/pts/5", "url": "socket://127.0.0.1:4001", "board": "lode8"}
"""

import contextlib
import errno
import json
import os
import select
import stat
import time
import warnings
from collections import namedtuple
from pathlib import Path

import platformdirs
import serial
from serial.tools import list_ports

from .errors import LodeboardError
from .firmware import wire
from .port_faults import Busy, busy, gone, not_a_lodeboard, rights_cure, trouble

__all__ = ("Busy", "busy", "rights_cure")  # of port_faults, for those who use ports

# Raspberry Pi: 0005 is MicroPython's CDC, 0009 and 000A are the C SDK's. 0003 is the boot drive: no port.
USB_IDS = {(0x2E8A, 0x0005), (0x2E8A, 0x0009), (0x2E8A, 0x000A)}

EMULATED = 60  # an emulated RP2040 takes up to so many times a real one's time

# kind: "usb" (may be a Lodeboard), "sim", "serial" (some other port); serial: the USB serial number or None
Port = namedtuple("Port", "name kind serial about")


def sims_dir():
    """Where running simulators leave their notes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a session without XDG_RUNTIME_DIR gets a folder in /tmp, which does
        return Path(platformdirs.user_runtime_path("lodeboard")) / "sims"


def alive(pid):
    """Whether a process runs."""
    if os.name == "nt":  # pragma: no cover
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(0x1000, False, pid)  # PROCESS_QUERY_LIMITED_INFORMATION
        if handle:
            ctypes.windll.kernel32.CloseHandle(handle)
        return bool(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def sims():
    """The notes of the simulators that run, each with its `pid`."""
    found = []
    try:
        notes = sorted(sims_dir().glob("*.json"))
    except OSError:
        return found
    for path in notes:
        try:
            note = json.loads(path.read_text())
            pid = int(path.stem)
        except (OSError, ValueError):
            continue
        if isinstance(note, dict) and alive(pid):
            found.append({**note, "pid": pid})
    return found


def patience(name):
    """How many times as long as a real board the one behind a port may take: an emulated chip is slow."""
    notes = [note for note in sims() if name in (note.get("pty"), note.get("url"))]
    return EMULATED if any(note.get("engine") == "rp2040" for note in notes) else 1


@contextlib.contextmanager
def announced(**note):
    """Leave this process's note among the simulators' while the context lasts: pty, url, board."""
    announce(**note)
    try:
        yield
    finally:
        _note().unlink(missing_ok=True)


def announce(**note):
    """Write this process's note, or another in its place."""
    try:
        _note().parent.mkdir(parents=True, exist_ok=True)
        _note().write_text(json.dumps(note))
    except OSError:
        pass  # nobody will find it by itself; its port is printed all the same


def _note():
    return sims_dir() / f"{os.getpid()}.json"


def candidates(every=False):
    """Ports that may have a Lodeboard behind them; with `every` all serial ports of the machine."""
    found = []
    for note in sims():
        name = note.get("pty") or note.get("url")
        if isinstance(name, str):
            found.append(
                Port(name, "sim", None, f"simulated {note.get('board', 'board')}, process {note['pid']}")
            )
    for port in sorted(list_ports.comports()):
        usb = (port.vid, port.pid) in USB_IDS
        if usb or every:
            found.append(
                Port(port.device, "usb" if usb else "serial", port.serial_number, port.description or "")
            )
    return found


def choose():
    """The name of the only board there is. LodeboardError: none, or several, named."""
    found = candidates()
    if not found:
        raise LodeboardError(
            "No board is connected and no simulator runs.",
            "Plug a board in or start `lodeboard sim tau`; `lodeboard ports` shows what is there.",
            3,
        )
    if len(found) > 1:
        names = ", ".join(f"{port.name} ({port.about})" for port in found)
        raise LodeboardError(
            f"There are {len(found)} boards: {names}.", f"Choose one: --port {found[0].name}.", 2
        )
    return found[0].name


# Opening


def open_port(name):
    """An open serial.Serial, ours alone. LodeboardError (code 3): missing, busy, not permitted, no port."""
    try:
        port = serial.serial_for_url(name, do_not_open=True, baudrate=115200, timeout=0, write_timeout=2)
        if "://" not in name:
            if os.name != "nt":
                check_device(name)
                port.exclusive = True
            else:  # pragma: no cover
                port.timeout = 0.02
        port.open()
    except (OSError, ValueError) as error:
        raise trouble(name, error) from None
    if os.name != "nt" and "://" not in name and not name.startswith("/dev/pts/"):
        # Keeps out programs that do not lock. Not on a pty: there it would outlive a killed process.
        import fcntl
        import termios

        try:
            fcntl.ioctl(port.fileno(), termios.TIOCEXCL)
        except OSError:
            pass
    return port


def check_device(name):
    """What the file system knows before anything is opened: opening a FIFO, say, would hang."""
    mode = os.stat(name).st_mode
    if not stat.S_ISCHR(mode):
        raise OSError(errno.ENOTTY, "not a serial port", name)


def greet(name, timeout=1.5):
    """The hello of the board at a port, which is asked for nothing else. LodeboardError as open_port and
    not_a_lodeboard."""
    port = open_port(name)
    saw, rest = [], b""
    end = time.monotonic() + timeout
    try:
        write(port, wire.encode({"c": "info", "i": 1}))
        while time.monotonic() < end:
            *lines, rest = (rest + read(port, 0.05)).split(b"\n")
            for line in lines:
                kind, value = wire.decode(line)
                if kind == wire.FRAME and value.get("t") == "hello":
                    return value
                saw.append(line[:80])
    except (OSError, ValueError):
        raise gone(name, saw) from None
    finally:
        port.close()
    raise not_a_lodeboard(name, [*saw, rest])


# Bytes


def read(port, timeout):
    """The bytes that have come, waiting up to `timeout` seconds for the first. OSError: the port is lost."""
    if os.name == "nt" and not hasattr(port, "_socket"):  # pragma: no cover
        port.timeout = timeout
        return port.read(max(1, port.in_waiting))
    ready, _, _ = select.select([port.fileno()], [], [], max(0, timeout))
    return port.read(65536) if ready else b""


def write(port, data):
    """Write all of data. OSError: the port is lost, or takes nothing for two seconds."""
    port.write(data)
