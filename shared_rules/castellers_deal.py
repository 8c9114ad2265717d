"""How a game of Castellers begins: options, the box, the bag's order, the deal. A chip forgets it afterwards."""

from .castellers_box import Box
from .castellers_moves import KINDS, name, number
from .game import History, Random, check_seats, check_starter, settle_options

OPTIONS = {"players": 2, "seed": 0, "deal": None, "starter": None, "bag": "board", "rules": None}


def begin(game, options):
    """Puts a Game at its beginning. ValueError names the option that is wrong."""
    game.options = options = settle_options(game.name, OPTIONS, options)
    check_seats(game.name, options["players"], 2, 4)
    game.players = options["players"]
    seed = options["seed"]
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise ValueError("seed is a number, not %s" % (seed,))
    if options["bag"] not in ("board", "real"):
        raise ValueError("bag is board or real, not %s" % (options["bag"],))
    box = Box(options["rules"], game.players)
    game.unverified = None
    if box.unverified:
        game.unverified = "guesses until compared with a box: " + ", ".join(box.unverified)
    if box.pieces < 2 * game.players:
        raise ValueError("rules: %d pieces are too few for the deal" % box.pieces)
    game.most_bases = box.bases
    game.ends_at = box.valid, box.least
    game.blue, game.tallest, game.widest = box.blue, box.tallest, box.widest
    game.history = History()
    game.start([bytearray(KINDS) for _ in range(game.players)], shuffled(box.counts, seed))
    game.undealt = options["deal"] is None and options["bag"] == "real"
    if game.undealt:
        game.turn = None
        return
    sums = deal(game)
    if options["starter"] is None:
        options["starter"] = sums.index(min(sums)) + 1
    check_starter(options)
    game.turn_from(options["starter"] - 1)


def shuffled(counts, seed):
    """bytearray of the bag's pieces in the order in which they come. counts: how many of each piece."""
    bag = bytearray()
    for piece in range(KINDS):
        for _ in range(counts[piece]):
            bag.append(piece)
    random = Random(seed)
    for last in range(len(bag) - 1, 0, -1):
        other = random.below(last + 1)
        bag[last], bag[other] = bag[other], bag[last]
    return bag


def deal(game):
    """Gives every seat its two pieces; the sum of the numbers of each."""
    dealt = game.options["deal"]
    if dealt is None:
        first = game.next_pieces(2 * game.players)
        dealt = [[name(first[2 * s]), name(first[2 * s + 1])] for s in range(game.players)]
        game.options["deal"] = dealt
    if not isinstance(dealt, (list, tuple)) or len(dealt) != game.players:
        raise ValueError("deal has two pieces for each of the %d players" % game.players)
    sums = []
    for seat in range(game.players):
        if not isinstance(dealt[seat], (list, tuple)) or len(dealt[seat]) != 2:
            raise ValueError("deal has two pieces for seat %d" % (seat + 1))
        for text in dealt[seat]:
            piece = number(text)
            if piece < 0:
                raise ValueError("deal has %s, which is no piece; r3 is one" % (text,))
            if not game.in_bag(piece):
                raise ValueError("deal has more %s than the box" % text)
            game.receive(seat, piece)
        sums.append(sum([number(text) % 7 + 1 for text in dealt[seat]]))
    return sums
