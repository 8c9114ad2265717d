"""What the board told of a game, checked by the rules."""

from lodeboard.firmware import wire

import shared_rules


def replayed(events):
    """The last game that durable events tell, and its result: every move legal, every number right."""
    game, result, entries = None, None, []
    for event in events:
        kind = event.get("t")
        if kind == "note" and event["what"] == "rules":
            entries.append(event)
        elif kind == "setup":
            game, result = shared_rules.load(event["g"], **wire.join(event, entries)["opt"]), None
        elif kind == "move":
            assert game.turn == event["s"] - 1 and event["m"] != "draw"
            game.play(game.parse(event["m"]))
            assert event["ply"] == len(game.history)
        elif kind == "undo":
            seat, move = game.history[-1]
            game.undo()
            assert (seat + 1, game.text(move), event["ply"]) == (event["s"], event["m"], len(game.history))
            result = None
        elif kind == "result":
            result = event
    return game, result
