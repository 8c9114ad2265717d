"""An owner's rules that are too long for a frame: told in parts, kept by the journal, replayed whole."""

import pytest
from castellers_story import Story
from keeping import Memory
from lodeboard.errors import LodeboardError
from lodeboard.firmware import wire
from lodeboard.firmware.journal import Journal
from lodeboard.firmware.replay import replay
from lodeboard.firmware.table import Table
from lodeboard.games import commands
from lodeboard.review.games import games

COLOUR = {str(number): 2 for number in range(1, 8)}
RULES = {
    "per_colour": {"verified": True, "count": COLOUR, "r": COLOUR, "g": COLOUR, "b": COLOUR, "p": COLOUR},
    "white": {"verified": True, "count": {"1": 1, "2": 1, "3": 2, "4": 2, "5": 2, "6": 1, "7": 1}},
    "blue_background": {"verified": True, "numbers": [7], "pieces": ["r6", "g6", "b6", "p6"]},
    "bonus": {"verified": True, "tallest": 2, "widest": 3},
}


@pytest.fixture
def played():
    """A game with these rules, begun, and a move played."""
    s = Story(deal=[["r1", "r2"], ["b3", "g4"]])
    for c, keys in commands("castellers", {"deal": s.game.options["deal"], "rules": {**RULES, "_": "x" * 600}},
                            force=True):
        assert s.send(c=c, **keys)["ok"]
    s.wait(300)  # the castellers of the deal stand already: the game has begun
    return s.build("r1", "f15")


def test_the_setup_is_told_in_frames(played):
    told = played.durable()[1:]
    assert [e["t"] for e in told] == ["result"] + ["note"] * 4 + ["setup", "move"]
    for n, event in enumerate(told):
        assert len(wire.encode({**event, "n": 10000 + n})) <= wire.MAX_FRAME
    assert played.game.options["rules"] == RULES and played.game.box.widest == 3


def test_the_journal_resumes_the_game_with_its_rules(played):
    store = Memory()
    journal = Journal(store, 7)
    journal.append({"t": "note", "what": "start", "boot": 1})
    for event in played.durable():
        journal.append(dict(event))
    record = Journal(store, 7).open_game()
    assert record["opt"]["rules"] == RULES and list(record["moves"]) == ["1:r1@1.1"]
    table = Table(played.config, 1)
    table.resume(record)
    assert table.offer and table.referee.game.box.widest == 3


def test_a_full_journal_keeps_the_entries_of_the_open_game(played):
    store = Memory()
    journal = Journal(store, 7, 16384)
    for n in range(400):
        journal.append({"t": "note", "what": "start", "boot": n})
    for event in played.durable():
        journal.append(dict(event))
    for n in range(400):
        journal.append({"t": "note", "what": "start", "boot": n})
    assert journal.open_game()["opt"]["rules"] == RULES


def test_review_and_replay_put_it_together(played):
    events = [event for _, event in played.log]
    durable = [{**e, "n": n} for n, e in enumerate(played.durable(), 1)]
    game = games(list(enumerate(durable)))[-1]
    assert game.fault is None and game.options["rules"] == RULES and len(game.moves) == 1
    assert [e["m"] for e in replay(played.config, events) if e["t"] == "move"] == ["r1@1.1"]


def test_the_position_is_told_without_the_entries(played):
    reply = played.send(c="position")
    assert reply["opt"]["rules"] == {"entries": 4} and reply["moves"] == ["1:r1@1.1"]


def test_an_entry_that_no_frame_holds_is_refused_on_both_sides():
    long = {"blue_background": {"numbers": [], "pieces": ["r6"] * 90}}
    with pytest.raises(LodeboardError, match="too long for a board"):
        commands("castellers", {"rules": long})
    s = Story(deal=[["r1", "r2"], ["b3", "g4"]])
    assert "too long" in s.send(c="new", opt={"rules": long}, force=True)["err"]
    assert "bytes" in s.send(c="rules", k="blue_background", v=long["blue_background"])["err"]
    assert "bytes" in s.send(c="rules", k=7)["err"]
    for _ in range(wire.ENTRIES):
        s.send(c="rules", k="bonus", v={})
    assert "too many" in s.send(c="rules", k="bonus", v={})["err"]


def test_rules_whose_entries_never_came_are_refused():
    s = Story(deal=[["r1", "r2"], ["b3", "g4"]])
    s.send(c="rules")
    assert "no entry entries" in s.send(c="new", opt={"rules": {"entries": 2}}, force=True)["err"]
