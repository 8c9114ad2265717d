"""Roles become looks that differ in more than hue, and no frame exceeds the supply."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lodeboard import boards
from lodeboard.firmware import lights as li
from lodeboard.firmware.lights import Lights

CONFIGS = {name: boards.firmware_config(boards.load(name)) for name in boards.names()}
ROLES = range(len(li.LETTERS))


def milliamps(config, rgb):
    """The frame's current by the board file's figures, exact."""
    limits = config["limits"]
    lit = sum(level * limits["led_ma"][i % 3] for i, level in enumerate(rgb)) / 255
    return limits["base_ma"] + len(rgb) // 3 * limits["led_dark_ma"] + lit


def brightness_over_time(role):
    """What a colour-blind eye sees of a role in 3.6 s: its brightness each 20 ms."""
    lights = Lights(CONFIGS["lode8"])
    lights.limit_ma = 4000
    lights.role[9] = role
    seen = []
    for now in range(0, 3600, 20):
        lights.paint(now)
        r, g, b = lights.rgb[27:30]
        seen.append(0.3 * r + 0.6 * g + 0.1 * b)
    return seen


def test_an_empty_board_is_dark_and_costs_what_dark_leds_cost():
    lights = Lights(CONFIGS["lode8"])
    lights.paint(0)
    assert not any(lights.rgb)
    assert lights.ma == pytest.approx(milliamps(CONFIGS["lode8"], lights.rgb), abs=1)


def test_each_role_is_seen_and_no_two_look_alike_without_hue():
    seen = {role: brightness_over_time(role) for role in ROLES if role not in (li.OFF, li.COLOUR)}
    for role, levels in seen.items():
        assert max(levels) > 5, li.LETTERS[role]
    for a, b in itertools.combinations(seen, 2):
        difference = max(abs(x - y) for x, y in zip(seen[a], seen[b], strict=True))
        assert difference > 0.25 * max(max(seen[a]), max(seen[b])), (li.LETTERS[a], li.LETTERS[b])


def test_put_back_blinks_and_take_away_is_red_and_never_off():
    put, take = brightness_over_time(li.PUT), brightness_over_time(li.TAKE)
    assert min(put) == 0 and max(put) > 50
    assert min(take) > 0
    lights = Lights(CONFIGS["lode8"])
    lights.role[0] = li.TAKE
    lights.paint(0)
    assert lights.rgb[0] > 50 and lights.rgb[1] == lights.rgb[2] == 0


@pytest.mark.parametrize("name", ["yellow", "orange", "red", "purple", "blue", "green", "white", "black"])
def test_every_colour_of_tau_has_a_light_of_its_own(name):
    lights = Lights(CONFIGS["lode8"])
    lights.role[5] = li.COLOUR
    lights.colour[5] = li.PALETTE_NAMES.index(name)
    lights.paint(0)
    mine = bytes(lights.rgb[15:18])
    assert any(mine)
    for other in range(len(li.PALETTE_NAMES)):
        if li.PALETTE_NAMES[other] != name:
            lights.colour[5] = other
            lights.paint(0)
            assert bytes(lights.rgb[15:18]) != mine


def test_painting_again_is_told_only_when_something_changed():
    lights = Lights(CONFIGS["lode8"])
    lights.role[3] = li.LEGAL
    assert lights.paint(0)
    assert not lights.paint(5) and not lights.paint(2000)
    lights.role[4] = li.PUT
    assert lights.paint(2005)
    frames = set()
    for now in range(2010, 4000, 5):
        lights.paint(now)
        frames.add(bytes(lights.rgb))
    assert len(frames) == 2


@pytest.mark.parametrize("board", CONFIGS)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_no_frame_exceeds_the_supply(board, data):
    config = CONFIGS[board]
    lights = Lights(config)
    size = lights.size
    lights.limit_ma = data.draw(st.sampled_from([0, 100, 300, 430, 450, 500, 900, 4000]))
    few = data.draw(st.lists(st.integers(0, len(li.LETTERS) - 1), min_size=1, max_size=8))
    colours = data.draw(st.lists(st.integers(0, len(li.PALETTE) - 1), min_size=1, max_size=8))
    for sq in range(size):
        lights.role[sq] = few[sq % len(few)]
        lights.colour[sq] = colours[sq * 7 % len(colours)]
    dark = milliamps(config, bytes(3 * size))
    for now in range(0, 2000, 90):
        lights.paint(now)
        exact = milliamps(config, lights.rgb)
        assert exact <= max(lights.limit_ma, dark)
        assert exact <= lights.ma <= exact * 1.03 + 2  # the estimate errs to the safe side


def test_four_hundred_leds_with_many_legal_squares_are_still_seen_on_usb():
    config = CONFIGS["lode20"]
    lights = Lights(config)
    for sq in range(400):
        lights.role[sq] = li.LEGAL if sq % 4 == 0 else li.REACH
    lights.role[7] = li.TAKE
    lights.paint(0)
    assert milliamps(config, lights.rgb) <= config["limits"]["usb_ma"]
    assert all(any(lights.rgb[3 * sq : 3 * sq + 3]) for sq in range(0, 400, 4))
    assert any(lights.rgb[21:24])


def test_what_guides_hands_is_the_last_to_go_dark():
    config = CONFIGS["lode20"]
    lights = Lights(config)
    lights.limit_ma = 421
    for sq in range(400):
        lights.role[sq] = li.LEGAL
    lights.role[7] = li.TAKE
    lights.paint(0)
    assert not any(lights.rgb[0:3]) and any(lights.rgb[21:24])


def test_blinking_does_not_make_the_rest_breathe():
    lights = Lights(CONFIGS["lode8"])
    for sq in range(64):
        lights.role[sq] = li.PUT if sq % 2 else li.LEGAL
    lights.limit_ma = 400
    steady = set()
    for now in range(0, 2000, 10):
        lights.paint(now)
        steady.add(bytes(lights.rgb[0:3]))
    assert len(steady) == 1


def test_a_tighter_supply_counts_at_once():
    lights = Lights(CONFIGS["lode8"])
    for sq in range(64):
        lights.role[sq] = li.TAKE
    lights.limit_ma = 4000
    lights.paint(0)
    bright = lights.ma
    lights.limit_ma = 300
    assert lights.paint(1)
    assert lights.ma <= 300 < bright


def test_letters_name_the_roles():
    lights = Lights(CONFIGS["lode8"])
    lights.role[0], lights.role[1] = li.TAKE, li.PUT
    assert lights.letters() == "xp" + "." * 62
    assert len(set(li.LETTERS)) == len(ROLES) == 12
