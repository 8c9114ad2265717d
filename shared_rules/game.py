"""The contract that every game keeps, and the door to the games.

A game object has:

    name                 "tau", ...
    options              dict of the options in force, complete, plain JSON values
    players              number of seats
    turn                 seat to act, from 0; None when the game is over
    history              list of (seat, move) played so far
    legal()              list of every legal move, each once; moves are hashable and small
    is_legal(move)       agrees with legal()
    why_not(move)        None when legal, else one sentence for a person
    play(move)           IllegalMove (with why_not's sentence) when it is not legal
    undo()               takes the last move back; returns it; IndexError when there is none
    text(move)           notation; parse(text) gives the move back, or raises IllegalMove
    scores()             list, a number a seat (higher is better) or None where the game has none
    ranking()            seats best first, ties nested: [1, [0, 2]]; None while the game goes on
    snapshot()           plain JSON values, complete: load(..., snapshot=d) gives the same game and history
    seen_by(seat)        a snapshot-like dict of what this seat may know (None: a spectator who may know all)

Seats count from 0 here and print from 1. Options come from the rulebook's silences (see each game).
"""

from array import array

GAMES = ("tau", "callisto", "castellers")
# Options that each new game settles anew where nobody gives them: a table draws them by lot, and the next
# game of a match begins without those of the last.
LOTS = {"castellers": ("seed", "deal", "starter")}


def lots(name):
    """The options of a game that a table draws, or leaves to the rules, for each new game."""
    return LOTS.get(name, ("starter",))


class IllegalMove(ValueError):
    """A move, or its text, that the rules refuse; str() is one sentence for a person.

    The sentence may quote what somebody sent: what a display or a terminal could not print becomes "?".
    """

    def __init__(self, why):
        super().__init__("".join([c if " " <= c <= "~" else "?" for c in why]))


def load(name, snapshot=None, **options):
    """A new game by name, or the game of a snapshot. ValueError names an unknown game or option."""
    if name not in GAMES:
        raise ValueError("unknown game %s; there are %s" % (name, ", ".join(GAMES)))
    module = __import__("shared_rules." + name, None, None, ("Game",))
    game = module.Game(**options)
    if snapshot is not None:
        check_snapshot(name, snapshot)
        game.restore(snapshot)
    return game


def settle_options(name, defaults, given):
    """The options in force: the defaults, replaced by what is given. ValueError names an unknown one."""
    for key in given:
        if key not in defaults:
            raise ValueError("%s has no option %s; it has %s" % (name, key, ", ".join(sorted(defaults))))
    options = dict(defaults)
    options.update(given)
    return options


def is_count(value):
    """Whether a value from outside is a whole number, 0 or more (and not true or false)."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def check_snapshot(name, snapshot):
    """ValueError unless this looks like a snapshot of the game: what it says is checked by playing it."""
    if (
        not isinstance(snapshot, dict)
        or snapshot.get("game") != name
        or not isinstance(snapshot.get("options"), dict)
        or not isinstance(snapshot.get("moves"), list)
    ):
        raise ValueError("this is no snapshot of %s" % name)


def check_seats(name, players, fewest, most):
    """ValueError unless players is a number that this game can be played by."""
    if not is_count(players) or not fewest <= players <= most:
        wanted = str(most) if fewest == most else "%d to %d" % (fewest, most)
        raise ValueError("%s is for %s players, not %s" % (name, wanted, players))


def check_starter(options):
    """ValueError unless the option starter is a seat, from 1."""
    starter = options["starter"]
    if not is_count(starter) or not 1 <= starter <= options["players"]:
        raise ValueError("starter is a seat from 1 to %d, not %s" % (options["players"], starter))


class History:
    """What a list of (seat, move) would hold, in a few bytes each: a chip plays games of many small moves.

    aside(): the int that was appended with the last one, for undo. Moves are less than 2 ** 20.
    """

    def __init__(self):
        self._moves = array("i")
        self._aside = array("i")
        self._length = 0

    def append(self, entry, aside=0):
        packed = entry[0] << 20 | entry[1]
        if self._length < len(self._moves):
            self._moves[self._length] = packed
            self._aside[self._length] = aside
        else:
            self._moves.append(packed)
            self._aside.append(aside)
        self._length += 1

    def aside(self):
        return self._aside[self._length - 1]

    def pop(self):
        last = self[-1]
        self._length -= 1
        return last

    def __len__(self):
        return self._length

    def __getitem__(self, at):
        if at < 0:
            at += self._length
        if not 0 <= at < self._length:
            raise IndexError(at)
        packed = self._moves[at]
        return packed >> 20, packed & 0xFFFFF

    def __eq__(self, other):
        return list(self) == list(other)


class Random:
    """xorshift32: the one random generator of rules and firmware, the same on every engine.

    seed: any int; state is kept in 32 bits, never 0.
    """

    def __init__(self, seed):
        self.state = (seed & 0xFFFFFFFF) or 0x9E3779B9

    def next(self):
        """The next 32-bit value, 1..2**32-1."""
        x = self.state
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        self.state = x
        return x

    def below(self, n):
        """A number 0..n-1."""
        return self.next() % n
