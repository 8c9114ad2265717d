"""The journal keeps every whole event whatever happens to the power and to the flash."""

import pytest
from keeping import Memory, move, setup
from lodeboard.firmware import wire
from lodeboard.firmware.files import Files
from lodeboard.firmware.journal import NEARLY_FULL, SEGMENT, Journal

RESULT = {
    "t": "result", "g": "tau", "ranking": [1, 2], "scores": None, "by": "win", "line": ["C3"], "at": 9000,
}  # fmt: skip
START = {"t": "note", "what": "start", "boot": 1, "at": 0}


def held(journal, since=0):
    return [wire.decode(line)[1] for line in journal.since(since)]


def numbers(journal):
    return [event["n"] for event in held(journal)]


def test_events_are_numbered_kept_and_given_back_as_frames():
    store = Memory()
    journal = Journal(store, 77)
    assert (journal.first, journal.last, journal.boot, journal.jid) == (1, 0, 0, "0000004d")
    line = journal.append(setup())
    assert wire.decode(line) == (wire.FRAME, {**setup(), "n": 1})
    journal.append(move("~C3"))
    again = Journal(store, 78)
    assert (again.first, again.last, again.jid) == (1, 2, "0000004d")
    assert held(again, 1) == [{**move("~C3"), "n": 2}]
    assert again.append(dict(RESULT)) and numbers(again) == [1, 2, 3]


def test_a_store_of_files_keeps_the_same(tmp_path):
    journal = Journal(Files(str(tmp_path / "journal")), 1)
    journal.append(setup())
    assert numbers(Journal(Files(str(tmp_path / "journal")), 2)) == [1]


def test_the_open_game_is_its_setup_and_the_moves_that_stand():
    journal = Journal(Memory(), 1)
    assert journal.open_game() is None
    for event in [START, setup(), move("y/o@B1"), move("r/b@C2", 2, 2)]:
        journal.append(dict(event))
    journal.append({"t": "undo", "g": "tau", "s": 2, "m": "r/b@C2", "ply": 1})
    journal.append(move("r/b@D2", 2, 2))
    record = journal.open_game()
    assert record["g"] == "tau" and record["opt"] == {"starter": 1} and record["game"] == 1
    assert list(record["moves"]) == ["1:y/o@B1", "2:r/b@D2"]


@pytest.mark.parametrize("end", [RESULT, {"t": "note", "what": "abandon"}])
def test_an_ended_game_is_not_offered(end):
    store = Memory()
    journal = Journal(store, 1)
    for event in [setup(), move("~C3"), end]:
        journal.append(dict(event))
    assert Journal(store, 1).open_game() is None


def test_an_end_that_was_taken_back_is_open_again():
    store = Memory()
    journal = Journal(store, 1)
    for event in [setup(), move("~C3"), RESULT, {"t": "undo", "g": "tau", "s": 1, "m": "~C3", "ply": 0}]:
        journal.append(dict(event))
    assert list(Journal(store, 1).open_game()["moves"]) == []


def test_a_power_cut_at_any_byte_loses_only_the_event_being_written():
    store = Memory()
    journal = Journal(store, 1)
    events = [START, setup(), move("y/o@B1"), move("r/b@C2", 2, 2)]
    before = []
    for event in events:
        before.append(dict(store.files))
        journal.append(dict(event))
    before.append(dict(store.files))
    for count in range(len(events)):
        (name, whole), = before[count + 1].items()
        torn_from = len(before[count].get(name, b""))
        for cut in range(torn_from, len(whole)):
            store = Memory({name: whole[:cut]})
            again = Journal(store, 1)
            kept = count + (cut == len(whole) - 1)  # only the line end is missing: the event is whole
            assert again.last == kept, cut
            again.append(dict(RESULT))
            third = Journal(store, 1)
            assert numbers(third) == list(range(1, kept + 2)), cut
            assert third.jid == "00000001"


def test_a_cut_in_the_first_write_of_a_new_segment_loses_nothing_else():
    store = Memory()
    journal = Journal(store, 1)
    journal.append(setup())
    while len(store.files) == 1:
        before = dict(store.files)
        journal.append(move("~C3"))
    name = max(store.files)
    whole = store.files[name]
    for cut in range(len(whole)):
        torn = Memory({**before, name: whole[:cut]})
        again = Journal(torn, 1)
        kept = journal.last if cut >= len(whole) - 1 else journal.last - 1
        assert (again.last, again.jid, again.boot) == (kept, "00000001", 0), cut
        assert len(again.open_game()["moves"]) == kept - 1
        again.append(move("~D3"))
        third = Journal(torn, 1)
        assert numbers(third) == list(range(1, kept + 2)), cut
        assert len(third.open_game()["moves"]) == kept


def nearly_full():
    """(store, journal) whose last segment is so full that tidy() begins the next one."""
    store = Memory()
    journal = Journal(store, 1)
    journal.append(setup())
    while len(store.files[max(store.files)]) <= NEARLY_FULL:
        journal.append(move("~C3"))
    return store, journal


def test_tidying_begins_the_next_segment_once_and_only_where_this_one_is_nearly_full():
    store, journal = nearly_full()
    assert len(store.files) == 1
    journal.tidy()
    journal.tidy()
    assert len(store.files) == 2
    last = journal.last
    again = Journal(store, 2)  # a head without events
    assert (again.last, again.jid, len(again.open_game()["moves"])) == (last, "00000001", last - 1)
    again.append(move("~D3"))
    again.tidy()
    assert len(store.files) == 2 and numbers(again) == list(range(1, last + 2))
    assert numbers(Journal(store, 3)) == list(range(1, last + 2))


def test_a_cut_while_tidying_loses_nothing():
    store, journal = nearly_full()
    before = dict(store.files)
    journal.tidy()
    name = max(store.files)
    for cut in range(len(store.files[name]) + 1):
        torn = Memory({**before, name: store.files[name][:cut]})
        again = Journal(torn, 1)
        assert (again.last, again.jid) == (journal.last, "00000001"), cut
        again.append(move("~D3"))
        again.tidy()
        third = Journal(torn, 1)
        assert numbers(third) == list(range(1, journal.last + 2)), cut
        assert len(third.open_game()["moves"]) == journal.last


def test_tidying_a_full_flash_is_told_and_costs_no_event():
    store, journal = nearly_full()
    store.room = sum(len(data) for data in store.files.values()) + 20
    journal.tidy()
    assert "cannot be written" in journal.trouble
    store.room = 1 << 30
    journal.append(move("~D3"))
    assert journal.trouble is None
    assert numbers(Journal(store, 1)) == list(range(1, journal.last + 1)) == numbers(journal)


def test_what_was_appended_is_in_the_file_while_it_stays_open(tmp_path):
    files, other = Files(str(tmp_path)), Files(str(tmp_path))
    for n in range(3):
        files.append("1.log", b"abc")
        assert other.read("1.log") == files.read("1.log") == b"abc" * (n + 1)
    files.append("2.log", b"d")
    files.append("1.log", b"e")
    files.remove("1.log")
    files.append("1.log", b"f")
    assert (other.read("1.log"), other.read("2.log")) == (b"f", b"d")
    files.close()
    files.close()


def test_numbers_and_boots_go_on_over_many_starts():
    store = Memory()
    for boot in range(1, 300):
        journal = Journal(store, boot, 3 * SEGMENT)
        assert journal.boot == boot - 1
        journal.append({"t": "note", "what": "start", "boot": journal.boot + 1, "at": 0})
        assert journal.last == boot
    assert journal.first > 1 and numbers(journal) == list(range(journal.first, 300))
    assert sum(len(data) for data in store.files.values()) <= 3 * SEGMENT


def test_segments_are_small_and_the_oldest_ended_games_go_first():
    store = Memory()
    journal = Journal(store, 1, 4 * SEGMENT)
    for game in range(1, 12):
        journal.append(setup(game))
        for ply in range(40):
            journal.append(move("C3-D4", ply % 2 + 1, ply + 1))
        if game < 11:
            journal.append(dict(RESULT))
    assert journal.trouble is None
    assert all(len(data) <= SEGMENT for data in store.files.values())
    assert sum(len(data) for data in store.files.values()) <= 4 * SEGMENT
    again = Journal(store, 1, 4 * SEGMENT)
    assert numbers(again) == list(range(journal.first, journal.last + 1))
    record = again.open_game()
    assert record["game"] == 11 and len(record["moves"]) == 40


def test_the_open_game_is_never_given_up_and_goes_on_in_memory():
    store = Memory()
    journal = Journal(store, 1, 2 * SEGMENT)
    journal.append(setup())
    count = 1
    while not journal.trouble:
        journal.append(move("C3-D4", 1, count))
        count += 1
    assert "journal" in journal.trouble
    assert Journal(store, 1).open_game() is not None
    for _ in range(10):
        journal.append(move("C3-D4", 1, count))
        count += 1
    assert len(journal.open_game()["moves"]) == count - 1
    assert numbers(journal) == list(range(1, journal.last + 1))


def test_a_full_flash_is_told_and_what_waited_is_written_when_there_is_room():
    store = Memory(room=600)
    journal = Journal(store, 1)
    journal.append(setup())
    while not journal.trouble:
        journal.append(move("C3-D4"))
    for _ in range(5):
        journal.append(move("~C3"))
    store.room = 1 << 30
    journal.append(dict(RESULT))
    assert journal.trouble is None
    again = Journal(store, 1)
    assert numbers(again) == list(range(1, journal.last + 1))
    assert again.open_game() is None


def test_while_nothing_can_be_written_memory_stays_bounded():
    journal = Journal(Memory(room=0), 1)
    for _ in range(500):
        journal.append(move("~C3"))
    assert journal.last == 500
    assert len(list(journal.since(0))) <= 64


def test_an_acknowledgement_costs_no_write_and_outlives_a_start_with_the_next_segment():
    store = Memory()
    journal = Journal(store, 1)
    for _ in range(10):
        journal.append(move("~C3"))
    writes = store.writes
    journal.ack(7)
    journal.ack(3)
    journal.ack(99)
    assert journal.acked == 7 and store.writes == writes
    while len(store.files) == 1:
        journal.append(move("~C3"))
    assert Journal(store, 1).acked == 7


def test_damage_in_the_middle_costs_only_the_damaged_line():
    store = Memory()
    journal = Journal(store, 1)
    for _ in range(5):
        journal.append(move("~C3"))
    (name, data), = store.files.items()
    broken = data.replace(b'"n":3', b'"n":8')
    assert numbers(Journal(Memory({name: broken}), 1)) == [1, 2, 4, 5]
    assert numbers(Journal(Memory({name: b"\x00" * 40 + data}), 1))[-4:] == [2, 3, 4, 5]


def test_foreign_files_are_left_alone():
    store = Memory({"notes.txt": b"mine"})
    Journal(store, 1).append(setup())
    assert store.files["notes.txt"] == b"mine"


def test_an_event_longer_than_a_frame_is_refused_and_takes_no_number():
    journal = Journal(Memory(), 1)
    with pytest.raises(ValueError):
        journal.append({"t": "note", "what": "x" * 600})
    assert journal.last == 0
    journal.append(setup())
    assert numbers(journal) == [1]


def aged(segments=40):
    """(store, journal) of many segments of ended games."""
    store = Memory()
    journal = Journal(store, 1)
    while len(store.files) < segments:
        journal.append(setup())
        for ply in range(1, 30):
            journal.append(move("C3-D4", 1, ply))
        journal.append(dict(RESULT))
    return store, journal


def test_a_start_opens_the_newest_segment_and_the_oldest_however_many_there_are():
    store, journal = aged()
    store.reads = 0
    again = Journal(store, 2)
    assert store.reads <= 2
    assert (again.first, again.last, again.boot) == (1, journal.last, journal.boot)
    assert numbers(again) == list(range(1, journal.last + 1))


def test_what_a_host_lacks_is_looked_up_from_the_newest_segment_back():
    store, journal = aged()
    again = Journal(store, 2)
    for since in (journal.last - 3, journal.last - 40, 500, 17, 0, journal.last):
        store.reads = 0
        assert [event["n"] for event in held(again, since)] == list(range(since + 1, journal.last + 1))
    store.reads = 0
    assert len(held(Journal(store, 2), journal.last - 30)) == 30
    assert store.reads < 8


@pytest.mark.parametrize("harm", [b"", b"no frame\n", b"\x00\xff" * 30])
def test_segments_without_a_whole_line_cost_only_their_own_events(harm):
    store, journal = aged(12)
    names = sorted(store.files)
    lost = [5, 6, 7]
    kept = []
    for i, name in enumerate(names):
        if i not in lost:
            kept += numbers(Journal(Memory({name: store.files[name]}), 1))
    for i in lost:
        store.files[names[i]] = harm
    again = Journal(store, 2)
    assert (again.first, again.last) == (1, journal.last)
    assert numbers(again) == kept
    assert [event["n"] for event in held(again, kept[50])] == kept[51:]


def test_the_oldest_are_given_up_after_a_start_that_did_not_read_them():
    store, journal = aged(12)
    limit = sum(len(data) for data in store.files.values())
    for n in range(600):
        again = Journal(store, n, limit)
        again.append({"t": "note", "what": "start", "boot": n, "at": 0})
        if n % 60 == 0:
            assert numbers(again) == list(range(again.first, again.last + 1))
    assert again.first > journal.last / 2 and again.trouble is None
