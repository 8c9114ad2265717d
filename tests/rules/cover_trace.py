"""Random games with every answer of cover.py as numbers: the same program, the same text on every machine."""

import sys

from shared_rules import load
from shared_rules.game import Random


def _mix(total, value):
    return (total * 31 + value + 7) & 0xFFFFFFF


def trace(options, seed, every, plies):
    """Lines "ply legal covered any match grow ..." of a random game, asked at every so many plies."""
    game, random = load("callisto", **options), Random(seed)
    while game.turn is not None and len(game.history) < plies:
        moves = game.legal()
        if len(game.history) % every == 0:
            print(len(game.history), len(moves), _answers(game, moves, random))
        game.play(moves[random.below(len(moves))])
    print(game.ranking(), game.penalty())


def _answers(game, moves, random):
    total, cover, size = 0, game.cover, game.size
    for seat in range(game.players):
        asked = game.playable(seat)
        total = _mix(total, cover.cover(*asked))
        for y in range(size):
            total = _mix(total, cover.map[y])
        total = _mix(total, cover.any(*asked))
        for move in cover.moves(*asked):
            total = _mix(total, move)
    last = len(game.pieces.cells) << 10
    for move in [random.below(last) for _ in range(20)] + moves[:3]:
        inside = (move >> 5 & 31) < size and (move & 31) < size
        total = _mix(total, cover.fits(move))
        if inside and cover.fits(move):
            total = _mix(total, cover.touches(game.turn, move))
            total = _mix(total, cover.match(game.squares(move)))
            total = _mix(total, cover.match(game.squares(move)[1:]))
        if move < 1024:
            total = _mix(total, cover.column_fits(move, game.column_rule(game.turn)))
    for move in moves[:: 1 + len(moves) // 4]:
        for count in (1, 2):
            seat, hand, _ = game.playable(game.turn)
            total = _mix(total, cover.grow(seat, hand, game.squares(move)[-count:]))
            for y in range(size):
                total = _mix(total, cover.map[y])
            target = bytearray(30 * 30)
            cover.mark(target, 3 * 30 + 2, 30, 7)
            total = _mix(total, target.count(b"\7"))
            for at in range(0, len(target), 17):
                total = _mix(total, target[at])
    return total


def main(jobs):
    for options, seed, every, plies in jobs:
        trace(options, seed, every, plies)


if __name__ == "__main__":
    import json

    main(json.loads(sys.stdin.read()))
