"""Replays records against the rules: the part of `verify` that runs on CPython and on MicroPython alike.

As a program it takes a record a line from stdin and answers a line each, {"plies": n} or the first
difference, after which it stops:

    {"ply": 3, "what": "legal", "expected": 210, "found": 209}

`ply` counts from 1; `what` is "move", "seat", "legal" or the name of a result; `expected` is the record's,
`found` is what the rules give.
"""

import json
import sys

from shared_rules import IllegalMove, load

# What a record holds beside its game's options. Results are compared where the record has them.
RESULTS = ("ranking", "scores", "penalty", "ended_by")
NOT_OPTIONS = ("game", "moves", "legal") + RESULTS


def open_game(record):
    """The record's game before its first move. ValueError names a wrong game or option."""
    options = {}
    for key in record:
        if key in ("name", "snapshot"):  # these would be load()'s own
            raise ValueError(f"a record has no option {key}")
        if key not in NOT_OPTIONS:
            options[key] = record[key]
    return load(record["game"], **options)


def _difference(ply, what, expected, found):
    return {"ply": ply, "what": what, "expected": expected, "found": found}


def _result(game, name):
    """A result as records print it: a ranking's seats from 1."""
    if name == "ranking":
        ranking = game.ranking()
        if ranking is None:
            return None
        return [[seat + 1 for seat in place] if isinstance(place, list) else place + 1 for place in ranking]
    value = getattr(game, name, None)
    return value() if callable(value) else value


def replay(record):
    """Play a well-formed record through; {"plies": n} or the first difference (see above)."""
    game = open_game(record)
    legal = record.get("legal")
    moves = record["moves"]
    for at in range(len(moves)):
        ply = at + 1
        seat, text = moves[at].split(":", 1)
        if game.turn is None:
            return _difference(ply, "move", moves[at], "the game is over")
        if legal:
            found = len(game.legal())
            if found != legal[at]:
                return _difference(ply, "legal", legal[at], found)
        if game.turn != int(seat) - 1:
            return _difference(ply, "seat", int(seat), game.turn + 1)
        try:
            game.play(game.parse(text))
        except IllegalMove as why:
            return _difference(ply, "move", moves[at], str(why))
    for name in RESULTS:
        if name in record:
            found = _result(game, name)
            if found != record[name]:
                return _difference(len(moves), name, record[name], found)
    return {"plies": len(moves)}


def main():
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        answer = replay(json.loads(line))
        print(json.dumps(answer))
        if "what" in answer:
            return


if __name__ == "__main__":
    main()
