"""`lodeboard sim`: served without a screen, killed and started again, refused with a sentence."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner
from lodeboard import boards
from lodeboard.board import Board
from lodeboard.cli import main as cli
from lodeboard.cli.sim import command
from lodeboard.errors import LodeboardError
from lodeboard.players import make
from lodeboard.sim.session import Session, fresh

LODEBOARD = [sys.executable, "-c", "from lodeboard.cli.main import main; main()"]
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and ptys of POSIX")


def session(folder, hands=True, **keys):
    players = [make("random", seat + 1).choose if hands else None for seat in range(2)]
    return Session(boards.load("lode8"), "tau", folder, players=players, seed=3, **keys)


def run(session, condition, limit_ms=600000):
    while not condition():
        session.tick()
        assert session.table.now < limit_ms, session.table.lines


def test_hands_go_on_with_the_next_game(tmp_path):
    with session(tmp_path) as running:
        running.stage.haste = 0.1
        run(running, lambda: running.stage.played == 1 and running.eyes.state == "TURN")


@pytest.mark.parametrize("engine", ["python", "micropython"])
def test_a_session_that_ended_goes_on_where_it_was(tmp_path, engine):
    with session(tmp_path, engine=engine) as running:
        run(running, lambda: running.eyes.ply == 5)
        moves = [running.stage.game.text(m) for _, m in running.stage.game.history][:4]
    with session(tmp_path, engine=engine) as running:
        run(running, lambda: running.eyes.state == "PAUSED")  # it offers to resume
        run(running, lambda: running.eyes.ply == 7)
        assert [running.stage.game.text(m) for _, m in running.stage.game.history][:4] == moves
        assert running.stage.stats.get("unguided", 0) == 0


def test_a_piece_in_hand_when_the_power_goes_is_asked_for(tmp_path):
    with session(tmp_path) as running:
        run(running, lambda: running.eyes.ply == 3)
        run(running, lambda: running.hands.holding and running.hands.holding[0].z > 30)
    with session(tmp_path) as running:
        run(running, lambda: running.eyes.ply == 5)
        assert running.stage.stats.get("unguided", 0) == 0


def test_a_folder_serves_one_simulator(tmp_path):
    with session(tmp_path):
        other = subprocess.run(
            [*LODEBOARD, "sim", "--headless", "--state", str(tmp_path)],
            capture_output=True, text=True, timeout=20,
        )  # fmt: skip
    assert other.returncode == 2 and other.stderr.startswith("lodeboard: Another simulator uses")


def test_a_folder_of_another_table_is_not_mixed_up(tmp_path):
    with session(tmp_path, hands=False):
        pass
    with pytest.raises(LodeboardError, match="holds another table: tau"):
        session(tmp_path, options={"open": True})
    fresh(tmp_path)
    with session(tmp_path, options={"open": True}):
        pass


def test_fresh_removes_what_is_ours_and_nothing_else(tmp_path):
    with session(tmp_path, hands=False) as running:
        run(running, lambda: running.table.now > 200)
    (tmp_path / "mine.txt").write_text("keep")
    fresh(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["lock", "mine.txt"]


def test_a_damaged_table_file_is_named(tmp_path):
    (tmp_path / "table.json").write_text("{")
    with pytest.raises(LodeboardError, match="table.json cannot be read"):
        session(tmp_path)


def test_a_port_that_is_taken_is_named(tmp_path):
    with session(tmp_path / "one") as running:
        port = int(running.server.url.rsplit(":", 1)[1])
        with pytest.raises(LodeboardError, match=f"TCP port {port}"):
            session(tmp_path / "two", port=port)


WRONG = {
    "hands": (["--hands", "3"], "3 names no hands"),
    "hands in words": (["--hands", "left"], "left names no hands"),
    "game": (["tua"], "There is no game tua"),
    "engine": (["--engine", "fpga"], "There is no engine fpga"),
    "no terminal": ([], "There is no terminal"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_choices_are_named(what, tmp_path):
    args, said = WRONG[what]
    with pytest.raises(LodeboardError, match=said):
        CliRunner().invoke(command, [*args, "--state", str(tmp_path)], catch_exceptions=False)


# As processes


def start(folder, *args):
    """A simulator in a process of its own: (process, where it is)."""
    file = folder / "port.json"
    file.unlink(missing_ok=True)
    process = subprocess.Popen(
        [*LODEBOARD, "sim", "tau", "--headless", "--state", str(folder / "state"), "--port-file", str(file),
         "--speed", "20", "--seed", "4", *args],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for _ in range(400):
        if file.exists():
            return process, json.loads(file.read_text())
        time.sleep(0.025)
    process.kill()
    raise AssertionError(process.communicate())


@posix
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(tmp_path, ending):
    process, about = start(tmp_path)
    time.sleep(0.1)
    process.send_signal(ending)
    out, err = process.communicate(timeout=10)
    assert process.returncode == 0 and err == ""
    assert about["url"] in out and about["pty"] in out
    assert not os.path.exists(about["pty"])


@posix
def test_killed_and_started_again_in_mid_game_every_move_comes_once(tmp_path):
    """The host follows one journal over three lives of the simulator, on the pty and on TCP."""
    numbers, moves, last, jid = [], [], None, None
    for port in ("pty", "url", "pty"):
        process, about = start(tmp_path, "--errors", "0.2")
        try:
            with Board(about[port], since=last, jid=jid) as board:
                jid = board.jid
                goal = len(moves) + 6
                for event in board.events(20):
                    if "n" in event:
                        numbers.append(event["n"])
                        board.ack(event["n"])
                    if event.get("t") in ("move", "setup"):
                        moves.append(event.get("m"))
                    assert event.get("host") not in ("missing", "rewound", "journal")
                    if len(moves) >= goal:
                        break
                last = board.last
        finally:
            process.kill()
            process.communicate()
    assert len(moves) >= 18
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_faults_want_the_engine_that_has_them(tmp_path, capsys):
    assert cli.run(["sim", "tau", "--headless", "--fault", "dead:c3", "--state", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("lodeboard: The engine python has no faults. Add --engine rp2040.")
