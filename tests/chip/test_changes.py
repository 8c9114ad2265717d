"""Games changed on a board that runs: the emulated chip has room and stack for each, again and again."""

import pytest
from lodeboard.bench.games import OPTIONS
from lodeboard.firmware import wire

pytestmark = pytest.mark.slow

ROUND = ("callisto", "castellers", "tau", "castellers", "callisto", "tau", "castellers")
ALL = 2  # from this one on all were there once: MicroPython keeps the names of a game for ever
SPARE = 1024  # bytes of heap that one start of a game may take more than another
LEAST = 100 * 1024  # bytes that are free when a game has begun, whatever was played before


def test_games_change_again_and_again(board_of):
    chip = board_of("lode20").chip
    assert chip.run_until(lambda: b'"hello"' in chip.pending(), 4000)
    chip.receive()
    free = {}  # name: least that was free when all had been there
    for number, name in enumerate(ROUND):
        said = answers(
            chip, {"c": "new", "i": number, "g": name, "opt": OPTIONS[name], "seed": 3, "games": 1, "force": True}
        )
        assert {"re": number, "ok": True} in said
        said += answers(chip, {"c": "info", "i": 100})
        assert not [event for event in said if event.get("t") == "error"]
        hello = next(event for event in said if event.get("t") == "hello")
        assert hello["g"] == name and hello["mem"] >= LEAST, free
        if number >= ALL:
            assert hello["mem"] >= free.setdefault(name, hello["mem"]) - SPARE
    assert chip.resets == 0


def answers(chip, command):
    """Frames that come until 100 ms after a command is answered: by then what was loaded has settled."""
    chip.send(wire.encode(command))
    wanted = b'"re":%d' % command["i"]
    assert chip.run_until(lambda: wanted in chip.pending(), 8000)
    chip.run_ms(100)
    found = [wire.decode(line) for line in chip.receive().splitlines()]
    return [event for kind, event in found if kind == wire.FRAME]
