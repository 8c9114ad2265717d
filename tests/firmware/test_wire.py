"""Frames: what is encoded comes back, and nothing that arrives makes the reader stumble."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lodeboard.firmware import wire

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def test_the_check_is_crc_16_ccitt_false():
    assert wire.crc16(b"123456789") == 0x29B1


def test_the_page_s_example_is_a_frame():
    frame = b'@{"t":"move","n":17,"g":"tau","s":1,"m":"~C3"} 7AAE\n'
    value = {"t": "move", "n": 17, "g": "tau", "s": 1, "m": "~C3"}
    assert wire.encode(value) == frame
    assert wire.decode(frame) == (wire.FRAME, value)
    assert wire.decode(frame[:-1] + b"\r\n") == (wire.FRAME, value)


@given(st.dictionaries(st.text(max_size=6), VALUES, max_size=5))
def test_any_object_that_fits_comes_back(value):
    try:
        frame = wire.encode(value)
    except ValueError:
        assert len(json.dumps(value, separators=(",", ":"))) > wire.MAX_FRAME - 8
        return
    assert len(frame) <= wire.MAX_FRAME and frame.count(b"\n") == 1
    assert wire.decode(frame) == (wire.FRAME, value)


@given(st.binary(max_size=700))
def test_any_line_is_text_or_bad_or_a_frame(line):
    kind, value = wire.decode(line)
    assert kind == (wire.TEXT if not line.startswith(b"@{") else kind)
    assert kind != wire.BAD or isinstance(value, str)


@given(st.integers(0, 51), st.integers(1, 255))
def test_one_damaged_byte_is_noticed(at, flip):
    frame = bytearray(b'@{"t":"move","n":17,"g":"tau","s":1,"m":"~C3"} 7AAE\n')
    at %= len(frame) - 1
    frame[at] ^= flip
    kind, _ = wire.decode(bytes(frame))
    assert kind != wire.FRAME or bytes(frame[-5:-1]).upper() == b"7AAE"  # 7aae is the same check


@pytest.mark.parametrize(
    "line, why",
    [
        (b"@{", "no check"),
        (b"@{} 12", "no check"),
        (b"@{} ZZZZ", "no check"),
        (b"@{} 0000", "check says 0000"),
        (b'@{"a":' + b"1" * 600 + b"} 0000", "longer than 512 bytes"),
        (b"@{nonsense} %04X" % wire.crc16(b"{nonsense}"), "not JSON"),
        (b"@{\xff\xfe} %04X" % wire.crc16(b"{\xff\xfe}"), "not JSON"),
        (b"@{}, 1 %04X" % wire.crc16(b"{}, 1"), "not JSON"),
    ],
)
def test_each_kind_of_damage_has_a_reason(line, why):
    kind, value = wire.decode(line)
    assert kind == wire.BAD and value.startswith(why)


def test_a_frame_that_is_too_long_is_not_made():
    with pytest.raises(ValueError, match="frame of 5"):
        wire.encode({"t": "x" * 520})
