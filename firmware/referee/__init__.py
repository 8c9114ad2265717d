"""The referees: one file a game, named as its rules are, with a class Referee and the menu's OPTIONS.

A chip has room for the rules and the referee of one game: another game's modules are forgotten before the
next is loaded.
"""

import gc
import sys

import shared_rules

SMALL = sys.implementation.name == "micropython"
# Modules to load before a game's own, which needs them: each import within another takes 600 bytes of a chip's stack.
FIRST = {"castellers": ("castellers_words", "castellers_stacks", "castellers_asks"), "tau": ("base", "tau_sticks")}


def module(name):
    """The module of a game's referee."""
    for part in FIRST.get(name, ()):
        __import__(__name__ + "." + part)
    return __import__(__name__ + "." + name, None, None, ("Referee",))


def load(name, table, game, layout):
    """The referee of a game by name, for a table, a rules object and the board's layout of that game."""
    return module(name).Referee(table, game, layout)


def options(name):
    """What the menu offers for a game: (option, text, values), the first value being the default."""
    known = __name__ + "." + name in sys.modules
    found = module(name).OPTIONS
    if SMALL and not known:
        _forget(sys.modules[__name__], name)
    return found


def forget_others(name):
    """Frees the code of every other game, once nothing uses it any more."""
    if SMALL:
        for other in shared_rules.GAMES:
            if other != name:
                _forget(sys.modules[__name__], other)
                _forget(shared_rules, other)
        gc.collect()


def forget(part):
    """Frees a part of a game's code that is seldom needed; it is loaded again when it is."""
    if SMALL:
        _forget(sys.modules[__name__], part)


def forget_part(part):
    """The same of the firmware's own."""
    if SMALL:
        _forget(sys.modules[__name__[: __name__.rfind(".")]], part)


def forget_rules(part):
    """The same of a game's rules."""
    if SMALL:
        _forget(shared_rules, part)


def _forget(package, name):
    """Drops a game's module and its parts: modules that begin with its name, or that its PARTS lists."""
    within = package.__name__ + "."
    game = sys.modules.get(within + name)
    parts = getattr(game, "PARTS", ()) if game else ()
    for full in list(sys.modules):
        if full.startswith(within):
            part = full[len(within) :]
            if part.startswith(name) or part in parts:
                del sys.modules[full]
                delattr(package, part)
