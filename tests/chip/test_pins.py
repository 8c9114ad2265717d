"""The drivers on the emulated chip, against the tiles and everything else on the pins."""

import ast
import random

import pytest
from lodeboard.bench.console import SLOT, Console

from .conftest import PROMPT

SETUP = SLOT + """
import time, json, gc, micropython
from array import array
config = json.load(open('/config.json'))
from firmware.hal.pico import Pico
slot.settle()
hal = Pico(config)
micropython.kbd_intr(3)
size = config['width'] * config['height']
readings = array('H', [0] * size)
def scan():
    start = time.ticks_us()
    hal.scan(readings)
    return time.ticks_diff(time.ticks_us(), start)
"""


@pytest.fixture(scope="module")
def desk(board_of):
    """(board, ask): a lode20 with its drivers loaded; ask(expression) is the chip's value of it."""
    board = board_of("lode20", keep=PROMPT)
    console = Console(board.chip)
    console.run(SETUP)

    def ask(expression):
        return ast.literal_eval(console.run(f"print(repr({expression}))"))

    ask.run = console.run
    return board, ask


def test_every_sensor_is_read_and_none_too_early(desk):
    board, ask = desk
    values = random.Random(1)
    for square in range(400):
        board.readings[square] = values.randrange(4096)
    board.tiles.most_awake = 0
    took_us = ask("scan()")
    assert ask("list(readings)") == list(board.readings)
    assert took_us < 3000  # docs/performance.md; 6000 with one token
    assert board.tiles.most_awake == 3
    assert ask("hal.trouble") is None


def test_the_noise_of_a_second_scan_is_none(desk):
    board, ask = desk
    ask("scan()")
    before = ask("list(readings)")
    ask("[scan() for _ in range(3)]")
    assert ask("list(readings)") == before


def test_the_token_counts_the_tiles(desk):
    board, ask = desk
    assert ask("hal.tiles.count()") == 25
    board.fault("tile:7")
    assert ask("hal.tiles.count()") == 0  # it never comes back
    ask("scan()")
    assert "last tile" in ask("hal.trouble")
    board.fault("none")
    ask("scan()")
    assert ask("hal.trouble") is None


def test_a_dead_and_a_stuck_sensor_read_as_such(desk):
    board, ask = desk
    board.fault("dead:c3")
    board.fault("stuck:a1=3000")
    ask("scan()")
    assert ask(f"(readings[{board.square('c3')}], readings[{board.square('a1')}])") == (0, 3000)
    board.fault("none")


def test_lights_reach_their_squares_while_the_next_frame_is_painted(desk):
    board, ask = desk
    ask.run("rgb = bytearray((7 * i + 3) & 255 for i in range(3 * size))\nhal.show(rgb)\ntime.sleep_ms(20)")
    assert board.leds.rgb == bytes((7 * i + 3) & 255 for i in range(1200))
    frames = board.leds.frames
    # two frames at once: the first goes out, the newest follows, none is torn
    ask.run("rgb[0] = 1\nhal.show(rgb)\nrgb[0] = 2\nhal.show(rgb)\nrgb[3] = 5\nhal.show(rgb)")
    board.chip.run_ms(5)
    assert ask("scan()") < 3000  # the wire is busy, scanning goes on
    ask.run("time.sleep_ms(20)\nhal.poll()\ntime.sleep_ms(20)")
    assert (board.leds.rgb[0], board.leds.rgb[3]) == (2, 5) and board.leds.frames == frames + 2


def test_a_broken_led_leaves_those_before_it(desk):
    board, ask = desk
    board.fault("led:100")
    was = bytes(board.leds.rgb)
    ask.run("rgb = bytearray(b'\\x10' * 1200)\nhal.show(rgb)\ntime.sleep_ms(20)\nhal.poll()\ntime.sleep_ms(20)")
    order = board.config["leds"]
    for place, square in enumerate(order):
        shown = bytes(board.leds.rgb[3 * square : 3 * square + 3])
        assert shown == (b"\x10" * 3 if place < 100 else was[3 * square : 3 * square + 3])
    board.fault("none")


def test_the_display_shows_lines_in_slices(desk):
    board, ask = desk
    ask.run(
        "hal.display(['Dark: rack hole 1', '', '~C3 {x}[y]\\\\@!', 'x' * 30])\n"
        "longest = 0\n"
        "for _ in range(40):\n"
        "    start = time.ticks_us()\n"
        "    hal.panel.poll()\n"
        "    longest = max(longest, time.ticks_diff(time.ticks_us(), start))"
    )
    lines = ["Dark: rack hole 1", "", "~C3 {x}[y]\\@!", "x" * 21, "", "", "", ""]
    assert board.display.lines() == lines
    assert ask("longest") < 2000
    sent = board.display.bytes_seen
    ask.run("hal.display(['Dark: rack hole 2', '', '~C3 {x}[y]\\\\@!', 'x' * 30])\nhal.panel.poll()")
    assert board.display.lines()[0] == "Dark: rack hole 2" and board.display.bytes_seen - sent < 20


def test_a_display_that_is_pulled_off_stops_nothing(desk):
    board, ask = desk
    board.fault("display")
    ask.run("hal.display(['gone'])\nfor _ in range(3): hal.panel.poll()")
    assert ask("hal.panel.present") is False
    board.fault("none")


def test_buttons_and_tones(desk):
    board, ask = desk
    seen = []
    for bits in (0, 1, 2, 4, 8, 9, 0):
        board.buttons.press(bits)
        seen.append(ask("hal.buttons()"))
    assert seen == [0, 1, 2, 4, 8, 9, 0]
    heard = []
    for hz in (440, 2000, 0):
        ask.run(f"hal.tone({hz})")
        heard.append(board.buzzer.hz)
    assert heard[0] == pytest.approx(440, abs=1) and heard[1] == pytest.approx(2000, abs=2) and heard[2] == 0


def test_the_supply_sets_the_limit(desk):
    board, ask = desk
    limits = board.config["limits"]
    assert ask("hal.supply_ma()") == limits["usb_ma"]
    board.supply.rail(5.1)  # a strong port is a port
    assert ask("hal.supply_ma()") == limits["usb_ma"] and ask("hal.scan_ms()") == limits["scan_ms"]
    board.supply.external(5.0)
    assert ask("hal.supply_ma()") == limits["external_ma"] and ask("hal.scan_ms()") == 5
    board.supply.external(0)
    board.supply.rail(4.2)  # sags: half of the port's
    assert ask("hal.supply_ma()") == limits["usb_ma"] // 2
    board.supply.rail(4.7)
    assert ask("hal.supply_ma()") == limits["usb_ma"] // 2  # not at once
    ask.run("time.sleep_ms(2100)")
    assert ask("hal.supply_ma()") == limits["usb_ma"]


def test_a_simulated_board_says_so_with_its_seed(desk):
    board, ask = desk
    assert ask("(hal.info['sim'], hal.info['serial'], hal.entropy)") == (True, "sim-7", 7)
