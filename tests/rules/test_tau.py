"""Tau and Calypso as people play them: each rule and each ruling of docs/rules.md is a story."""

import json
from pathlib import Path

import pytest
from lodeboard import records

import shared_rules
from shared_rules import IllegalMove, tau

FACTS = json.loads((Path(__file__).parents[1] / "data" / "tau.json").read_text())
# Everything but the wild on the board, in pairs of plies that win nothing.
SIXES = (
    "y/o@B1 y/o@D5 o/r@D1 o/r@B5 r/p@A2 r/p@E4 p/b@C2 p/b@C4 b/g@E2 b/g@A4 g/y@B3 g/y@D3"  # each seat's six
)


def table(moves="", **options):
    """A game after these moves."""
    game = shared_rules.load("tau", **options)
    for text in moves.split():
        game.play(game.parse(text))
    return game


def refused(game, text):
    """The sentence with which a move is refused."""
    with pytest.raises(IllegalMove) as caught:
        game.play(game.parse(text))
    return str(caught.value)


def texts(game):
    return {game.text(move) for move in game.legal()}


# The board


def test_holes_lines_and_pieces_are_the_known_ones():
    assert list(tau.HOLES) == FACTS["holes"]
    assert ["-".join(tau.HOLES[hole] for hole in line) for line in tau.LINES] == FACTS["lines"]
    assert list(tau.PIECES) == FACTS["pieces"]


def test_perft_is_the_known_one_with_its_wins():
    game = table()
    assert [records.perft(game, ply) for ply in (1, 2)] == [(252, 0), (60480, 0)]
    assert records.perft(game, 3) == (FACTS["perft"]["3"], FACTS["wins_at_ply_3"])


def test_the_bulk_count_of_the_last_ply_is_what_playing_every_move_gives():
    game = table(SIXES)
    for last in ("w/k@A3", "k/w@E3", "B1-C1", "~D5", "~C2", "~E3"):
        won = 0
        for move in game.legal():
            game.play(move)
            won += game.ended_by == "win"
            game.undo()
        assert game.census() == (len(game.legal()), won)
        game.play(game.parse(last))


def test_the_number_of_moves_is_known_at_three_moments():
    assert len(table("y/o@B1 y/o@D5").legal()) == FACTS["branching"]["ply_3"]
    game = table(SIXES)
    assert len(game.legal()) == FACTS["branching"]["both_sixes_on_the_board"]
    game = table(SIXES + " w/k@A3 k/w@C3")
    assert len(game.legal()) == FACTS["branching"]["all_fourteen_on_the_board"]


# Turns


def test_the_first_turn_places_a_stick_but_not_the_wild():
    game = table()
    assert {text[0] for text in texts(game)} == set("yorpbg")
    assert "other six" in refused(game, "w/k@C3")
    assert "no stick in C3" in refused(game, "~C3")
    assert "no stick in C3" in refused(game, "C3-D3")


def test_each_seat_has_its_own_first_turn():
    game = table("y/o@C3")
    assert "opponent" in refused(game, "~C3")
    assert "opponent" in refused(game, "C3-C4")
    assert all("@" in text for text in texts(game))


def test_later_a_stick_is_placed_turned_or_moved_with_the_same_end_up():
    game = table("y/o@C3 r/p@A2")
    assert {"o/r@B1", "~C3", "C3-E4"} <= texts(game)
    game.play(game.parse("C3-E4"))
    assert game.stick_at(tau.HOLES.index("E4")) == (0, "yo", "y", "o")
    assert game.stick_at(tau.HOLES.index("C3")) is None


def test_a_hole_takes_one_stick():
    game = table("y/o@C3 r/p@A2")
    assert "stick in A2" in refused(game, "o/r@A2")
    assert "stick in A2" in refused(game, "C3-A2")


def test_a_stick_is_placed_once():
    game = table("y/o@C3 r/p@A2")
    assert "already on the board" in refused(game, "o/y@D4")
    assert game.off_board(0) == ["or", "rp", "pb", "bg", "gy", "wk"]


def test_putting_a_stick_back_as_it_was_is_no_move():
    assert "no move" in refused(table("y/o@C3 r/p@A2"), "C3-C3")


def test_seats_alternate_from_the_starter():
    game = table("y/o@C3", starter=2)
    assert game.history[0][0] == 1 and game.turn == 0


# Winning


def test_three_of_one_colour_in_a_row_win():
    game = table("g/b@B1 y/o@D2 r/p@E4 y/g@B4 p/b@A2")
    assert game.ranking() is None and game.line() == []
    game = table("y/o@C3 y/o@C4 y/g@C5")
    assert game.turn is None and game.ended_by == "win" and game.ranking() == [0, 1]
    assert [tau.HOLES[hole] for hole in game.line()] == ["C3", "C4", "C5"]
    assert game.legal() == [] and "over" in refused(game, "y/g@B1")


def test_whosever_sticks_they_are_the_one_who_completes_the_line_wins():
    # Seat 2 moves a stick of its own beside two of seat 1.
    game = table("y/o@B2 y/o@E4 y/g@C2 E4-D2")
    assert game.ranking() == [1, 0]


def test_turning_a_stick_over_wins_too():
    game = table("y/o@A2 o/y@A3 y/g@A4 ~A3")
    assert game.ranking() == [1, 0] and game.ended_by == "win"


def test_a_covered_colour_does_not_count():
    game = table("o/y@A2 y/o@A3 g/y@A4")
    assert game.turn == 1


def test_a_line_has_no_gaps():
    assert table("y/o@B3 y/o@C3 y/g@E3").turn == 1


def test_all_four_directions_win():
    for line in ("A2 B3 C4", "C5 D4 E3", "A3 B3 C3", "D1 D2 D3"):
        one, other, last = line.split()
        assert table(f"y/o@{one} y/o@{other} y/g@{last}").ended_by == "win", line


def test_white_counts_as_any_colour_and_black_as_none():
    game = table("y/o@B2 y/o@B3 b/g@E2 b/g@E4 r/p@A2 r/p@C5 p/b@D1 p/b@D5 g/y@E3 g/y@C1 o/r@A4 o/r@D3")
    black, white = game.parse("k/w@B4"), game.parse("w/k@B4")
    game.play(black)
    assert game.turn == 1
    game.undo()
    game.play(white)
    assert game.ended_by == "win"


def test_two_whites_and_one_colour_win():
    game = table(SIXES + " w/k@A3 w/k@C3")  # B3, between the whites, is green
    assert game.ended_by == "win" and game.ranking() == [1, 0]
    assert {"A3", "B3", "C3"} <= {tau.HOLES[hole] for hole in game.line()}


def test_white_beside_white_needs_a_third_stick():
    game = table(SIXES + " w/k@A3 w/k@C5")
    assert game.line() == [] and game.turn == 0  # A3 and C5 are white, B4 is empty
    game.play(game.parse("A2-B4"))
    assert [tau.HOLES[hole] for hole in game.line()] == ["A3", "B4", "C5"]


def test_a_double_line_is_simply_a_win():
    # Blue in C3 ends A3-B3-C3 and C3-D3-E3 at once: five in a row.
    game = table("b/g@A3 b/g@B3 b/p@D3 b/p@E3 y/o@B1 y/o@D5 r/p@D1 r/p@B5 o/r@A2 o/r@E4 g/y@E2 g/y@A4")
    game.play(game.parse("w/k@C3"))
    assert [tau.HOLES[hole] for hole in game.line()] == ["A3", "B3", "C3", "D3", "E3"]
    assert game.ranking() == [0, 1]


# The wild


def test_the_wild_waits_for_the_own_other_six_and_may_be_either_end_up():
    game = table(SIXES)
    game.undo()  # seat 2 has five on the board, seat 1 six
    assert "other six" in refused(game, "w/k@A3")
    game.play(game.parse("g/y@D3"))
    assert {"w/k@A3", "k/w@A3"} <= texts(game)


def test_the_wild_may_be_turned_and_moved_later():
    game = table(SIXES + " k/w@A3 k/w@C3")
    assert {"~A3", "A3-C1"} <= texts(game)
    assert "~C3" not in texts(game)


# Draws, take-backs


CIRCLE = "C3-C4 A2-A3 C4-C3 A3-A2"


def test_without_the_option_nothing_is_drawn():
    assert table("y/o@C3 r/p@A2 " + " ".join([CIRCLE] * 9)).turn == 0


def test_with_repetition_three_the_third_same_position_is_a_draw():
    game = table("y/o@C3 r/p@A2 " + CIRCLE, repetition=3)
    assert game.turn == 0  # the second time
    for text in CIRCLE.split():
        assert game.turn is not None
        game.play(game.parse(text))
    assert game.ended_by == "draw" and game.ranking() == [[0, 1]] and game.line() == []
    game.undo()
    assert game.turn == 1 and game.ranking() is None and game.ended_by is None


def test_the_same_sticks_with_the_other_seat_in_turn_are_another_position():
    # After C3-C4 A2-A3 C4-C3 A3-A2 the position is back. Here seat 1 loses a move on the way (two steps
    # for one), so the sticks lie as before, but it is seat 2's turn.
    game = table("y/o@C3 r/p@A2 C3-C4 A2-A3 C4-D4 A3-A2 D4-C3", repetition=2)
    assert game.turn == 1
    game.play(game.parse("A2-A3"))
    assert game.turn == 0


def test_a_turned_stick_makes_another_position():
    game = table("y/o@C3 r/p@A2 C3-C4 A2-A3 ~C4 A3-A2 C4-C3 A2-A3 ~C3", repetition=2)
    assert game.turn == 1
    game.play(game.parse("A3-A2"))
    assert game.ended_by == "draw"  # as after the second ply


def test_the_other_seats_stick_makes_another_position():
    assert table("y/o@C3 y/o@A2 C3-B1 A2-C3 B1-A2 C3-D4", repetition=2).turn == 0


def test_a_repeated_position_that_wins_is_a_win():
    game = table("y/o@C3 y/o@C4 r/p@A2 r/p@E2 A2-A3 E2-E3 A3-A2", repetition=2)
    game.play(game.parse("E3-E2"))
    assert game.ended_by == "draw"
    game.undo()
    game.play(game.parse("y/g@C5"))
    assert game.ended_by == "win"


def test_everything_can_be_taken_back():
    game = table(SIXES + " k/w@A3 ~D5 B1-C1")
    texts_played = [game.text(move) for _, move in game.history]
    taken = [game.text(game.undo()) for _ in range(len(game.history))]
    assert taken == texts_played[::-1]
    assert game.off_board(0) == game.off_board(1) == list(tau.PIECES)
    with pytest.raises(IndexError):
        game.undo()


# Memory


def hidden_of(game, seat):
    return {hole: stick[3] for hole, stick in game.seen_by(seat)["holes"].items()}


def test_a_player_is_not_told_what_is_covered_now():
    game = table("y/o@C3 p/r@B5 ~C3 B5-B4 C3-C5")
    for seat in (0, 1):
        seen = game.seen_by(seat)
        assert seen["holes"] == {"C5": [0, "?", "o", "?"], "B4": [1, "?", "p", "?"]}
        # The colour that was seen before the turn is covered now: the list of moves does not tell it.
        assert seen["moves"] == ["?/o@C3", "p/?@B5", "~C3", "B5-B4", "C3-C5"]


def test_a_spectator_may_know_all_and_in_calypso_everybody():
    game = table("y/o@C3 p/r@B5")
    assert hidden_of(game, None) == {"C3": "o", "B5": "r"}
    assert game.seen_by(None)["moves"] == ["y/o@C3", "p/r@B5"]
    game = table("y/o@C3 p/r@B5", open=True)
    assert hidden_of(game, 0) == hidden_of(game, 1) == {"C3": "o", "B5": "r"}


def test_what_a_player_knows_is_the_same_whichever_colour_is_covered():
    # y/o and y/g differ only in the colour below; both sticks are on the board in the end.
    one = table("y/o@C3 r/p@A2 y/g@E4 r/o@B5")
    other = table("y/g@C3 r/o@A2 y/o@E4 r/p@B5")
    for seat in (0, 1):
        assert one.seen_by(seat) == other.seen_by(seat)
    assert one.seen_by(None) != other.seen_by(None)


# Options


@pytest.mark.parametrize(
    "options, named",
    [({"open": "yes"}, "open"), ({"repetition": 1}, "repetition"), ({"repetition": True}, "repetition"),
     ({"repetition": "3"}, "repetition"), ({"players": 3}, "2 players"), ({"starter": 3}, "starter")],
)  # fmt: skip
def test_a_wrong_option_is_named(options, named):
    with pytest.raises(ValueError, match=named):
        shared_rules.load("tau", **options)


@pytest.mark.parametrize(
    "text, why",
    [("y/r@C3", "colours"), ("y/o@A1", "hole"), ("y/o@", "hole"), ("~", "hole"), ("C3-", "hole"),
     ("C3-F3", "hole"), ("Y/O@C3", "colours"), ("c3-d3", "hole"), ("castle", "no move of Tau"),
     ("", "no move")],
)  # fmt: skip
def test_a_text_that_is_no_move_says_why(text, why):
    assert why in refused(table(), text)
