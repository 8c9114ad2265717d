"""The host's half of the wire against any bytes and any bad cable."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lodeboard.errors import LodeboardError
from lodeboard.firmware import wire
from lodeboard.session import Session, merged

HELLO = {"t": "hello", "proto": 1, "jid": "j1", "serial": "7", "first": 1}


class Desk:
    """A board without a port: takes a host's bytes and gives its own."""

    def __init__(self):
        self.journal = []
        self.acked = 0
        self.heard = b""
        self.out = b""

    def emit(self, t="move"):
        self.journal.append(wire.encode({"t": t, "n": len(self.journal) + 1, "m": "~C3"}))
        self.out += self.journal[-1]

    def hear(self, data):
        *lines, self.heard = (self.heard + data).split(b"\n")
        for line in lines:
            kind, command = wire.decode(line)
            if kind != wire.FRAME:
                continue
            if command["c"] == "sync":
                self.out += wire.encode({**HELLO, "last": len(self.journal)})
                self.out += wire.encode({"re": command["i"], "ok": True})
                self.out += b"".join(self.journal[command.get("since", self.acked) :])
            elif command["c"] == "ack":
                self.acked = max(self.acked, command["n"])

    def say(self):
        data, self.out = self.out, b""
        return data


def spoil(data, chance):
    """What a bad cable makes of bytes."""
    kind = chance.randrange(6)
    at = chance.randrange(len(data) + 1)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[at + chance.randrange(1, 20) :]
    if kind == 2:
        return data[:at] + bytes(chance.randrange(256) for _ in range(chance.randrange(1, 20))) + data[at:]
    if kind == 3:
        return data + data
    if kind == 4:
        return data[:at] + b"Traceback (most recent call last):\r\n" + data[at:]
    return b""


@given(st.integers(0, 10**9))
@settings(max_examples=150, deadline=None)
def test_every_durable_event_comes_once_and_in_order_whatever_the_cable_does(seed):
    chance = random.Random(seed)
    board, session, now, got = Desk(), Session(since=0, jid="j1"), 0.0, []
    session.greet(now)
    for turn in range(60):
        if turn < 40 and chance.random() < 0.5:
            board.emit()
        sent, said = session.take_output(), board.say()
        if turn < 40 and chance.random() < 0.2:
            sent = spoil(sent, chance)
        if turn < 40 and chance.random() < 0.2:
            said = spoil(said, chance)
        board.hear(sent)
        now += 0.3
        session.feed(said, now)
        while session.events:
            event = session.events.popleft()
            if "n" in event:
                got.append(event["n"])
                session.ack(event["n"])
    board.emit()  # a last one shows what is still missing
    for _ in range(12):
        board.hear(session.take_output())
        now += 0.3
        session.feed(board.say(), now)
        got += [event["n"] for event in session.events if "n" in event]
        session.events.clear()
    assert got == list(range(1, len(board.journal) + 1))


@given(st.lists(st.binary(max_size=300), max_size=20))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_taken(chunks):
    session = Session()
    session.greet(0.0)
    for now, chunk in enumerate(chunks):
        session.feed(chunk, float(now))
    assert len(session.unfinished()) <= 4096 + 300 and len(session.saw) <= 20


JSON = st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.lists(st.integers(), max_size=3)
KEYS = st.sampled_from(["t", "n", "re", "ok", "err", "more", "jid", "last", "first", "proto", "serial"])


@given(st.lists(st.dictionaries(KEYS, JSON), max_size=12))
@settings(max_examples=200, deadline=None)
def test_any_objects_are_taken(objects):
    session = Session(since=3, jid="j1")
    session.greet(0.0)
    try:
        for value in [HELLO, {"re": 1, "ok": True}, *objects]:
            session.feed(wire.encode(value), 0.0)
            assert not session.synced or session.caught_up in (True, False)
    except LodeboardError as error:
        assert "protocol" in error.what or "refuses" in error.what


def test_an_unanswered_sync_is_sent_again():
    session = Session()
    session.greet(0.0)
    assert session.take_output().count(b'"sync"') == 1
    session.feed(b"", 0.5)
    assert session.take_output() == b""
    session.feed(b"", 1.5)
    assert session.take_output().count(b'"sync"') == 1


def test_a_command_that_is_too_long_is_refused():
    with pytest.raises(LodeboardError, match="too long for the wire"):
        Session().send("play", m="x" * 600)


def test_merged_keeps_what_was_not_cut():
    assert merged({"d": [1], "e": [5], "more": True}, {"d": [2], "e": [5]}) == {"d": [1, 2], "e": [5]}
    assert merged({"d": [0], "more": True}, {"d": [0]}) == {"d": [0, 0]}


def connected(desk):
    """A Session that has heard a desk's hello."""
    session = Session(since=0, jid="j1")
    session.greet(0.0)
    turn(desk, session, 0.0)
    assert session.synced
    return session


def turn(desk, session, now, spoilt=lambda data: data):
    """One exchange; how many syncs the session asked for."""
    out = session.take_output()
    desk.hear(out)
    session.feed(spoilt(desk.say()), now)
    return out.count(b'"sync"')


def test_a_frame_that_stays_damaged_is_asked_for_now_and_then():
    desk = Desk()
    session = connected(desk)

    def unreadable(data):
        return data.replace(b'"n":2', b'"n":7')  # the check no longer fits

    desk.emit()
    desk.emit()
    syncs = sum(turn(desk, session, step / 10, unreadable) for step in range(200))  # 20 s
    assert session.last == 1 and 2 <= syncs <= 6
    desk.emit()  # what comes after it says that it is missing, and the recording goes on
    for step in range(200, 300):
        turn(desk, session, step / 10, unreadable)
    assert session.last == 3
    missing = [event for event in session.events if event.get("host") == "missing"]
    assert [(event["from"], event["to"]) for event in missing] == [(2, 2)]


def test_damage_soon_after_damage_is_asked_for_too():
    """The second must not wait for a later event: it may have been the last of the game."""
    desk = Desk()
    session = connected(desk)
    session.feed(b'@{"t":"lift","q":"a1"} 0000\n', 1.0)
    turn(desk, session, 1.1)
    desk.emit()
    turn(desk, session, 1.2, lambda data: data.replace(b"~C3", b"~C4"))
    for step in range(13, 80):
        turn(desk, session, step / 10)
    assert session.last == 1
