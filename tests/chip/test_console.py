"""The firmware's USB port on the emulated chip: hosts that are there, deaf, gone, or that type into it."""

import pytest
from lodeboard.bench.console import Console
from lodeboard.firmware import wire

pytestmark = pytest.mark.slow

SYNC = wire.encode({"c": "sync", "i": 1, "proto": 1})
INFO = wire.encode({"c": "info", "i": 2})


@pytest.fixture(scope="module")
def board(board_of):
    """A lode8 that has come up; each test leaves it running."""
    board = board_of("lode8")
    assert board.chip.run_until(lambda: b'"hello"' in board.chip.pending(), 4000)
    board.chip.run_ms(100)
    board.chip.receive()
    return board


def frames(board, run_ms):
    """Frames and other lines that come within so many ms of the chip's time."""
    board.chip.run_ms(run_ms)
    found = [wire.decode(line) for line in board.chip.receive().splitlines()]
    return [value for kind, value in found if kind == wire.FRAME], [v for k, v in found if k != wire.FRAME]


def says_hello(board, run_ms=100):
    board.chip.send(SYNC)
    events, _ = frames(board, run_ms)
    return [event for event in events if event.get("t") == "hello"]


def test_a_host_that_asks_gets_hello(board, built):
    hello = says_hello(board)[0]
    assert (hello["board"], hello["hash"], hello["machine"]) == ("lode8", built.hash, "RP2040")
    assert hello["sim"] is True and hello["serial"] == "sim-7"


def test_ctrl_c_and_typing_do_nothing(board):
    board.chip.send(b"\x03\x03\x03print('hi')\r\n\x04\x01\x02 \x03 help()\r\n")
    _, text = frames(board, 100)
    assert text == [] and board.chip.resets == 0
    board.chip.send(b"\x03" + INFO)
    events, _ = frames(board, 60)
    assert {"re": 2, "ok": True} in events


def test_a_host_that_stops_reading_holds_nothing_up(board):
    says_hello(board)
    board.chip.send(wire.encode({"c": "readings", "on": True}))
    board.chip.run_ms(50)
    board.fault("deaf")
    scans = board.tiles.scans
    for _ in range(4):
        board.chip.run_ms(200)
        turns, scans = board.tiles.scans - scans, board.tiles.scans
        assert turns > 25, "the board's turns wait for the host"
    board.fault("hearing")
    board.chip.send(wire.encode({"c": "readings", "on": False}))
    assert says_hello(board, 200)


def test_the_cable_is_pulled_and_put_back(board):
    board.fault("usb:off")
    scans = board.tiles.scans
    board.chip.run_ms(400)
    assert board.tiles.scans - scans > 50
    board.fault("usb:on")
    assert board.chip.run_until(lambda: board.chip.connected, 1000)
    board.chip.run_ms(20)
    board.chip.receive()
    assert says_hello(board, 200) and board.chip.resets == 0


def test_tools_get_micropythons_prompt_and_the_board_starts_again(board):
    console = Console(board.chip)
    assert console.run("import os\nprint(sorted(os.listdir('/slots/a')))") == (
        "['firmware', 'manifest.json', 'shared_rules']\r\n"
    )
    assert bytes(board.leds.rgb) == bytes(192)  # dark while nobody governs them
    board.chip.run_ms(12000)  # the watchdog (8 s) does not bite at the prompt
    assert board.chip.resets == 0 and console.run("print(6 * 7)") == "42\r\n"
