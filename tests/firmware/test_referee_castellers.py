"""Stories of Castellers at the table: racks, columns, the bag, falls, exchanges, and what goes wrong."""

import pytest
from castellers_story import HINT, OK, UNDO, Story
from lodeboard.firmware.replay import replay, replayed

import shared_rules

DEAL = [["r1", "r2"], ["b3", "g4"]]


def story(deal=None, moves=(), **options):
    """A game in the middle: the moves are played in the rules, everything stands as they say."""
    story = Story(deal=deal or DEAL, set_up=False, **options)
    game = shared_rules.load("castellers", **story.game.options)
    for text in moves:
        game.play(game.parse(text))
    record = {"g": "castellers", "opt": game.options, "match": 1, "game": 1, "seed": 7,
              "moves": [f"{seat + 1}:{game.text(move)}" for seat, move in game.history]}
    story.table.resume(record)
    places = story.referee.places
    for sq, token in enumerate(story.referee.piece):
        if token:
            story.casteller(story.name_of(token - 1))
            story.put(sq, ms=5)
    for castell in sum(places.castells, []):
        for sq in places.squares(castell):
            for piece in places.column(sq):
                story.casteller(story.name_of(piece))
                story.put(sq, ms=5)
    story.wait(100)
    story.press(OK)
    story.wait(700)
    story.log.clear()
    assert story.state in ("TURN", "LIFTED"), (story.state, story.text)
    return story


def on(story, square):
    """The castellers on a square as the board knows them, from the bottom up."""
    return [story.name_of(piece) for piece in story.referee.places.column(story.square(square))]



def test_setup_asks_for_the_deal_and_begins_by_itself():
    s = Story(deal=DEAL, set_up=False)
    s.wait(100)
    assert s.state == "SETUP" and s.text.startswith("Seat 1 gets red 1")
    assert s.lit("c") == {"a4"}
    s.set_up()
    setup = s.told("setup")[0]
    assert setup["opt"]["deal"] == DEAL and setup["opt"]["starter"] == 1 and setup["opt"]["seed"] == 7


def test_the_lowest_sum_starts_and_no_lot_is_drawn():
    s = Story(deal=[["r5", "r6"], ["b1", "g2"]])
    assert s.told("setup")[0]["opt"]["starter"] == 2 and s.game.turn == 1


def test_ok_draws_from_the_boards_bag_and_the_rack_hole_glows_in_the_colour():
    s = Story(deal=DEAL)
    s.press(OK)
    move = s.told("move")[0]
    piece = s.game.pieces.index(move["m"][5:])
    assert move["m"].startswith("draw=") and s.state == "LIFTED"
    assert s.lit("c") == {"c4"} and s.display().count(str(piece % 7 + 1)) > 0
    s.casteller(move["m"][5:])
    s.put("c4")
    assert s.state == "TURN" and "action 2" in s.text


def test_the_same_seed_draws_the_same():
    one, two = Story(deal=DEAL), Story(deal=DEAL)
    assert one.draw().draw().moves() == two.draw().draw().moves()


def test_a_drawn_casteller_may_take_another_hole_or_be_built_at_once():
    s = Story(deal=DEAL)
    s.press(OK)
    s.casteller("x")
    s.put("d3")
    assert s.state == "TURN" and s.referee.piece[s.square("d3")] and not s.referee.piece[s.square("c4")]
    s.press(OK)
    assert s.game.turn == 1
    s.casteller("x")
    s.put(s.referee.due)
    assert s.state == "TURN" and not s.told("illegal")


def test_a_column_begins_where_it_glows():
    s = Story(deal=DEAL)
    s.lift("r1")
    assert s.state == "LIFTED" and s.lit("g") == {"f15"} and s.lit("s") == {"a4"}
    s.put("f15")
    assert s.moves() == ["1:r1@1.1"] and s.lit("l") == {"f15"}


def test_elsewhere_it_is_refused_and_led_back():
    s = Story(deal=DEAL)
    s.build("r1", "g14")
    assert s.why() == ["the next column stands on f15"] and s.state == "DESYNC" and s.lit("x") == {"g14"}
    s.lift("g14")
    s.put("f15", ms=300)
    assert s.moves() == ["1:r1@1.1"]


def test_the_second_level_counts_by_itself():
    s = Story(deal=DEAL)
    s.build("r1", "f15").wait(300)
    s.build("r2", "f15")
    assert s.moves() == ["1:r1@1.1", "1:r2@1.1"] and not s.told("illegal")
    assert [e for e in s.told("stack") if e.get("sure")]


@pytest.mark.parametrize("column,goal", [(1, "f15"), (2, "h15")])
def test_of_two_columns_the_one_that_grew_is_told(column, goal):
    s = story([["r1", "r7"], ["b3", "g4"]],
              ["r1@1.1", "draw=r2", "draw=b5", "draw=b6", "r2@1.2", "draw=p3", "draw=b7", "draw=g5"], starter=1)
    s.build("r7", goal, 1500)
    assert s.moves() == [f"1:r7@1.{column}"]


def third():
    """Seat 1 has a column of red 1 and 2, and a red 4 for it."""
    return story([["r1", "r2"], ["b3", "g4"]],
                 ["r1@1.1", "r2@1.1", "draw=b5", "draw=b6", "draw=r4", "draw=p3", "draw=b7", "draw=g5"])


def test_the_third_level_is_asked_and_ok_confirms():
    s = third()
    s.build("r4", "f15", 2200)
    assert s.state == "PENDING" and s.lit("a") == {"f15"} and "red 4" in s.text and not s.moves()
    s.press(OK)
    assert s.moves() == ["1:r4@1.1"] and on(s, "f15") == ["r1", "r2", "r4"]


def test_a_wiggle_of_the_column_confirms():
    s = third()
    s.build("r4", "f15", 2200)
    s.rock("f15")
    assert s.moves() == ["1:r4@1.1"]


def test_nothing_is_counted_while_the_casteller_is_in_the_hand():
    s = third()
    s.lift("r4").wait(3000)
    assert s.state == "LIFTED" and not s.moves()
    s.put("a4" if s.referee.piece[s.square("a4")] else s.referee.put[0])
    assert s.state == "TURN" and not s.moves()


def two_castells():
    """Seat 1 has columns of two on two bases; its white seven can go onto either."""
    moves = ["r1@1.1", "draw=r2", "draw=b5", "draw=b6", "r2@1.1", "draw=g1", "draw=b7", "draw=g5",
             "g1@2.1", "draw=g2", "draw=b1", "draw=b2", "g2@2.1", "draw=p1", "draw=p2", "draw=p3"]
    return story([["r1", "w7"], ["b3", "g4"]], moves, starter=1)


def test_undo_and_a_wiggle_of_another_column_correct_the_guess():
    s = two_castells()
    s.build("w7", "f15", 2200)
    assert s.state == "PENDING" and s.lit("a") == {"f15"} and s.lit("g") == {"j15"}
    s.press(UNDO)
    assert s.lit("a") == {"j15"}
    s.rock("f15")
    assert s.lit("a") == {"f15"} and not s.moves()
    s.press(OK)
    assert s.moves() == ["1:w7@1.1"]


def test_when_nothing_can_be_told_ok_asks_all_the_same():
    s = two_castells()
    s.referee.stacks.forget()
    s.lift("w7")
    s.put("j15", ms=500)
    while "On a column" not in s.text:
        s.press(HINT)
    s.press(OK)
    assert s.state == "PENDING"
    if s.lit("a") != {"j15"}:
        s.wait(350).press(UNDO)
    s.wait(350).press(OK)
    assert s.moves() == ["1:w7@2.1"]


def test_a_bump_of_another_column_never_commits():
    s = two_castells()
    s.lift("w7")
    for _ in range(6):
        s.shift(s.square("f15"), 0.4)
        s.wait(500)
    assert not s.moves()


def test_a_white_makes_a_casteller_fall():
    s = Story(deal=DEAL, seed=7)
    s.build("r1", "f15").wait(200)
    s.game._bag[s.game._drawn] = s.game.pieces.index("w1")
    s.draw()
    assert s.state == "TURN" and "falls" in s.text and s.lit("g") == {"f15"}
    s.lift("r2")
    assert s.why() == ["a white was drawn: first a casteller falls"]
    s.put("b4")
    s.lift("f15")
    assert s.state == "LIFTED" and s.lit("c") == {"c4"}
    s.put("c4", ms=300)
    assert s.moves()[-1] == "1:fall 1.1" and s.state == "TURN" and s.game.turn == 1


def test_a_fall_from_the_second_level_is_told_by_the_field():
    s = Story(deal=DEAL)
    s.build("r1", "f15").wait(300)
    s.build("r2", "f15").wait(300)
    s.draw().draw()
    s.wait(400)
    s.game._bag[s.game._drawn] = s.game.pieces.index("w3")
    s.draw()
    s.lift("f15", ms=600)
    s.put("b4", ms=1500)
    assert s.moves()[-1] == "1:fall 1.1" and on(s, "f15") == ["r1"]


def test_an_exchange_gives_and_takes():
    s = story([["r1", "r6"], ["b3", "g4"]], ["draw=r2", "draw=r7", "draw=b5", "draw=b6"])
    s.lift("r6")
    hole = s.referee.places.free_hole(1)
    assert s.board.square_name(hole) in s.lit("r")
    s.put(hole, ms=300)
    assert s.moves() == ["1:give r6>2"] and "take one under 6" in s.text
    s.lift("b3")
    assert s.lit("g") == {"f15"}
    s.put("f15", ms=300)
    assert s.moves()[-1] == "1:take b3@1.1" and s.state == "TURN"


def test_giving_is_taken_back_by_hand():
    s = story([["r1", "r6"], ["b3", "g4"]], ["draw=r2", "draw=r7", "draw=b5", "draw=b6"])
    start = next(sq for sq in s.standing if s.referee.piece[sq] == s.game.pieces.index("r6") + 1)
    s.lift("r6")
    s.put(s.referee.places.free_hole(1), ms=300)
    s.lift(s.told("drop")[-1]["q"])
    s.put(start, ms=300)
    assert s.moves() == ["1:give r6>2", "undo 1:give r6>2"] and s.state == "TURN"


def test_a_casteller_of_another_player_stays_where_it_is():
    s = Story(deal=DEAL)
    s.lift("b3")
    assert s.why() == ["it is the turn of Seat 1"] and s.state == "DESYNC"


def test_undo_takes_a_tall_build_back_hole_by_hole():
    s = Story(deal=DEAL)
    s.build("r1", "f15").wait(300)
    s.build("r2", "f15").wait(300)
    s.press(UNDO)
    assert s.state == "DESYNC" and s.lit("x") == {"f15"} and "red 2" in s.text
    s.lift("f15")
    s.put("b4", ms=300)
    assert s.moves()[-1] == "undo 1:r2@1.1" and s.state == "TURN" and s.game.turn == 0


def test_undo_of_a_draw_gives_the_same_again():
    s = Story(deal=DEAL)
    s.draw()
    s.press(UNDO)
    s.lift("c4")
    s.wait(300)
    assert s.moves()[1] == "undo " + s.moves()[0]
    s.hand.clear()
    s.draw()
    assert s.moves()[2] == s.moves()[0]


def test_a_castell_that_fell_down_is_shown_level_by_level():
    s = third()
    s.build("r4", "f15", 2200).press(OK).wait(300)
    fallen = [s.off(s.square("f15")) for _ in range(3)][::-1]
    s.wait(600)
    assert s.state == "DESYNC" and s.lit("p") == {"f15"} and "red 1" in s.text
    for level, name in enumerate(("red 1", "red 2", "red 4"), 1):
        assert name in s.text and (level == 1 or s.text.startswith(f"Level {level}"))
        s.hand.remove(fallen[level - 1])
        s.place(fallen[level - 1], s.square("f15"))
        s.wait(600)
        if level > 1:
            s.press(OK)
    assert s.state == "TURN" and s.moves() == ["1:r4@1.1"]


def fallen_tops():
    """A column of three of which the upper two have just fallen, beside the board."""
    s = third()
    s.build("r4", "f15", 2200).press(OK).wait(700)
    assert s.state == "TURN"
    fallen = [s.off(s.square("f15")) for _ in range(2)][::-1]
    s.hand.clear()
    s.wait(900)
    return s, fallen


def test_tops_that_fell_while_the_bottom_stands_are_noticed_and_asked_about():
    s, fallen = fallen_tops()
    assert s.state == "PENDING" and s.text.startswith("Did castellers fall down?") and s.lit("a") == {"f15"}
    assert [event for event in s.told("stack") if event.get("f")]
    s.press(OK)
    for level, piece in enumerate(fallen, 2):
        assert s.state == "DESYNC" and s.text.startswith(f"Level {level}"), s.text
        s.place(piece, s.square("f15"))
        s.wait(600).press(OK)
    assert s.state == "TURN" and s.moves() == ["1:r4@1.1"]


def test_whoever_says_that_nothing_fell_is_not_asked_again():
    s, _ = fallen_tops()
    s.press(UNDO).wait(3000)
    assert s.state == "TURN"


def test_bumps_are_no_falls():
    s = third()
    s.build("r4", "f15", 2200).press(OK).wait(700)
    for _ in range(12):
        s.shift(s.square("f15"), 0.7)
        s.wait(700)
        assert s.state == "TURN", s.text


def test_a_log_in_which_castellers_fell_leads_to_the_same_question():
    s = Story(deal=DEAL)
    s.build("r1", "f15").wait(300)
    s.build("r2", "f15").wait(300)
    s.draw().wait(700)
    s.off(s.square("f15"))
    s.wait(900)
    assert s.text.startswith("Did castellers fall down?")
    again = replayed(s.config, [event for _, event in s.log])
    assert (again.state, again.text) == (s.state, s.text)


def test_two_in_hands_at_once_are_asked_for():
    s = Story(deal=DEAL)
    s.off(s.square("a4"))
    s.wait(100)
    s.off(s.square("b4"))
    s.wait(500)
    s.put("b4")
    s.put("a4", ms=600)
    assert s.state == "PENDING" and "Is it so? red 1 on a4, red 2 on b4" in s.text
    s.press(OK)
    assert s.state == "TURN"


def full_rack(seed=3):
    """Seat 1 holds more castellers than its rack has holes."""
    s = Story(deal=DEAL, seed=seed)
    game = shared_rules.load("castellers", **s.game.options)
    while len(game.set_of(0)) < 18:
        for text in ("draw", "end") if game.turn else ("draw", "draw"):
            if game.must_fall:
                game.play(game.legal()[0])
            if game.is_legal(game.parse(text)):
                game.play(game.parse(text))
    return story(DEAL, [game.text(m) for _, m in game.history], seed=seed)


def test_what_has_no_hole_lies_beside_the_board_and_is_offered():
    s = full_rack()
    seat = s.game.turn
    while s.game.turn:
        s.draw()
    beside = sorted(s.referee.places.beside[0])
    assert len(beside) >= 2 and len(s.referee.places.racks[0]) == 16, seat
    for _ in range(30):
        if "beside the board" in s.text:
            break
        s.press(HINT)
    assert "OK takes" in s.text
    s.press(OK)
    assert s.state == "LIFTED" and s.referee.picked in beside and s.lit("g")
    name = s.name_of(s.referee.picked)
    s.casteller(name)
    goal = sorted(s.lit("g"))[0]
    s.put(goal, ms=400)
    assert s.moves()[-1] == f"1:{name}@1.1" and len(s.referee.places.beside[0]) == len(beside) - 1


# The host


def test_a_draw_of_the_host_is_drawn_at_once_but_never_chosen():
    s = Story(deal=DEAL)
    other = next(p for p in range(35) if s.game.in_bag(p) and s.game.draw() != p << 11)
    reply = s.send(c="play", m="draw=" + s.name_of(other))
    assert "own bag" in reply["err"]
    assert s.send(c="play", m="draw")["ok"] and s.moves()[0].startswith("1:draw=")


def test_the_hosts_wish_glows_and_nothing_else_is_taken():
    s = Story(deal=DEAL)
    s.send(c="play", m="r2@1.1")
    assert s.lit("a") == {"b4", "f15"} and "red 2" in s.text
    s.build("r1", "f15")
    assert "asked is" in s.why()[-1]
    s.lift("f15")
    s.put("a4", ms=300)
    s.build("r2", "f15")
    assert s.moves() == ["1:r2@1.1"]


# The real bag


def enter(s, name):
    colour, number = "rgbpw".index(name[0]), int(name[1])
    s.wait(320)
    s.press(HINT, colour).wait(350).press(OK).press(HINT, number - 1).wait(350).press(OK)


def test_with_the_real_bag_deal_and_draws_are_entered_with_the_buttons():
    s = Story(bag="real", set_up=False)
    assert s.state == "SETUP" and "Seat 1 was dealt, 1 of 2: red?" in s.text
    for name in ("r1", "r2", "b3", "g4"):
        enter(s, name)
    s.set_up()
    assert s.told("setup")[0]["opt"]["deal"] == DEAL
    s.press(OK)
    assert s.state == "PENDING" and "Seat 1 drew red?" in s.text
    enter(s, "p5")
    assert s.moves() == ["1:draw=p5"] and s.lit("c") == {"c4"}


def test_an_entered_draw_that_the_bag_no_longer_holds_is_refused():
    s = Story(bag="real", deal=[["r1", "r1"], ["b3", "g4"]])
    s.press(OK)
    enter(s, "r1")
    assert s.why() == ["the bag holds no r1 any more"] and not s.moves() and s.state == "PENDING"
    enter(s, "r2")
    assert s.moves() == ["1:draw=r2"]


def test_the_box_has_no_more_of_a_dealt_casteller():
    s = Story(bag="real", set_up=False)
    for name in ("w1", "w1"):
        enter(s, name)
    assert s.why() == ["the box has no more w1"] and "Seat 1 was dealt, 2 of 2" in s.text


@pytest.mark.parametrize("move,why", [
    ("draw=x9", "no piece"), ("draw=r1", "holds no r1"), ("draw=", "no piece"),
    ("r9@1.1", "no piece"), ("r3@13.1", "castell"), ("fall 1.1", "falls"), ("give r1>9", "player"),
])  # fmt: skip
def test_the_host_is_told_what_is_wrong_with_a_move(move, why):
    s = Story(bag="real", deal=[["r1", "r1"], ["b3", "g4"]])
    assert why in s.send(c="play", m=move)["err"] and not s.moves()


def test_an_entered_draw_comes_from_the_host_as_well():
    s = Story(bag="real", deal=DEAL)
    assert s.send(c="play", m="draw=w7")["ok"] and s.moves() == ["1:draw=w7"]


def test_what_a_host_draws_from_the_real_bag_people_enter():
    s = Story(bag="real", deal=DEAL)
    assert s.send(c="seat", s=1, by="host", name="Deep")["ok"] and s.send(c="play", m="draw")["ok"]
    assert s.state == "PENDING" and "Deep drew red?" in s.text
    s.wait(350).press(UNDO)  # nothing else than an entry helps
    assert "Deep drew red?" in s.text and not s.moves()
    enter(s, "p5")
    assert s.moves() == ["1:draw=p5"] and s.lit("c") == {"c4"}


# Options


@pytest.mark.parametrize("rules,why", [
    ({"pieces": 65}, "sum to 66, not to the 65"),
    ({"white": {"count": {"1": 9}}}, "sum to 65"),
    ({"white": {"count": {"8": 1}}}, "no entry 8"),
    ({"bonus": {"tallest": -1, "widest": 1}}, "bonus.tallest"),
    ({"per_color": {}}, "no entry per_color"),
    ([1], "must be a table"),
])  # fmt: skip
def test_rules_files_that_are_unsound_are_refused_with_their_entry(rules, why):
    s = Story(deal=DEAL)
    assert why in s.send(c="new", g="castellers", opt={"rules": rules}, force=True)["err"]
    assert s.state == "TURN"


def test_the_next_game_has_another_deal_and_bag():
    s = Story(deal=DEAL, games=2)
    s.send(c="resign", s=1)
    s.press(OK)
    s.set_up()
    one, two = s.told("setup")
    assert two["game"] == 2 and two["opt"]["deal"] != DEAL and two["opt"]["seed"] != one["opt"]["seed"]


# Logs


def test_a_log_replays_without_the_sensors():
    s = Story(deal=DEAL)
    s.build("r1", "f15").wait(300)
    s.build("r2", "f15").wait(300)
    s.draw().draw().wait(300)
    s.draw().wait(300)
    s.press(UNDO).wait(300)
    events = [event for _, event in s.log]
    again = replay(s.config, events)
    ours = [{k: v for k, v in e.items() if k not in ("at", "n")} for e in s.durable()]
    theirs = [{k: v for k, v in e.items() if k not in ("at", "n")} for e in again]
    assert theirs == ours
