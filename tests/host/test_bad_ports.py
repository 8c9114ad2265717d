"""Ports that are missing, busy, not permitted or no Lodeboard's: what and what to do, status 3."""

import contextlib
import errno
import fcntl
import getpass
import grp
import json
import os
import socket
import subprocess
import sys
import termios
import threading
from types import SimpleNamespace

import pytest
from fake_board import FakeBoard
from lodeboard import ports
from lodeboard.board import Board
from lodeboard.cli.main import run
from lodeboard.errors import LodeboardError


@pytest.fixture(autouse=True)
def no_real_ports(monkeypatch, tmp_path):
    monkeypatch.setattr(ports.list_ports, "comports", lambda: [])
    monkeypatch.setattr(ports, "sims_dir", lambda: tmp_path / "sims")


def refusal(name, code=3, timeout=0.3):
    with pytest.raises(LodeboardError) as caught:
        Board(name, timeout=timeout)
    assert caught.value.code == code
    assert caught.value.what.endswith(".") and caught.value.do and "\n" not in str(caught.value)
    return str(caught.value)


def answering(data):
    """The URL of a TCP server that answers a client with data, or closes at once without."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        with server, server.accept()[0] as client:
            if data:
                client.recv(10000)
                client.sendall(data)
                while client.recv(10000):
                    pass

    threading.Thread(target=serve, daemon=True).start()
    return f"socket://127.0.0.1:{server.getsockname()[1]}"


def test_missing():
    assert "There is no port /dev/ttyNO9" in refusal("/dev/ttyNO9")
    assert "Nobody answers" in refusal("socket://127.0.0.1:1")


def test_what_is_no_port(tmp_path):
    assert "is not a serial port" in refusal("/dev/null")
    assert "is not a serial port" in refusal(str(tmp_path))
    os.mkfifo(tmp_path / "fifo")
    assert "is not a serial port" in refusal(str(tmp_path / "fifo"))
    assert "not a port's name" in refusal("nonsense://x", code=2)


def test_busy_with_a_lodeboard_program():
    with FakeBoard() as fake, Board(fake.name):
        assert "is held by another program" in refusal(fake.name)


def test_busy_names_the_program_that_holds_it():
    with FakeBoard() as fake:
        code = "import fcntl, sys, time; f = open(sys.argv[1], 'rb+', buffering=0)\n"
        code += "fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); time.sleep(20)"
        holder = subprocess.Popen([sys.executable, "-c", code, fake.name], stdout=subprocess.PIPE)
        try:
            holder.stdout.readline()
            assert f"(process {holder.pid})" in refusal(fake.name)
        finally:
            holder.kill()
            holder.wait()
            holder.stdout.close()


@contextlib.contextmanager
def ordinary_user():
    """Root is refused nothing: be somebody else for a while."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_busy_with_a_terminal_program_that_marks_it_exclusive():
    with FakeBoard() as fake:
        os.chmod(fake.name, 0o666)
        fd = os.open(fake.name, os.O_RDWR | os.O_NOCTTY)
        fcntl.ioctl(fd, termios.TIOCEXCL)
        try:
            with ordinary_user():
                assert "is held" in refusal(fake.name)
        finally:
            fcntl.ioctl(fd, termios.TIOCNXCL)
            os.close(fd)


def test_not_permitted():
    with FakeBoard() as fake:
        os.chmod(fake.name, 0)
        with ordinary_user():
            said = refusal(fake.name)
        assert "You may not open" in said and f"Run: sudo chmod a+rw {fake.name}" in said


@pytest.mark.parametrize(
    "number, words",
    [
        (errno.EBUSY, "is held"),
        (errno.EACCES, "You may not open"),
        (errno.ENOENT, "There is no port"),
        (errno.EIO, "is not a serial port"),
    ],
)
def test_what_the_system_says(monkeypatch, number, words):
    def refuse(name):
        raise OSError(number, os.strerror(number), name)

    monkeypatch.setattr(ports, "check_device", refuse)
    assert words in refusal("/dev/ttyACM7")


def test_not_permitted_gives_the_exact_command(monkeypatch):
    group = SimpleNamespace(gr_name="dialout", gr_mem=["ada"])
    device = SimpleNamespace(st_gid=20, st_mode=0o020660)
    monkeypatch.setattr(getpass, "getuser", lambda: "ada")
    monkeypatch.setattr(grp, "getgrgid", lambda gid: group if gid == 20 else None)
    monkeypatch.setattr(os, "stat", lambda name: device)
    assert ports.rights_cure("/dev/ttyACM0").endswith("log out and in again.")
    group.gr_mem = []
    cure = ports.rights_cure("/dev/ttyACM0")
    assert cure == "Run: sudo usermod -aG dialout ada, then log out and in again."
    device.st_mode = 0o020600
    assert ports.rights_cure("/dev/ttyACM0") == "Run: sudo chmod a+rw /dev/ttyACM0"


def test_silent():
    with FakeBoard() as fake:
        fake.obey = lambda command: None
        assert "it is silent" in refusal(fake.name)


def test_something_else_says_what_it_saw():
    assert "it sent 'GPS $GPGGA,1234'" in refusal(answering(b"GPS $GPGGA,1234\r\n"))


def test_bare_micropython_is_known():
    said = refusal(answering(b"MicroPython v1.23.0; Raspberry Pi Pico with RP2040\r\n>>> "))
    assert "MicroPython without the Lodeboard firmware" in said and "lodeboard flash" in said


def test_a_simulator_that_is_taken():
    assert "another program is connected" in refusal(answering(b""))


def test_no_board_and_several(tmp_path):
    with pytest.raises(LodeboardError, match="No board is connected") as caught:
        Board()
    assert caught.value.code == 3
    (tmp_path / "sims").mkdir()
    note = {"url": "socket://127.0.0.1:1", "board": "lode8"}
    (tmp_path / "sims" / f"{os.getpid()}.json").write_text(json.dumps(note))
    (tmp_path / "sims" / "999999999.json").write_text(json.dumps(note))  # its process is gone
    (tmp_path / "sims" / "rubbish.json").write_text("[")
    assert ports.choose() == note["url"]
    (tmp_path / "sims" / f"{os.getppid()}.json").write_text(json.dumps(note))
    with pytest.raises(LodeboardError, match="There are 2 boards: socket.*--port"):
        ports.choose()


def test_a_simulator_announces_itself(tmp_path):
    with ports.announced(pty="/dev/pts/9", url="socket://127.0.0.1:4", board="lode8"):
        (found,) = ports.candidates()
        assert (found.name, found.kind) == ("/dev/pts/9", "sim")
    assert ports.candidates() == []


def test_the_list_asks_the_free_and_leaves_the_busy_alone(tmp_path, capsys):
    (tmp_path / "sims").mkdir()
    waits = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    alive = (subprocess.Popen(waits, stdin=subprocess.PIPE) for _ in range(3))
    with (
        next(alive) as first, next(alive) as second, next(alive) as third,
        FakeBoard() as free, FakeBoard() as busy, Board(busy.name), FakeBoard() as dumb,
    ):  # fmt: skip
        dumb.obey = lambda command: None
        for process, fake in ((first, free), (second, busy), (third, dumb)):
            (tmp_path / "sims" / f"{process.pid}.json").write_text(json.dumps({"pty": fake.name}))
        before = len(busy.commands)
        assert run(["ports", "--json"]) == 0
        found = {entry["port"]: entry for entry in json.loads(capsys.readouterr().out)}
        assert found[free.name]["lodeboard"] is True and found[free.name]["hello"]["serial"] == "fake-1"
        assert found[busy.name]["lodeboard"] is None and "is held" in found[busy.name]["problem"]
        assert found[dumb.name]["lodeboard"] is False and "no hello" in found[dumb.name]["problem"]
        assert len(busy.commands) == before
        assert [command["c"] for command in free.commands] == ["info"]
        (tmp_path / "sims" / f"{third.pid}.json").unlink()
        assert run(["ports"]) == 0
        assert "serial fake-1" in capsys.readouterr().out


def test_no_board_is_the_answer_no(capsys):
    assert run(["ports"]) == 1
    assert "There is no board" in capsys.readouterr().out
    assert run(["monitor", "--port", "/dev/ttyNO9"]) == 3
    said = capsys.readouterr().err
    assert said.startswith("lodeboard: There is no port /dev/ttyNO9.") and said.count("\n") == 1
