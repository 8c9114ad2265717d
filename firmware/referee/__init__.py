"""The referees: one file a game, named as its rules are, with a class Referee and the menu's OPTIONS."""


def module(name):
    """The module of a game's referee."""
    return __import__(__name__ + "." + name, None, None, ("Referee",))


def load(name, table, game, layout):
    """The referee of a game by name, for a table, a rules object and the board's layout of that game."""
    return module(name).Referee(table, game, layout)


def options(name):
    """What the menu offers for a game: (option, text, values), the first value being the default."""
    return module(name).OPTIONS
