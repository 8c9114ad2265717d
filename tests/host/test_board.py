"""One connected board: what comes, what is acknowledged, what happens when things go wrong on the way."""

import json
import os

import pytest
from fake_board import FakeBoard, wait_for
from lodeboard import ports
from lodeboard.board import Board
from lodeboard.errors import LodeboardError
from lodeboard.firmware import wire


@pytest.fixture(autouse=True)
def no_real_ports(monkeypatch, tmp_path):
    """Only the boards of the test: no ports of this machine, no simulators that run on it."""
    monkeypatch.setattr(ports.list_ports, "comports", lambda: [])
    monkeypatch.setattr(ports, "sims_dir", lambda: tmp_path / "sims")


def moves(board, count=3):
    for ply in range(1, count + 1):
        board.emit("move", g="tau", s=1 + ply % 2, m="~C3", ply=ply)


def durable(events):
    return [event["n"] for event in events if "n" in event]


@pytest.mark.parametrize("port", ["pty", "tcp"])
def test_hello_then_what_nobody_acknowledged(port):
    with FakeBoard(port) as fake:
        moves(fake)
        with Board(fake.name) as board:
            events = list(board.events(0.2))
            assert [event["t"] for event in events] == ["hello", "move", "move", "move"]
            assert all("h" in event for event in events)
            board.ack(2)
            wait_for(lambda: fake.acked == 2)
        with Board(fake.name) as board:
            assert durable(board.events(0.2)) == [3]


def test_since_asks_for_what_is_new_to_the_caller():
    with FakeBoard() as fake:
        moves(fake)
        with Board(fake.name, since=1, jid="j1") as board:
            assert durable(board.events(0.2)) == [2, 3]


def test_another_journal_begins_anew():
    with FakeBoard(jid="other") as fake:
        moves(fake)
        with Board(fake.name, since=2, jid="j1") as board:
            events = list(board.events(0.2))
            assert {"host": "journal", "was": "j1", "jid": "other"}.items() <= events[0].items()
            assert durable(events) == [1, 2, 3]


def test_a_journal_that_lost_its_end_goes_on():
    with FakeBoard() as fake:
        moves(fake)
        with Board(fake.name, since=5, jid="j1") as board:
            assert [event["n"] for event in board.events(0.2) if event.get("host") == "rewound"] == [3]
            fake.emit("note", what="resume")
            assert durable(board.events(0.2)) == [4]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data.replace(b"~C3", b"~D3"),  # wrong check
        lambda data: data[:20],  # cut; what follows runs into it
        lambda data: b"",  # gone
        lambda data: b"@{not json} 1234\n",
        lambda data: b"@{" + b"x" * 5000 + b"\n",  # too long
        lambda data: data + data,  # twice
        lambda data: b"Traceback (most recent call last):\r\n  File x\r\n" + data,
        lambda data: b"\xff\xfe\x00rubbish\r\n" + data,
    ],
)
def test_a_spoilt_frame_costs_nothing_durable(spoil):
    with FakeBoard() as fake, Board(fake.name) as board:
        fake.mangle.append(spoil)
        moves(fake, 2)
        events = list(board.events(0.4))
        for _ in range(20):  # on a busy computer
            if durable(events) != [1, 2]:
                events += board.events(0.4)
        assert durable(events) == [1, 2]
        assert [event["m"] for event in events if event.get("t") == "move"] == ["~C3", "~C3"]


def test_damage_and_console_text_are_told():
    with FakeBoard() as fake, Board(fake.name) as board:
        fake.raw(b"Traceback: it hurts\r\n")
        fake.raw(b'@{"t":"lift","q":"a1"} 0000\n')
        told = [event for event in board.events(0.2) if "host" in event]
        assert [event["host"] for event in told] == ["text", "damaged"]
        assert told[0]["line"].rstrip() == "Traceback: it hurts"
        assert "check says 0000" in told[1]["why"]


def test_unknown_events_and_keys_pass():
    with FakeBoard() as fake, Board(fake.name) as board:
        fake.emit("sparkle", glitter=3)
        assert any(event.get("t") == "sparkle" for event in board.events(0.2))


def test_a_newer_protocol_is_refused_in_a_sentence():
    with FakeBoard(proto=2) as fake, pytest.raises(LodeboardError) as caught:
        Board(fake.name)
    assert "protocol 2" in caught.value.what and "pip install" in caught.value.do


def test_the_board_may_refuse_our_protocol():
    with FakeBoard() as fake:
        fake.obey = lambda command: fake.send({"re": command["i"], "err": "this board speaks protocol 0"})
        with pytest.raises(LodeboardError, match="protocol 0"):
            Board(fake.name)


def test_commands_are_answered_or_refused():
    with FakeBoard() as fake, Board(fake.name) as board:
        fake.answers["play"] = {"err": "there is a stick in C3"}
        assert board.command("press", b="ok")["ok"] is True
        with pytest.raises(LodeboardError, match="There is a stick in C3.") as caught:
            board.command("play", m="~C3")
        assert caught.value.code == 1
        fake.obey = lambda command: None
        with pytest.raises(LodeboardError, match="does not answer") as caught:
            board.command("press", timeout=0.1, b="ok")
        assert caught.value.code == 3


def test_events_that_come_with_an_answer_are_kept():
    with FakeBoard() as fake, Board(fake.name) as board:
        list(board.events(0.1))
        fake.answers["press"] = lambda command: fake.emit("note", what="pressed") and {}
        board.command("press", b="ok")
        assert durable(board.events(0.1)) == [1]


def test_long_answers_come_in_several_frames():
    def answer(command):
        fake.send({"re": command["i"], "ok": True, "moves": ["a", "b"], "more": True})
        return {"moves": ["c", "d"]}

    with FakeBoard() as fake, Board(fake.name) as board:
        fake.answers["position"] = answer
        reply = board.command("position")
        assert reply["moves"] == ["a", "b", "c", "d"] and "more" not in reply


def test_lost_and_back_under_another_name(tmp_path):
    with FakeBoard() as fake, FakeBoard(serial="another", jid="j9") as stranger, Board(fake.name) as board:
        moves(fake, 2)
        assert durable(board.events(0.2)) == [1, 2]
        first = fake.name
        fake.close()
        moves(fake, 1)  # the game went on without a host
        assert [event.get("host") for event in board.events(0.2)] == ["lost"]
        with pytest.raises(LodeboardError, match="lost"):
            board.command("press", b="ok")
        fake.open("tcp")
        assert fake.name != first
        (tmp_path / "sims").mkdir()
        names = [("1", stranger.name), (str(os.getpid()), fake.name)]
        for pid, name in names:
            (tmp_path / "sims" / f"{pid}.json").write_text(json.dumps({"url": name}))
        events = []
        for event in board.events(8):
            events.append(event)
            if "n" in event:
                break
        assert [event["port"] for event in events if event.get("host") == "back"] == [fake.name]
        assert durable(events) == [3]
        assert board.command("press", b="ok")["ok"] is True
        assert not any(command["c"] == "ack" for command in stranger.commands)


def test_without_reconnect_a_lost_port_is_an_error():
    with FakeBoard() as fake, Board(fake.name, reconnect=False) as board:
        fake.close()
        with pytest.raises(LodeboardError) as caught:
            list(board.events(1))
        assert caught.value.code == 3


def test_a_board_that_restarts_is_synchronised_again():
    with FakeBoard() as fake, Board(fake.name) as board:
        moves(fake, 2)
        list(board.events(0.2))
        fake._joined = False  # power cut: it has forgotten that somebody listens
        moves(fake, 1)
        fake.send({"t": "hello", "at": 0, **fake.hello})
        assert durable(board.events(0.4)) == [3]


def test_what_the_board_no_longer_has_is_told():
    with FakeBoard() as fake, Board(fake.name) as board:
        moves(fake, 2)
        list(board.events(0.2))
        with fake._lock:
            fake._joined = False
            moves(fake, 4)
            fake.journal[2]["n"] = fake.journal[3]["n"] = 1  # erased: sent as something old
            fake._joined = True
            fake.send(fake.journal[5])
        events = list(board.events(0.4))
        assert [(event["from"], event["to"]) for event in events if event.get("host") == "missing"] == [
            (3, 4)
        ]
        assert durable(events) == [5, 6]


def test_frames_have_the_wire_s_check():
    with FakeBoard() as fake, Board(fake.name):
        assert wire.decode(wire.encode({"c": "x"}))[0] == wire.FRAME
        assert fake.commands[0]["c"] == "sync" and fake.commands[0]["proto"] == wire.VERSION
