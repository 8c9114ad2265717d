"""The simulated board's port: as a real one, for one client at a time."""

import os
import sys
import threading

import pytest
import serial
from lodeboard.sim.server import QUEUE_BYTES, Server

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ptys")


@pytest.fixture
def server():
    with Server() as server:
        yield server


def connect(name):
    return serial.serial_for_url(name, timeout=2)


def settle(server, condition):
    """Read until condition(); what was read."""
    data = b""
    for _ in range(500):
        data += server.read()
        if condition(data):
            return data
        server.wait(0.01)
    raise AssertionError(f"it never came; read {data!r}")


@pytest.mark.parametrize("kind", ["url", pytest.param("pty", marks=posix)])
def test_bytes_go_both_ways_and_clients_come_and_go(server, kind):
    for _ in range(3):
        client = connect(getattr(server, kind))
        client.write(b"hello\n")
        assert settle(server, lambda data: data.endswith(b"\n")) == b"hello\n"
        assert server.client == {"url": "tcp", "pty": "pty"}[kind]
        assert server.write(b"@board\r\n")
        server.drain()
        assert client.read(8) == b"@board\r\n"  # raw: no echo, no translation
        client.close()
        settle(server, lambda _: server.client is None)


def test_nobody_reads(server):
    assert server.read() == b"" and server.client is None
    assert not server.write(b"lost")
    server.drain()


def test_a_second_client_is_turned_away_and_the_first_stays(server):
    first = connect(server.url)
    settle(server, lambda _: server.client == "tcp")
    second = connect(server.url)
    server.read()
    with pytest.raises(serial.SerialException):
        second.read(1)
    first.write(b"still here")
    assert settle(server, len) == b"still here"
    first.close()
    settle(server, lambda _: server.client is None)


@posix
def test_pty_and_tcp_are_one_port(server):
    on_pty = connect(server.pty)
    settle(server, lambda _: server.client == "pty")
    refused = connect(server.url)
    server.read()
    with pytest.raises(serial.SerialException):
        refused.read(1)
    on_pty.close()
    settle(server, lambda _: server.client is None)
    on_tcp = connect(server.url)
    settle(server, lambda _: server.client == "tcp")
    with pytest.raises(serial.SerialException):
        serial.Serial(server.pty, exclusive=True)
    on_tcp.close()
    settle(server, lambda _: server.client is None)
    serial.Serial(server.pty, exclusive=True).close()


@posix
def test_the_next_client_does_not_read_what_was_meant_for_the_last(server):
    first = connect(server.pty)
    settle(server, lambda _: server.client == "pty")
    server.write(b"for the first")
    first.close()
    settle(server, lambda _: server.client is None)
    second = connect(server.pty)
    settle(server, lambda _: server.client == "pty")
    server.write(b"for the second")
    assert second.read(14) == b"for the second"
    second.close()


def test_a_client_that_stops_reading_costs_no_time_and_little_memory(server):
    client = connect(server.url)
    settle(server, lambda _: server.client == "tcp")
    line = b"x" * 511 + b"\n"
    taken = sum(server.write(line) for _ in range(40000))
    assert taken < 40000 and len(server._queue) <= QUEUE_BYTES
    client.close()


def test_in_lockstep_everything_arrives(server):
    client = connect(server.url)
    settle(server, lambda _: server.client == "tcp")
    sent = b"".join(b"line %d\n" % i for i in range(60000))
    got = bytearray()

    def reader():
        while len(got) < len(sent):
            got.extend(client.read(min(4096, len(sent) - len(got))))

    thread = threading.Thread(target=reader)
    thread.start()
    for line in sent.splitlines(keepends=True):
        server.write(line)
        if len(server._queue) > 4096:
            server.drain()
    server.drain()
    thread.join(10)
    client.close()
    assert bytes(got) == sent


@posix
def test_a_link_with_a_stable_name(tmp_path):
    link = tmp_path / "board"
    for _ in range(2):
        with Server(link=str(link)) as server:
            assert os.readlink(link) == server.pty
    assert not link.is_symlink()


@posix
def test_a_link_never_replaces_a_file(tmp_path):
    (tmp_path / "board").write_text("precious")
    with pytest.raises(OSError):
        Server(link=str(tmp_path / "board"))
    assert (tmp_path / "board").read_text() == "precious"


@pytest.mark.parametrize("kind", ["url", pytest.param("pty", marks=posix)])
def test_a_pulled_cable_takes_the_port_away_until_it_is_back(tmp_path, kind):
    link = str(tmp_path / "board")
    with Server(link=link if kind == "pty" else None) as server:
        name = link if kind == "pty" else server.url
        client = connect(name)
        client.write(b"one\n")
        settle(server, lambda data: data == b"one\n")
        for _ in range(2):
            server.plug(False)
            with pytest.raises(serial.SerialException):
                while client.read(1) == b"":  # a pty's end comes as an error, or as nothing and then an error
                    pass
            client.close()
            assert server.client is None and not server.write(b"nobody hears this")
            with pytest.raises(serial.SerialException):
                lost = connect(name)
                server.read()
                lost.read(1)  # TCP let it in and closed at once
            server.plug(True)
            server.plug(True)
            client = connect(name)
            client.write(b"again\n")
            settle(server, lambda data: data == b"again\n")
            server.write(b"here\n")
            assert client.readline() == b"here\n"
        client.close()
