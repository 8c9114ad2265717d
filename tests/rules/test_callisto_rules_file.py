"""Another set of pieces for Callisto: what a rules file may say, and what is wrong with one."""

import pytest

import shared_rules
from shared_rules.game import Random

I9 = [[x, 0] for x in range(9)]
BAR = [[x, 0] for x in range(8)]


def load(rules, **options):
    return shared_rules.load("callisto", rules=rules, **options)


def test_a_set_of_other_pieces_is_played_to_the_end():
    rules = {"pieces": {"Y5": 2, "V3": 1, "I8": 1}, "verified": True, "columns": 4,
             "shapes": {"I8": BAR, "Y5": [[0, 0], [1, 0], [2, 0], [3, 0], [1, 1]]}}  # fmt: skip
    game = load(rules, edition="2009", players=3)
    assert game.pieces.names == ["V3", "I8", "Y5"]
    assert game.penalty() == [21, 21, 21] and game.columns == [4, 4, 4]
    random = Random(5)
    while game.turn is not None:
        moves = game.legal()
        game.play(moves[random.below(len(moves))])
    again = shared_rules.load("callisto", snapshot=game.snapshot())
    assert again.history == game.history and again.options["rules"] == rules
    assert again.ranking() == game.ranking()


def test_pieces_may_be_a_list_and_shapes_may_be_written_as_in_a_table():
    rules = {"pieces": [["V3", 2], ["P5", 1]], "pieces_per_colour": 3, "squares_per_colour": 11,
             "shapes": {"P5": {"squares": 5, "cells": [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2]]}},
             "_": "from a box"}  # fmt: skip
    game = load(rules)
    assert game.pieces.names == ["V3", "P5"] and list(game.pieces.sizes) == [3, 5]


def test_the_standard_name_of_a_standard_shape_may_be_given_again():
    assert load({"pieces": {"V3": 1}, "shapes": {"V3": [[1, 1], [0, 1], [1, 0]]}}).pieces.names == ["V3"]


@pytest.mark.parametrize(
    "rules, sentence",
    [
        ([], "rules: an object"),
        ({}, "pieces: the rules do not say"),
        ({"pieces": {}}, "pieces: 1 to 31 shapes"),
        ({"pieces": 7}, "pieces: names with their counts"),
        ({"pieces": {"V3": 1}, "colour": 3}, "there is no key colour"),
        ({"pieces": {"Q7": 1}}, "pieces.Q7: the shape is unknown"),
        ({"pieces": {"V3": 0}}, "pieces.V3: 1 to 20 pieces"),
        ({"pieces": {"V3": 21}}, "pieces.V3: 1 to 20 pieces"),
        ({"pieces": {"V3": "two"}}, "pieces.V3: 1 to 20 pieces"),
        ({"pieces": {"V3": True}}, "pieces.V3: 1 to 20 pieces"),
        ({"pieces": [["V3", 1], ["V3", 2]]}, "pieces: the name V3 is there twice"),
        ({"pieces": [["V3"]]}, "pieces: .* is no pair"),
        ({"pieces": [[3, 1]]}, "pieces.3: the shape is unknown"),
        ({"pieces": {"A": 1}, "shapes": {"A": [[0, 0], [1, 1]]}}, "shapes.A: .*hang together"),
        ({"pieces": {"A": 1}, "shapes": {"A": [[0, 0], [2, 0]]}}, "shapes.A: .*hang together"),
        ({"pieces": {"A": 1}, "shapes": {"A": [[0, 0]]}}, "shapes.A: a piece has 2 to 8 squares, not 1"),
        ({"pieces": {"A": 1}, "shapes": {"A": I9}}, "shapes.A: a piece has 2 to 8 squares, not 9"),
        ({"pieces": {"A": 1}, "shapes": {"A": [[0, 0], [0, 0]]}}, "shapes.A: .* twice"),
        ({"pieces": {"A": 1}, "shapes": {"A": [[0, 0], [0, "x"]]}}, "shapes.A: .*whole numbers"),
        ({"pieces": {"A": 1}, "shapes": {"A": [[0, 0], [0]]}}, "shapes.A: a square is"),
        ({"pieces": {"A": 1}, "shapes": {"A": "V3"}}, "shapes.A: the squares are a list"),
        ({"pieces": {"A": 1}, "shapes": {"A": {"squares": 3, "cells": BAR}}}, "shapes.A.squares: .*8"),
        ({"pieces": {"A": 1}, "shapes": []}, "shapes: names with their squares"),
        ({"pieces": {"V3": 1}, "shapes": {"V3": BAR}}, "shapes.V3: the name belongs to another shape"),
        ({"pieces": {"V3": 1, "A": 1}, "shapes": {"A": [[0, 0], [0, 1], [1, 1]]}}, "the same shape as V3"),
        ({"pieces": {"V3": 1}, "columns": 1}, "columns: 2 to 20"),
        ({"pieces": {"V3": 1}, "columns": "3"}, "columns: 2 to 20"),
        ({"pieces": {"V3": 1}, "verified": "yes"}, "verified: true or false"),
        ({"pieces": {"V3": 1}, "pieces_per_colour": 2}, "pieces_per_colour: the pieces make 1, not 2"),
        ({"pieces": {"V3": 1}, "squares_per_colour": 2}, "squares_per_colour: the pieces make 3, not 2"),
    ],
)
def test_what_is_wrong_with_a_rules_file_is_said_with_its_key(rules, sentence):
    with pytest.raises(ValueError, match=sentence):
        load(rules)
