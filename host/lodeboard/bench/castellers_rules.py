"""The rules of Castellers on the emulated RP2040, in the positions with most moves of many random games.

    for row in rows(): print(row["what"], row["measured"], row["bound"], row["unit"])

or `python -m lodeboard.bench.castellers_rules`.
"""

import json
from pathlib import Path

import shared_rules
from shared_rules.castellers_moves import parts
from shared_rules.game import Random

from . import chip_program

GAMES = 60  # of 2, of 3 and of 4 players each
WORST = 3
# Nobody but the first asked for a bound; the others are there to be seen.
BOUNDS = (
    ("list of all moves", "legal_us", 20_000),
    ("longest move of the game, with what the next seat can do", "play_us", None),
    ("taking it back", "undo_us", None),
    ("is this move legal", "is_legal_us", None),
    ("heap of the game", "game_bytes", None),
)


def random_game(players, seed):
    """A whole game by legal moves; yields it before each. A third build, a third draw more than by chance."""
    game, random = shared_rules.load("castellers", players=players, seed=seed), Random(seed + 1)
    while game.turn is not None:
        yield game
        moves = game.legal()
        liked = (("build", "take"), ("draw",), ())[seed % 3]
        some = [move for move in moves if parts(move)[0] in liked]
        if some and random.below(3):
            moves = some
        game.play(moves[random.below(len(moves))])


def positions():
    """Snapshots of the positions with most moves, each of another game."""
    most = []
    for players in (2, 3, 4):
        for seed in range(GAMES):
            best = (0, None)
            for game in random_game(players, seed):
                count = len(game.legal())
                if count > best[0]:
                    best = (count, game.snapshot())
            most.append((best[0], players, seed, best[1]))
    most.sort(key=lambda entry: entry[:3], reverse=True)
    return [entry[3] for entry in most[:WORST]]


def rows():
    """What was measured against its bound: dicts with what, measured, bound (or None), unit, ok, moves."""
    files = chip_program.compiled("shared_rules/")
    files["castellers_chip.py"] = Path(__file__).with_name("castellers_chip.py").read_bytes()
    files["positions.txt"] = "".join(json.dumps(position) + "\n" for position in positions()).encode()
    program = "import castellers_chip\ncastellers_chip.main('positions.txt')"
    printed = chip_program.run(files, program).splitlines()
    measured = [json.loads(line) for line in printed if line.startswith("{")]
    table = []
    for what, key, bound in BOUNDS:
        worst = max(measured, key=lambda result: result[key])
        table.append(
            {
                "what": what,
                "measured": worst[key],
                "bound": bound,
                "unit": "bytes" if key.endswith("bytes") else "us",
                "ok": bound is None or worst[key] <= bound,
                "moves": worst["moves"],
            }
        )
    return table


if __name__ == "__main__":
    for row in rows():
        print(f"{row['what']:58} {row['measured']:>7} {row['unit']:5} ({row['moves']} moves)")
