"""The host at a simulated board that runs the real firmware: recorded in pieces, followed, listed."""

import json
import signal
import subprocess
import sys
import time

import pytest
from fake_board import wait_for

LODEBOARD = [sys.executable, "-c", "from lodeboard.cli.main import main; main()"]


def lodeboard(*arguments):
    run = subprocess.run([*LODEBOARD, *map(str, arguments)], capture_output=True, text=True, timeout=60)
    return run.returncode, run.stdout, run.stderr


@pytest.fixture
def simulator(tmp_path, monkeypatch):
    """The port of a headless simulator whose hands play a short game of Tau, five times as fast as people."""
    (tmp_path / "run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    ports = tmp_path / "ports.json"
    options = [
        "--headless",
        "--seed",
        "7",
        "--speed",
        "5",
        "--state",
        tmp_path / "state",
        "--port-file",
        ports,
    ]
    process = subprocess.Popen(
        [*LODEBOARD, "sim", "tau", *map(str, options)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        wait_for(lambda: ports.exists() and ports.read_text(), 20)
        yield json.loads(ports.read_text())["pty"]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


def test_a_game_recorded_in_pieces_has_every_event_once(simulator, tmp_path):
    path = tmp_path / "t.jsonl"
    for _ in range(4):
        logger = subprocess.Popen([*LODEBOARD, "log", "--port", simulator, str(path)], stderr=subprocess.PIPE)
        time.sleep(0.7)
        logger.kill()
        assert logger.communicate()[1] == b""
        time.sleep(0.3)
    assert lodeboard("log", "--port", simulator, path, "--until-result") == (0, "", "")
    status, out, _ = lodeboard("review", path, "--json")
    review = json.loads(out)
    game = review["games"][0]
    assert status == 0 and game["fault"] is None and game["broken"] is None
    assert game["result"]["by"] == "win" and len(game["moves"]) == game["known"] > 4
    assert [loss for loss in review["lost"] if loss["kind"] != "damaged"] == []
    numbers = []
    for line in path.read_text().splitlines():
        if line.endswith("}") and '"n":' in line:
            numbers.append(json.loads(line)["n"])
    assert numbers == list(range(1, numbers[-1] + 1))


def test_it_is_found_listed_and_followed_without_naming_its_port(simulator):
    status, out, _ = lodeboard("ports", "--json")
    (found,) = [entry for entry in json.loads(out) if entry["kind"] == "sim"]
    assert status == 0 and found["port"] == simulator and found["hello"]["sim"] is True
    status, out, err = lodeboard("play", "--until-result")
    assert (status, err) == (0, "")
    assert "setup tau" in out and "result: seat" in out and "/?@" in out
    covered = [line for line in out.splitlines() if "@" in line and "/?@" not in line and ":?/" not in line]
    assert covered == []
