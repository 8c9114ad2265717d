"""Computer opponents."""

import pytest
from lodeboard import players
from lodeboard.errors import LodeboardError

import shared_rules


def play(game, *choosers, limit=300):
    while game.turn is not None and len(game.history) < limit:
        game.play(choosers[game.turn % len(choosers)].choose(game))
    return game


@pytest.mark.parametrize("name", players.PLAYERS)
def test_a_seed_gives_a_game(name):
    games = [play(shared_rules.load("tau"), players.make(name, seed), limit=40) for seed in (1, 1, 2)]
    assert games[0].history == games[1].history != games[2].history


@pytest.mark.parametrize("name", players.PLAYERS)
@pytest.mark.parametrize("game", shared_rules.GAMES)
def test_every_game_can_be_played(name, game):
    player = players.make(name, 3)
    played = play(shared_rules.load(game), player, limit=40)
    assert len(played.history) > 4


def test_choosing_leaves_the_game_as_it_was():
    game = shared_rules.load("tau")
    for name in players.PLAYERS:
        before = game.snapshot()
        assert game.is_legal(players.make(name).choose(game))
        assert game.snapshot() == before


def test_greedy_takes_a_win():
    game = shared_rules.load("tau")
    while not game.census()[1]:
        game.play(players.make("random", len(game.history)).choose(game))
    seat = game.turn
    game.play(players.make("greedy", 5).choose(game))
    assert game.turn is None and game.ranking()[0] == seat


def test_greedy_wins_against_random():
    won = 0
    for seed in range(10):
        game = shared_rules.load("tau", starter=1 + seed % 2)
        play(game, players.make("greedy", seed), players.make("random", seed))
        won += game.ranking() == [0, 1]
    assert won >= 9


def test_greedy_leaves_no_win_when_it_can():
    game = shared_rules.load("tau")
    for text in ("y/o@B2", "r/p@E4", "b/g@D5", "y/o@C2"):
        game.play(game.parse(text))
    game.play(players.make("greedy", 1).choose(game))
    assert game.turn is None or game.census()[1] == 0


def test_an_unknown_player_is_named():
    with pytest.raises(LodeboardError, match="There is no player stockfish. Choose one of random, greedy."):
        players.make("stockfish")


def test_greedy_beats_random_at_castellers():
    won = 0
    for seed in range(10):
        seats = [players.make("greedy", seed).choose, players.make("random", seed + 1).choose]
        game = shared_rules.load("castellers", players=2, seed=seed)
        while game.turn is not None:
            game.play(seats[game.turn](game))
        won += game.ranking()[0] == 0
    assert won >= 9
