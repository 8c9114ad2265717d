"""Whole games of Tau by virtual hands: the board referees, and leads out of whatever goes wrong."""

import pytest
from lodeboard.firmware import wire
from lodeboard.players import make
from lodeboard.sim.stage_tau import Stage
from replayed import replayed
from simtable import match, play_out


def check(table, plays):
    """The record is a whole legal game, equal to what the hands think they played; nothing was stuck."""
    game, result = replayed(table.eyes.events)
    assert game.turn is None and result["by"] == "win"
    assert [game.text(m) for _, m in game.history] == [plays.game.text(m) for _, m in plays.game.history]
    assert [seat - 1 for seat in result["ranking"]] == game.ranking()
    assert plays.standing() == plays.places()
    assert plays.stats.get("unguided", 0) == 0
    assert not table.eyes.faults()


@pytest.mark.parametrize("seed", [2, 5])
def test_a_game_without_mistakes_needs_no_guidance(seed):
    with match(seed, haste=0.3) as (table, plays):
        play_out(table, plays)
        check(table, plays)
        assert plays.stats == {}
        assert not [e for e in table.eyes.of("desync") if e["take"] or e["put"] or e["turn"]]
        assert not table.eyes.of("illegal")


@pytest.mark.parametrize("seed", [303, 305])
def test_sloppy_hands_that_err_in_half_of_their_moves_end_their_game(seed):
    with match(seed, errors=0.5, sloppiness=3.5, haste=0.1) as (table, plays):
        play_out(table, plays)
        check(table, plays)
        assert plays.stats["mends"] > 0


@pytest.mark.parametrize("mistake", Stage.mistakes)
def test_every_mistake_is_led_out_of(mistake):
    """One kind of mistake before every second move, over the first moves."""
    with match(21, errors=0.5, haste=0.1) as (table, plays):
        plays.mistakes = (mistake,)
        assert table.run_lockstep(lambda: table.eyes.ply >= 6 or plays.hands.idle, limit_ms=3600000)
        game, _ = replayed(table.eyes.events)
        assert len(game.history) >= 6 or game.turn is None
        assert plays.stats.get(mistake, 0) > 0
        assert plays.stats.get("unguided", 0) == 0 and not table.eyes.faults()


def test_a_match_brings_the_sticks_back_to_the_racks_and_the_loser_begins():
    with match(3, games=2, haste=0.1) as (table, plays):
        play_out(table, plays)
        setups, results = table.eyes.of("setup"), table.eyes.of("result")
        assert [e["game"] for e in setups] == [1, 2] and len(results) == 2
        for before, after in zip(results, setups[1:], strict=False):
            assert after["opt"]["starter"] == before["ranking"][1]


def test_hands_play_calypso_when_the_board_is_told_to():
    with match(5, options={"open": True}) as (table, plays):
        play_out(table, plays)
        assert table.eyes.of("setup")[0]["opt"]["open"] is True
        check(table, plays)


@pytest.mark.parametrize("board", ["lode16", "lode20"])
def test_tau_on_the_larger_boards(board):
    with match(6, "micropython", board=board, errors=0.3, haste=0.1) as (table, plays):
        assert table.run_lockstep(lambda: table.eyes.ply >= 6 or plays.hands.idle, limit_ms=600000)
        game, _ = replayed(table.eyes.events)
        assert len(game.history) >= 6 and not table.eyes.faults()


def test_one_seed_gives_the_same_events_on_micropython():
    told = []
    for engine in ("python", "micropython"):
        with match(305, engine, errors=0.4, haste=0.1) as (table, plays):
            play_out(table, plays)
            told.append([e for e in table.eyes.events if e.get("t") not in ("hello", "stats")])
    assert told[0] == told[1]


def test_wrong_ends_in_the_racks_are_told_and_the_game_begins_by_itself():
    with match(8, errors=1.0) as (table, plays):
        plays.mistakes = ()
        assert table.run_lockstep(lambda: table.eyes.state == "TURN", limit_ms=300000)
        setup = table.eyes.of("setup")
        assert len(setup) == 1 and plays.standing() == plays.places()


def test_hands_play_what_a_host_asks_for_its_seat():
    with match(41, haste=0.2) as (table, plays):
        chooser, asked = make("greedy", 3), []
        table.said = wire.encode({"c": "seat", "s": 2, "by": "host", "name": "greedy"})

        def host():
            eyes, game = table.eyes, plays.game
            ready = eyes.state == "TURN" and eyes.seat == 1 and eyes.asked is None and game is not None
            if ready and len(game.history) == eyes.ply and len(asked) <= eyes.ply // 2:
                asked.append(game.text(chooser.choose(game)))
                table.said += wire.encode({"c": "play", "m": asked[-1]})
            return plays.hands.idle

        assert table.run_lockstep(host, limit_ms=20 * 60000), table.lines
        check(table, plays)
        assert [e["m"] for e in table.eyes.of("move") if e["s"] == 2] == asked
        assert not table.eyes.of("illegal")
