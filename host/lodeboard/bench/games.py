"""Games for measuring: the longest of some random ones, as the journal would hold them."""

import contextlib
import tempfile
from pathlib import Path

import shared_rules
from shared_rules import tau
from shared_rules.game import Random

from ..firmware.files import Files
from ..firmware.journal import Journal

OPTIONS = {
    "tau": {},
    "callisto": {"edition": "2009", "players": 4},
    "castellers": {"players": 4},
}
TRIES = 10


def longest(names):
    """(name, record) of each game: the longest of TRIES random games, two moves before its end."""
    for name in names:
        best = max((moves_of(name, seed) for seed in range(1, TRIES + 1)), key=lambda found: len(found[1]))
        options, moves = best
        yield name, {"g": name, "opt": options, "match": 1, "game": 1, "seed": 1, "moves": moves[:-2]}


def journal_of(record):
    """{name: bytes}: the journal's files of a board that was switched off in this game."""
    with _kept() as (journal, files):
        setup = {"t": "setup", "at": 0}
        setup.update((key, record[key]) for key in ("g", "opt", "match", "game", "seed"))
        journal.append(setup)
        for ply, move in enumerate(record["moves"]):
            seat, text = move.split(":", 1)
            journal.append({"t": "move", "at": 0, "g": record["g"], "s": int(seat), "m": text, "ply": ply + 1})
    return files


def full_journal():
    """{name: bytes}: the files of a journal that has given up its oldest segments."""
    with _kept() as (journal, files):
        while journal.first == 1:
            journal.append({"t": "note", "at": 1000000, "what": "resume", "ply": 20})
    return files


@contextlib.contextmanager
def _kept():
    """(a journal that knows one start, dict that gets its files at the end)."""
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Files(folder), 1)
        journal.append({"t": "note", "what": "start", "boot": 1, "at": 0})
        yield journal, files
        paths = [path for path in Path(folder).rglob("*") if path.is_file()]
        files.update((path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths)


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


def tau_hands(config, count):
    """[(from, to, pole), ...]: squares of a game's first `count` moves, and the end that is up afterwards."""
    holes, racks = config["layouts"]["tau"]["holes"], config["layouts"]["tau"]["racks"]
    for seed in range(1, 1000):
        game, random, found = shared_rules.load("tau"), Random(seed), []
        while game.turn is not None and len(found) < count:
            legal = game.legal()
            move, seat = legal[random.below(len(legal))], game.turn
            kind = tau.parts(move)
            game.play(move)
            _, name, up, _ = game.stick_at(kind[-1])
            start = racks[seat][kind[1]] if kind[0] == "place" else holes[kind[1]]
            found.append((start, holes[kind[-1]], 1 if name[0] == up else -1))
        if len(found) == count:
            return found
    raise ValueError("no game is so long")


def callisto_hands(config, count, seed=1):
    """[[squares of the board], ...]: a game's first moves that no larger legal piece contains, four players."""
    game, random = shared_rules.load("callisto", starter=1, **OPTIONS["callisto"]), Random(seed)
    corner, side = config["layouts"]["callisto"]["boards"][game.board_key]
    found = []
    while len(found) < count:
        seat, hand, _ = game.playable(game.turn)
        legal = game.legal()
        legal = [move for move in legal if not (hand and game.cover.grow(seat, hand, game.squares(move)))]
        large = [move for move in legal if len(game.squares(move)) > 3] or legal
        move = large[random.below(len(large))]
        squares = game.squares(move)
        found.append([corner + sq // side * config["width"] + sq % side for sq in squares])
        game.play(move)
    return found
