"""`lodeboard log` as a process that is killed, cut off from its board, and starts on a full disk."""

import json
import os
import signal
import subprocess
import sys

import pytest
from fake_board import FakeBoard, play_record, wait_for
from logs import record

LODEBOARD = [sys.executable, "-c", "from lodeboard.cli.main import main; main()"]


def start(*arguments, **options):
    return subprocess.Popen([*LODEBOARD, *map(str, arguments)], stderr=subprocess.PIPE, text=True, **options)


def run(*arguments):
    return subprocess.run([*LODEBOARD, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def end(process, sig=signal.SIGINT):
    process.send_signal(sig)
    said = process.communicate(timeout=60)[1]
    return process.returncode, said


def numbers(path):
    """The numbers of the durable events in a log, in its order, torn lines left out."""
    found = []
    for line in path.read_bytes().splitlines():
        try:
            found.append(json.loads(line).get("n"))
        except ValueError:
            continue
    return [n for n in found if n is not None]


def test_killed_and_started_again_it_has_every_move_once(tmp_path):
    path, kept = tmp_path / "t.jsonl", record()
    with FakeBoard() as board:
        board.emit("setup", g="tau", opt={"starter": 1}, match=1, game=1, seed=7)
        for ply, move in enumerate(kept["moves"], 1):
            if ply % 14 == 1:  # at ply 1, 15, 29 and 43 it starts anew; between, moves happen without it
                logger = start("log", "--port", board.name, path)
            board.emit("move", g="tau", s=int(move[0]), m=move[2:], ply=ply)
            if ply % 14 == 7:
                wait_for(lambda: path.exists() and len(board.journal) in numbers(path))
                end(logger, signal.SIGKILL)
                if ply == 21:
                    path.write_bytes(path.read_bytes()[:-9])  # and in the middle of its last line
        logger = start("log", "--port", board.name, path)
        wait_for(lambda: board.acked == len(board.journal))
        assert end(logger) == (0, "")
        assert numbers(path) == list(range(1, len(kept["moves"]) + 2))
    reviewed = json.loads(run("review", path, "--json").stdout)
    assert [entry["move"] for entry in reviewed["games"][0]["moves"]] == [move[2:] for move in kept["moves"]]
    assert [loss["kind"] for loss in reviewed["lost"]] == ["damaged"]


def test_until_result_and_quiet_in_a_pipe(tmp_path):
    path = tmp_path / "t.jsonl"
    with FakeBoard() as board:
        play_record(board, record())
        logged = run("log", "--port", board.name, path, "--until-result")
        assert (logged.returncode, logged.stdout, logged.stderr) == (0, "", "")
    assert run("review", path).returncode == 0


def test_a_lost_port_is_waited_for(tmp_path):
    path = tmp_path / "t.jsonl"
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    with FakeBoard("tcp") as board:
        logger = start("log", "--port", board.name, path, env=env)
        board.emit("note", what="resume", ply=1)
        wait_for(lambda: path.exists() and numbers(path) == [1])
        board.close()
        wait_for(lambda: '"lost"' in path.read_text())
        board.emit("note", what="resume", ply=2)
        board.open("pty")
        sims = tmp_path / "lodeboard" / "sims"
        sims.mkdir(parents=True)
        (sims / f"{os.getpid()}.json").write_text(json.dumps({"pty": board.name}))
        wait_for(lambda: numbers(path) == [1, 2])
        assert end(logger) == (0, "")
        assert f'"host":"back","port":"{board.name}"' in path.read_text()


def test_a_new_log_in_mid_game_has_the_game_from_its_setup(tmp_path):
    path = tmp_path / "t.jsonl"
    with FakeBoard() as board:
        play_record(board, record("tau", 1))  # an old game
        first = len(board.journal) + 1
        board.emit("setup", g="tau", opt={"starter": 1}, match=2, game=2, seed=8)
        for ply, move in enumerate(record("tau", 2)["moves"][:5], 1):
            board.emit("move", g="tau", s=int(move[0]), m=move[2:], ply=ply)
        board.acked = len(board.journal) - 2  # another log has the rest
        logger = start("log", "--port", board.name, path)
        wait_for(lambda: path.exists() and len(board.journal) in numbers(path))
        board.emit("note", what="resume", ply=5)
        wait_for(lambda: len(board.journal) in numbers(path))
        assert end(logger) == (0, "")
        assert numbers(path) == list(range(first, len(board.journal) + 1))


def test_a_full_disk_is_told_and_costs_nothing(tmp_path):
    path = tmp_path / "t.jsonl"
    with FakeBoard() as board:
        play_record(board, record())
        limit = f"ulimit -f 4; exec {sys.executable} -c 'from lodeboard.cli.main import main; main()'"
        command = ["bash", "-c", f"{limit} log --port {board.name} {path} --until-result"]
        logged = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert logged.returncode == 2
        assert "the disk is full" in logged.stderr and logged.stderr.count("\n") == 1
        held = numbers(path)
        assert held == list(range(1, held[-1] + 1)) and board.acked <= held[-1] < len(board.journal)
        assert path.read_bytes().endswith(b"\n")
        assert run("log", "--port", board.name, path, "--until-result").returncode == 0
        assert numbers(path) == list(range(1, len(board.journal) + 1))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_a_disk_that_is_full_from_the_start():
    with FakeBoard() as board:
        logged = run("log", "--port", board.name, "/dev/full")
        assert logged.returncode == 2 and "the disk is full" in logged.stderr


def test_ports_and_files_that_are_wrong(tmp_path):
    (tmp_path / "letter").write_text("Dear Sir\n")
    for arguments, status, words in (
        (["--port", "/dev/ttyNO9", tmp_path / "a"], 3, "There is no port /dev/ttyNO9."),
        (["--port", "/dev/null", tmp_path / "b"], 3, "is not a serial port"),
        (["--port", "/dev/null", tmp_path / "letter"], 2, "is not a Lodeboard log"),
        (["--port", "/dev/null", tmp_path / "no" / "c"], 2, "cannot be written"),
    ):
        logged = run("log", *arguments)
        assert logged.returncode == status and words in logged.stderr and logged.stderr.count("\n") == 1


def test_a_frame_that_stays_damaged_holds_up_nothing(tmp_path):
    path = tmp_path / "t.jsonl"
    with FakeBoard() as board:
        play_record(board, record())
        last = len(board.journal)
        send = board.send

        def unreadable(event, *args, **keys):
            if event.get("n") == last - 1:
                return board.raw(b'@{"t":"move","n":%d} 0000\n' % event["n"])
            return send(event, *args, **keys)

        board.send = unreadable
        logged = run("log", "--port", board.name, path, "--until-result")
        assert logged.returncode == 0
        assert numbers(path) == [n for n in range(1, last + 1) if n != last - 1]
        assert f'"host":"missing","from":{last - 1}' in path.read_text()
