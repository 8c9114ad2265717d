"""Castellers on MicroPython in a heap of 200 KiB: whole matches full of mistakes on the largest board."""

import pytest
from castellers_match import check, match, play_out
from replayed import replayed

HEAP = "200k"
LEFT = 4 * 1024  # bytes that are free at any time, in the words of 64 bits of a computer


def watched(table):
    """The free bytes of the heap after each ply of each game, noted while the match goes on: {(game, ply): bytes}."""
    free, tick = {}, table.tick

    def noting(lockstep=False):
        tick(lockstep)
        at = len(table.eyes.of("setup")), table.eyes.ply
        if at not in free and table.eyes.state != "SETUP":
            free[at] = table.engine.memory()[0]

    table.tick = noting
    return free


def test_the_first_moves_of_four_players_who_err():
    with match(3, "micropython", "lode20", errors=0.5, heap=HEAP, players=4, rules=None) as (table, plays):
        free = watched(table)
        table.run_lockstep(lambda: table.eyes.ply >= 20, limit_ms=1200_000)
        assert table.eyes.ply >= 20 and plays.stats["mends"] > 2
        assert len(free) > 15 and min(free.values()) > LEFT and not table.eyes.faults()


def test_a_short_match_leaves_as_much_at_its_end_as_at_its_beginning():
    with match(4, "micropython", "lode16", errors=0.1, heap=HEAP, games=3, players=2) as (table, plays):
        free = watched(table)
        play_out(table, plays, 3)
        check(table, plays)
        begun = [free[game, 1] for game in (1, 2, 3)]  # the first game loads what has names, which stay
        assert min(free.values()) > LEFT and begun[2] >= begun[1] - 512 and begun[1] >= begun[0] - 2048, free


@pytest.mark.slow
@pytest.mark.parametrize("seed,player", [(2, "random"), (3, "random"), (2, "greedy")])
def test_a_whole_game_with_many_mistakes(seed, player):
    with match(seed, "micropython", "lode20", errors=0.4, heap=HEAP, players=4, rules=None, player=player,
               plies=300) as (table, plays):  # fmt: skip
        free = watched(table)
        play_out(table, plays, 2)
        check(table, plays)
        assert min(free.values()) > LEFT, free
        assert player == "greedy" or table.eyes.ply > 200


@pytest.mark.slow
def test_a_long_match_leaves_as_much_at_its_end_as_at_its_beginning():
    with match(5, "micropython", "lode20", errors=0.1, heap=HEAP, games=5, players=4, rules=None,
               plies=300) as (table, plays):  # fmt: skip
        free = watched(table)
        play_out(table, plays, 5)
        replayed(table.eyes.events)
        begun = [free[game, 1] for game in range(1, 6)]
        assert not table.eyes.faults()
        assert min(free.values()) > LEFT and min(begun) >= begun[0] - 4096 and begun[4] >= begun[1] - 1024, begun
