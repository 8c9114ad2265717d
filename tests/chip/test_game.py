"""A whole game on the emulated chip. Minutes: run by `make test-chip`."""

import json

import pytest
from lodeboard import boards
from lodeboard.sim import demo

pytestmark = pytest.mark.slow

DURABLE = ("setup", "move", "undo", "result")


def durable(path):
    """The durable events of a log without times and numbers."""
    found = []
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if event.get("t") in DURABLE:
            found.append({key: value for key, value in event.items() if key not in ("h", "at", "n")})
    return found


def test_a_game_of_tau_is_the_same_on_the_chip(image, tmp_path):
    board = boards.load("lode8")
    for engine in ("python", "rp2040"):
        demo.run(board, "tau", str(tmp_path / engine), seed=7, engine=engine)
    played = durable(tmp_path / "python")
    assert durable(tmp_path / "rp2040") == played
    assert played[0]["t"] == "setup" and played[-1]["t"] == "result"
