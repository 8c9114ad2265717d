"""Emulated boards for the tests. MicroPython's image comes from the cache or LODEBOARD_UF2."""

import pytest
from lodeboard import boards
from lodeboard.errors import LodeboardError
from lodeboard.flash import build, cache

PROMPT = {"/main.py": b""}  # files of a board that starts to the prompt, in a tenth of the time


@pytest.fixture(scope="session")
def image():
    """Path of the official image; without one the test is skipped, and says how to get it."""
    pytest.importorskip("rp2040py", reason="the emulator is not installed: pip install 'lodeboard[rp2040]'")
    try:
        return cache.find()
    except LodeboardError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def built():
    return build.build()


@pytest.fixture(scope="session")
def board_of(image, built):
    """A function: an EmulatedBoard of a board's name with the firmware on it (blank=True: MicroPython alone)."""
    from lodeboard.sim.emulated.board import EmulatedBoard, flash_image

    def board_of(name, blank=False, keep=None, seed=7):
        config = boards.firmware_config(boards.load(name))
        return EmulatedBoard(config, flash_image(config, built, image, blank, keep), seed)

    return board_of
