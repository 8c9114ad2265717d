"""Writing logs: continued, torn, locked, on a full disk."""

import io
import json
import os
import resource

import pytest
from lodeboard.errors import LodeboardError
from lodeboard.log.read import entries
from lodeboard.log.write import LogWriter

HELLO = {"t": "hello", "jid": "j1", "board": "lode8"}


def move(n):
    return {"t": "move", "n": n, "g": "tau", "s": 1, "m": "~C3", "ply": n, "at": n}


def read(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def filled(path, count=3):
    with LogWriter(path) as log:
        log.write(HELLO)
        for n in range(1, count + 1):
            log.write(move(n))
    return path


def test_a_log_begins_with_its_header_and_is_flushed_a_line_at_a_time(tmp_path):
    path = tmp_path / "t.jsonl"
    with LogWriter(path, port="/dev/ttyACM0") as log:
        assert log.new and log.last is None
        log.write({"h": 1.25, **move(1)})
        header, first = read(path)  # before it is closed
        assert header["host"] == "log" and header["format"] == 1 and header["port"] == "/dev/ttyACM0"
        assert first == {"h": 1.25, **move(1)}


def test_a_log_is_continued_where_it_ended(tmp_path):
    path = filled(tmp_path / "t.jsonl")
    with LogWriter(path) as log:
        assert not log.new and (log.jid, log.last) == ("j1", 3)
        log.write(move(4))
    assert [
        line.get("host") or line["t"] for line in read(path)
    ] == "log hello move move move continue move".split()
    with LogWriter(path, append=False) as log:
        assert log.new and log.last is None
        log.write(move(1))
    assert len(read(path)) == 2


def test_another_journal_starts_its_own_numbers(tmp_path):
    path = filled(tmp_path / "t.jsonl")
    with LogWriter(path) as log:
        log.write({**HELLO, "jid": "j2"})
        assert (log.jid, log.last) == ("j2", None)
        log.write(move(1))
    with LogWriter(path) as log:
        assert (log.jid, log.last) == ("j2", 1)


@pytest.mark.parametrize("lost", [1, 2, 20, 60])
def test_a_torn_last_line_stays_alone(tmp_path, lost):
    path = filled(tmp_path / "t.jsonl")
    path.write_bytes(path.read_bytes()[:-lost])
    with LogWriter(path) as log:
        assert log.last == (3 if lost == 1 else 2)
        log.write(move(4))
    events = [entry.event for entry in entries(io.BytesIO(path.read_bytes())) if entry.event]
    assert events[-1]["n"] == 4


def test_killed_in_its_first_line(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"h":1795993422.265,"host":"lo')
    with LogWriter(path) as log:
        assert log.new
        log.write(HELLO)
    assert [line.get("host") or line["t"] for line in read(path)] == ["log", "hello"]


def test_without_a_board_a_log_is_as_it_was(tmp_path):
    path = tmp_path / "t.jsonl"
    with LogWriter(path):
        pass
    assert not path.exists()
    path.touch()
    with LogWriter(path):
        pass
    assert path.read_bytes() == b""  # somebody made it
    before = filled(path).read_bytes()[:-1]
    path.write_bytes(before)
    with LogWriter(path):
        pass
    assert path.read_bytes() == before


def test_half_a_surrogate_pair_is_recorded(tmp_path):
    path = tmp_path / "t.jsonl"
    event = {**move(1), "m": "\ud800", "text": "\u00e9"}
    with LogWriter(path) as log:
        log.write(event)
        log.write(move(2))
    found = [{k: v for k, v in line.items() if k != "h"} for line in read(path)[1:]]
    assert found == [event, move(2)]


def test_other_files_are_left_alone(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir\n")
    with pytest.raises(LodeboardError, match="is not a Lodeboard log") as caught:
        LogWriter(path)
    assert caught.value.code == 2 and path.read_text() == "Dear Sir\n"
    path.write_text("[" * 5000)
    with pytest.raises(LodeboardError, match="is not a Lodeboard log"):
        LogWriter(path)


def test_two_writers_do_not_share_a_file(tmp_path):
    path = tmp_path / "t.jsonl"
    with LogWriter(path), pytest.raises(LodeboardError, match="being written by another"):
        LogWriter(path)
    with LogWriter(path):
        pass


def test_no_folder_no_rights(tmp_path):
    with pytest.raises(LodeboardError, match="cannot be written"):
        LogWriter(tmp_path / "no" / "t.jsonl")
    with pytest.raises(LodeboardError, match="cannot be written"):
        LogWriter(tmp_path)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_a_full_disk_is_one_sentence():
    with LogWriter("/dev/full") as log, pytest.raises(LodeboardError, match="the disk is full") as caught:
        log.write(HELLO)
    assert caught.value.code == 2 and "\n" not in str(caught.value)


def test_a_disk_that_fills_up_loses_nothing_recorded(tmp_path):
    path = filled(tmp_path / "t.jsonl")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = path.stat().st_size
    with LogWriter(path) as log:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 250, hard))
            written = 0
            with pytest.raises(LodeboardError, match="everything before this moment is recorded"):
                for n in range(4, 40):
                    log.write(move(n))
                    written = n
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert log.last == written >= 4
    lines = read(path)  # each of them is whole
    assert lines[-1]["n"] == written
    with LogWriter(path) as log:
        assert log.last == written
        log.write(move(written + 1))
    assert read(path)[-1]["n"] == written + 1
