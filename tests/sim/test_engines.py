"""Two engines, one firmware: same inputs, same outputs, and one goes on where the other stopped."""

import json
import os
import signal
import time
from array import array
from pathlib import Path

import pytest
import tape
from lodeboard.errors import LodeboardError
from lodeboard.firmware import wire
from lodeboard.sim import deployed, engines

SEGMENT = Path("journal", "000000", "00000001.log")
BOTH = ("python", "micropython")
EMPTY = array("H", [2048] * 64)
OK_BUTTON = 1


@pytest.fixture
def open_engine(tmp_path):
    """Opens engines on one folder; closes them at the end."""
    opened = []

    def open_one(name, seed=7, **options):
        engine = engines.open(name, tape.CONFIG, tmp_path, seed, **options)
        opened.append(engine)
        return engine

    yield open_one
    for engine in opened:
        engine.close()


def frames(data):
    """Objects of the frames in the bytes."""
    return [value for kind, value in map(wire.decode, data.splitlines()) if kind == wire.FRAME]


def run(engine, ticks, now=0, readings=EMPTY, **first):
    """Ticks; all frames that came."""
    data = b""
    for i in range(ticks):
        data += engine.tick(now + 5 * i, readings, 0, wire.encode(first) if first and i == 0 else b"").tx
    return frames(data)


def test_a_game_with_mistakes_gives_the_same_outputs_on_both_engines(open_engine, tmp_path):
    python = engines.open("python", tape.CONFIG, tmp_path / "other", 11)
    deck = tape.play(python, 11, errors=0.4, until=lambda outputs: len(outputs) > 12000)
    python.close()
    assert len(tape.events(deck.outputs, "move")) >= 4
    micropython = open_engine("micropython", 11)
    for tick, (given, expected) in enumerate(zip(deck.inputs, deck.outputs, strict=True)):
        assert tape.plain(micropython.tick(*given)) == expected, f"tick {tick}"
    free, used = micropython.memory()
    assert used < 200 * 1024 and free > 16 * 1024


@pytest.mark.parametrize("first, second", [BOTH, BOTH[::-1]])
def test_a_game_begun_on_one_engine_goes_on_on_the_other(open_engine, first, second):
    engine = open_engine(first)
    deck = tape.play(engine, 5, until=lambda out: len(out) > 3000 and tape.events(out[-1:], "move"))
    moves = tape.events(deck.outputs, "move")
    standing = deck.inputs[-1][1]
    engine.cut()
    with pytest.raises(engines.PowerCut):
        engine.tick(1, standing)

    engine = open_engine(second)
    got = run(engine, 20, readings=standing, c="sync", i=1, proto=1, since=0)
    sent = [event for event in got if event.get("t") == "move"]
    assert [(event["n"], event["m"]) for event in sent] == [(event["n"], event["m"]) for event in moves]
    assert [event["boot"] for event in got if event.get("what") == "start"] == [1, 2]
    states = [event for event in got if event.get("t") == "state"]
    assert states[-1]["s"] == "PAUSED" and states[-1]["ply"] == len(moves)
    got = run(engine, 5, 200, standing, c="resume", i=2)
    assert {"re": 2, "ok": True} in got
    assert [event["ply"] for event in got if event.get("what") == "resume"] == [len(moves)]


@pytest.mark.parametrize("name", BOTH)
def test_power_cut_in_the_middle_of_a_write(open_engine, tmp_path, name):
    engine = open_engine(name)
    run(engine, 3)
    engine.close()
    whole = (tmp_path / SEGMENT).read_bytes()
    for after in (0, 1, 17, 40):
        engine = open_engine(name)
        engine.cut(after=after)
        with pytest.raises(engines.PowerCut):
            run(engine, 3)
        assert (tmp_path / SEGMENT).stat().st_size - len(whole) == after
        engine = open_engine(name)
        got = run(engine, 3, c="sync", i=1, proto=1, since=0)
        numbers = sorted({event["n"] for event in got if "n" in event})
        assert numbers == list(range(1, len(numbers) + 1))
        engine.close()
        whole = (tmp_path / SEGMENT).read_bytes()


def test_both_engines_keep_the_same_files(tmp_path):
    kept = []
    for name in BOTH:
        engine = engines.open(name, tape.CONFIG, tmp_path / name, 7)
        run(engine, 5)
        engine.close()
        lines = (tmp_path / name / SEGMENT).read_bytes().splitlines()
        kept.append([wire.decode(line)[1] for line in lines])
        assert json.loads((tmp_path / name / "config.json").read_text()) == tape.CONFIG
    assert kept[0] == kept[1] and len(kept[0]) == 2


@pytest.mark.parametrize("name", BOTH)
def test_a_restart_by_the_host(open_engine, name):
    engine = open_engine(name)
    run(engine, 3)
    got = run(engine, 3, 100, c="restart", i=9)
    assert got[0] == {"re": 9, "ok": True}
    assert [event["boot"] for event in got if event.get("what") == "start"] == [2]
    assert [event for event in got if event.get("t") == "hello"]


def test_a_micropython_that_dies_says_why_on_the_console_and_then_in_one_sentence(open_engine):
    engine = open_engine("micropython", heap="60k")
    out = engine.tick(0, EMPTY)
    assert b"Traceback" in out.tx and b"MemoryError" in out.tx
    with pytest.raises(LodeboardError, match="MemoryError") as error:
        engine.tick(5, EMPTY)
    assert error.value.code == 3 and error.value.do
    engine.close()


def test_a_python_that_dies_says_the_same(open_engine, monkeypatch):
    engine = open_engine("python")
    run(engine, 2)

    def broken(now):
        raise RuntimeError("boom")

    monkeypatch.setattr(engine._board.shell, "tick", broken)
    assert b"RuntimeError: boom" in engine.tick(10, EMPTY).tx
    with pytest.raises(LodeboardError, match="RuntimeError: boom"):
        engine.tick(15, EMPTY)


def test_a_micropython_that_hangs_is_given_up(open_engine, monkeypatch):
    engine = open_engine("micropython")
    run(engine, 2)
    monkeypatch.setattr(engines, "PATIENCE_S", 0.3)
    os.kill(engine._process.pid, signal.SIGSTOP)
    began = time.monotonic()
    with pytest.raises(LodeboardError, match="did not answer"):
        engine.tick(10, EMPTY)
    assert time.monotonic() - began < 5


def test_what_the_firmware_prints_is_console_text(open_engine, tmp_path):
    deployed.deploy(tmp_path)
    (tmp_path / "flash" / "firmware" / "hal" / "__init__.py").write_text("print('from the board')\n")
    engine = open_engine("micropython")
    data = b"".join(engine.tick(5 * i, EMPTY).tx for i in range(20))
    assert b"from the board" in data
    assert [event for event in frames(data) if event.get("t") == "hello"]


def test_no_process_stays_behind(open_engine):
    engine = open_engine("micropython")
    run(engine, 2)
    pid = engine._process.pid
    engine.close()
    engine.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(engines.PowerCut):
        engine.tick(10, EMPTY)


def test_an_unknown_engine_and_a_folder_that_cannot_be(tmp_path):
    with pytest.raises(LodeboardError, match="no engine fortran") as error:
        engines.open("fortran", tape.CONFIG, tmp_path)
    assert error.value.code == 2
    (tmp_path / "file").write_text("in the way")
    for name in BOTH:
        with pytest.raises(LodeboardError, match="cannot keep its files"):
            engines.open(name, tape.CONFIG, tmp_path / "file" / "state")


def test_a_button_reaches_the_firmware(open_engine):
    for name in BOTH:
        engine = open_engine(name)
        run(engine, 2)
        pressed = b"".join(engine.tick(20 + 5 * i, EMPTY, OK_BUTTON).tx for i in range(10))
        pressed += b"".join(engine.tick(100 + 5 * i, EMPTY, 0).tx for i in range(10))
        assert [event["b"] for event in frames(pressed) if event.get("t") == "button"] == ["ok"]
        engine.close()


def test_thirty_thousand_ticks_are_quick_on_micropython(open_engine):
    """A whole game is about 30,000 ticks of 5 ms; a tenth of it is timed."""
    engine = open_engine("micropython")
    run(engine, 10)
    began = time.monotonic()
    run(engine, 3000, 100)
    assert time.monotonic() - began < 2.0
