"""The USB serial port, without ever waiting for a host.

    usb = Usb()
    usb.read()            bytes that came, at most CHUNK; b"" when there are none
    usb.write(data)       how many bytes were taken now, maybe 0
    usb.wanted            "raw" or "friendly" once a host asked for MicroPython's prompt, else None

MicroPython's own write waits up to half a second for a host that does not read. So write() gives no more
than fits: bytes handed over since the port was last seen idle never exceed the FIFO's size.

Ctrl-C alone does nothing. Ctrl-C and then Ctrl-A (what mpremote and every other tool sends) or Ctrl-B (for
people) asks for the prompt.
"""

import os
import select
import sys
import time

import machine
import micropython

CHUNK = 96  # bytes read in one turn; a frame has up to 512
FIFO = 256  # TinyUSB's transmit FIFO in this port of MicroPython
# RP2040 data sheet 4.1.2.5: buffer control of endpoint 2 IN (CDC data); AVAILABLE of both buffers
IN_CONTROL = 0x50100090
PENDING = 1 << 10 | 1 << 26
SIE_CTRL = 0x5011004C
SIE_STATUS = 0x50110050
PULLUP_CLEAR = 0x5011304C  # the same register through the aliases that clear and set bits
PULLUP_SET = 0x5011204C
PULLUP = 1 << 16
SUSPENDED = 1 << 4
VBUS = 24  # the Pico's sense of its USB socket
ATTACH_MS = 1000  # from the cable's return to the first try, and between tries
ATTACH_TRIES = 5


class Usb:
    def __init__(self):
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        self._out_poll = select.poll()
        self._out_poll.register(sys.stdout, select.POLLOUT)
        self._in = sys.stdin.buffer
        self._out = sys.stdout.buffer
        self._byte = bytearray(1)
        self._buffer = bytearray(CHUNK)
        self._handed = 0  # bytes since the port was idle
        self._break = False
        self._vbus = machine.Pin(VBUS, machine.Pin.IN)
        self._was_powered = self.powered()
        self._tries = 0
        self._next_try = 0
        self.wanted = None
        micropython.kbd_intr(-1)

    def read(self):
        count = 0
        buffer = self._buffer
        byte = self._byte
        while count < CHUNK:
            for _ in self._poll.ipoll(0):  # poll() would make a list each turn
                break
            else:
                break
            self._in.readinto(byte)
            value = byte[0]
            if value == 3:
                self._break = True
            elif self._break and value in (1, 2):
                self.wanted = "raw" if value == 1 else "friendly"
                return b""
            elif value not in (10, 13):
                self._break = False
            if value != 3:
                buffer[count] = value
                count += 1
        return bytes(memoryview(buffer)[:count]) if count else b""

    def write(self, data):
        if not self._out_poll.poll(0):
            return 0
        if not machine.mem32[IN_CONTROL] & PENDING:
            self._handed = 0
        room = FIFO - self._handed
        if room <= 0:
            return 0
        count = min(room, len(data))
        self._out.write(memoryview(data)[:count])
        self._handed += count
        return count

    def powered(self):
        """The USB socket has 5 V."""
        return self._vbus.value() == 1

    def mend(self):
        """After the cable was out: attach again, a few times, while the bus stays silent.

        MicroPython with other power is not found again after its cable was out for some seconds
        (micropython/micropython#16713). A host that sleeps silences the bus too and must be left alone: so this
        happens only after the socket's power was gone.
        """
        powered = self.powered()
        now = time.ticks_ms()
        if powered and not self._was_powered:
            self._tries = ATTACH_TRIES
            self._next_try = time.ticks_add(now, ATTACH_MS)
        self._was_powered = powered
        if self._tries and time.ticks_diff(now, self._next_try) >= 0:
            self._tries -= 1
            self._next_try = time.ticks_add(now, ATTACH_MS)
            if not powered or not machine.mem32[SIE_STATUS] & SUSPENDED:
                self._tries = 0
                return
            machine.mem32[PULLUP_CLEAR] = PULLUP
            time.sleep_ms(2)
            machine.mem32[PULLUP_SET] = PULLUP

    def hand_over(self):
        """Give the port back to MicroPython, which then answers the host that asked for its prompt."""
        micropython.kbd_intr(3)
        if self.wanted == "raw":
            os.dupterm(Typed(b"\x01"))


try:
    from io import IOBase
except ImportError:
    IOBase = object  # type: ignore


class Typed(IOBase):
    """A keyboard that types some bytes once: the Ctrl-A that was read here belongs to the prompt.

    Then it is put away: nothing of this slot may run when a deployment overwrites it.
    """

    def __init__(self, data):
        self._data = data

    def readinto(self, buffer):
        if not self._data:
            return None
        buffer[0] = self._data[0]
        self._data = self._data[1:]
        if not self._data:
            os.dupterm(None)
        return 1

    def write(self, data):
        return len(data)
