"""Callisto with virtual hands: whole games on both engines, mistakes and what they become, full boards."""

import json

import pytest
from lodeboard import boards
from lodeboard.bench import squares as full_boards
from lodeboard.log.collect import load
from lodeboard.review.games import games
from lodeboard.sim import choices, demo, polyominoes, stage
from lodeboard.sim.eyes import Eyes
from lodeboard.sim.hands import Hands
from lodeboard.sim.world import World

from shared_rules.polyomino import SHAPES, orientations


def match(tmp_path, engine="python", seed=1, kinds=(), errors=0.0, sloppiness=1.0, number=1, **options):
    """(what demo.run gave, the games of its log, the durable events in it)."""
    rules = choices.rules("callisto", options)
    path = tmp_path / f"{engine}.jsonl"
    outcome = demo.run(
        choices.board(None, "callisto", rules), "callisto", path, seed=seed, engine=engine, options=options,
        players=choices.players(kinds, rules, seed), errors=errors, sloppiness=sloppiness, games=number,
    )  # fmt: skip
    events = [json.loads(line) for line in path.read_text().splitlines()]
    durable = [{key: e[key] for key in e if key not in ("h", "jid")} for e in events if "n" in e]
    return outcome, games(load(path).events), durable


def test_one_seed_gives_one_game_on_both_engines(tmp_path):
    _, found, events = match(tmp_path, edition="2014", players=3)
    _, _, on_micropython = match(tmp_path, "micropython", edition="2014", players=3)
    assert on_micropython == events
    assert found[0].replayable and found[0].result["by"] == "end"
    assert found[0].result["penalty"] == found[0].rules.penalty()


def test_a_game_of_2009_for_four_on_the_largest_board(tmp_path):
    outcome, found, _ = match(tmp_path, "micropython", seed=3, edition="2009", players=4)
    assert outcome["board"] == "lode20" and outcome["seconds"] < 90
    assert found[0].replayable and len(found[0].moves) > 60
    assert outcome["mistakes"] == {}


@pytest.mark.parametrize("seed", [3, 4])
def test_hands_that_err_are_led_back_and_the_game_is_theirs(tmp_path, seed):
    outcome, found, _ = match(tmp_path, seed=seed, errors=0.5, edition="2014", players=2)
    mistakes = outcome["mistakes"]
    assert sum(mistakes.values()) > 5 and "unguided" not in mistakes
    assert found[0].replayable and found[0].result["by"] == "end"


def test_a_match_of_two_goes_on_with_the_other_seat(tmp_path):
    _, found, _ = match(tmp_path, kinds=["greedy"], number=2, edition="2014", players=2)
    assert [game.result["by"] for game in found] == ["end", "end"]
    assert {game.options["starter"] for game in found} == {1, 2}


def test_a_board_is_chosen_that_has_room():
    for edition, players, name in (("2014", 4, "lode16"), ("2009", 2, "lode16"), ("2009", 3, "lode20")):
        rules = choices.rules("callisto", {"edition": edition, "players": players})
        assert choices.board(None, "callisto", rules).name == name


@pytest.mark.parametrize("name", SHAPES)
def test_a_piece_can_lie_in_each_of_its_orientations(name):
    world = World(boards.load("lode8"))
    piece = polyominoes.make(world, name, SHAPES[name], 20.0)
    for packed in orientations(SHAPES[name]):
        wanted = [(2 + (cell & 15), 3 + (cell >> 4)) for cell in packed]
        x, y, yaw, pole = polyominoes.pose(piece, wanted, 20.0)
        world.move(piece, x, y, 0.0, yaw, pole)
        assert sorted(polyominoes.cells(piece, 20.0)) == sorted(wanted)


def test_what_a_stage_saves_it_restores_with_pieces_turned_over():
    board = boards.load("lode16")

    def new():
        world = World(board)
        eyes = Eyes(board)
        return stage.open("callisto", board=board, world=world, hands=Hands(world), eyes=eyes,
                          options={"edition": "2014", "players": 2})  # fmt: skip

    one, other = new(), new()
    piece = one.pieces[0, "L4"][0]
    for packed in orientations(SHAPES["L4"]):
        wanted = [(4 + (cell & 15), 5 + (cell >> 4)) for cell in packed]
        x, y, yaw, pole = polyominoes.pose(piece, wanted, 20.0)
        one.world.move(piece, x, y, 0.0, yaw, pole)
        other.restore(json.loads(json.dumps(one.save())))
        assert [place for place in other.standing().values()] == [place for place in one.standing().values()]


def test_no_square_of_full_boards_is_wrong():
    """A sample; `lodeboard bench squares` looks at a million."""
    looked, errors = full_boards.count(30, first=5000)
    assert looked == 12000 and errors == 0
