"""Callisto's rules: the facts of callisto.json, and each ruling as a story at the table."""

import json
from pathlib import Path

import pytest
from lodeboard import records

import shared_rules
from shared_rules.polyomino import SHAPES, orientations

FACTS = json.loads((Path(__file__).parents[1] / "data" / "callisto.json").read_text())
BOARDS = [
    (edition, int(players), facts["boards"][players])
    for edition, facts in FACTS["editions"].items()
    for players in facts["boards"]
]
IDS = [f"{edition}-{players}" for edition, players, _ in BOARDS]


def new(edition="2009", players=2, **options):
    return shared_rules.load("callisto", edition=edition, players=players, **options)


def play(game, *texts):
    for text in texts:
        game.play(game.parse(text))
    return game


def why(game, text):
    return game.why_not(game.parse(text))


def names(game, moves):
    return {game.text(move) for move in moves}


# The numbers of callisto.json


@pytest.mark.parametrize("edition, players, board", BOARDS, ids=IDS)
def test_the_board_has_the_rulebooks_squares(edition, players, board):
    game = new(edition, players)
    assert game.size == board["size"]
    spans = [
        [x for x in range(-2, game.size + 3) if game.inside(x, y)] for y in range(-2, game.size + 3)
    ]
    assert [[row[0], row[-1]] for row in spans if row] == board["row_spans"]
    assert all(row == list(range(row[0], row[-1] + 1)) for row in spans if row)
    assert sum(len(row) for row in spans) == board["playable"] == game.owner.count(0)
    every = [[x, y] for x in range(game.size) for y in range(game.size)]
    dark = [square for square in every if game.inside(*square) and not game.light(*square)]
    assert dark == sorted(board["dark"])


@pytest.mark.parametrize("edition, players, board", BOARDS, ids=IDS)
def test_the_first_moves_and_the_placements_on_the_empty_board(edition, players, board):
    game = new(edition, players)
    assert len(game.legal()) == board["first_moves"]
    placements = {}
    for number, name in enumerate(game.pieces.names):
        first, end = game.pieces.first[number], game.pieces.first[number + 1]
        placements[name] = sum(map(game.cover.fits, range(first << 10, end << 10)))
    assert placements == board["placements_on_the_empty_board"]
    check = FACTS["editions"][edition].get("check", {}).get("placements_of_all_shapes_plus_one_per_square")
    if check:
        assert sum(placements.values()) + board["playable"] == check[str(players)]


@pytest.mark.parametrize("edition", FACTS["editions"])
def test_a_colours_pieces(edition):
    facts = FACTS["editions"][edition]
    pieces = new(edition).pieces
    assert dict(zip(pieces.names, pieces.counts, strict=True)) == facts["pieces"]
    assert sum(pieces.counts) == facts["pieces_per_colour"]
    assert -sum(new(edition).scores()) == 2 * facts["squares_per_colour"]
    assert new(edition).columns == [facts["columns"]] * 2


@pytest.mark.parametrize("name", FACTS["shapes"])
def test_a_shapes_squares_and_orientations(name):
    facts = FACTS["shapes"][name]
    assert len(SHAPES[name]) == facts["squares"]
    assert sorted(SHAPES[name]) == sorted(tuple(cell) for cell in facts["cells"])
    assert len(orientations(SHAPES[name])) == facts["orientations"]
    assert SHAPES.keys() == FACTS["shapes"].keys()


COLUMN_PERFT = [
    (edition, int(players), depth, count)
    for edition, facts in FACTS["editions"].items()
    for players, counts in facts["column_perft"].items()
    for depth, count in enumerate(counts, 1)
]


@pytest.mark.parametrize("edition, players, depth, count", COLUMN_PERFT)
def test_the_column_rounds_are_counted(edition, players, depth, count):
    assert records.perft(new(edition, players), depth) == (count, 0)


def test_census_counts_what_playing_counts():
    game = play(new("2014", 2), "a1", "j10", "a10", "j1")
    while game.turn is not None:
        count, ends = game.census()
        played = 0
        for move in game.legal():
            game.play(move)
            played += game.turn is None
            game.undo()
        assert (count, ends) == (len(game.legal()), played)
        game.play(game.legal()[-1])
    assert game.census() == (0, 0)


# The rulings, one by one


def test_2009_the_first_two_rounds_are_columns_on_any_square_but_the_dark_centre():
    game = new()
    assert all("," not in game.text(move) for move in game.legal())
    assert why(game, "h8") == "no column in the dark centre"
    assert why(game, "i7,j7") == "the first two rounds are for columns"
    play(game, "h1", "i1", "h2")  # columns may stand side by side
    assert why(game, "h1") == "h1 is taken"
    assert [seat for seat, _ in play(game, "i2").history] == [0, 1, 0, 1]
    assert any("," in game.text(move) for move in game.legal())


def test_2009_pieces_may_lie_in_the_dark_centre():
    play(play(new(), "f7", "a8", "h1", "a9"), "g7,h7")


def test_2014_the_first_two_columns_stand_at_the_frame_and_beside_no_column_of_anyone():
    game = new("2014")
    assert why(game, "b2") == "the first two columns stand at the frame"
    play(game, "a5")
    assert why(game, "a4") == why(game, "a6") == "no column beside a column"
    play(game, "a3")  # a corner away in line is far enough
    assert why(game, "j1") is None


def test_2014_the_third_column_stands_at_the_frame_or_beside_any_piece_but_beside_no_column():
    game = play(new("2014"), "a5", "j5", "a8", "j8")
    assert why(game, "c5") == "a column stands at the frame or beside a piece"
    assert why(game, "b5") == "no column beside a column"
    play(game, "b5,c5")
    assert why(game, "d5") is None  # seat 2's column beside seat 1's piece
    assert why(game, "i5") == "no column beside a column"
    assert why(game, "f1") is None
    play(game, "d5")
    assert why(game, "e5") == "no column beside a column"


def test_the_third_column_needs_no_contact_with_the_own_colour_and_there_are_three():
    game = play(new(), "h1", "a8", "h3", "a9", "m5", "b8,c8")
    assert why(game, "m7") == "no column is left in this hand"
    assert game.columns == [0, 1]


def test_a_piece_needs_an_edge_against_an_own_piece_or_column_and_corners_count_nothing():
    game = play(new(), "h3", "j3", "g6", "k6")
    assert why(game, "i4,i5") == "a corner is not enough: an edge must touch an own piece"
    assert why(game, "m6,m7") == "the piece touches no own piece or column"
    assert why(game, "k4,k5") == "the piece touches no own piece or column"  # the opponent's does not help
    play(game, "i3,i4")  # an edge against the own column; corner and edge against the opponent's harm nothing
    play(game, "j4,j5")
    assert why(game, "k7,k8") == "the piece touches no own piece or column"
    play(game, "i5,i6")  # an edge against the own piece


def test_pieces_may_be_turned_and_flipped():
    game = play(new("2009", 4), "k3", "k18", "c10", "r10", "k1", "k20", "a10", "t10")
    l4 = game.pieces.names.index("L4")
    beside_k3 = {
        move >> 10 for move in game.legal() if game.shape(move) == l4 and "k4" in game.text(move).split(",")
    }
    assert len(beside_k3) == 8


def test_pieces_stay_on_the_board_and_off_each_other():
    game = play(new(), "h1", "i2", "h3", "i4")
    assert why(game, "h2,i2") == "i2 is taken"
    corner = game.parse("h1,i1") + 16  # as a host may name it: beyond the edge
    assert game.why_not(corner) == "the piece lies beyond the edge of the board"
    assert game.why_not(game.parse("h1") | 31) == "the column stands beyond the edge of the board"


def test_two_pieces_of_one_shape_are_one_move_and_both_can_be_placed():
    game = play(new(), "h3", "a8", "d8", "a9")
    text = "h4,h5"
    assert sum(game.text(move) == text for move in game.legal()) == 1
    play(game, text, "b8,c8", "i3,j3", "b9,c9")
    assert why(game, "d9,d10") == "no piece 2 is left in this hand"


def test_no_passing_while_there_is_a_move_and_out_for_good_without_one():
    lines = (Path(__file__).parents[1] / "records" / "callisto2009.jsonl").read_text().splitlines()
    record = json.loads(lines[4])
    game = new("2009", record["players"])
    was_out = [False] * game.players
    for text in record["moves"]:
        seat, move = text.split(":")
        before = game.turn
        play(game, move)
        following = (before + 1) % game.players
        while game.turn is not None and following != game.turn:
            assert not game.cover.any(*game.playable(following))
            assert game.out[following]
            following = (following + 1) % game.players
        assert all(now or not then for now, then in zip(game.out, was_out, strict=True))
        was_out = list(game.out)
    assert game.turn is None and game.out == [True] * 4 and game.legal() == []
    assert game.why_not(0) == "the game is over"


def finish(game):
    """Plays on with the last move of each list."""
    while game.turn is not None:
        game.play(game.legal()[-1])
    return game


def test_unplaced_pieces_cost_their_squares_and_columns_nothing():
    game = finish(play(new("2014"), "a5", "j5", "a8", "j8"))
    for seat in range(2):
        placed = sum(len(game.squares(move)) for by, move in game.history if by == seat and move >= 1024)
        assert game.penalty()[seat] == 45 - placed == -game.scores()[seat]


def tied(game):
    """The same game as if every seat had placed all its pieces."""
    game.turn = None
    for hand in game.hands:
        for shape in range(len(hand)):
            hand[shape] = 0
    return game


@pytest.mark.parametrize("starter, order", [(1, [2, 1, 0]), (2, [0, 2, 1]), (3, [1, 0, 2])])
def test_on_a_tie_the_seat_later_in_this_games_order_wins(starter, order):
    game = tied(new("2009", 3, starter=starter))
    assert game.ranking() == order
    game.hands[1][0] = 1
    assert game.ranking() == [seat for seat in order if seat != 1] + [1]


def test_the_starter_acts_first_and_the_order_goes_round():
    game = play(new("2009", 3, starter=2), "h8", "j3", "k3", "l3")
    assert [seat for seat, _ in game.history] == [1, 2, 0, 1]


def test_teams_are_seats_1_and_3_against_2_and_4_on_the_board_for_four():
    game = new("2009", 2, teams=True)
    assert (game.players, game.size, game.options["players"]) == (4, 20, 4)
    tied(game)
    game.hands[0][0], game.hands[2][1] = 1, 1
    game.hands[3][0] = 2
    assert game.penalty() == [2, 0, 3, 4]
    assert game.scores() == [-5, -4, -5, -4]
    assert game.ranking() == [[1, 3], [0, 2]]
    game.hands[3][0], game.hands[1][1] = 1, 1
    assert game.ranking() == [[1, 3], [0, 2]]  # a tie: seat 1 began, so the other team was later
    game.options["starter"] = 2
    assert game.ranking() == [[0, 2], [1, 3]]


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"edition": "2010"}, "there are the editions 2009 and 2014, not 2010"),
        ({"players": 5}, "callisto is for 2 to 4 players, not 5"),
        ({"players": 1}, "callisto is for 2 to 4 players, not 1"),
        ({"teams": True}, "teams play on the board of edition 2009"),
        ({"teams": True, "edition": "2009", "players": 3}, "teams are two players with two colours each"),
        ({"teams": "yes"}, "teams is true or false"),
        ({"starter": 3}, "starter is a seat from 1 to 2"),
    ],
)
def test_wrong_options_are_named(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        shared_rules.load("callisto", **options)


def test_2014s_pieces_are_unverified_until_compared_with_a_box():
    assert "2014" in new("2014").unverified
    assert new("2009").unverified is None
    confirmed = {"pieces": FACTS["editions"]["2014"]["pieces"], "verified": True}
    assert new("2014", rules=confirmed).unverified is None
    assert "rules file" in new("2014", rules={"pieces": {"V3": 3}}).unverified


# Notation


def test_a_move_prints_bottom_row_first_left_to_right_and_is_read_in_any_order():
    game = new()
    assert game.text(game.parse("L12, l11,n11,M11")) == "l11,m11,n11,l12"
    assert game.text(game.parse("h1")) == "h1"


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("a1", "a1 is no square of this board"),
        ("", "nothing is no square"),
        ("h", "h is no square"),
        ("h01", "h01 is no square"),
        ("h-1", "h-1 is no square"),
        ("5h", "5h is no square"),
        ("h1,h1", "h1 is there twice"),
        ("h1,h3", "no piece of this game has the squares h1,h3"),
        ("h1,i2", "no piece of this game has the squares h1,i2"),
        (7, "a move is a text"),
    ],
)
def test_what_is_no_move_is_refused_with_a_reason(text, sentence):
    with pytest.raises(shared_rules.IllegalMove, match=sentence):
        new().parse(text)
