"""Whole games of Castellers by virtual hands: columns are told or asked for, castells fall down and stand again."""

import pytest
from castellers_match import check, match, play_out
from lodeboard.bench.castellers_stacks import builds, tops
from lodeboard.sim.stage_castellers import Stage
from replayed import replayed


@pytest.mark.parametrize("seed,board,players", [(1, "lode16", 2), (2, "lode20", 4)])
def test_a_game_without_mistakes_needs_no_guidance(seed, board, players):
    with match(seed, board=board, players=players) as (table, plays):
        play_out(table, plays)
        check(table, plays)
        assert plays.stats == {}
        assert not [e for e in table.eyes.of("desync") if e["take"] or e["put"] or e["turn"]]
        assert not table.eyes.of("illegal")


def test_hands_that_err_end_their_game():
    with match(11, errors=0.5, sloppiness=1.5) as (table, plays):
        play_out(table, plays)
        check(table, plays)
        assert plays.stats["mends"] > 0


@pytest.mark.parametrize("mistake", Stage.mistakes)
def test_every_mistake_is_led_out_of(mistake):
    """One kind of mistake before every second move, over the first moves that give occasion for it."""
    tall = mistake in ("toppled", "bumped", "wrong_column")
    with match(4, errors=0.4, rules=None) as (table, plays):
        plays.mistakes = (mistake,)
        done = 24 if tall else 8
        enough = lambda: table.eyes.ply >= done and plays.stats.get(mistake)  # noqa: E731
        assert table.run_lockstep(lambda: enough() or plays.hands.idle, limit_ms=1800_000), plays.stats
        replayed(table.eyes.events)
        assert plays.stats.get(mistake, 0) > 0
        assert plays.stats.get("unguided", 0) == 0


@pytest.mark.parametrize("errors", [0.0, 0.5])
def test_one_seed_gives_the_same_events_on_micropython(errors):
    told = []
    for engine in ("python", "micropython"):
        with match(9, engine, errors=errors, rules=None) as (table, plays):
            table.run_lockstep(lambda: table.eyes.ply >= 16 or plays.hands.idle, limit_ms=1800_000)
            told.append([e for e in table.eyes.events if e.get("t") not in ("hello", "stats", "error")])
    assert told[0] == told[1]
    assert [event for event in told[0] if event["t"] == "stack"]


def test_with_the_real_bag_hands_draw_and_enter():
    with match(5, bag="real") as (table, plays):
        play_out(table, plays)
        check(table, plays)
        drawn = [event["m"] for event in table.eyes.of("move") if event["m"].startswith("draw=")]
        assert len(drawn) > 2


def test_the_next_game_of_a_match_has_another_deal():
    with match(5, games=2) as (table, plays):
        play_out(table, plays)
        one, two = table.eyes.of("setup")
        assert one["opt"]["deal"] != two["opt"]["deal"] and two["game"] == 2


def test_the_table_survives_a_killed_simulator():
    with match(6) as (table, plays):
        table.run_lockstep(lambda: table.eyes.ply >= 8, limit_ms=600_000)
        table.run_lockstep(lambda: table.eyes.state == "TURN" and not plays.hands.holding, limit_ms=60_000)
        saved = plays.save()
        before = plays.standing()
    with match(6) as (_, again):
        again.restore(saved)
        assert again.standing() == before


def test_no_build_of_a_sample_counts_on_the_wrong_column_and_noise_makes_it_ask():
    """A sample of what `lodeboard bench castellers` does ten thousand times."""
    usual, twice = builds(150, 0.05, seed=2), builds(150, 0.1, seed=2)
    for outcome in (usual, twice):
        for rows in (outcome["levels"], outcome["falls"]):
            assert sum(row["wrong"] for row in rows.values()) == 0
            assert all(row["asked"] == row["builds"] for level, row in rows.items() if level > 2)
    assert usual["levels"][2]["asked"] <= 1 < twice["levels"][2]["asked"]
    assert usual["noise_mt"] == pytest.approx(0.05, abs=0.01)
    assert twice["noise_mt"] == pytest.approx(0.1, abs=0.02)


def test_castellers_that_fall_off_their_column_are_noticed_and_bumps_are_not():
    outcome = tops(60, 0.05, seed=3)
    assert outcome["alarms"] == 0 and outcome["quiet"] == 60
    assert outcome["noticed"][2] >= 0.9 * outcome["fallen"][2] > 10
