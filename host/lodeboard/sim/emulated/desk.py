"""What else hangs on the pins: the LED chain, four buttons, the buzzer, the 5 V rail and the USB socket's sense."""

from rp2040py.external.ws2812 import Ws2812

BUTTONS = ("ok", "undo", "hint", "menu")  # bits 1, 2, 4, 8
VBUS_SENSE = 24
FULL = 4095
# A bit that is high for a larger share of its period is a one. The firmware's are 30 and 60 percent; while the
# CPU sleeps edges come up to 0.12 us late here (chip.PIO_STEP_NS).
ONE_SHARE = 0.45


class LedChain:
    """rgb: bytearray of 3 a square, what the LEDs show; broken: number of LEDs that still get data, or None."""

    def __init__(self, config):
        self.order = config["leds"]
        self.pin = config["pins"]["led"]
        self.rgb = bytearray(3 * len(self.order))
        self.broken = None
        self.frames = 0
        self.changed = False
        self.latched_ns = 0.0

    def attach(self, chip):
        self._clock = chip.clock
        decoder = Ws2812(
            gpio=self.pin, color_order="GRB", on_pixels=self._on_pixels, high_duty_threshold=ONE_SHARE
        )
        decoder.attach(chip.mcu)

    def _on_pixels(self, pixels):
        self.frames += 1
        self.latched_ns = self._clock.nanos
        alive = len(self.order) if self.broken is None else self.broken
        for square, pixel in list(zip(self.order, pixels, strict=False))[:alive]:
            if tuple(self.rgb[3 * square : 3 * square + 3]) != pixel:
                self.rgb[3 * square : 3 * square + 3] = bytes(pixel)
                self.changed = True


class Buttons:
    """press(bits): the buttons that are down from now on."""

    def __init__(self, config):
        self._numbers = [config["pins"][name] for name in BUTTONS]
        self._down = None

    def attach(self, chip):
        self._pins = [chip.mcu.gpio[number] for number in self._numbers]
        self.press(0)

    def press(self, bits):
        if bits == self._down:
            return
        self._down = bits
        for n, pin in enumerate(self._pins):
            pin.set_input_value(not bits >> n & 1)


class Buzzer:
    """hz: the tone that the PWM makes now, 0 for none."""

    def __init__(self, config):
        self.pin = config["pins"]["buzzer"]

    def attach(self, chip):
        self._chip = chip

    @property
    def hz(self):
        pwm = self._chip.mcu.pwm
        channel = pwm.channels[self.pin >> 1 & 7]
        compare = channel.cc >> (16 if self.pin & 1 else 0) & 0xFFFF
        divider = (channel.div & 0xFFF) / 16
        if not compare or not channel.csr & 1 or not divider:
            return 0
        return round(125_000_000 / divider / (channel.top + 1))


class Supply:
    """The 5 V rail, the external supply, and whether the USB socket has power.

    The dividers of rail and external supply end at the tile chain's ADC.
    """

    def __init__(self, config, chain, rail_v=4.7, usb=True):
        self._chain = chain
        self._pins = config["pins"]
        self._usb = usb
        self.rail(rail_v)

    def attach(self, chip):
        self._sense = chip.mcu.gpio[VBUS_SENSE]
        self._sense.set_input_value(self._usb)

    def rail(self, volts):
        self.volts = volts
        self._divided("supply", volts)

    def external(self, volts):
        """The external supply; 0 for none."""
        self._divided("external", volts)

    def _divided(self, pin, volts):
        if pin in self._pins:
            self._chain.supplies[self._pins[pin] - 26] = min(FULL, round(volts / 2 / 3.3 * FULL))

    def usb(self, powered):
        self._usb = powered
        self._sense.set_input_value(powered)
