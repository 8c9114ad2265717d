"""The referee of Callisto as stories of the table: squares fill and empty, lights and log answer."""

import pytest
from callisto_story import HINT, OK, UNDO, Story, board
from lodeboard.firmware.replay import replay
from lodeboard.firmware.table import Table

from shared_rules.game import Random


@pytest.fixture
def story():
    """2014 for two on lode16, columns at a5 and a8 for seat 1, j5 and j8 for seat 2."""
    return Story("lode16", edition="2014").play("a5", "j5", "a8", "j8")


def test_column_rounds_light_the_allowed_squares():
    story = Story("lode16", edition="2014")
    assert story.state == "TURN" and story.text == "Seat 1: place a column. Pieces unverified."
    frame = {f"{file}{rank}" for file in "abcdefghij" for rank in range(1, 11)} - {
        f"{file}{rank}" for file in "bcdefghi" for rank in range(2, 10)
    }
    assert story.lit("g") == frame
    story.put("a5")
    assert story.moves() == ["1:a5"] and story.lit("l") == {"a5"}
    assert story.lit("g") == frame - {"a4", "a5", "a6"}


def test_later_the_squares_that_the_player_can_reach_are_dim(story):
    game = story.game
    game.cover.cover(0, game.hands[0], 0)
    wanted = {
        game.square_name(y * 10 + x) for y in range(10) for x in range(10) if game.cover.map[y] >> x & 1
    }
    assert story.lit("r") == wanted and len(wanted) > 20


def test_a_piece_that_no_larger_one_contains_counts_at_once(story):
    story.log.clear()
    story.put("b5,c5,c4,d4,d3", ms=100)  # W5
    assert story.moves() == ["1:d3,c4,d4,b5,c5"]
    drop, move = story.told("drop")[-1]["at"], story.told("move")[0]["at"]
    assert move - drop <= 60


def test_a_piece_that_may_still_grow_waits_until_it_has_rested(story):
    story.log.clear()
    story.put("b5,c5", ms=150)
    assert story.moves() == [] and story.state == "PENDING"
    assert {"d5", "c6", "b4"} <= story.lit("r") and story.lit("g") == {"b5", "c5"}
    story.put("c6")
    assert story.moves() == []
    story.wait(400)
    assert story.moves() == ["1:b5,c5,c6"]
    story.play("i5,i6,h6")
    story.log.clear()
    story.put("a9,b9", ms=150).wait(400)
    assert story.moves() == ["1:a9,b9"]


def test_while_a_piece_goes_down_only_what_can_become_legal_is_lit(story):
    story.put("c5", ms=100)  # no move by itself: a column stands at the frame or beside a piece
    assert story.state == "PENDING" and story.lit("s") == {"c5"}
    assert "b5" in story.lit("r") and "g5" not in story.lit("r")


@pytest.mark.parametrize(
    "squares, why",
    [
        ("e5,e6", "the piece touches no own piece or column"),
        ("b4,b3", "a corner is not enough: an edge must touch an own piece"),
        ("a6,a7,b7,c7,d7", "no piece has this shape"),
        ("d4,e5", "no piece has this shape"),
        ("@a1", "there is no board on a1"),
        ("b8,b9,@a1", "there is no board on a1"),
        ("a6", "no column beside a column"),
        ("e5", "a column stands at the frame or beside a piece"),
    ],
)
def test_what_is_not_allowed_is_red_with_its_reason_until_it_is_taken_away(story, squares, why):
    story.log.clear()
    story.put(squares, ms=900)
    assert story.why() == [why] and story.moves() == []
    assert story.state == "DESYNC" and why[0].upper() + why[1:] in story.text
    red = story.lit("x")
    assert red == {story.referee.place_name(sq) for sq in story.squares(squares)}
    story.lift(squares)
    assert story.state == "TURN" and story.told("desync")[-1]["take"] == []
    story.play("b8,c8")


def test_a_piece_over_the_edge_of_the_board_is_no_shorter_piece(story):
    story.put("a9,a10,@d14", ms=900)  # I3, one square beyond the frame
    assert story.ply == 4 and story.why()[-1] == "there is no board on d14"


def test_a_piece_that_is_used_up_is_refused():
    story = Story("lode16", edition="2014", rules={"pieces": {"T4": 1}, "verified": True})
    story.play("a5", "j5", "a8", "j8", "b4,b5,b6,c5", "i4,i5,i6,h5")
    assert story.state == "TURN" and "only the column is left" in story.text
    story.put("b7,b8,b9,c8", ms=900)
    assert story.why()[-1] == "no piece T4 is left in this hand"


def test_a_piece_of_two_poles_is_two_pieces(story):
    for sq, strength in zip(story.squares("b5,c5"), (1, -1), strict=True):
        story.magnet(sq, strength)
    story.wait(900)
    assert story.ply == 4 and story.why()[-1] == "one piece at a time"


def test_a_piece_turned_over_shows_south_and_counts_too(story):
    story.put("b5,c5,c4,d4,d3", strength=-1)
    assert story.moves()[-1] == "1:d3,c4,d4,b5,c5"


def test_a_slide_over_the_board_plays_nothing_on_its_way(story):
    story.log.clear()
    path = ["d9,e9,f9", "d8,e8,f8", "c8,d8,e8", "b8,c8,d8"]
    for here, there in zip(path, path[1:] + [None], strict=True):
        story.put(here, ms=70)
        if there:
            story.lift(here, ms=15)
    assert story.moves() == []
    story.wait(400)
    assert story.moves() == ["1:b8,c8,d8"] and story.told("undo") == []


def test_lifted_and_turned_in_one_go_is_one_move(story):
    story.log.clear()
    story.put("b5,c5,d5", ms=150).lift("b5,c5,d5", ms=200).put("b5,b6,b7", ms=700)
    assert story.moves() == ["1:b5,b6,b7"]


def test_a_piece_with_a_magnet_beside_it_is_no_move_until_the_magnet_is_gone(story):
    story.log.clear()
    story.put("b8,b9,b10,f3", ms=900)
    assert story.moves() == [] and story.why() == ["no piece has this shape"]
    story.lift("f3", ms=900)
    assert story.moves() == ["1:b8,b9,b10"]


def test_a_weak_piece_asks_to_be_straightened_and_has_counted(story):
    story.put("b5,c5,c4,d4", ms=0)
    story.put("d3", strength=0.3, ms=1200)
    assert story.ply == 5 and story.lit("f") == {"d3"}
    story.put("d3", strength=1, ms=1200)
    assert story.lit("f") == set()


def test_a_board_that_is_swept_clean_at_once_is_seen_as_clean(story):
    whole_game(story).press(OK)
    for sq in list(story.magnets):
        story.magnet(sq, 0)
    story.wait(700)
    assert not any(story.table.seen) and story.state == "TURN"


def test_lifting_the_last_piece_offers_take_back(story):
    story.play("b5,b6,b7")
    story.lift("b5,b6,b7")
    assert story.state == "PENDING" and story.text == "Take back b5,b6,b7? OK, or put it back."
    story.put("b5,b6,b7")
    assert story.state == "TURN" and story.ply == 5
    story.lift("b5,b6,b7", ms=500).press(OK)
    assert story.moves()[-1] == "undo 1:b5,b6,b7" and story.state == "TURN" and story.game.turn == 0


def test_the_last_piece_put_elsewhere_asks_or_counts_when_it_was_still_on_its_way(story):
    story.play("b5,b6,b7")
    story.wait(2000).lift("b5,b6,b7").put("b5,c5,d5", ms=700)
    assert story.state == "PENDING" and story.text.startswith("Take back and play b5,c5,d5?")
    story.press(OK)
    assert story.moves()[-2:] == ["undo 1:b5,b6,b7", "1:b5,c5,d5"]
    story.play("i5,i6,i7")
    story.lift("i5,i6,i7", ms=100).put("i8,i9,i10", ms=700)
    assert story.moves()[-2:] == ["undo 2:i5,i6,i7", "2:i8,i9,i10"]


def test_an_older_piece_that_is_gone_blinks_and_nothing_else_counts(story):
    story.play("b5,b6,b7", "i5,i6,i7")
    story.lift("b5,b6,b7", ms=500)
    assert story.state == "DESYNC" and story.lit("p") == {"b5", "b6", "b7"}
    story.put("b8,b9", ms=700)
    assert story.ply == 6 and story.lit("x") == {"b8", "b9"}
    story.lift("b8,b9").put("b5,b6,b7")
    assert story.state == "TURN"


def test_an_older_piece_of_which_a_square_is_not_seen_is_to_be_straightened(story):
    story.play("b5,b6,b7", "i5,i6,i7")
    story.lift("b7", ms=500)
    assert story.state == "DESYNC" and story.text == "Straighten the piece on b7."


def test_undo_guides_back_ply_by_ply(story):
    story.play("b5,b6,b7", "i5,i6,i7").press(UNDO).press(UNDO)
    assert story.state == "DESYNC" and story.lit("x") == {"b5", "b6", "b7", "i5", "i6", "i7"}
    story.lift("i5,i6,i7", "b5,b6,b7", ms=300)
    assert story.moves()[-2:] == ["undo 2:i5,i6,i7", "undo 1:b5,b6,b7"] and story.ply == 4


def test_hint_steps_through_the_own_shapes_and_lights_where_each_could_go(story):
    seen = []
    for _ in range(10):
        story.press(HINT)
        assert story.lit("a")
        seen.append(story.text.split(":")[0])
    assert seen == ["2", "I3", "V3", "L4", "T4", "Z4", "O4", "W5", "Column", "2"]
    story.wait(7000)
    assert story.text == "Seat 1 to move." and not story.lit("a")


def test_the_hosts_wish_is_lit_and_other_moves_are_refused(story):
    story.send(c="seat", s=1, by="host", name="")
    assert "err" not in story.send(c="play", m="b5,c5,d5")
    story.wait(50)
    assert story.lit("a") == {"b5", "c5", "d5"}
    story.put("b8,b9", ms=900)
    assert story.why()[-1].startswith("asked is")
    story.lift("b8,b9").put("b5,c5,d5", ms=600)
    assert story.moves()[-1] == "1:b5,c5,d5"


def whole_game(story):
    """Plays on with the last legal move of each list."""
    while story.game.turn is not None:
        story.play(story.game.text(story.game.legal()[-1]))
    return story


def test_who_is_out_is_announced_and_the_end_shows_penalties_by_the_tie_rule():
    story = Story("lode16", edition="2014", players=3)
    game, told, random = story.game, None, Random(5)
    while game.turn is not None:
        moves = game.legal()
        story.play(game.text(moves[random.below(len(moves))]))
        if any(game.out) and game.turn is not None and told is None:
            told = f"Out: Seat {game.out.index(True) + 1}."
            assert told in story.text and "Out now: Seat" in story.display()
    assert told
    result = story.told("result")[0]
    assert result["penalty"] == game.penalty() and result["by"] == "end"
    assert result["ranking"] == [seat + 1 for seat in game.ranking()]
    best = game.ranking()[0]
    assert story.state == "OVER" and story.text.startswith(f"Left: Seat {best + 1} {game.penalty()[best]}")
    assert len(story.lit("c")) == sum(0 < content < 255 for content in game.owner)


def test_the_match_goes_on_with_the_next_starter_and_points_add_up():
    story = whole_game(Story("lode16", edition="2014", games=2))
    penalty = story.game.penalty()
    story.press(OK)
    assert story.state == "SETUP" and story.game.options["starter"] == 2
    for sq in list(story.magnets):
        story.magnet(sq, 0)
    story.wait(700)
    assert story.state == "TURN" and story.game.turn == 1
    whole_game(story)
    totals = [a + b for a, b in zip(penalty, story.game.penalty(), strict=True)]
    assert f"Match: {totals[0]}, {totals[1]}." in story.text


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_match_has_as_many_games_as_players(players):
    assert Story("lode16", edition="2014", players=players).table.match == players


def test_teams_play_two_games_on_the_board_for_four():
    story = Story("lode20", edition="2009", teams=True)
    assert story.game.players == 4 and story.table.match == 2


def test_a_board_that_is_too_small_says_so_and_keeps_its_game():
    story = Story("lode16", edition="2014")
    answer = story.send(c="new", g="callisto", opt={"edition": "2009", "players": 3}, force=True)
    assert "no room" in answer["err"]
    assert "players" in story.send(c="new", g="callisto", opt={"players": 5}, force=True)["err"]
    assert story.game.options["edition"] == "2014" and story.state == "TURN"


def test_the_governor_holds_with_many_legal_squares():
    story = Story("lode20", edition="2009", players=4)
    assert len(story.lit("g")) == 264
    lights = story.table.lights
    assert lights.ma <= lights.limit_ma and max(lights.rgb) > 0


def test_the_log_runs_the_core_again(story):
    story.play("b5,b6,b7", "i5,i6,i7").lift("i5,i6,i7", ms=500).press(OK).put("e5,e6", ms=900)
    story.lift("e5,e6").play("i5,h5,g5")
    story.put("b8,b9", ms=150).lift("b9", ms=50).put("c8", ms=600)
    events = [event for _, event in story.log]
    durable = [event for was_durable, event in story.log if was_durable]
    keys = ("t", "s", "m", "ply")
    again = replay(board("lode16")[0], events)
    assert [[event.get(key) for key in keys] for event in again] == [
        [event.get(key) for key in keys] for event in durable
    ]


def test_after_a_power_cut_the_board_asks_for_what_is_missing(story):
    story.play("b5,b6,b7")
    record = {"g": "callisto", "opt": story.game.options, "moves": story.moves()}
    table = Table(board("lode16")[0], 3)
    table.resume(record)
    after = Story("lode16", table=table)
    for sq, strength in story.magnets.items():
        after.magnet(sq, strength)
    after.lift("b7", ms=200)
    assert after.state == "PAUSED"
    after.press(OK)
    after.wait(500)
    assert after.state == "DESYNC" and after.lit("p") == {"b7"}
    after.put("b7", ms=300)
    assert after.state == "TURN" and after.ply == 5


@pytest.mark.parametrize("game, options, why", [
    ({"edition": "2014"}, ("Edition: 2014", "Players: 2"), "lode16 has no room"),
    ({"edition": "2009"}, ("Edition: 2014", "Two colours each: no"), "2009-4"),
])  # fmt: skip
def test_the_menu_says_why_options_do_not_go_together(game, options, why):
    story = Story("lode16", **game)
    lines = story.table.panel.lines

    def choose(text):
        for _ in range(12):
            if any(line.startswith(">" + text) for line in lines):
                return story.press(OK)
            story.press(HINT)
        raise AssertionError(lines)

    story.press(8)
    choose("New game")
    for option in options:
        choose(option)
    choose("Start")
    choose("Yes")
    assert why in " ".join(line.strip(" >") for line in lines), lines
    story.press(OK)
    assert any("Edition" in line for line in lines)  # back at the options
    story.press(8)
    assert story.state == "TURN" and story.game.options["edition"] == game["edition"]
