"""The matches in a log: games in a row of which each is numbered one higher than the last."""


def matches(games):
    """List of dicts: `games` (numbers in the log, from 1), `length` (games agreed, 0 for no end), `wins` and
    `scores` (a number for each seat; scores are null where a game has none or no result), `decided` games.
    """
    found = []
    before = None
    for number, game in enumerate(games, 1):
        follows = before is not None and before.name == game.name and before.match == game.match
        if not (follows and game.number and before.number and game.number == before.number + 1):
            found.append([])
        found[-1].append((number, game))
        before = game
    return [_standing(match) for match in found]


def _standing(match):
    seats = max(_seats(game) for _, game in match)
    wins = [0] * seats
    scores = [0] * seats
    decided = 0
    for _, game in match:
        result = game.result or {}
        ranking = result.get("ranking")
        if ranking and isinstance(ranking[0], int) and 1 <= ranking[0] <= seats:
            wins[ranking[0] - 1] += 1
        decided += bool(ranking)
        got = result.get("scores")
        if scores is not None and _numbers(got, seats):
            scores = [total + score for total, score in zip(scores, got, strict=True)]
        else:
            scores = None
    return {
        "games": [number for number, _ in match],
        "length": match[0][1].match,
        "decided": decided,
        "wins": wins,
        "scores": scores,
    }


def _seats(game):
    return game.rules.players if game.rules is not None else 2


def _numbers(values, count):
    return (
        isinstance(values, list)
        and len(values) == count
        and all(type(value) in (int, float) for value in values)
    )
