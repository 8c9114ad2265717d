"""Starts that somebody types into, that hang, and that are asked for at the prompt."""

import pytest
from lodeboard.flash import build
from lodeboard.sim.emulated import image as file_system

pytestmark = pytest.mark.slow

HANGS = "import time\nwhile True:\n    time.sleep(60)\n"


def says(chip, text, limit_ms=4000):
    return chip.run_until(lambda: text in chip.pending(), limit_ms)


def test_what_is_typed_while_it_starts_does_not_end_it_and_main_starts_again_from_the_prompt(board_of):
    chip = board_of("lode8").chip
    assert chip.run_until(lambda: chip.connected, 2000)
    assert b'"hello"' not in chip.pending()
    chip.send(b"\x03\x03\r\nprint(1)\r\n\x03")
    assert says(chip, b'"hello"') and b">>>" not in chip.pending()
    chip.receive()
    chip.send(b"\x03\x02")
    assert says(chip, b">>> ")
    chip.receive()
    chip.send(b"import main; main.main()\r\n")
    assert says(chip, b'"hello"'), chip.pending()
    assert b"Traceback" not in chip.pending() and chip.resets == 0


def test_a_firmware_that_hangs_while_it_is_loaded_is_given_up(board_of, built):
    keep = {"/slots/b/" + path: data for path, data in built.files.items()}
    keep["/slots/a/firmware/wire.mpy"] = build.compile_source(HANGS, "firmware/wire.py")
    board = board_of("lode8", keep=keep)
    assert says(board.chip, b'"hello"', 40000)
    files = file_system.read(board.chip.flash)
    assert files["/slot"] == b"b" and b"did not stay up in 3 starts" in files["/fallback"]
    assert board.chip.resets == 3
