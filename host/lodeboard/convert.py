"""Callisto's records from and to Pentobi's files (.blksgf), edition of 2009.

    records, notes = read(path)          notes: sentences about what a record does not hold
    text, notes = write(records, path)

Pentobi's names of the game and of its colours: https://github.com/enz/pentobi, its page on SGF files.
"""

import shared_rules

from . import sgf
from .errors import LodeboardError
from .inputs import read_input

# Pentobi's name of the game -> our options, and the properties of its seats' moves
VARIANTS = {
    "Callisto": ({"players": 4}, ("1", "2", "3", "4")),
    "Callisto Three-Player": ({"players": 3}, ("1", "2", "3")),
    "Callisto Two-Player": ({"players": 2}, ("B", "W")),
    "Callisto Two-Player Four-Color": ({"players": 4, "teams": True}, ("1", "2", "3", "4")),
}
# Before version 0.2 colours were written out; 12.0 wrote numbers for two players too.
OLDER = {"BLUE": 0, "YELLOW": 1, "RED": 2, "GREEN": 3, "1": 0, "2": 1}
MOVES = ("1", "2", "3", "4", "B", "W", "BLUE", "YELLOW", "RED", "GREEN")
SETUP = ("AB", "AW", "A1", "A2", "A3", "A4", "AE")
# What says nothing about the moves, so nothing is lost without it.
SILENT = ("GM", "CA", "FF", "AP")


def read(path):
    """(records, notes) of a .blksgf file, a record a game. LodeboardError for what cannot be a record at all.

    Of variations the main line is read and the others are named in the notes, as are comments, names, times
    and judgements, which a record has no place for.
    """
    name = str(path)
    data = read_input(path, "Check the name and the rights of the file.")
    text, note = sgf.decode(data, name)
    notes = [note] if note else []
    return [_record(root, name, notes) for root in sgf.parse(text, name)], notes


def _record(root, name, notes):
    variant = " ".join(root.properties.get("GM", [""]))
    if variant not in VARIANTS:
        said = f"the game is {variant[:40]!a}" if variant else "the file does not say which game it is"
        raise LodeboardError(
            f"{name}, line {root.line}: {said}, not one that Lodeboard plays.",
            f"These can be read: {', '.join(VARIANTS)}.",
        )
    options, colours = VARIANTS[variant]
    moves, dropped = [], {}
    node = root
    while node:
        _collect(node, colours, moves, dropped, name)
        for other in node.children[1:]:
            what = f"{_first_move(other)} (line {other.line})"
            notes.append(f"a variation after move {len(moves)} is not read: {what}")
        node = node.children[0] if node.children else None
    if dropped:
        listed = ", ".join(f"{key} {count} times" if count > 1 else key for key, count in dropped.items())
        notes.append(f"a record has no place for these properties: {listed}")
    if moves and moves[0][0]:
        notes.append(f"colour {moves[0][0] + 1} begins")
    return _replayed(options, moves, name)


def _collect(node, colours, moves, dropped, name):
    """Adds a node's move (seat, text, line) and counts what is not kept of it."""
    found = 0
    for key, values in node.properties.items():
        if key in SETUP:
            raise LodeboardError(
                f"{name}, line {node.line}: pieces are set up ({key}); a record begins with the empty board.",
                "Convert a game that was played from its beginning.",
            )
        if key in MOVES:
            seat = colours.index(key) if key in colours else OLDER.get(key, len(colours))
            if seat >= len(colours):
                raise LodeboardError(
                    f"{name}, line {node.line}: the game has no colour {key}.",
                    f"Its colours are {', '.join(colours)}.",
                )
            # before version 0.3 a move was a list of values
            moves.append((seat, ",".join(values), node.line))
            found += 1
        elif key not in SILENT:
            dropped[key] = dropped.get(key, 0) + 1
    if found > 1:
        raise LodeboardError(
            f"{name}, line {node.line}: a node with {found} moves.", "Give each move a node of its own."
        )


def _first_move(node):
    """A node's move as the file writes it."""
    for key, values in node.properties.items():
        if key in MOVES:
            return f"{key}[{','.join(values)[:60]}]"
    return "no move"


def _replayed(options, moves, name):
    """The record of moves (seat, text, line) played by the rules."""
    starter = moves[0][0] + 1 if moves else 1
    options = {"edition": "2009", **options, **({"starter": starter} if starter > 1 else {})}
    game = shared_rules.load("callisto", **options)
    record = {"game": "callisto", **options, "moves": [], "legal": []}
    for ply, (seat, text, line) in enumerate(moves, 1):
        where = f"{name}, line {line}: move {ply}, {text[:60] or 'empty'} of colour {seat + 1}"
        if game.turn is None:
            raise LodeboardError(f"{where}, comes after the end of the game.", "Leave it out.")
        if game.turn != seat:
            raise LodeboardError(
                f"{where}, is out of turn: it is colour {game.turn + 1}'s.",
                "A record has every move in its order; correct the file.",
            )
        record["legal"].append(len(game.legal()))
        try:
            move = game.parse(text)
            game.play(move)
        except shared_rules.IllegalMove as why:
            raise LodeboardError(f"{where}, is against the rules: {why}.", "Correct the file.") from why
        record["moves"].append(f"{seat + 1}:{game.text(move)}")
    if game.turn is None:
        record["penalty"] = game.penalty()
        record["ranking"] = [
            [seat + 1 for seat in place] if isinstance(place, list) else place + 1 for place in game.ranking()
        ]
    return record


def write(records, name):
    """(text, notes): a .blksgf file of (line, record) pairs, a game tree each.

    LodeboardError names the line of a record that Pentobi has no form for.
    """
    trees, notes = [], []
    for line, record in records:
        trees.append(_tree(record, f"{name}:{line}"))
        if record.get("starter", 1) != 1:
            seat = record["starter"]
            notes.append(f"line {line}: seat {seat} begins; Pentobi's own games begin with colour 1")
    if len(trees) > 1:
        notes.append(f"the file holds {len(trees)} games; Pentobi opens the first")
    return "".join(trees), notes


def _tree(record, where):
    if record["game"] != "callisto":
        raise LodeboardError(
            f"{where}: Pentobi does not play {record['game']}.", "Convert records of Callisto."
        )
    game = shared_rules.load(
        "callisto",
        **{key: record[key] for key in ("edition", "players", "teams", "rules", "starter") if key in record},
    )
    if game.options["edition"] != "2009" or game.options["rules"] is not None:
        raise LodeboardError(
            f"{where}: Pentobi plays the edition of 2009 with its own pieces.",
            "Convert records of that edition without another set of pieces.",
        )
    wanted = {"players": game.players, **({"teams": True} if game.options["teams"] else {})}
    variant, colours = next((name, colours) for name, (opt, colours) in VARIANTS.items() if opt == wanted)
    lines = [f"(;GM[{variant}]CA[UTF-8]AP[Lodeboard]"]
    for ply, text in enumerate(record["moves"], 1):
        seat, move = text.split(":", 1)
        try:
            if game.turn != int(seat) - 1:
                raise shared_rules.IllegalMove("it is another seat's turn")
            move = game.parse(move)
            game.play(move)
        except shared_rules.IllegalMove as why:
            raise LodeboardError(f"{where}: move {ply}, {text[:60]}, is against the rules: {why}.",
                                 "See `lodeboard verify`.") from why  # fmt: skip
        lines.append(f";{colours[int(seat) - 1]}[{game.text(move)}]")
    return "\n".join(lines) + ")\n"
