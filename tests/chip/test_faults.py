"""Faults of an emulated board on request, now and at a time to come."""

from array import array

import pytest
from lodeboard import boards
from lodeboard.errors import LodeboardError
from lodeboard.sim.rp2040 import TICK_MS, Rp2040

LODE8 = boards.firmware_config(boards.load("lode8"))


@pytest.fixture
def engine(image, tmp_path):
    """A Pico without firmware, which starts in no time."""
    engine = Rp2040(LODE8, tmp_path, 1, uf2=image, blank=True)
    yield engine
    engine.close()


def run(engine, ms):
    for _ in range(ms // TICK_MS):
        engine.tick(0, array("H", [LODE8["zero"]] * 64))


def test_each_comes_at_its_time(engine):
    engine.fault("usb:on@0.2")
    engine.fault("usb:off@0.1")
    engine.fault("dead:c3@0.05")
    engine.fault("led:9")
    assert engine.board.leds.broken == 9 and engine.plugged
    run(engine, 90)
    assert engine.board.tiles.dead == {engine.board.square("c3"): 0} and engine.plugged
    run(engine, 50)
    assert not engine.plugged
    run(engine, 100)
    assert engine.plugged


WRONG = ("flood", "dead:z9", "usb:sideways@3", "cut:x", "led:@1", "")
WRONG_TIMES = ("dead:c3@soon", "dead:c3@nan", "dead:c3@-1", "led:3@")


@pytest.mark.parametrize("text", WRONG + WRONG_TIMES)
def test_one_that_is_none_is_refused_at_once(engine, text):
    with pytest.raises(LodeboardError) as refused:
        engine.fault(text)
    assert refused.value.what and refused.value.do
    run(engine, 10)
