"""Random hands in a true world: the table's game is never other than what really stands on the board.

Careless hands do anything; then honest ones follow lights and display. Wherever that began, it ends in TURN
with every stick, by identity and end, where the game has it; and the journal's events replay under the rules.
"""

import random

import pytest
from guided import Careless, Honest, true_position
from story import Story

import shared_rules


def replays(events):
    """Plays the journal's events under the rules; the position that they lead to."""
    game = None
    for event in events:
        if event["t"] == "setup":
            game = shared_rules.load(event["g"], **event["opt"])
        elif event["t"] == "move":
            assert event["s"] == game.turn + 1
            game.play(game.parse(event["m"]))
            assert event["ply"] == len(game.history)
        elif event["t"] == "undo":
            assert game.text(game.undo()) == event["m"] and event["ply"] == len(game.history)
            assert event["s"] == game.turn + 1
        elif event["t"] == "result" and event["by"] == "win":
            assert [seat + 1 for seat in game.ranking()] == event["ranking"]
    return game.snapshot()


@pytest.mark.parametrize("seed", range(12))
def test_every_way_leads_back(seed):
    rnd = random.Random(seed)
    story = Story(seed).set_up(1 + seed % 2)
    careless, honest = Careless(story, rnd), Honest(story, rnd)
    for _ in range(12):
        for _ in range(rnd.choice((1, 2, 3, 5, 10))):
            careless.act()
        honest.restore()
        assert not true_position(story)
    durable = story.durable()
    assert replays(durable) == story.table.referee.game.snapshot()


@pytest.mark.parametrize("seed", range(3))
def test_whole_games_between_mischief(seed):
    """Legal moves by hands, now and then something careless, to the end of a game and into the next."""
    rnd = random.Random(100 + seed)
    story = Story(seed).set_up()
    careless, honest = Careless(story, rnd), Honest(story, rnd)
    for _ in range(60):
        game = story.table.referee.game
        moves = game.legal()
        text = game.text(moves[rnd.randrange(len(moves))])
        ply = len(game.history)
        story.hands(text)
        assert len(game.history) == ply + 1 and game.text(game.history[-1][1]) == text
        if rnd.random() < 0.2 or story.state == "OVER":
            careless.act()
            honest.restore()
        assert not true_position(story)
    assert replays(story.durable()) == story.table.referee.game.snapshot()
