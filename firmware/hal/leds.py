"""The LED chain: WS2812 by a PIO state machine that DMA feeds; painting stops nothing.

    leds = Leds(config)
    leds.show(rgb)      rgb: bytearray, 3 a square (R, G, B); takes effect when the wire is free
    leds.poll()         once a turn: starts the frame that waits

Two buffers: one is on the wire (30 us an LED, then LATCH_US), the other takes the newest frame. Once in REFRESH_US
a frame is sent again, so that a glitch on the wire does not stay.
"""

import time
from array import array

import micropython
import rp2
from machine import Pin

LATCH_US = 300  # low time after which WS2812B shows the frame (280 in its newer data sheets)
LED_US = 30  # 24 bits of 1.25 us
REFRESH_US = 1_000_000
BIT_HZ = 8_000_000  # ten steps a bit of 1.25 us: 0 is high for 3 (375 ns), 1 for 6 (750 ns)


@rp2.asm_pio(sideset_init=rp2.PIO.OUT_LOW, out_shiftdir=rp2.PIO.SHIFT_LEFT, autopull=True, pull_thresh=8)
def _wire():
    wrap_target()
    label("bit")
    out(x, 1).side(0)[3]
    jmp(not_x, "zero").side(1)[2]
    jmp("bit").side(1)[2]
    label("zero")
    nop().side(0)[2]
    wrap()


@micropython.asm_thumb
def _paint(r0, r1, r2, r3):
    # r0 rgb of each square; r1 array('H'), 3 * square of each LED; r2 bytes in the order of the wire, green
    # first; r3 number of LEDs. In viper this takes 1.3 us an LED, here 0.16.
    label(LED)
    ldrh(r4, [r1, 0])
    add(r4, r4, r0)
    ldrb(r5, [r4, 1])
    strb(r5, [r2, 0])
    ldrb(r5, [r4, 0])
    strb(r5, [r2, 1])
    ldrb(r5, [r4, 2])
    strb(r5, [r2, 2])
    add(r1, 2)
    add(r2, 3)
    sub(r3, 1)
    bne(LED)


class Leds:
    """config: as docs/architecture.md has it; uses its leds and pins."""

    def __init__(self, config):
        order = config["leds"]
        self._count = len(order)
        self._order = array("H", [3 * square for square in order])
        self._bytes = 3 * self._count
        self._next = bytearray(self._bytes)
        self._sent = bytearray(self._bytes)
        self._machine = rp2.StateMachine(0, _wire, freq=BIT_HZ, sideset_base=Pin(config["pins"]["led"]))
        self._machine.active(1)
        self._dma = rp2.DMA()
        # bytes: a narrow write repeats the byte on the whole word of the FIFO, its top 8 bits are shifted out
        ctrl = self._dma.pack_ctrl(size=0, inc_write=False, treq_sel=0, irq_quiet=True)
        self._dma.config(write=self._machine, ctrl=ctrl)
        self._frame_us = self._count * LED_US + LATCH_US + 100  # 100: what PIO still holds when DMA is done
        self._started = time.ticks_us()
        self._waiting = True  # the LEDs come up with random colours: the first frame is dark

    def show(self, rgb):
        _paint(rgb, self._order, self._next, self._count)
        self._waiting = True
        if time.ticks_diff(time.ticks_us(), self._started) >= self._frame_us:
            self._send()

    def poll(self, hurry=False):
        """hurry: the wire is to be free for the next frame, a repetition waits."""
        since_us = time.ticks_diff(time.ticks_us(), self._started)
        if since_us >= self._frame_us and (self._waiting or since_us >= REFRESH_US and not hurry):
            self._send()

    def _send(self):
        dma = self._dma
        if dma.active():
            return
        self._sent[:] = self._next
        dma.read = self._sent  # attribute by attribute: config() takes 0.1 ms
        dma.count = self._bytes
        dma.active(1)
        self._started = time.ticks_us()
        self._waiting = False

    def close(self):
        """Dark, and the PIO and DMA given back."""
        for i in range(len(self._next)):
            self._next[i] = 0
        for _ in range(2):  # the frame on the wire, then the dark one
            while time.ticks_diff(time.ticks_us(), self._started) < self._frame_us:
                pass
            self._waiting = True
            self.poll()
        while time.ticks_diff(time.ticks_us(), self._started) < self._frame_us:
            pass
        self._dma.close()
        self._machine.active(0)
