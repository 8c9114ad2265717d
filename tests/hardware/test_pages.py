"""What pages say in computed tables is what the sources compute."""

import importlib.util

import pytest
from lodeboard import boards

from hardware import electrical


def test_electrical_page_holds_the_computed_figures():
    page = electrical.PAGE.read_text(encoding="utf-8")
    assert page == electrical.with_table(page), "run python -m hardware.electrical --write"


@pytest.mark.skipif(importlib.util.find_spec("skidl") is None, reason="counts parts with SKiDL")
def test_building_page_lists_what_the_circuits_need():
    from hardware import shopping

    page = shopping.PAGE.read_text(encoding="utf-8")
    assert page == shopping.with_tables(page), "run python -m hardware.shopping --write"
    parts = {row[1]: row[3] for row in shopping.order(boards.load("lode20"))}
    assert parts["DRV5055A2QDBZR"] == parts["WS2812B-B/T"] == 400


@pytest.mark.parametrize("name", boards.names())
def test_lines_and_supplies_bear_the_board(name):
    figures = electrical.Figures(name)
    assert figures.analog()[3] < 0.005  # of a step is left when the line is read
    assert figures.select()[2] < 500  # ns, of the microsecond before a conversion
    least, most = figures.token_ns()
    assert least > figures.skew_ns() + 10 and most < 150
    assert figures.led_least_v() > electrical.LED_LEAST_V
    assert figures.inrush_usb_a() < 0.5
    assert abs(figures.supply()[1]) < 1.0  # mT, and constant
