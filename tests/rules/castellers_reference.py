"""Castellers' moves as the rulebook tells them: texts over lists, every possibility tried. Tests only."""


def number(piece):
    return int(piece[1])


def places(castells, piece, bases_left):
    """Where a player may put a casteller, as "castell.column" from 1."""
    found = [f"{len(castells) + 1}.1"] if bases_left else []
    for at, castell in enumerate(castells, 1):
        colours = {p[0] for column in castell for p in column} - {"w"}
        if piece[0] != "w" and colours and colours != {piece[0]}:
            continue
        heights = [len(column) for column in castell]
        if all(height == 1 for height in heights):
            found.append(f"{at}.{len(castell) + 1}")
        for index, column in enumerate(castell, 1):
            if len(column) == min(heights) and number(column[-1]) < number(piece):
                found.append(f"{at}.{index}")
    return found


def takes(castells, seat, partner, total, before, bases_left):
    """Takes from a partner's set as it was before, for castellers of this total given."""
    return {
        f"take {piece}@{place}"
        for piece in before
        if number(piece) < total
        for place in places(castells[seat], piece, bases_left)
    }


def legal(game):
    """The texts of the legal moves, from what everyone at the table sees."""
    seat = game.turn
    if seat is None:
        return set()
    sets = [game.set_of(s) for s in range(game.players)]
    castells = [game.castells(s) for s in range(game.players)]
    bases_left = game.box.bases - sum(len(each) for each in castells)
    own = sets[seat]
    last = game.text(game.history[-1][1]) if game.history else ""
    if last.startswith("draw=w") and game.history[-1][0] == seat and game.must_fall:
        found = set()
        for at, castell in enumerate(castells[seat], 1):
            highest = max((number(p) for column in castell for p in column), default=0)
            for index, column in enumerate(castell, 1):
                if highest in map(number, column):
                    found.add(f"fall {at}.{index}")
        return found
    if last.startswith("give"):
        given = []
        for _, move in reversed(game.history):
            text = game.text(move)
            if not text.startswith("give"):
                break
            given.append(text[5:7])
        partner = int(last[-1]) - 1
        before = list(sets[partner])
        for piece in given:
            before.remove(piece)
        found = {f"give {piece}>{partner + 1}" for piece in own}
        return found | takes(castells, seat, partner, sum(map(number, given)), before, bases_left)
    found = {"draw"} if game.bag_left() else set()
    for piece in own:
        found |= {f"{piece}@{place}" for place in places(castells[seat], piece, bases_left)}
    for partner in set(range(game.players)) - {seat}:
        if takes(castells, seat, partner, sum(map(number, own)), sets[partner], bases_left):
            found |= {f"give {piece}>{partner + 1}" for piece in own}
    if game.actions:
        found.add("end")
    return found
