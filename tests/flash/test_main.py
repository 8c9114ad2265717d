"""Which slot the chip starts, and when it gives one up."""

import pytest
from lodeboard.firmware import main as chooser


@pytest.fixture
def flash(tmp_path):
    """A board with two whole slots, b in force."""
    for slot in "ab":
        (tmp_path / "slots" / slot).mkdir(parents=True)
        (tmp_path / "slots" / slot / "manifest.json").write_text("{}")
    (tmp_path / "slot").write_text("b")
    return tmp_path


def boots(flash, count, powered_on=False):
    return [chooser.choose(str(flash), powered_on)[0] for _ in range(count)]


def stays_up(flash):
    chooser.remove(str(flash / "fails"))


def test_the_slot_in_force_starts_as_long_as_it_stays_up(flash):
    for _ in range(5):
        assert boots(flash, 1) == ["b"]
        stays_up(flash)
    assert not (flash / "fallback").exists()


def test_after_three_failed_starts_the_other_slot_runs_and_stays(flash):
    assert boots(flash, 4) == ["b", "b", "b", "a"]
    assert "did not stay up in 3 starts" in (flash / "fallback").read_text()
    stays_up(flash)
    assert boots(flash, 1) == ["a"]


def test_two_failures_and_then_success_are_forgotten(flash):
    boots(flash, 2)
    boots(flash, 1)
    stays_up(flash)
    assert boots(flash, 3) == ["b", "b", "b"]


def test_two_broken_slots_end_at_the_prompt_until_the_power_was_off(flash):
    assert boots(flash, 7) == ["b", "b", "b", "a", "a", "a", None]
    assert boots(flash, 1) == [None]
    assert boots(flash, 1, powered_on=True) == ["a"]
    assert boots(flash, 1) == [None]


def test_a_slot_without_its_manifest_does_not_count(flash):
    (flash / "slots" / "b" / "manifest.json").unlink()
    assert boots(flash, 1) == ["a"]
    assert "is not complete" in (flash / "fallback").read_text()
    (flash / "slots" / "a" / "manifest.json").unlink()
    assert boots(flash, 1) == [None]


def test_one_slot_alone_is_tried_until_it_is_given_up(flash):
    (flash / "slots" / "a" / "manifest.json").unlink()
    assert boots(flash, 7) == ["b"] * 6 + [None]


@pytest.mark.parametrize("junk", ["", "x", "-1", "99999", "\u0000"])
def test_a_spoilt_counter_does_not_stop_a_start(flash, junk):
    (flash / "fails").write_text(junk)
    assert chooser.choose(str(flash), True)[0] in ("a", "b")


def test_without_a_slot_file_a_is_meant(flash):
    (flash / "slot").unlink()
    assert boots(flash, 1) == ["a"]
