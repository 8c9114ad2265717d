"""Games for measuring: the longest of some random ones, as the journal would hold them."""

import shared_rules
from shared_rules import tau
from shared_rules.game import Random

OPTIONS = {
    "tau": {},
    "callisto": {"edition": "2009", "players": 4},
    "castellers": {"players": 2},
}
TRIES = 10


def longest(names):
    """(name, record) of each game: the longest of TRIES random games, two moves before its end."""
    for name in names:
        best = max((moves_of(name, seed) for seed in range(1, TRIES + 1)), key=lambda found: len(found[1]))
        options, moves = best
        yield name, {"g": name, "opt": options, "match": 1, "game": 1, "seed": 1, "moves": moves[:-2]}


def moves_of(name, seed):
    """(complete options, ["1:~C3", ...]) of a game of legal moves drawn with the rules' own generator."""
    game, random = shared_rules.load(name, **OPTIONS[name]), Random(seed)
    options, moves = dict(game.options), []
    while game.turn is not None and len(moves) < 400:
        legal = game.legal()
        move = legal[random.below(len(legal))]
        moves.append(f"{game.turn + 1}:{game.text(move)}")
        game.play(move)
    return options, moves


def tau_setup(config):
    """[(square, +1 or -1), ...]: where SETUP of Tau wants the sticks, one after another; north is +1."""
    return [(square, 1) for rack in config["layouts"]["tau"]["racks"] for square in rack]


def tau_placements(config, count, seed=1):
    """[(from, to, pole), ...]: squares of a game's first `count` moves, all of them sticks from the racks."""
    layout = config["layouts"]["tau"]
    game, random = shared_rules.load("tau"), Random(seed)
    found = []
    while len(found) < count:
        inward = [move for move in game.legal() if move < tau.TURN]
        move = inward[random.below(len(inward))]
        kind, hole = divmod(move, len(layout["holes"]))
        piece, end = divmod(kind, 2)
        found.append((layout["racks"][game.turn][piece], layout["holes"][hole], -1 if end else 1))
        game.play(move)
        if game.turn is None:
            raise ValueError("this game ends too soon: take another seed")
    return found
