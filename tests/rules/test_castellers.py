"""Castellers as people play it: each rule and each ruling of docs/rules.md is a story.

A story names its deal and its moves; what is drawn is chosen by the story.
"""

import json
import os
import subprocess
from pathlib import Path

import castellers_reference
import pytest
from lodeboard import micropython, records

import shared_rules
from shared_rules import IllegalMove
from shared_rules.castellers import DRAW
from shared_rules.castellers_box import PIECES, Box
from shared_rules.castellers_check import BOX
from shared_rules.castellers_moves import parts

FACTS = json.loads((Path(__file__).parents[1] / "data" / "castellers.json").read_text())


def table(deal, moves="", **options):
    """A game with this deal ("r1 r2 / g1 g2") after these moves, parted by commas."""
    hands = [hand.split() for hand in deal.split("/")]
    game = shared_rules.load("castellers", players=len(hands), deal=hands, **options)
    go(game, moves)
    return game


def go(game, moves):
    for text in filter(None, (text.strip() for text in moves.split(","))):
        game.play(game.parse(text))
    return game


def refused(game, text):
    """The sentence with which a move is refused."""
    with pytest.raises(IllegalMove) as caught:
        game.play(game.parse(text))
    return str(caught.value)


def texts(game):
    return {game.text(move) for move in game.legal()}


def passing(game, seat):
    """Lets the others draw until it is this seat's turn, no white, and red only when nothing else is left."""
    for _ in range(20):
        if game.turn == seat:
            return game
        outcome = next(p for p in PIECES[27::-1] if game.in_bag(PIECES.index(p)))
        go(game, "draw=" + outcome)
    raise AssertionError("the seat did not come to its turn")


# The deal and who starts


def test_everyone_begins_with_two_castellers():
    game = table("r1 r2 / g5 g6 / b7 w7")
    assert [game.set_of(seat) for seat in range(3)] == [["r1", "r2"], ["g5", "g6"], ["b7", "w7"]]
    assert game.bag_left() == 60


def test_the_lowest_sum_starts():
    assert table("r6 r7 / g1 g3 / b7 w7").turn == 1
    assert table("r6 r7 / g1 g3 / b1 b2").turn == 2


def test_a_tie_goes_to_the_seat_nearest_to_the_youngest():
    assert table("r2 r3 / g1 g4").turn == 0
    assert table("r6 r7 / g1 g4 / b2 b3").turn == 1


def test_the_option_starter_overrides_the_sums():
    game = table("r1 r2 / g5 g6", starter=2)
    assert game.turn == 1 and game.options["starter"] == 2


def test_no_white_of_the_deal_makes_anything_fall():
    assert not table("w1 w2 / g5 g6").must_fall


def test_a_deal_from_the_bag_is_the_same_for_a_seed_and_differs_between_seeds():
    deals = [shared_rules.load("castellers", players=4, seed=seed).options["deal"] for seed in (1, 1, 2, 3)]
    assert deals[0] == deals[1] != deals[2] != deals[3]


# Two actions


def test_a_turn_has_two_actions_the_same_or_different():
    game = table("r1 r2 / g5 g6", "draw=p1")
    assert game.turn == 0 and game.actions == 1
    go(game, "draw=p2")
    assert game.turn == 1 and game.actions == 0
    assert go(game, "g5@1.1, draw=p3").turn == 0


def test_end_is_allowed_after_one_action_not_after_none_and_not_in_an_exchange():
    game = table("r1 r2 / g1 g6")
    assert "at least one" in refused(game, "end")
    assert go(game, "r1@1.1, end").turn == 1
    go(game, "draw=p1, give g6>1")
    assert "not finished" in refused(game, "end")
    assert "not finished" in refused(game, "draw=p2")
    assert "end" not in texts(game)


def one_base(*bag):
    """A box with one base, the castellers r1 r2 g6 g7 and these."""
    colours = {colour: {} for colour in "rgbp"}
    for piece in ("r1", "r2", "g6", "g7", *bag):
        colours[piece[0]][piece[1]] = colours[piece[0]].get(piece[1], 0) + 1
    return {
        "pieces": 4 + len(bag),
        "bases": 1,
        "per_colour": {"count": {}, **colours},
        "white": {"count": {}},
    }


def test_an_impossible_second_action_ends_the_turn_by_itself():
    # The bag is empty after seat 2's draw, the only base is seat 1's, so what is taken could not be built.
    game = table("r1 r2 / g6 g7", "r2@1.1, end, draw=p1", rules=one_base("p1"))
    assert game.turn == 0 and game.actions == 0
    assert texts(game) == {"r1@1.2"}


def test_someone_who_cannot_act_is_passed_over():
    game = table("r1 r2 / g6 g7", "r2@1.1, draw=r3, draw=p1", rules=one_base("r3", "p1"))
    assert game.turn == 0
    go(game, "r1@1.2, end")
    assert game.turn == 0 and game.actions == 0 and len(game.history) == 5
    assert texts(game) == {"r3@1.1", "r3@1.2", "r3@1.3"}


# Building


def test_a_new_castell_takes_a_base_and_any_casteller():
    game = table("r1 r2 / g5 g6")
    assert texts(game) == {"draw", "r1@1.1", "r2@1.1"}
    go(game, "r2@1.1")
    assert game.castells(0) == [[["r2"]]] and game.castells(1) == []


def test_one_colour_a_castell_whites_apart():
    game = table("r1 w7 / g5 g6", "draw=g2, r1@1.1")
    passing(game, 0)
    assert "another colour" in refused(game, "g2@1.2")
    assert {"w7@1.1", "w7@1.2"} <= texts(game)


def test_a_castell_begun_with_white_is_open_to_any_colour_until_the_first():
    game = table("w1 r2 / g5 g6", "w1@1.1, draw=g3")
    passing(game, 0)
    assert {"r2@1.1", "r2@1.2", "g3@1.1", "g3@1.2"} <= texts(game)
    go(game, "g3@1.2")
    assert "another colour" in refused(game, "r2@1.1")


def test_a_column_ascends():
    game = table("r3 r5 / g5 g6", "r3@1.1, draw=r3")
    passing(game, 0)
    assert "not higher than the 3 under it" in refused(game, "r3@1.1")
    go(game, "r5@1.1")
    assert game.castells(0) == [[["r3", "r5"]]]


def test_new_columns_are_open_while_no_column_is_higher_than_one():
    game = table("r1 r2 / g5 g6", "r1@1.1, r2@1.2")
    go(passing(game, 0), "draw=r4, draw=r5")
    assert {"r4@1.1", "r4@1.2", "r4@1.3"} <= texts(passing(game, 0))
    go(game, "r4@1.1")
    assert "no new column" in refused(game, "r5@1.3")


def test_a_level_is_finished_before_the_next():
    game = table("r1 r2 / g5 g6", "r1@1.1, r2@1.2")
    go(passing(game, 0), "draw=r4, r4@1.1")
    go(passing(game, 0), "draw=r6")
    assert "level is finished" in refused(game, "r6@1.1")
    go(game, "r6@1.2")
    assert game.castells(0) == [[["r1", "r4"], ["r2", "r6"]]]


def test_a_gap_left_by_a_fall_is_refilled_first():
    game = table("r1 r2 / g5 g6", "r1@1.1, r2@1.2")
    go(passing(game, 0), "draw=r4, r4@1.1")
    go(passing(game, 0), "draw=r5, r5@1.2")
    go(passing(game, 0), "draw=r6, r6@1.1")
    go(passing(game, 0), "draw=r7, draw=w1, fall 1.1")
    go(passing(game, 0), "draw=w2, fall 1.2")  # the 5 fell: column 2 is one high, column 1 two
    assert "level is finished" in refused(game, "r6@1.1")
    assert "no new column" in refused(game, "w1@1.3")
    assert "r6@1.2" in texts(game) and "r7@1.2" in texts(game)


def test_a_column_that_a_fall_emptied_is_no_longer_counted():
    game = table("r7 r2 / g5 g6", "r7@1.1, r2@1.2")
    go(passing(game, 0), "draw=w1, fall 1.1")
    assert game.castells(0) == [[["r2"]]]
    go(game, "r7@1.1")  # what was column 2 is column 1 now
    assert game.castells(0) == [[["r2", "r7"]]]


def test_there_are_only_twelve_bases_for_all():
    game = table("r7 r7 / g7 g7", rules={"bases": 3})
    go(game, "r7@1.1, r7@2.1, g7@1.1")
    assert "all 3 bases" in refused(game, "g7@2.1")
    assert {text[:4] for text in texts(game)} == {"draw", "end", "g7@1"}  # a second column needs no base


# The fall


def test_a_drawn_white_makes_the_highest_of_one_own_castell_fall():
    game = table("r1 g5 / b5 b6", "r1@1.1, g5@2.1")
    go(passing(game, 0), "draw=r4, r4@1.1")
    go(passing(game, 0), "draw=w3")
    assert game.must_fall and texts(game) == {"fall 1.1", "fall 2.1"}  # the owner chooses the castell
    assert "first a casteller falls" in refused(game, "draw=r5")
    go(game, "fall 1.1")
    assert game.castells(0) == [[["r1"]], [["g5"]]] and game.set_of(0) == ["r4", "w3"]


def test_among_equals_the_owner_chooses_the_column():
    game = table("r4 r4 / b5 b6", "r4@1.1, r4@1.2")
    go(passing(game, 0), "draw=r2, r2@1.3")
    go(passing(game, 0), "draw=w3")
    assert texts(game) == {"fall 1.1", "fall 1.2"}
    assert "not on column 3" in refused(game, "fall 1.3")


def test_the_fall_belongs_to_the_action_of_the_draw():
    game = table("r4 r5 / b5 b6", "r4@1.1, draw=w1")
    assert game.turn == 0  # the second action is not over before the fall
    go(game, "fall 1.1")
    assert game.turn == 1
    game = table("r4 r5 / b5 b6", "r4@1.1, r5@2.1")
    go(passing(game, 0), "draw=w1, fall 2.1")
    assert game.turn == 0 and game.actions == 1


def test_nothing_falls_while_no_casteller_stands_on_a_base():
    game = table("r4 r5 / b5 b6", "draw=w1")
    assert not game.must_fall and game.actions == 1
    game = table("r4 r5 / b5 b6", "r4@1.1, draw=w1, fall 1.1")
    go(passing(game, 0), "draw=w2")  # a base without castellers is there
    assert not game.must_fall and "nothing falls" in refused(game, "fall 1.1")


def test_a_white_that_comes_by_exchange_makes_nothing_fall():
    game = table("r4 r5 / w3 b6", "r4@1.1, give r5>2, take w3@1.2")
    assert not game.must_fall and game.castells(0) == [[["r4"], ["w3"]]]


def test_a_castell_whose_last_coloured_casteller_fell_is_open_to_any_colour():
    game = table("r7 w2 / b5 b6", "r7@1.1, w2@1.2")
    go(passing(game, 0), "draw=w1, fall 1.1")
    assert game.castells(0) == [[["w2"]]]
    go(game, "draw=g3")
    assert {"g3@1.1", "r7@1.1"} <= texts(passing(game, 0))


def test_a_castell_whose_last_casteller_fell_leaves_its_base_standing():
    game = table("r7 r1 / b5 b6", "r7@1.1, draw=w1, fall 1.1")
    assert game.castells(0) == [[]]
    assert game.points(0)["bases"] == -1
    passing(game, 0)
    assert {"r1@1.1", "r1@2.1"} <= texts(game)  # on the standing base, or on a new one
    go(game, "r1@1.1")
    assert game.castells(0) == [[["r1"]]] and game.points(0)["bases"] == -1


# The exchange


def test_an_exchange_gives_some_and_takes_one_of_less_than_the_sum():
    game = table("r2 r3 / b4 g5", "give r2>2")
    assert game.exchange == 1 and texts(game) == {"give r3>2"}
    assert "not lower than the sum given, 2" in refused(game, "take b4@1.1")
    go(game, "give r3>2")
    assert texts(game) == {"take b4@1.1"}
    assert "not lower than the sum given, 5" in refused(game, "take g5@1.1")
    go(game, "take b4@1.1")
    assert game.castells(0) == [[["b4"]]]
    assert game.set_of(0) == [] and game.set_of(1) == ["r2", "r3", "g5"]
    assert game.exchange is None and game.actions == 1


def test_what_is_taken_was_there_before():
    game = table("r2 r3 / b1 g7", "give r3>2")
    assert "had no r3 before" in refused(game, "take r3@1.1")
    game = table("b1 r3 / b1 g7", "give b1>2, give r3>2")  # seat 2 had a b1 of its own
    assert "take b1@1.1" in texts(game)


def test_an_exchange_is_with_one_other_player():
    game = table("r2 r3 / b1 g7 / p1 p2")
    assert game.turn == 2
    go(game, "give p2>1")
    assert "exchange is with seat 1" in refused(game, "give p1>2")
    assert {text.split(">")[-1] for text in texts(game) if text.startswith("give")} == {"1"}


def test_an_exchange_begins_only_if_giving_everything_could_reach_a_take():
    game = table("r1 r2 / b3 g4")
    assert "nothing that could be taken" in refused(game, "give r1>2")  # 3 is not more than 3
    assert "give r1>2" in texts(table("r1 r2 / b2 g4"))
    # What could be taken must also find a place.
    game = table("r1 r2 / b2 g4", "r1@1.1, end", rules={"bases": 1})
    assert "give b2>1" not in texts(game)


def test_one_does_not_give_to_oneself_or_take_before_giving():
    game = table("r3 r4 / b3 g5")
    assert "another player" in refused(game, "give r3>1")
    assert "another player" in refused(game, "give r3>3")
    assert "something is given" in refused(game, "take b3@1.1")
    assert "no g5 in the set" in refused(game, "give g5>2")


def test_castellers_of_the_same_colour_and_number_are_one_move():
    game = table("r3 r3 / b7 g7")
    assert texts(game) == {"draw", "r3@1.1"}
    assert len(game.legal()) == 2


# The bag


def test_all_draws_are_listed_as_one_and_each_outcome_that_the_bag_holds_is_legal():
    game = table("r3 r3 / b7 g7")
    assert game.legal().count(DRAW) == 1
    assert game.is_legal(game.parse("draw=g1")) and game.listed(game.parse("draw=g1")) == DRAW
    assert "holds no r3" in refused(game, "draw=r3")
    assert game.text(DRAW) == "draw"


def test_an_unnamed_draw_takes_what_the_bag_gives_next():
    game = shared_rules.load("castellers", players=2, seed=9)
    outcome = game.draw()
    game.play(DRAW)
    assert game.history == [(game.history[0][0], outcome)]
    assert parts(outcome)[0] == "draw" and game.draw() != DRAW


def test_a_draw_taken_back_comes_again():
    game = shared_rules.load("castellers", players=2, seed=9)
    order = game.seen_by(None)["bag"]
    for _ in range(4):
        game.play(game.draw())
    while game.history:
        game.undo()
    assert game.seen_by(None)["bag"] == order
    game.play(game.parse("draw=" + order[17]))  # out of the order, as with a real bag
    game.undo()
    assert game.seen_by(None)["bag"] == order


def test_a_seed_gives_the_same_bag_on_micropython(tmp_path):
    records.stage_rules(tmp_path)
    program = tmp_path / "bags.py"
    program.write_text(
        "import json, shared_rules\n"
        "load = lambda seed: shared_rules.load('castellers', players=4, seed=seed)\n"
        f"print(json.dumps([load(seed).seen_by(None)['bag'] for seed in {SEEDS}]))\n"
    )
    done = subprocess.run(
        [*micropython.command(), str(program)],
        capture_output=True,
        text=True,
        env={**os.environ, "MICROPYPATH": f"{tmp_path}:.frozen"},
    )
    bags = [shared_rules.load("castellers", players=4, seed=seed).seen_by(None)["bag"] for seed in SEEDS]
    assert json.loads(done.stdout) == bags and len({tuple(bag) for bag in bags}) == len(SEEDS)


SEEDS = [1, 7, 65537, 4294967295, -3]


def test_with_the_real_bag_every_draw_is_named():
    game = table("r3 r4 / b7 g7", bag="real")
    assert game.draw() is None
    assert "must be named" in refused(game, "draw")
    assert go(game, "draw=w1").set_of(0) == ["r3", "r4", "w1"]


def test_a_real_bag_whose_deal_nobody_told_waits_for_it():
    game = shared_rules.load("castellers", bag="real")
    assert game.undealt and game.turn is None and game.legal() == [] and game.ranking() is not None
    assert "over" in game.why_not(game.parse("draw=r3"))
    assert not table("r3 r4 / b7 g7", bag="real").undealt


def test_a_piece_that_does_not_exist_is_no_draw():
    game = table("r3 r4 / b7 g7")
    for text in ("draw=x1", "draw=r8", "draw=r0", "draw=", "draw=r33"):
        assert "no piece" in refused(game, text)


def test_the_bag_runs_dry():
    game = shared_rules.load("castellers", players=2, seed=3)
    while game.bag_left():
        go(game, "draw" if not game.must_fall else game.text(game.legal()[0]))
    assert "draw" not in texts(game) and "empty" in refused(game, "draw")
    assert game.draw() is None


def test_no_seat_sees_the_bag_or_its_seed_but_a_spectator_may():
    game = shared_rules.load("castellers", players=3, seed=77)
    twin = shared_rules.load("castellers", players=3, seed=78, deal=game.options["deal"])
    for seat in range(3):
        assert game.seen_by(seat) == twin.seen_by(seat)
        assert "seed" not in game.seen_by(seat)["options"] and game.seen_by(seat)["bag"] == 60
    assert len(game.seen_by(None)["bag"]) == 60
    assert game.seen_by(None)["bag"] != twin.seen_by(None)["bag"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_casteller_is_accounted_for_at_every_ply(players):
    random = shared_rules.game.Random(players)
    plies = 0
    for seed in range(4):
        game = shared_rules.load("castellers", players=players, seed=seed)
        everything = sorted(BOXFUL)
        while True:
            there = [PIECES[piece] for piece in game._bag[game._drawn :]]
            for seat in range(players):
                there += game.set_of(seat)
                there += [piece for castell in game.castells(seat) for column in castell for piece in column]
            assert len(there) == 66 and sorted(there) == everything
            assert sum(len(game.castells(seat)) for seat in range(players)) <= 12
            legal = game.legal()
            if not legal:
                break
            game.play(legal[random.below(len(legal))])
            plies += 1
    assert plies > 200


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_moves_are_those_of_a_reference_that_tries_every_possibility(players):
    random = shared_rules.game.Random(10 + players)
    plies = 0
    for seed in range(12):
        game = shared_rules.load("castellers", players=players, seed=seed)
        while game.turn is not None:
            moves = game.legal()
            assert sorted(map(game.text, moves)) == sorted(castellers_reference.legal(game))
            builds = [m for m in moves if parts(m)[0] in ("build", "take")]
            choice = builds if builds and random.below(3) else moves  # else castells would stay low
            game.play(choice[random.below(len(choice))])
            plies += 1
        assert castellers_reference.legal(game) == set()
    assert plies > 1000


BOXFUL = [colour + n for colour in "rgbp" for n in "1234567" for _ in range(2)] + [
    "w" + n for n, count in FACTS["white"]["count"].items() for _ in range(count)
]


# The end


def full(game, seat, castell, numbers, colour):
    """Builds one column of a castell from draws, a turn at a time."""
    for number in numbers:
        go(passing(game, seat), f"draw={colour}{number}, {colour}{number}@{castell}")


def test_a_castell_is_valid_with_two_complete_levels_and_four_castellers():
    from shared_rules.castellers_score import is_valid

    assert is_valid([[0, 1], [0, 1]]) and is_valid([[0, 1, 2, 3]]) and is_valid([[0, 1, 2], [0, 1]])
    assert not is_valid([[0, 1, 2]]) and not is_valid([]) and not is_valid([[0], [0], [0], [0]])
    assert not is_valid([[0, 1], [0, 1], [0]])


NEAR = {  # ends as soon as one castell is valid and has five
    "end": {"2": {"valid": 1, "one_of_at_least": 5}}
}


def test_the_game_ends_at_once_in_mid_turn():
    game = table("r1 g3 / b5 b6", rules=NEAR)
    go(game, "r1@1.1, draw=r2")
    full(game, 0, "1.1", [3, 4, 5], "r")
    go(passing(game, 0), "draw=r6, draw=p1")
    go(passing(game, 0), "r6@1.1")
    assert game.turn is None and game.ended_by == "castells"
    assert game.ranking() == [0, 1] and game.legal() == []
    game.undo()
    assert game.turn == 0 and game.actions == 0 and game.ended_by is None


def test_a_fall_that_completes_a_level_ends_the_game_too():
    # Columns of 3, 2 and 1: not valid before the highest, the lone 7, falls.
    game = table("r7 r1 / b5 b6", "r7@1.1, r1@1.2", rules=NEAR)
    go(passing(game, 0), "draw=r2, r2@1.3")
    full(game, 0, "1.2", [4], "r")
    full(game, 0, "1.3", [5], "r")
    assert game.turn is not None
    go(passing(game, 0), "draw=w1, fall 1.1")
    assert game.castells(0) == [[["r1", "r4"], ["r2", "r5"]]]
    assert game.turn is not None  # valid, but four are not five
    go(game, "r7@1.1")
    assert game.ended_by == "castells"


def test_one_of_the_valid_castells_needs_eight():
    for players in (2, 3, 4):
        game = shared_rules.load("castellers", players=players)
        assert (game.box.valid, game.box.least) == ({2: 4, 3: 3, 4: 2}[players], 8)


def test_when_nobody_can_act_the_game_is_scored():
    small = {
        "pieces": 4,
        "bases": 1,
        "per_colour": {"count": {}, "r": {"1": 1, "7": 1}, "g": {"6": 1}, "b": {"7": 1}},
        "white": {"count": {}},
    }
    game = table("r1 r7 / g6 b7", rules=small)
    go(game, "r7@1.1")
    assert game.turn == 0  # r1 can still be a second column
    assert "nothing that could" in refused(game, "give r1>2")
    go(game, "r1@1.2")
    # Seat 2 has no base, no column of its own and no exchange; seat 1 has nothing left.
    assert game.turn is None and game.ended_by == "stalemate"
    assert game.scores() == [-1, 0] and game.ranking() == [1, 0]


# Points


def castells(*columns):
    """Pieces by name as columns of numbers 0..34."""
    return [[PIECES.index(name) for name in column.split()] for column in columns]


def detail(tables, seat, **rules):
    from shared_rules.castellers_points import points

    return points(Box(rules or None, len(tables)), tables, seat)


def test_points_in_detail():
    tower = castells("r1 r2 r3 r4 r7")
    wide = castells("g1 g7", "g2 g3", "w1 w7")
    invalid = castells("b1", "b2")
    assert detail([[tower, wide, invalid], []], 0) == {
        "castellers": 11, "blue": 3, "bases": -3, "tallest": 1, "widest": 1, "total": 13,
    }  # fmt: skip
    assert detail([[tower, wide, invalid], []], 1)["total"] == 0


def test_invalid_castells_cost_their_base_and_win_no_bonus():
    assert detail([[castells("r1 r2 r7")], [castells("g1 g2", "g1 g2")]], 0) == {
        "castellers": 0, "blue": 0, "bases": -1, "tallest": 0, "widest": 0, "total": -1,
    }  # fmt: skip


def bonuses(tables):
    found = [detail(tables, seat) for seat in range(len(tables))]
    return [each["tallest"] for each in found], [each["widest"] for each in found]


def test_ties_for_a_bonus_go_to_the_castell_with_more_castellers():
    low = castells("r1 r2", "r1 r2", "r3 r4")
    more = castells("g1 g2 g3", "g1 g2 g3", "g3 g4")
    assert bonuses([[low], [more]]) == ([0, 1], [0, 1])


def test_a_bonus_still_tied_between_players_goes_to_nobody_but_between_own_castells_to_the_owner():
    one, same = castells("r1 r2", "r1 r2"), castells("g1 g2", "g1 g2")
    assert bonuses([[one], [same]]) == ([0, 0], [0, 0])
    assert bonuses([[one, same], []]) == ([1, 0], [1, 0])
    assert bonuses([[one], [same], [one]]) == ([0, 0, 0], [0, 0, 0])


def test_a_tie_of_points_goes_to_the_highest_white_in_castells_and_set():
    from shared_rules.castellers_points import white

    counts = bytearray(len(PIECES))
    counts[PIECES.index("w3")] = 1
    assert white([castells("r1 w5")], counts) == 5
    assert white([castells("r1 r7")], counts) == 3
    assert white([], bytearray(len(PIECES))) == 0
    four = {"pieces": 4, "bases": 0, "white": {"count": {"2": 1, "3": 1}}}
    four["per_colour"] = {"count": {}, "r": {"1": 1}, "b": {"1": 1}}
    game = table("r1 w2 / b1 w3", rules=four)
    assert game.turn is None and game.ranking() == [1, 0]


def test_still_tied_seats_share_the_place():
    four = {"pieces": 4, "bases": 0, "white": {"count": {}}}
    four["per_colour"] = {"count": {}, "r": {"1": 2}, "b": {"1": 2}}
    game = table("r1 r1 / b1 b1", rules=four)
    assert game.turn is None and game.ended_by == "stalemate" and game.ranking() == [[0, 1]]


# The box


def test_the_defaults_are_the_facts_and_say_that_nobody_has_checked_them():
    for key in BOX:
        assert BOX[key] == FACTS[key]
    game = shared_rules.load("castellers", players=2)
    assert game.box.unverified == ["per_colour", "white", "blue_background", "bonus"]
    assert "per_colour, white, blue_background, bonus" in game.unverified
    assert sum(game.box.counts) == 66


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_a_box_is_without_a_file_is_what_the_file_of_the_facts_makes_of_it(players):
    assert vars(Box(None, players)) == vars(Box(FACTS, players)) == vars(Box(BOX, players))


def test_the_whole_file_of_facts_is_itself_a_rules_file():
    game = shared_rules.load("castellers", players=3, rules=FACTS)
    assert list(game.box.counts) == list(shared_rules.load("castellers", players=3).box.counts)


def test_the_rules_file_that_the_page_about_the_box_shows_is_accepted():
    page = (Path(__file__).parents[2] / "docs" / "castellers-box.md").read_text()
    rules = json.loads(page.split("```json")[1].split("```")[0])
    game = shared_rules.load("castellers", players=2, rules=rules)
    assert game.unverified is None and game.box.tallest == 2 and game.box.blue[PIECES.index("r6")]


def test_an_owner_replaces_what_differs():
    rules = {
        "per_colour": {
            "verified": True,
            "count": {"1": 3, "2": 3, "3": 2, "4": 2, "5": 2, "6": 1, "7": 1},
            "p": {"1": 1, "2": 1, "3": 2, "4": 2, "5": 2, "6": 3, "7": 3},
        },
        "blue_background": {"verified": True, "numbers": [], "pieces": ["r1", "w7"]},
        "bonus": {"verified": True, "tallest": 3, "widest": 2},
    }
    game = shared_rules.load("castellers", players=2, rules=rules)
    assert game.box.unverified == ["white"]
    assert game.box.counts[PIECES.index("r1")] == 3 and game.box.counts[PIECES.index("p1")] == 1
    assert [PIECES[piece] for piece in range(35) if game.box.blue[piece]] == ["r1", "w7"]
    assert (game.box.tallest, game.box.widest) == (3, 2)
    assert game.options["rules"] == rules


@pytest.mark.parametrize(
    "rules, named",
    [
        ({"per_colour": {"count": {"1": 3}}}, "sum to 22, not to the 66 pieces"),
        ({"pieces": 60}, "sum to 66, not to the 60"),
        ({"white": {"count": {"8": 1}}}, "white.count has no entry 8"),
        ({"white": {"count": {"1": -1}}}, "white.count.1"),
        ({"white": {"count": {"1": "two"}}}, "white.count.1"),
        ({"white": {"count": {"1": True}}}, "white.count.1"),
        ({"white": {}}, "white.count"),
        ({"white": 7}, "white"),
        ({"per_colour": {"verified": "yes", "count": {}}}, "per_colour.verified"),
        ({"per_colour": {"count": {}, "x": {}}}, "per_colour has no entry x"),
        ({"blue_background": {"numbers": [8]}}, "blue_background.numbers"),
        ({"blue_background": {"numbers": 7}}, "blue_background"),
        ({"blue_background": {"pieces": ["r8"]}}, "blue_background.pieces"),
        ({"blue_background": {"pieces": [["r7"]]}}, "blue_background.pieces"),
        ({"bonus": {"tallest": 1}}, "bonus.widest"),
        ({"bonus": {"tallest": 1.5, "widest": 1}}, "bonus.tallest"),
        ({"end": {"2": {"valid": 4}}}, "end.2.one_of_at_least"),
        ({"end": {"3": {"valid": 4, "one_of_at_least": 8}}}, "end.2"),
        ({"bases": 13}, "bases"),
        ({"bases": None}, "bases"),
        ({"colors": {}}, "no entry colors"),
        ([1], "must be a table"),
        ("box.json", "must be a table"),
    ],
)
def test_a_wrong_box_names_the_entry(rules, named):
    with pytest.raises(ValueError) as caught:
        shared_rules.load("castellers", players=2, rules=rules)
    assert named in str(caught.value) and str(caught.value).startswith("rules")


@pytest.mark.parametrize(
    "options, named",
    [
        ({"seed": "seven"}, "seed"), ({"seed": None}, "seed"), ({"bag": "paper"}, "bag"),
        ({"deal": [["r1", "r2"]]}, "2 players"), ({"deal": "r1"}, "2 players"),
        ({"deal": [["r1", "r2"], ["r3"]]}, "seat 2"), ({"deal": [["r1", "r2"], ["r1", "r1"]]}, "more r1"),
        ({"deal": [["r1", 2], ["r3", "r4"]]}, "no piece"), ({"starter": 3}, "starter"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_named(options, named):
    with pytest.raises(ValueError, match=named):
        shared_rules.load("castellers", players=2, **options)


@pytest.mark.parametrize(
    "text, why",
    [
        ("r1@1", "castell and a column"), ("r1@0.1", "castell"), ("r1@13.1", "castell"), ("r1@1.0", "column"),
        ("r1@1.01", "column"), ("r1@1.1.1", "column"), ("give r1>0", "player"), ("give r1>5", "player"),
        ("give r1", "a move is"), ("take r1", "a move is"), ("fall", "a move is"), ("fall 2", "castell"),
        ("End", "a move is"), ("", "a move is"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_move_says_why(text, why):
    assert why in refused(table("r3 r4 / b7 g7"), text)
