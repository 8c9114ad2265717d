"""Budgets of the boards that ship hold, and a board whose budget does not is told so by file and key."""

import json

import pytest
from lodeboard import boards
from lodeboard.cli.main import run
from lodeboard.hardware import budget


def by_name(board):
    return {line.what: line for line in budget.lines(board)}


@pytest.mark.parametrize("name", boards.names())
def test_every_budget_holds(name):
    failing = [f"{line.what}: {line.text()}" for line in budget.lines(boards.load(name)) if not line.holds]
    assert failing == []


def variant(tmp_path, *changes, name="lode20"):
    """A board file that differs from one that ships; changes: (old text, new text)."""
    text = (boards._FILES / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_figures_of_lode20_by_hand():
    lines = by_name(boards.load("lode20"))
    # 18 signals; 400 LEDs of 60 mA and 0.75 dark; 3 tiles of 16 sensors of 6 mA for 2.7 of 12 ms
    assert lines["pins"].value == 18
    assert lines["scan of all squares"].value == 2.7
    assert lines["current without LEDs"].value == pytest.approx(30 + 15 + 288 * 2.7 / 12, abs=0.1)
    assert lines["current dark, USB"].value == 420
    assert lines["one tile white"].value == 972


def test_scanning_faster_than_the_supply_bears_is_told(tmp_path):
    board = boards.load(variant(tmp_path, ("scan_ms = 12", "scan_ms = 4")))
    failing = [line.what for line in budget.lines(board) if not line.holds]
    assert failing == ["current without LEDs"]


def test_a_supply_above_its_fuse_is_told(tmp_path):
    board = boards.load(variant(tmp_path, ("external_ma = 6000", "external_ma = 9000")))
    failing = [line.what for line in budget.lines(board) if not line.holds]
    assert "external supply through the fuse" in failing


def test_a_threshold_on_a_wide_code_is_told(tmp_path):
    board = boards.load(variant(tmp_path, ("straighten = 12.0", "straighten = 13.6")))
    failing = [line.what for line in budget.lines(board) if not line.holds]
    assert failing == ["callisto: thresholds from the ADC's wide codes"]


def test_command_says_what_does_not_hold(tmp_path, capsys):
    assert run(["hardware", "check", "lode20", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["holds"] and len(answer["budgets"]) > 15
    assert run(["hardware", "check", variant(tmp_path, ("scan_ms = 12", "scan_ms = 4"))]) == 1
    assert "current without LEDs" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("pins.buzzer", "buzzer = 10", "buzzer = 23"),
        ("pins.ok", "ok = 11", "ok = 10"),
        ("chain.tiles[1]", "[0, 0], [1, 0]", "[0, 0], [0, 0]"),
        ("layouts.tau.holes[0]", '"i9", "j9", "k9"', '"z9", "j9", "k9"'),
        ("layouts.callisto.boards[0].origin", 'size = 10, origin = "f15"', 'size = 10, origin = "p15"'),
        ("parts.sensor", 'sensor = "DRV5055A2"', 'sensor = "DRV5055A9"'),
        ("limits.usb_ma", "usb_ma = 450", "usb_ma = 400"),
        ("limits.scan_ms", "scan_ms = 12", "scan_ms = 0"),
    ],
)
def test_a_wrong_file_is_named_with_its_key(tmp_path, capsys, key, old, new):
    assert run(["hardware", "check", variant(tmp_path, (old, new))]) == 2
    said = capsys.readouterr().err
    assert "mine.toml" in said and f" {key}:" in said
    assert len(said.strip().splitlines()) == 1
