"""Waiting for a board after its start, and asking why when it came up with the old firmware.

hello = greet(port, want_hash)          the hello of the new firmware
port = returned(serial, known)          the port under which a board came back
"""

import time

from .. import ports
from ..errors import LodeboardError
from ..firmware import wire

SILENT_S = 30  # without a byte or a port: the board is given up,
SIM_SILENT_S = 240  # an emulated one later: it takes twenty seconds for one of a real one's
TOGETHER_S = 600  # a board that keeps talking and never says hello
ASK_S = 1.0


def usb_serial(port):
    """The USB serial number of a port's board; None for simulators and other ports."""
    return next((found.serial for found in ports.candidates() if found.name == port), None)


def returned(port, serial, timeout_s=SILENT_S):
    """Name of the port of a board that restarts: the same name, or another with the same serial number."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        if serial is None:
            return port
        for found in ports.candidates():
            if found.serial == serial:
                return found.name
        time.sleep(0.2)
    raise LodeboardError(
        f"The board that was at {port} did not come back.",
        "Unplug it and plug it in again; `lodeboard ports` shows what is there.",
        3,
    )


def greet(port, serial=None, wait=lambda text: None):
    """(hello, port, text): the next hello of a starting board, and the console text before it."""
    begun = heard = time.monotonic()
    asked = 0.0
    serial_port, said, line = None, b"", b""
    patience = SIM_SILENT_S if ports.patience(port) > 1 else SILENT_S
    try:
        while True:
            now = time.monotonic()
            if now - heard > patience or now - begun > TOGETHER_S:
                raise ports.not_a_lodeboard(port, [said[-200:]])
            if serial_port is None:
                port = returned(port, serial)
                try:
                    serial_port = ports.open_port(port)
                except LodeboardError:
                    time.sleep(0.3)
                    continue
            try:
                if now - asked > ASK_S:
                    asked = now
                    ports.write(serial_port, wire.encode({"c": "sync", "i": 1, "proto": wire.VERSION}))
                data = ports.read(serial_port, 0.2)
            except (OSError, ValueError):
                serial_port.close()
                serial_port = None
                continue
            if data:
                heard = now
                wait("starting")
            *lines, line = (line + data).split(b"\n")
            for one in lines:
                kind, value = wire.decode(one)
                if kind == wire.FRAME and value.get("t") == "hello":
                    return value, port, said
                if kind == wire.TEXT:
                    said = (said + one + b"\n")[-4000:]
    finally:
        if serial_port is not None:
            serial_port.close()


def complaint(device):
    """Why a board went back to its old slot, in a sentence: the fallback's reason and the traceback's end."""
    why = device.read("/fallback").decode("utf-8", "replace").strip()
    crash = device.read("/crash").decode("utf-8", "replace").strip().splitlines()
    parts = [why.rstrip(".")] if why else []
    if crash:
        parts.append(f"its last words: {crash[-1].strip()}")
    return "; ".join(parts) or "it left no word why"
