"""The same games through the core on MicroPython, in the heap of the chip, event for event as on CPython."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lodeboard import micropython
from lodeboard.sim import deployed
from story import CONFIG

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def run(tmp_path, command, root, seed, games):
    config = tmp_path / "config.json"
    config.write_text(json.dumps(CONFIG))
    done = subprocess.run(
        [*command, str(HERE / "core_games.py"), str(root), str(config), str(seed), str(games)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2000:]
    *events, last = [json.loads(line) for line in done.stdout.splitlines()]
    return events, last


@pytest.mark.parametrize("seed, games", [(1, 20), (2, 3)])
def test_a_match_in_200_kib(tmp_path, seed, games):
    flash = deployed.deploy(tmp_path)  # compiled, as on the chip
    command = [*micropython.command(), "-X", "heapsize=200k"]
    events, last = run(tmp_path, command, flash, seed, games)
    on_cpython, _ = run(tmp_path, [sys.executable], ROOT, seed, games)
    assert events == on_cpython and last["plies"] > 3 * games and len(last["free"]) == games
    assert last["free"][-1] > 60 * 1024
    assert last["free"][-1] >= last["free"][0] - 4096  # nothing grows from game to game
    assert last["quiet"] <= 4096  # a look for askew pieces each half second, and no more
