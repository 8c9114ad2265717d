"""Games for measuring: the longest of some random ones, as the journal would hold them."""

import shared_rules
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


def first_places(config):
    """Squares on which SETUP wants pieces, one after another: the default game's racks."""
    layout = config["layouts"][config["default"]]
    return [square for rack in layout["racks"] for square in rack]
