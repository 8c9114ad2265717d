"""A whole game on the emulated chip, by the commands that a person types. Minutes: run by `make test-chip`."""

import json
import subprocess
import sys
import time

import pytest
from lodeboard import ports

from .live import LiveBoard

pytestmark = pytest.mark.slow

DURABLE = ("setup", "move", "undo", "result")
LODEBOARD = [sys.executable, "-c", "from lodeboard.cli.main import main; main()"]
GAME_S = 1800


def durable(path):
    """The durable events of a log without times and numbers."""
    found = []
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if event.get("t") in DURABLE:
            found.append({key: value for key, value in event.items() if key not in ("h", "at", "n")})
    return found


def lodeboard(*arguments, timeout=GAME_S):
    done = subprocess.run([*LODEBOARD, *map(str, arguments)], capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, done.stderr
    return done.stdout


def recorded(engine, folder, log, *more):
    """`lodeboard sim` with hands for all seats, and `lodeboard log` at its port until the game has ended."""
    port_file = folder.with_suffix(".port")
    sim = subprocess.Popen(
        [*LODEBOARD, "sim", "tau", "--headless", "--engine", engine, "--board", "lode8", "--seed", "7",
         "--state", str(folder), "--port-file", str(port_file), *more],
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        while not port_file.exists():
            assert sim.poll() is None
            time.sleep(0.1)
        lodeboard("log", log, "--port", json.loads(port_file.read_text())["url"], "--until-result")
    finally:
        sim.terminate()
        sim.wait(60)
    return durable(log)


def test_flashed_and_logged_it_is_the_same_as_on_a_computer(board_of, tmp_path):
    """The cable is out for two seconds in the middle of the chip's game."""
    board = board_of("lode8", blank=True)
    with LiveBoard(board) as live, ports.announced(url=live.url, pty=None, board="lode8", engine="rp2040"):
        lodeboard("flash", "--port", live.url, "--board", "lode8")
    chip = tmp_path / "chip"
    chip.mkdir()
    (chip / "flash.bin").write_bytes(board.chip.flash)
    played = recorded("python", tmp_path / "python", tmp_path / "python.jsonl", "--speed", "100")
    pulled = ["--fault", "usb:off@30", "--fault", "usb:on@32"]
    assert recorded("rp2040", chip, tmp_path / "chip.jsonl", *pulled) == played
    assert played[0]["t"] == "setup" and played[-1]["t"] == "result"
    assert '"host":"lost"' in (tmp_path / "chip.jsonl").read_text()


def test_a_demonstration_is_the_same_on_the_chip(image, tmp_path):
    for engine in ("python", "rp2040"):
        lodeboard("demo", "--game", "tau", "--seed", "7", "--engine", engine, "--log", tmp_path / engine)
    played = durable(tmp_path / "python")
    assert durable(tmp_path / "rp2040") == played
    assert played[0]["t"] == "setup" and played[-1]["t"] == "result"
