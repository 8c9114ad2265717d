"""Virtual hands: they move as people do, in the board's time, the same for one seed."""

import math

import pytest
from lodeboard import boards
from lodeboard.sim.hands import CARRY_MM, OK, UNDO, Hands
from lodeboard.sim.world import World


@pytest.fixture
def table():
    world = World(boards.load("lode8"), noise=0, tolerance=0)
    stick = world.add("stick", [(0, 0, 0)])
    world.move(stick, *world.board.centre_mm(world.board.square("b2")))
    return world, stick


def follow(hands, script, limit_ms=20000):
    """Run a script to its end; yields the time of each tick."""
    hands.start(script)
    for now in range(0, limit_ms, 5):
        hands.step(now)
        yield now
        if hands.idle:
            return
    raise AssertionError("the script does not end")


def carry(hands, stick, square):
    x, y = hands.world.board.centre_mm(hands.world.board.square(square))
    yield from hands.lift(stick)
    yield from hands.carry(stick, x, y)
    yield from hands.put(stick, x, y)


def test_a_carried_piece_clears_its_neighbours_and_lands_where_it_should(table):
    world, stick = table
    hands = Hands(world, seed=1)
    heights = [stick.z for _ in follow(hands, carry(hands, stick, "g7"))]
    x, y = world.board.centre_mm(world.board.square("g7"))
    assert max(heights) == pytest.approx(CARRY_MM) and stick.z == 0
    assert abs(stick.x - x) <= 1 and abs(stick.y - y) <= 1 and abs(stick.yaw) <= 2
    assert not hands.holding


def test_a_carry_takes_a_persons_time(table):
    world, stick = table
    hands = Hands(world, seed=1)
    times = list(follow(hands, carry(hands, stick, "g7")))
    assert 500 < times[-1] < 3500  # 141 mm


def test_sloppiness_moves_pieces_off_their_squares(table):
    world, stick = table
    x, y = world.board.centre_mm(world.board.square("g7"))
    for sloppiness in (0, 1, 3):
        off = []
        for seed in range(20):
            hands = Hands(world, seed, sloppiness)
            list(follow(hands, carry(hands, stick, "g7")))
            off.append(math.hypot(stick.x - x, stick.y - y))
        assert max(off) <= 1.4143 * sloppiness + 0.01
        assert max(off) >= 0.6 * sloppiness


def test_one_seed_gives_one_path(table):
    world, stick = table
    paths = []
    for seed in (4, 4, 5):
        world.move(stick, *world.board.centre_mm(world.board.square("b2")))
        hands = Hands(world, seed)
        paths.append([(now, stick.x, stick.y, stick.z) for now in follow(hands, carry(hands, stick, "g7"))])
    assert paths[0] == paths[1] != paths[2]


def test_turning_shows_the_other_pole(table):
    world, stick = table
    hands = Hands(world)
    list(follow(hands, hands.turn(stick)))
    assert stick.pole == -1
    assert world.mt(world.board.square("b2")) < -30


def test_buttons_are_down_as_long_as_they_are_held(table):
    world, _ = table
    hands = Hands(world)
    down = [now for now in follow(hands, hands.press(OK, 900)) if hands.buttons & OK]
    assert 895 <= down[-1] - down[0] <= 905
    list(follow(hands, hands.press(UNDO)))
    assert hands.buttons == 0


def test_a_new_script_ends_the_old_one(table):
    world, stick = table
    hands = Hands(world)
    ended = []

    def forever():
        try:
            while True:
                yield 10
        finally:
            ended.append(True)

    hands.start(forever())
    hands.step(0)
    hands.start(hands.pause(10, 10))
    assert ended and not hands.idle
