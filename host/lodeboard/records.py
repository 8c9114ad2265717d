"""Records of games: reading, checking, replaying on CPython or on the real MicroPython; and perft.

A record is one JSON object a line: `game`, its options, `moves` ("2:~C3"), `legal` (the number of legal
moves before each) and results. What is absent is not compared. See docs/architecture.md.
"""

import itertools
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import shared_rules

from . import micropython
from .errors import LodeboardError
from .games import brief
from .inputs import read_input
from .replay import RESULTS, open_game, replay

ENGINES = ("python", "micropython")
CHECK = "Check the line against docs/architecture.md, or leave it out."


def read(path):
    """The records of a file, as (line number, dict) pairs. LodeboardError names file and line."""
    records = []
    lines = read_input(path, "Check the name and the rights of the file.").split(b"\n")
    for number, line in enumerate(lines, 1):
        if line.strip():
            records.append((number, parse(line, f"{path}:{number}")))
    if not records:
        raise LodeboardError(f"{path}: there is no record in it.", "Name a file with one JSON object a line.")
    return records


def parse(line, where):
    """The record on a line (bytes), its form and options checked; `where` names the line in errors."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        what = "is not JSON, or the line is cut off"
        raise LodeboardError(f"{where}: this {what} ({brief(error)}).", CHECK) from error
    fault = _fault(record)
    if fault:
        raise LodeboardError(f"{where}: {fault}.", CHECK)
    try:
        open_game(record)
    except ValueError as error:
        raise LodeboardError(
            f"{where}: {brief(error)}.", "Correct that option, or leave the record out."
        ) from error
    return record


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _fault(record):
    """What is wrong with the form of a record, or None. Whether its moves are legal is for replay()."""
    if not isinstance(record, dict):
        return "a record is a JSON object"
    if not isinstance(record.get("game"), str):
        return 'a record names its "game"'
    moves = record.get("moves")
    if not isinstance(moves, list):
        return 'a record has a list "moves"'
    for ply, move in enumerate(moves, 1):
        seat, colon, text = move.partition(":") if isinstance(move, str) else ("", "", "")
        if not (seat.isascii() and seat.isdigit() and len(seat) < 3 and colon and text):
            return f"move {ply} is {json.dumps(move)[:40]}, not a seat from 1, a colon and a move"
    legal = record.get("legal")
    if legal is not None:
        if not isinstance(legal, list) or not all(_is_count(count) for count in legal):
            return '"legal" is a list of numbers'
        if len(legal) != len(moves):
            return f'"legal" has {len(legal)} numbers for {len(moves)} moves'
    for name in RESULTS:
        if name in record and not isinstance(record[name], (list, str, type(None))):
            return f'"{name}" is {json.dumps(record[name])[:40]}, which is no result'
    return None


def verify(paths, engine="python"):
    """Replay the records of some files, in order, until one differs from the rules.

    engine: "python", or "micropython" (the rules then run on the real MicroPython, in a process of its own).
    Gives {"engine", "files": [{"file", "games", "plies"}], "difference"}; difference is None, or a dict:
    file, line, game, ply (from 1), what, expected (the record's), found (the rules').
    LodeboardError when a file cannot be read as records, or there is no MicroPython.
    """
    if engine not in ENGINES:
        raise LodeboardError(f"There is no engine {engine} for records.", "Choose python or micropython.")
    files, queue = [], []
    for path in paths:
        files.append({"file": str(path), "games": 0, "plies": 0})
        queue.extend((files[-1], line, record) for line, record in read(path))
    run = _replay_here if engine == "python" else _replay_on_micropython
    difference = None
    answers = run([record for _, _, record in queue])
    for (entry, line, record), answer in zip(queue, answers, strict=False):
        if "what" in answer:
            difference = {"file": entry["file"], "line": line, "game": record["game"], **answer}
            break
        entry["games"] += 1
        entry["plies"] += answer["plies"]
    return {"engine": engine, "files": files, "difference": difference}


def _replay_here(records):
    for record in records:
        yield replay(record)


def stage_rules(folder):
    """Copy the rules and the replaying program into a folder, for a MicroPython to run; its path."""
    rules = Path(folder, "shared_rules")
    rules.mkdir()
    for source in Path(shared_rules.__file__).parent.glob("*.py"):
        shutil.copyfile(source, rules / source.name)
    program = Path(folder, "replay.py")
    shutil.copyfile(Path(__file__).with_name("replay.py"), program)
    return program


def _replay_on_micropython(records):
    prefix = micropython.command()
    with tempfile.TemporaryDirectory(prefix="lodeboard-") as folder:
        program = stage_rules(folder)
        done = subprocess.run(
            [*prefix, str(program)],
            input="".join(json.dumps(record) + "\n" for record in records),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "MICROPYPATH": f"{folder}:.frozen"},
        )
    # An answer is an object a line; a traceback (on stdout in this port) is anything else.
    lines = done.stdout.splitlines()
    answers = [json.loads(line) for line in itertools.takewhile(lambda line: line[:1] == "{", lines)]
    if len(answers) < len(records) and not (answers and "what" in answers[-1]):
        rest = [*lines[len(answers) :], *done.stderr.splitlines(), f"exit status {done.returncode}"]
        error = next((line for line in rest if line[:1].isalpha() and "Error" in line), rest[-1])
        raise LodeboardError(
            f"MicroPython stopped at game {len(answers) + 1} of {len(records)}: {brief(error)}.",
            "Try --engine python; if that agrees, please report it with the record.",
        )
    return answers


def perft(game, depth):
    """(nodes, wins) exactly `depth` plies below a game's position.

    nodes: how many sequences of `depth` moves there are; wins: how many of them end the game with the last.
    The last ply is counted in bulk where the game has census(): it says exactly how many moves end the game
    (tests compare it with playing them).
    """
    if depth == 0:
        return 1, 0
    if depth == 1 and hasattr(game, "census") and not game.options.get("repetition"):
        return game.census()
    nodes = wins = 0
    for move in game.legal():
        game.play(move)
        if depth == 1:
            nodes += 1
            wins += game.turn is None
        else:
            below = perft(game, depth - 1)
            nodes += below[0]
            wins += below[1]
        game.undo()
    return nodes, wins


def divide(game, depth):
    """Yield (text of a first move, nodes, wins) for every first move; see perft()."""
    for move in game.legal():
        text = game.text(move)
        game.play(move)
        below = perft(game, depth - 1) if depth > 1 else (1, int(game.turn is None))
        game.undo()
        yield text, *below
