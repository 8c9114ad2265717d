"""Pictures of positions, a file a game: `draw_GAME.py` has

    text(game, hidden=False, last=None)   rich.text.Text for the terminal
    svg(game, hidden=False, last=None, title="")   str

game: a game of the rules; hidden: draw what the players do not see (covered colours); last: the move to mark.
"""

import importlib
import importlib.util


def drawer(name):
    """The module that draws a game, or None when the game has none."""
    module = f"{__package__}.draw_{name}"
    return importlib.import_module(module) if importlib.util.find_spec(module) else None
