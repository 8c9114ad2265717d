"""What a game's own review adds: `facts_GAME.py` has

    summary(reviewed)      dict of plain JSON values, more keys of the game in `review --json`
    lines(reviewed)        list of sentences and rows below the moves

reviewed: a Reviewed of review/game.py.
"""

import importlib
import importlib.util


def _module(name):
    module = f"{__package__}.facts_{name}"
    return importlib.import_module(module) if importlib.util.find_spec(module) else None


def summary(reviewed):
    """The game's own keys; {} when it has none, or its positions are not known."""
    module = _module(reviewed.name) if reviewed.rules is not None else None
    return module.summary(reviewed) if module else {}


def lines(reviewed):
    module = _module(reviewed.name) if reviewed.rules is not None else None
    return module.lines(reviewed) if module else []
