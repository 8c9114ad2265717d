"""Reading logs and captures: whatever a terminal program, a cable or a cut did to them."""

import io
import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st
from lodeboard.firmware import wire
from lodeboard.log.collect import collect
from lodeboard.log.read import STAMP, checked, entries, lines

EVENTS = [
    {"t": "move", "n": n, "g": "tau", "s": 1 + n % 2, "m": "y/o@C3", "ply": n, "at": 1000 * n}
    for n in range(1, 13)
]
FRAMES = [wire.encode(event) for event in EVENTS]
TRACEBACK = b'Traceback (most recent call last):\r\n  File "shell.py", line 7, in tick\r\nOSError: 5\r\n'


def read(data):
    return [entry.event for entry in entries(io.BytesIO(data)) if entry.event]


def bad(data):
    return [entry.line for entry in entries(io.BytesIO(data)) if entry.bad]


def stamped(form, frames=FRAMES):
    return b"".join(form % number + frame for number, frame in enumerate(frames))


def test_plain_frames_and_every_line_end():
    for end in (b"\n", b"\r\n", b"\r", b"\r\r\n"):
        assert read(b"".join(FRAMES).replace(b"\n", end)) == EVENTS


def test_time_stamps_of_terminal_programs():
    for form in (
        b"[2026-11-29 22:50:%02d.123] ",
        b"[22:50:%02d.004] ",
        b"22:50:%02d.004 -> ",
        b"[%06d.000001 0.000000] ",
        b"Nov 29 22:50:%02d ",
        b"2026-11-29T22:50:%02d.123456Z ",
        b"%d ms RX: ",
    ):
        assert read(stamped(form)) == EVENTS
        assert [e for e in entries(io.BytesIO(stamped(form))) if e.event is None] == []


def test_utf16_and_byte_order_marks():
    text = b"".join(FRAMES).decode()
    for data in (text.encode("utf-16"), text.encode("utf-16-le"), text.encode("utf-8-sig")):
        assert read(data) == EVENTS


def test_lines_wrapped_at_any_width():
    for width in (20, 33, 40, 72, 80):
        data = b""
        for frame in FRAMES:
            line = frame.rstrip()
            data += b"".join(line[at : at + width] + b"\r\n" for at in range(0, len(line), width))
        assert read(data) == EVENTS
        assert not bad(data)


def test_split_anywhere_with_a_stamp_before_each_piece():
    for at in range(1, len(FRAMES[0]) - 1):
        data = (
            b"[10:00:01] " + FRAMES[0][:at] + b"\r\n[10:00:02] " + FRAMES[0][at:] + b"[10:00:03] " + FRAMES[1]
        )
        assert read(data) == EVENTS[:2], at
        data = FRAMES[0][:at] + b"[10:00:02.123] " + FRAMES[0][at:] + FRAMES[1]
        assert EVENTS[1] in read(data)
        if at > 1:
            assert read(data) == EVENTS[:2], at


def test_tracebacks_between_and_inside_frames():
    for at in range(len(FRAMES[0]) + 1):
        data = FRAMES[0][:at] + TRACEBACK + FRAMES[0][at:] + FRAMES[1]
        found = read(data)
        assert EVENTS[1] in found
        if at > 1:
            assert found == EVENTS[:2], at
    data = FRAMES[0] + TRACEBACK + FRAMES[1]
    assert [e.text for e in entries(io.BytesIO(data)) if e.text] == TRACEBACK.decode().split("\r\n")[:3]


def test_one_frame_inside_another():
    for at in range(2, len(FRAMES[0]) - 1):
        data = FRAMES[0][:at] + FRAMES[1] + FRAMES[0][at:] + FRAMES[2]
        assert sorted(event["n"] for event in read(data)) == [1, 2, 3], at


def test_a_wrong_check_is_named_with_its_line():
    data = b"".join(FRAMES[:2]) + FRAMES[2].replace(b"C3", b"D3") + FRAMES[3]
    (entry,) = [entry for entry in entries(io.BytesIO(data)) if entry.bad]
    assert entry.line == 3 and "check says" in entry.bad and "D3" in entry.source


def test_our_own_log_and_its_torn_end():
    log = b"".join(json.dumps({"h": 1.5, **event}).encode() + b"\n" for event in EVENTS)
    assert [event["n"] for event in read(log)] == list(range(1, 13))
    for cut in range(len(log)):
        found = read(log[:cut])
        assert len(found) - log[:cut].count(b"\n") in (0, 1)
        assert [event["n"] for event in found] == list(range(1, len(found) + 1))
    for cut in range(len(log) - 1):
        left = log[cut:]
        assert len(read(left)) >= left.count(b"\n") - 1


def test_a_cut_beginning_is_named():
    assert bad(FRAMES[0][9:] + FRAMES[1]) == [1]
    log = b"".join(json.dumps({"h": 1.5, **event}).encode() + b"\n" for event in EVENTS)
    assert bad(log[7:]) == [1]


def test_long_rubbish_costs_neither_memory_nor_time():
    rubbish = b"@{" * 60000 + b"\n" + b"\0" * 300000 + b"\n" + bytes(range(256)) * 400 + b"\n"
    assert read(rubbish + FRAMES[0]) == EVENTS[:1]
    assert max(len(line) for _, line in lines(io.BytesIO(b"x" * (1 << 20)))) <= 1 << 16


def test_big_files_are_streamed():
    class Endless(io.RawIOBase):
        """A capture that does not fit in memory: only what was asked for exists."""

        def __init__(self, chunks):
            self.chunks = chunks
            self.asked = 0

        def read(self, size=-1):
            assert 0 < size <= 1 << 20
            self.asked += 1
            return b"".join(FRAMES) * 50 if self.asked <= self.chunks else b""

    file = Endless(100)
    count = sum(1 for _ in entries(file))
    assert count == 12 * 50 * 100


@given(st.binary(max_size=3000))
@settings(max_examples=150, deadline=None)
def test_any_bytes_are_read_without_a_fault(data):
    for entry in entries(io.BytesIO(data)):
        assert sum(value is not None for value in (entry.event, entry.text, entry.bad)) == 1
    for line in data.split(b"\n"):
        kind, value = wire.decode(line)
        assert kind in (wire.FRAME, wire.TEXT, wire.BAD)
        if kind == wire.FRAME:
            assert checked(line.rstrip(b"\r\n")) == value
    collect(io.BytesIO(data))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.lists(st.dictionaries(st.sampled_from("t n g s m ply at opt by what ranking host h".split()), JSON))
)
@settings(max_examples=60, deadline=None)
def test_any_objects_are_collected_without_a_fault(objects):
    data = b"".join(json.dumps(value).encode() + b"\n" for value in objects)
    log = collect(io.BytesIO(data))
    assert all(isinstance(loss["text"], str) for loss in log.losses)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 11),
            st.sampled_from(["whole", "stamp", "wrap", "text", "bad", "noise", "twice"]),
            st.integers(2, 60),
        ),
        max_size=12,
    )
)
@settings(max_examples=150, deadline=None)
def test_whatever_was_mixed_in_good_frames_are_found(plan):
    data, expected = b"", []
    for index, how, at in plan:
        frame = FRAMES[index]
        if how == "bad":
            data += frame.replace(b'"tau"', b'"tou"')
            continue
        if how == "noise":
            data += bytes((at * 7 + n * 13) % 256 for n in range(at)).replace(b"@", b"") + b"\n"
            continue
        expected.append(EVENTS[index])
        if how == "stamp":
            frame = b"[22:50:%02d.004] " % (at % 60) + frame
        elif how == "wrap":
            frame = frame[:at] + b"\r\n" + frame[at:]
        elif how == "text":
            frame = TRACEBACK + frame
        elif how == "twice":
            frame += frame
            expected.append(EVENTS[index])
        data += frame
    assert read(data) == expected


def test_the_stamp_pattern_does_not_eat_frames():
    for frame in FRAMES:
        assert not STAMP.search(frame)
        assert not re.match(STAMP, b"~C3 y/o@C3 A2-E2")


# The log as a whole


def test_duplicates_and_order():
    shuffled = [FRAMES[n] for n in (0, 1, 3, 4, 2, 3, 4, 5)]
    log = collect(io.BytesIO(b"".join(shuffled)))
    assert [item.event["n"] for item in log.events] == [1, 2, 3, 4, 5, 6]
    assert log.duplicates == 2 and log.losses == []


def test_a_log_that_is_there_twice_tells_everything_once():
    hello = {"t": "hello", "jid": "j", "last": 3, "board": "lode8", "at": 9}
    tries = [{"t": "illegal", "why": "x", "q": ["a1"], "at": at} for at in (10, 20, 20, 30)]
    events = [hello, EVENTS[0], tries[0], tries[1], EVENTS[1], tries[2], EVENTS[2], tries[3]]
    once = b"".join(map(wire.encode, events))
    log = collect(io.BytesIO(once + once))
    assert [item.event for item in log.events] == events and log.duplicates == len(events)


def test_missing_numbers_are_named():
    log = collect(io.BytesIO(b"".join(FRAMES[n] for n in (0, 1, 4, 5, 7))))
    missing = [(loss["from"], loss["to"]) for loss in log.losses if loss["kind"] == "missing"]
    assert missing == [(3, 4), (7, 7)]
    places = [item.event.get("n") or item.event["host"] for item in log.events]
    assert places == [1, 2, "missing", 5, 6, "missing", 8]


def test_the_hello_tells_what_should_have_followed():
    hello = wire.encode({"t": "hello", "jid": "j", "last": 9, "board": "lode8", "serial": "1"})
    log = collect(io.BytesIO(hello + b"".join(FRAMES[:7])))
    assert [(loss["from"], loss["to"]) for loss in log.losses] == [(8, 9)]


def test_two_journals_do_not_mix():
    hellos = [wire.encode({"t": "hello", "jid": jid, "board": "lode8", "serial": jid}) for jid in "ab"]
    log = collect(
        io.BytesIO(hellos[0] + FRAMES[0] + FRAMES[1] + hellos[1] + FRAMES[0] + hellos[0] + FRAMES[2])
    )
    assert [item.event.get("n", "hello") for item in log.events if item.event.get("t") == "move"] == [1, 2, 3, 1]
    assert log.losses == [] and log.duplicates == 0 and len(log.hellos) == 2


def test_a_number_with_another_content_is_a_new_end():
    other = wire.encode({**EVENTS[1], "m": "~C3"})
    log = collect(io.BytesIO(FRAMES[0] + FRAMES[1] + other + FRAMES[2]))
    assert [item.event["m"] for item in log.events] == ["y/o@C3", "y/o@C3", "~C3", "y/o@C3"]
    assert [loss["kind"] for loss in log.losses] == ["conflict"]


def test_a_line_of_a_log_that_cannot_be_believed_is_named():
    data = b'{"h":1,"t":"move","n":1,"g":"tau","s":"x","m":"~C3","ply":1}\n{"h":1,"t":"move","n":-4}\n'
    log = collect(io.BytesIO(data))
    assert [loss["line"] for loss in log.losses] == [1, 2] and log.events == []
