"""The board's end of the wire: any bytes in, frames out, nothing durable lost, never a wait."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keeping import Memory, move
from lodeboard.firmware import wire
from lodeboard.firmware.journal import Journal
from lodeboard.firmware.link import QUEUE, Link, frames


class Port:
    """A port that takes at most `room` bytes in a turn; 0 when nobody reads."""

    def __init__(self, room=1 << 20):
        self.room = room
        self.left = room
        self.data = b""

    def write(self, data):
        taken = min(self.left, len(data))
        self.left -= taken
        self.data += bytes(data[:taken])
        return taken

    def turn(self):
        self.left = self.room

    def frames(self):
        """Objects of the whole frames that arrived; every line must be one."""
        *lines, rest = self.data.split(b"\n")
        self.data = rest
        values = []
        for line in lines:
            kind, value = wire.decode(line)
            assert kind == wire.FRAME, line
            values.append(value)
        return values


class Wire:
    """A link with its journal and a port."""

    def __init__(self, room=1 << 20):
        self.journal = Journal(Memory(), 5)
        self.link = Link(self.journal)
        self.port = Port(room)

    def durable(self, count=1):
        for _ in range(count):
            event = move("~C3")
            line = self.journal.append(event)
            self.link.send_line(event["n"], line)

    def command(self, **command):
        return self.link.feed(wire.encode(command))

    def sync(self, **keys):
        command = {"c": "sync", "i": 1, "proto": 1, **keys}
        self.link.sync(command, {"t": "hello", "jid": self.journal.jid, "last": self.journal.last})

    def pump(self, turns=1):
        for _ in range(turns):
            self.port.turn()
            self.link.pump(self.port.write)
        return self.port.frames()


def numbers(values):
    return [value["n"] for value in values if "n" in value]


# Bytes in


def test_a_command_may_come_in_pieces_and_after_terminal_noise():
    w = Wire()
    data = wire.encode({"c": "info", "i": 3})
    got = []
    for byte in b"\x03\x03\r\nhelp()\r\n\x03" + data.replace(b"\n", b"\r\n") + data:
        got += w.link.feed(bytes([byte]))
    assert got == [{"c": "info", "i": 3}] * 2
    assert w.pump() == []


def test_several_commands_in_one_read():
    w = Wire()
    got = w.link.feed(b"".join(wire.encode({"c": "ack", "n": n}) for n in range(5)) + b"@{half")
    assert [command["n"] for command in got] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "data",
    [
        wire.encode({"c": "info"}).replace(b"info", b"inf0"),
        b"@{" + b"x" * 5000 + b"\n",
        b'@{"c":"x"}\n',
    ],
)
def test_a_damaged_frame_is_told_once_and_forgotten(data):
    w = Wire()
    assert w.link.feed(data) == []
    (event,) = w.pump()
    assert event["t"] == "error" and "damaged" in event["what"]
    assert w.command(c="info") == [{"c": "info"}]


def test_an_endless_line_costs_no_memory():
    w = Wire()
    for _ in range(1000):
        assert w.link.feed(b"x" * 1000) == []
    assert len(w.link._line) <= wire.MAX_FRAME + 1000
    assert w.link.feed(b"\n") == []
    assert w.command(c="info") == [{"c": "info"}]
    assert w.pump() == []


@given(st.lists(st.binary(max_size=300) | st.just(b"@{") | st.just(b"\n"), max_size=20))
@settings(deadline=None)
def test_any_bytes_leave_the_link_working(chunks):
    w = Wire()
    for chunk in chunks:
        for command in w.link.feed(chunk):
            assert isinstance(command["c"], str)
    w.link.feed(b"\n")
    assert w.command(c="info", i=1) == [{"c": "info", "i": 1}]
    assert all(event["t"] == "error" for event in w.pump() if "re" not in event)


def test_a_frame_without_a_command_is_answered_when_it_can_be():
    w = Wire()
    assert w.command(i=4, c=7) == [] and w.command(x=1) == []
    assert w.pump() == [{"re": 4, "err": "This frame names no command."}]


# Durable events


def test_a_sync_gives_hello_then_the_reply_then_what_is_new():
    w = Wire()
    w.durable(5)
    w.sync(since=3)
    got = w.pump()
    assert [got[0]["t"], got[1]] == ["hello", {"re": 1, "ok": True}]
    assert numbers(got) == [4, 5]
    w.durable()
    assert numbers(w.pump()) == [6]


def test_without_since_it_is_what_nobody_acknowledged():
    w = Wire()
    w.durable(5)
    w.journal.ack(4)
    w.sync()
    assert numbers(w.pump()) == [5]


@pytest.mark.parametrize("since", [-1, 99, None, "x", 2.5])
def test_a_since_of_any_kind_is_answered(since):
    w = Wire()
    w.durable(2)
    w.sync(since=since)
    got = w.pump()
    assert got[1]["ok"] and numbers(got) in ([1, 2], [])


def test_a_newer_protocol_is_refused():
    w = Wire()
    w.sync(proto=2)
    (reply,) = w.pump()
    assert reply == {"re": 1, "err": "This board speaks protocol 1."}


def test_a_host_that_reads_slowly_gets_every_durable_event_once_in_order():
    w = Wire(room=20)
    w.sync(since=0)
    got = []
    for _ in range(300):
        w.durable()
        w.link.send({"t": "lift", "q": "c3"})
        got += w.pump()
    got += w.pump(3000)
    assert numbers(got) == list(range(1, 301))
    dropped = [event for event in got if event.get("t") == "error"]
    assert dropped and "dropped" in dropped[0]["what"]


def test_nobody_reads_and_memory_and_time_stay_bounded():
    w = Wire(room=0)
    w.sync(since=0)
    for _ in range(1000):
        w.durable()
        w.link.send({"t": "state", "text": "x" * 100})
        w.link.reply({"i": 1}, {"x": "y" * 100})
        w.pump()
    assert w.link._queued == sum(map(len, w.link._queue)) <= QUEUE
    w.port.room = 1 << 20
    w.sync(since=0)
    assert numbers(w.pump(400)) == list(range(1, 1001))


def test_a_sync_in_the_middle_of_a_frame_lets_that_frame_end():
    w = Wire(room=30)
    w.sync(since=0)
    w.durable(3)
    w.port.turn()
    w.link.pump(w.port.write)
    w.sync(since=0)
    w.port.room = 1 << 20
    got = w.pump(3)
    assert numbers(got)[-3:] == [1, 2, 3] and [e for e in got if e.get("t") == "hello"]


def test_events_while_catching_up_come_in_order():
    w = Wire(room=200)
    w.durable(100)
    w.sync(since=0)
    got = []
    for _ in range(100):
        w.durable()
        got += w.pump()
    got += w.pump(200)
    assert numbers(got) == list(range(1, 201))


def test_what_the_journal_gave_up_is_skipped():
    w = Wire()
    w.journal = Journal(Memory(), 5, 8192)
    w.link = Link(w.journal)
    for _ in range(400):
        event = {"t": "note", "what": "resume", "ply": 3}
        w.link.send_line(1, w.journal.append(event))
    assert w.journal.first > 1
    w.pump()
    w.sync(since=0)
    assert numbers(w.pump(200)) == list(range(w.journal.first, 401))


# Long frames


def together(values):
    """Joins frames with "more" as the page says."""
    whole = dict(values[0])
    whole.pop("more", None)
    for value in values[1:]:
        for key in value:
            if key in ("d", "q", "take", "put", "turn", "moves"):
                if value[key] != whole[key] or len(value[key]) > 0 and value is not whole:
                    whole[key] = whole[key] + value[key]
    return whole


def test_a_sweep_of_400_squares_comes_in_several_frames_with_offsets():
    made = [wire.decode(frame)[1] for frame in frames({"t": "readings", "o": 0, "d": list(range(-200, 200))})]
    assert len(made) > 1
    assert [value.get("more", False) for value in made] == [True] * (len(made) - 1) + [False]
    at = 0
    for value in made:
        assert value["o"] == at
        at += len(value["d"])
    assert together(made)["d"] == list(range(-200, 200))


def test_the_lights_of_a_large_board_are_cut_in_two():
    made = [wire.decode(frame)[1] for frame in frames({"t": "lights", "o": 100, "m": "g" * 900})]
    assert "".join(value["m"] for value in made) == "g" * 900
    assert made[-1]["o"] == 100 + 900 - len(made[-1]["m"])


def test_long_moves_of_a_position_keep_their_reply():
    moves = [f"{n % 4 + 1}:l11,m11,n11,l12,k{n}" for n in range(80)]
    made = [wire.decode(frame)[1] for frame in frames({"re": 5, "ok": True, "moves": moves})]
    assert all(value["re"] == 5 for value in made) and "more" not in made[-1]
    assert together(made)["moves"] == moves


@given(
    st.dictionaries(
        st.sampled_from("tqdmox"),
        st.text(max_size=900) | st.lists(st.integers() | st.text(max_size=700), max_size=60) | st.integers(),
        max_size=5,
    )
)
def test_nothing_is_too_long_to_be_sent(event):
    event["t"] = "x"
    event.pop("o", None)
    for frame in frames(event):
        assert len(frame) <= wire.MAX_FRAME and wire.decode(frame)[0] == wire.FRAME


def test_what_is_no_json_does_not_stop_the_board():
    assert wire.decode(frames({"t": "x", "v": b"bytes"})[0])[1]["t"] == "error"
