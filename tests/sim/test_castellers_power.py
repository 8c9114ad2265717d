"""Castellers whose power goes: the journal knows every move, and the holes that hands chose otherwise."""

import pytest
from castellers_match import check, match, play_out
from replayed import replayed

ENGINES = [("python", None), ("micropython", "200k")]


def cut_at(table, plays, times):
    """Takes the power away at these times, ms, whatever hands do then."""
    for at in times:
        table.run_lockstep(lambda at=at: table.now >= at or plays.hands.idle, limit_ms=3600_000)
        table.power_cut()


@pytest.mark.parametrize("engine,heap", ENGINES)
def test_a_game_goes_on_after_power_cuts_and_everything_is_found_where_hands_had_put_it(engine, heap):
    with match(3, engine, "lode20", errors=0.3, heap=heap, players=3) as (table, plays):
        cut_at(table, plays, (35_000, 61_000, 97_000, 140_000))
        play_out(table, plays)
        check(table, plays)
        assert [event for event in table.eyes.of("note") if event["what"] == "resume"]
        assert [event for event in table.eyes.of("note") if event["what"] == "hole"]


def test_holes_that_hands_chose_are_not_asked_for_again():
    """Between two turns nothing is in a hand: after a power cut the board finds all as it was."""
    with match(8, errors=0.2, rules=None) as (table, plays):
        plays.mistakes = ()  # holes are chosen, nothing goes wrong

        def quiet():
            plays.follow()
            return table.eyes.state == "TURN" and not plays.hands.holding and plays.standing() == plays.places()

        for ply in (12, 24, 36):
            table.run_lockstep(lambda ply=ply: table.eyes.ply >= ply and quiet(), limit_ms=1200_000)
            before, told = plays.standing(), len(table.eyes.events)
            table.power_cut()
            table.run_lockstep(lambda: table.eyes.text.endswith("abandons."), limit_ms=2000)
            assert table.eyes.text.endswith("OK resumes, UNDO held abandons."), table.eyes.text
            table.run_lockstep(lambda: table.eyes.state in ("TURN", "DESYNC"), limit_ms=20_000)
            asked = [e for e in table.eyes.events[told:] if e.get("t") == "desync" and (e["take"] or e["put"])]
            assert not asked and plays.standing() == before
        assert table.eyes.holes


@pytest.mark.slow
def test_a_game_of_two_hundred_moves_is_resumed_in_200_kib():
    with match(2, "micropython", "lode20", errors=0.3, heap="200k", players=4, rules=None, player="random",
               plies=300) as (table, plays):  # fmt: skip
        for ply in (60, 120, 200):
            table.run_lockstep(lambda ply=ply: table.eyes.ply >= ply or plays.hands.idle, limit_ms=3600_000)
            table.power_cut()
            table.run_lockstep(lambda ply=ply: table.eyes.ply >= ply + 3 or plays.hands.idle, limit_ms=600_000)
            assert not table.eyes.faults()
        play_out(table, plays)
        replayed(table.eyes.events)
