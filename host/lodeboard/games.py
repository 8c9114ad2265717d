"""Opening a game of the rules from what a person gave: names, options, a rules file."""

import json
import sys

import shared_rules

from .errors import LodeboardError
from .firmware import wire
from .inputs import read_input


def brief(error):
    """An error's text as one short line that any terminal can print, without a full stop."""
    text = " ".join(str(error).encode("ascii", "backslashreplace").decode().split())
    return text[:200].rstrip(".")


class _Twice(Exception):
    """A name that an object of a rules file has twice."""


def _once(pairs):
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise _Twice(f"the name {name} is there twice")
    return dict(pairs)


def read_rules(path):
    """The tables in an owner's rules file (a JSON object), for the option `rules`."""
    data = read_input(path, "Check the name of the rules file.")
    try:
        rules = json.loads(data, object_pairs_hook=_once)
    except _Twice as error:
        raise LodeboardError(f"{path}: {brief(error)}.", "Leave one of them out.") from error
    except (ValueError, RecursionError) as error:
        raise LodeboardError(f"{path}: not JSON ({brief(error)}).", "Correct the rules file.") from error
    if not isinstance(rules, dict):
        raise LodeboardError(f"{path}: a rules file holds a JSON object.", "Correct the rules file.")
    return rules


def load(name, **options):
    """The game with these options; those that are None take their default.

    LodeboardError for an unknown game or option, or a value that it refuses.
    """
    try:
        return shared_rules.load(name, **{key: value for key, value in options.items() if value is not None})
    except ValueError as error:
        sentence = brief(error)
        raise LodeboardError(
            sentence[0].upper() + sentence[1:] + ".", "Choose another game, option or value."
        ) from error


def warn_unverified(game):
    """Says on stderr that nobody has compared a game's pieces with a box, where that is so."""
    sentence = getattr(game, "unverified", None)
    if sentence:
        name = game.name[0].upper() + game.name[1:]
        print(f"lodeboard: {name} is unverified: {brief(sentence)}.", file=sys.stderr)


def commands(name, options, **keys):
    """The wire's commands, (c, keys), that begin a game: `new`, with an owner's long rules ahead of it.

    LodeboardError: an entry of the rules is too long for a board.
    """
    rules = options.get("rules")
    if isinstance(rules, dict):  # what is for people alone stays here
        options = {**options, "rules": {key: value for key, value in rules.items() if key != "_"}}
    try:
        *notes, setup = wire.split({"opt": options, "g": name, **keys}, wire.MAX_FRAME - 60)
        found = [("rules", {})] if notes else []
        for note in notes:
            found.append(("rules", {"k": note["k"], "v": note["v"]}))
        found.append(("new", setup))
        for c, told in found:
            wire.encode({"c": c, "i": 1, **told})
    except ValueError:
        raise LodeboardError(
            "The rules have an entry that is too long for a board.", "Shorten its texts and lists."
        ) from None
    return found
