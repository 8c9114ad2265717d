"""The turn of the main loop: a board in memory with a real table, told and asked over its port."""

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from keeping import Memory
from lodeboard import boards
from lodeboard.firmware import wire
from lodeboard.firmware.hal.sim import Sim
from lodeboard.firmware.shell import Shell

CONFIG = boards.firmware_config(boards.load("lode8"))
MT = CONFIG["counts_per_mt"]


class Folder(Memory):
    """The board's own files in memory."""

    def write(self, name, data):
        self.files.pop(name, None)
        self.append(name, data)


class Bench:
    """A board on the bench: ticks of 5 ms, frames in and out."""

    def __init__(self, store=None, files=None):
        self.store = store or Memory()
        self.files = files or Folder()
        info = {"sim": True, "serial": "sim-3", "machine": "test", "fw": "0.1.0", "hash": "abc"}
        self.hal = Sim(CONFIG, self.files, 3, info)
        self.hal.readings = array("H", [2048] * 64)
        self.shell = Shell(CONFIG, self.hal, self.store)
        self.now = -5

    def run(self, ticks=1, **command):
        """Ticks, with a command before the first; the frames that came."""
        if command:
            self.hal.rx = wire.encode(command)
        data = b""
        for _ in range(ticks):
            self.now += 5
            self.hal.forget()
            self.shell.tick(self.now)
            data += b"".join(self.hal.tx)
        self.text = data
        kinds = [wire.decode(line) for line in data.splitlines()]
        return [value for kind, value in kinds if kind == wire.FRAME]

    def ask(self, c, ticks=1, **keys):
        """The reply to a command."""
        got = self.run(ticks, c=c, i=1, **keys)
        (reply,) = [value for value in got if "re" in value]
        return reply


def of(values, kind):
    return [value for value in values if value.get("t") == kind]


# Start


def test_the_first_turn_tells_the_start_and_who_it_is():
    bench = Bench()
    got = bench.run()
    assert got[0] == {"t": "note", "what": "start", "boot": 1, "at": 0, "n": 1}
    (hello,) = of(got, "hello")
    assert hello["board"] == "lode8" and hello["fw"] == "0.1.0" and hello["sim"] is True
    assert (hello["first"], hello["last"], hello["state"], hello["g"]) == (1, 1, "SETUP", "tau")
    assert hello["jid"] == bench.shell.journal.jid
    assert of(got, "error") == []
    assert len(wire.encode(hello)) < wire.MAX_FRAME - 60


def test_each_start_counts():
    store = Memory()
    boots = [of(Bench(store).run(), "note")[0]["boot"] for _ in range(3)]
    assert boots == [1, 2, 3]


def test_a_sensor_that_does_not_answer_is_told_at_the_start_and_the_board_plays_on():
    bench = Bench()
    bench.hal.readings[20] = 0
    (error,) = of(bench.run(), "error")
    assert "e6" in error["what"]
    answer = bench.ask("selftest")
    assert answer["fine"] is False and answer["codes"] == [2] and "e6" in answer["text"][0]
    bench.hal.readings[20] = 2048
    bench.run()
    assert bench.ask("selftest")["fine"] is True


# Commands


def test_sync_ack_and_sync_again():
    bench = Bench()
    bench.run(3)
    got = bench.run(c="sync", i=7, proto=1)
    assert [got[0]["t"], got[1], got[2]["n"]] == ["hello", {"re": 7, "ok": True}, 1]
    assert bench.ask("ack", n=1) == {"re": 1, "ok": True}
    assert [value for value in bench.run(3, c="sync", i=8) if "n" in value] == []


@pytest.mark.parametrize("n", [None, "3", {}])
def test_an_ack_without_a_number_is_refused(n):
    assert "err" in Bench().ask("ack", n=n)


def test_info_is_hello_again():
    bench = Bench()
    bench.run()
    got = bench.run(c="info", i=1)
    assert got[0]["t"] == "hello" and got[1]["ok"]


@pytest.mark.parametrize(
    "command", [{"c": "fly"}, {"c": ""}, {"c": "play"}, {"c": "new", "g": 7}, {"c": "seat"}]
)
def test_what_cannot_be_done_is_answered_with_a_sentence(command):
    bench = Bench()
    bench.run()
    reply = bench.ask(**command)
    assert reply["err"].endswith(".")


def test_there_is_no_boot_loader_on_a_simulated_board():
    assert "err" in Bench().ask("bootloader")


def test_one_sweep_of_readings_and_a_stream_that_ends():
    bench = Bench()
    bench.hal.readings[9] = 2048 + round(10 * MT)
    bench.run()
    (sweep,) = of(bench.run(c="readings", i=1), "readings")
    assert sweep["d"][9] == pytest.approx(100, abs=1) and len(sweep["d"]) == 64
    bench.run(c="readings", on=True)
    assert 4 <= len(of(bench.run(200), "readings")) <= 6
    bench.run(c="readings", on=False)
    assert of(bench.run(200), "readings") == []


def test_watch_brings_lights_display_and_statistics():
    bench = Bench()
    bench.run(10)
    got = bench.run(2, c="watch", i=1, on=True)
    (stats,) = of(got, "stats")
    assert stats["ma"] >= CONFIG["limits"]["base_ma"] and stats["loop_us"] == 5000
    assert of(got, "lights") and of(got, "panel")
    assert len(of(bench.run(2100), "stats")) == 1
    bench.run(c="watch", on=False)
    assert of(bench.run(2100), "stats") == []


# What is shown


def test_only_what_changed_is_shown():
    bench = Bench()
    bench.run()
    assert len(bench.hal.lines) == 8 and len(bench.hal.rgb) == 192
    bench.hal.readings[35] = 3200  # to be taken away
    bench.run(400)
    shown = 0
    for _ in range(400):
        bench.run()
        shown += bench.hal.rgb is not None
        assert bench.hal.lines is None
    assert 0 < shown < 60  # blinking


def test_a_weaker_supply_dims_the_frame():
    bench = Bench()
    bench.run(30)
    before = sum(bench.shell.table.rgb)
    bench.hal.limit_ma = 172
    bench.run(30)
    assert sum(bench.shell.table.rgb) < before
    assert bench.shell.table.lights.ma <= 172


# Calibration


def test_rest_levels_are_measured_kept_and_used_at_the_next_start():
    bench = Bench()
    for sq in range(64):
        bench.hal.readings[sq] = 2048 + sq - 32
    bench.run(5)
    got = bench.run(100, c="calibrate", i=1, what="rest", manual=True)
    assert {"re": 1, "ok": True} in got
    assert [event["of"] for event in got if event.get("what") == "calibrated"] == ["rest"]
    squares = Bench(bench.store, bench.files).shell.table.squares
    assert squares.zero[0] == 8 * 2016 and squares.zero[63] == 8 * 2079 and squares.manual


def test_rest_is_refused_with_pieces_on_the_board():
    bench = Bench()
    bench.hal.readings[9] = 3200
    bench.run(5)
    reply = bench.ask("calibrate", 100, what="rest")
    assert "b7" in reply["err"] and "calibration.json" not in bench.files.files


def test_a_restless_board_is_not_calibrated():
    bench = Bench()
    bench.run(5)
    replies = bench.run(c="calibrate", i=1, what="rest")
    for tick in range(1200):
        bench.hal.readings[5] = 2048 + 60 * (tick // 10 % 2)
        replies += bench.run()
    (reply,) = [value for value in replies if "re" in value]
    assert "rest" in reply["err"]


def test_poles_are_measured_where_pieces_stand_and_in_as_many_turns_as_it_takes():
    bench = Bench()
    own = CONFIG["kernel"][0][0]
    bench.run(5)
    for sq, share in ((9, 1.2), (30, 0.8)):
        bench.hal.readings[sq] = 2048 + round(own * share)
        bench.run(20)
        assert bench.ask("calibrate", 100, what="north")["ok"]
        bench.hal.readings[sq] = 2048
        bench.run(20)
    gain = bench.shell.table.squares.gain
    assert gain[9] == pytest.approx(256 / 1.2, abs=2) and gain[30] == pytest.approx(256 / 0.8, abs=2)
    assert gain[10] == 256


def test_the_other_end_up_is_named():
    bench = Bench()
    bench.hal.readings[9] = 2048 + 1200
    bench.run(5)
    assert "b7" in bench.ask("calibrate", 100, what="south")["err"]
    bench.hal.readings[9] = 2048
    bench.run(50)
    assert "err" in bench.ask("calibrate", 100, what="south")


def test_only_a_person_replaces_what_a_person_calibrated():
    bench = Bench()
    bench.run(5)
    assert bench.ask("calibrate", 100, what="rest", manual=True)["ok"]
    kept = dict(bench.files.files)
    assert "by hand" in bench.ask("calibrate", 100, what="rest")["err"]
    assert bench.files.files == kept
    assert bench.ask("calibrate", 100, what="forget", manual=True)["ok"]
    assert bench.shell.table.squares.manual is False


def test_a_calibration_that_cannot_be_written_holds_until_the_power_goes():
    bench = Bench(files=Folder(room=0))
    bench.run(5)
    reply = bench.ask("calibrate", 100, what="rest")
    assert reply["ok"] and "until the power goes" in reply["text"]


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"version":1,"zero":["x"],"gain":[]}', b'{"version":99}', b"\xff"]
)
def test_a_damaged_calibration_file_is_as_none(data):
    bench = Bench(files=Folder({"calibration.json": data}))
    bench.run()
    assert list(bench.shell.table.squares.zero) == [8 * 2048] * 64


def test_calibrate_says_what_it_can():
    assert "rest" in Bench().ask("calibrate", what="everything")["err"]


# Trouble


def test_a_fault_in_the_core_is_told_and_the_table_comes_back_from_the_journal(monkeypatch):
    bench = Bench()
    bench.run(5)
    before = bench.shell.table

    def broken(*args):
        raise KeyError("gone")

    monkeypatch.setattr(before, "sense", broken)
    got = bench.run()
    (error,) = of(got, "error")
    assert "KeyError" in error["what"] and b"Traceback" in bench.text
    assert bench.shell.table is not before
    assert "try again" in bench.ask("position")["err"]
    bench.run(500)
    assert bench.ask("position")["ok"]


def test_a_fault_that_stays_is_told_again_at_leisure(monkeypatch):
    bench = Bench()
    bench.run(5)

    def broken(*args):
        raise KeyError("gone")

    monkeypatch.setattr(type(bench.shell.table), "sense", broken)
    assert len(of(bench.run(1600), "error")) <= 5


def test_a_full_journal_is_told_and_the_game_goes_on():
    bench = Bench(store=Memory(room=100))
    got = bench.run(30, c="sync", i=1)
    assert any("journal" in event["what"] for event in of(got, "error"))
    assert [event["n"] for event in of(got, "note")] == [1]
    assert bench.ask("position")["ok"]


def test_trouble_with_the_tiles_is_told_once_each_time():
    bench = Bench()
    bench.run(30)
    bench.hal.trouble = "The token does not come back."
    assert [event["what"] for event in of(bench.run(100), "error")] == ["The token does not come back."]
    bench.hal.trouble = None
    assert of(bench.run(100), "error") == []
    bench.hal.trouble = "The token does not come back."
    assert len(of(bench.run(100), "error")) == 1


def test_while_the_chain_is_broken_no_sensor_is_believed_and_the_display_says_so():
    bench = Bench()
    bench.run(100)
    lines, state = list(bench.shell.table.panel.lines), bench.shell.table.state
    readings = list(bench.hal.readings)
    bench.hal.lost, bench.hal.trouble = True, "The token does not reach the last tile."
    for sq in range(20, 64):
        bench.hal.readings[sq] -= 548  # an open line
    got = bench.run(1000)
    assert [event["what"] for event in of(got, "error")] == ["The token does not reach the last tile."]
    assert not of(got, "sense") and not of(got, "desync") and bench.shell.table.state == state
    assert " ".join(bench.shell.table.panel.lines[1:4]).split() == "The token does not reach the last tile.".split()
    assert bench.ask("position")["ok"]
    bench.hal.lost, bench.hal.trouble = False, None
    bench.hal.readings[:] = type(bench.hal.readings)("H", readings)
    got = bench.run(1000)
    assert not of(got, "desync") and bench.shell.table.panel.lines == lines


def test_nobody_reads_and_the_board_goes_on():
    bench = Bench()
    bench.hal.write = lambda data: 0
    bench.run(10)
    for sq in range(0, 64, 3):
        bench.hal.readings[sq] = 3200
        bench.run(20)
    assert bench.shell.link._queued < 8192
    assert bench.shell.table.seen[0] == 1


COMMANDS = (
    "sync ack new press play seat resign resume abandon pause watch readings position calibrate selftest info"
).split()
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-5, 400)
    | st.sampled_from("tau ok menu undo y/o@C3 ~C3 rest north forget host board".split() + [""])
    | st.lists(st.integers(), max_size=2)
    | st.dictionaries(st.sampled_from(["starter", "open", "x"]), st.integers(0, 3), max_size=2)
)
FRAMES = st.builds(
    lambda c, keys: wire.encode({"c": c, "i": 1, **keys}),
    st.sampled_from(COMMANDS),
    st.dictionaries(
        st.sampled_from(["g", "opt", "seed", "games", "force", "b", "long", "m", "s", "by", "name", "on", "n",
                         "since", "proto", "what", "manual", "from"]), VALUES, max_size=4,
    ),
)  # fmt: skip


@given(
    st.lists(
        st.tuples(
            FRAMES | st.binary(max_size=40), st.integers(0, 63), st.integers(0, 4095), st.integers(0, 15)
        ),
        max_size=25,
    )
)
@settings(deadline=None, max_examples=25)
def test_whatever_comes_in_the_board_meets_no_fault_and_answers_each_command_once(inputs):
    bench = Bench()
    bench.run(2)
    for data, sq, reading, buttons in inputs:
        bench.hal.rx = b"\n" + data
        bench.hal.readings[sq] = reading
        bench.hal.bits = buttons
        got = bench.run(30)
        assert not [event for event in of(got, "error") if "fault" in event["what"]], got
        answers = [value for value in got if "re" in value and not value.get("more")]
        assert len(answers) <= 2  # one may be a calibration's that began before
    bench.hal.rx = b"\n"
    bench.run()
    assert "re" in bench.ask("selftest")
