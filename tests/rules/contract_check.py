"""Plays random games and holds every rule of the contract in shared_rules/game.py against them.

Runs on CPython (test_contract.py imports it) and on MicroPython, as a program:

    micropython contract_check.py '["tau", {"open": true}, 7, 3]'      game, options, seed, games

It prints how many positions it has checked.
"""

import gc
import json
import sys

import shared_rules
from shared_rules.game import Random

PLAIN = (int, str, bool, type(None))


def is_plain(value):
    """Whether a value is made of JSON's own values alone (no tuples)."""
    if isinstance(value, list):
        return all([is_plain(item) for item in value])
    if isinstance(value, dict):
        return all([isinstance(key, str) and is_plain(item) for key, item in value.items()])
    return isinstance(value, PLAIN)


def state(game):
    """Everything a game says about itself."""
    return [
        game.seen_by(None),
        game.turn,
        list(game.history),
        sorted(game.legal()),
        game.scores(),
        game.ranking(),
        game.ended_by if hasattr(game, "ended_by") else None,
    ]


def expected_legal(game, legal, move):
    """Whether the list of legal moves says that this one is legal."""
    if hasattr(game, "listed") and game.listed(move) != move:
        piece = move >> 11 & 63  # the outcome of a draw, listed as "draw"
        in_bag = move & 0x7FF == 0 and piece < len(game.pieces) and game.in_bag(piece)
        return in_bag and game.listed(move) in legal
    return move in legal


def check_moves(game, pool, random, tries):
    """legal() and is_legal() agree, on every legal move, on moves of other positions and on broken ones."""
    legal = game.legal()
    assert len(set(legal)) == len(legal), "a move is listed twice"
    assert (game.turn is None) == (not legal), "a seat in turn has a move; a finished game has none"
    for move in legal:
        assert game.is_legal(move), game.text(move)
        assert game.why_not(move) is None
        assert game.parse(game.text(move)) == move, game.text(move)
    others = [pool[random.below(len(pool))] for _ in range(tries)] if pool else []
    for move in legal[:tries]:
        others.append(move ^ (1 << random.below(20)))
    listed = set(legal)
    for move in others + [-1, 1 << 29, None, "x"]:
        wanted = expected_legal(game, listed, move) if isinstance(move, int) else False
        assert game.is_legal(move) == wanted, (move, wanted, game.why_not(move))
        if not wanted:
            check_refused(game, move)
    return legal


def check_refused(game, move):
    """A refused move says why, in one sentence, and changes nothing."""
    before = len(game.history), game.turn
    try:
        game.play(move)
        raise AssertionError("an illegal move was played")
    except shared_rules.IllegalMove as why:
        assert str(why) == game.why_not(move) and "\n" not in str(why) and len(str(why)) > 10
    assert (len(game.history), game.turn) == before


def check_ranking(game):
    ranking = game.ranking()
    assert (ranking is None) == (game.turn is not None)
    if ranking is not None:
        seats = []
        for place in ranking:
            seats.extend(place if isinstance(place, list) else [place])
            assert not isinstance(place, list) or len(place) > 1
        assert sorted(seats) == list(range(game.players))


def check_snapshot(name, game):
    """A snapshot is plain JSON and gives the same game back, history included."""
    snapshot = game.snapshot()
    assert is_plain(snapshot), snapshot
    for seat in [None] + list(range(game.players)):
        assert is_plain(game.seen_by(seat)), seat
    again = shared_rules.load(name, snapshot=json.loads(json.dumps(snapshot)))
    assert state(again) == state(game)
    assert again.options == game.options
    while game.history:
        game.undo()
        again.undo()
    assert state(again) == state(game)


def check_game(name, options, random, pool, longest):
    """One random game with take-backs on the way; how many positions were checked."""
    game = shared_rules.load(name, **options)
    assert game.name == name and game.history == []
    states = []
    checked = 0
    while game.turn is not None and len(game.history) < longest:
        legal = check_moves(game, pool, random, 40)
        check_ranking(game)
        checked += 1
        move = legal[random.below(len(legal))]
        if len(pool) < 2000:
            pool.append(move)
            pool.append(legal[-1])
        seat, ply = game.turn, len(game.history)
        states.append(state(game))
        states[:] = states[-8:]
        game.play(move)
        assert len(game.history) == ply + 1 and game.history[-1][0] == seat
        if random.below(8) == 0:  # take back a few plies, and find each position as it was
            for _ in range(min(len(states), 1 + random.below(6))):
                last = game.history[-1][1]
                assert game.undo() == last
                assert state(game) == states.pop()
    check_moves(game, pool, random, 40)
    check_ranking(game)
    while game.turn is None and states and random.below(4):
        game.undo()
        assert state(game) == states.pop()
    check_snapshot(name, game)
    try:
        game.undo()
        raise AssertionError("there was a move to take back before the first")
    except IndexError:
        pass
    return checked


def check(name, options, seed, games, longest=400):
    """Random games of one set of options; how many positions were checked."""
    random = Random(seed)
    pool, checked, used = [], 0, []
    for number in range(games):
        if "seed" in options:
            options["seed"] = seed + number
        checked += check_game(name, options, random, pool, longest)
        gc.collect()
        if hasattr(gc, "mem_alloc"):
            used.append(gc.mem_alloc() - 8 * len(pool))
    # The heap of MicroPython does not grow from game to game.
    if len(used) > 2:
        assert used[-1] <= used[1] + 2048, used
    return checked


if __name__ == "__main__":
    arguments = json.loads(sys.argv[1])
    print(check(*arguments))
