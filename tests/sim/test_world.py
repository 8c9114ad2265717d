"""Virtual magnets and sensors: fields, tolerances, noise, and that only what moved is computed again."""

import math
from array import array

import pytest
from lodeboard import boards
from lodeboard.sim.world import World

COUNTS_PER_MT = 37.236


@pytest.fixture
def exact():
    """A world of perfect parts without noise."""
    return World(boards.load("lode8"), noise=0, tolerance=0)


def read(world):
    readings = array("H", bytes(2 * world.board.squares))
    world.read(readings)
    return readings


def put(world, square, pole=1, magnets=((0, 0, 0),), off=0.0):
    piece = world.add(f"piece on {square}", magnets)
    x, y = world.board.centre_mm(world.board.square(square))
    world.move(piece, x + off, y, pole=pole)
    return piece


def test_an_empty_board_reads_zero(exact):
    assert set(read(exact)) == {2048}


@pytest.mark.parametrize("pole", [1, -1])
def test_a_magnet_reads_33_mt_on_its_square_and_weakens_the_neighbours(exact, pole):
    put(exact, "d4", pole)
    square = exact.board.square
    at = read(exact)
    assert (at[square("d4")] - 2048) / COUNTS_PER_MT == pytest.approx(32.55 * pole, abs=0.05)
    assert at[square("d5")] - 2048 == at[square("c4")] - 2048 == round(-0.523 * COUNTS_PER_MT) * pole
    assert at[square("e5")] - 2048 == round(-0.261 * COUNTS_PER_MT) * pole


def test_the_full_board_biases_an_empty_square_as_the_study_says(exact):
    for x in "abcdefgh":
        for y in range(1, 9):
            if (x, y) != ("d", 4):
                put(exact, f"{x}{y}")
    assert exact.mt(exact.board.square("d4")) == pytest.approx(-4.9, abs=0.5)  # 24 neighbours: -4.4


def test_a_magnet_off_its_centre_or_above_its_seat_is_weaker(exact):
    square = exact.board.square("d4")
    piece = put(exact, "d4", off=3)
    assert exact.mt(square) == pytest.approx(22.7, abs=0.1)
    x, y = exact.board.centre_mm(square)
    for height, mt in ((1, 23.0), (3, 13.0), (5, 7.8), (12, 2.1)):
        exact.move(piece, x, y, height)
        assert exact.mt(square) == pytest.approx(mt, abs=0.25)


def test_a_turned_piece_carries_its_magnets_round(exact):
    piece = exact.add("I2", [(0, 0, 0), (20, 0, 0)])
    x, y = exact.board.centre_mm(exact.board.square("d4"))
    square = exact.board.square
    exact.move(piece, x, y, yaw=0)
    assert exact.mt(square("e4")) > 30 > exact.mt(square("d3"))
    exact.move(piece, x, y, yaw=90)
    assert exact.mt(square("d3")) > 30 > exact.mt(square("e4"))


def test_the_upper_end_of_a_stick_hardly_shows(exact):
    put(exact, "d4", magnets=[(0, 0, 0), (0, 0, 34)])
    assert exact.mt(exact.board.square("d4")) == pytest.approx(32.55 + 0.22, abs=0.05)


def test_moving_leaves_nothing_behind():
    moved, fresh = (World(boards.load("lode8"), seed=3, noise=0) for _ in range(2))
    one, two = put(moved, "a1"), put(fresh, "a1")
    for i in range(2000):
        moved.move(one, 80 + 70 * math.sin(i), 80 + 70 * math.cos(i / 3), i % 20, i)
    for world, piece in ((moved, one), (fresh, two)):
        world.move(piece, 45.6, 78.9, 0, 12)
    assert read(moved) == read(fresh)
    moved.remove(one)
    assert max(abs(moved.mt(sq)) for sq in range(64)) < 1e-9


def test_one_seed_gives_one_world():
    boards8 = boards.load("lode8")
    one, two, other = World(boards8, 5), World(boards8, 5), World(boards8, 6)
    for world in (one, two, other):
        put(world, "c3")
    a, b, c = ([list(read(w)) for _ in range(20)] for w in (one, two, other))
    assert a == b != c


def test_sensors_are_noisy_and_off_within_their_tolerance():
    world = World(boards.load("lode20"), seed=1)
    sweeps = [read(world) for _ in range(200)]
    means = [sum(s[sq] for s in sweeps) / len(sweeps) for sq in range(400)]
    assert all(abs(m - 2048) <= 0.5 * COUNTS_PER_MT + 1 for m in means)
    assert max(means) - min(means) > 0.8 * COUNTS_PER_MT
    rms = math.sqrt(sum((s[7] - means[7]) ** 2 for s in sweeps) / len(sweeps))
    assert 2.0 < rms < 4.0


def test_a_strong_magnet_saturates_and_never_leaves_the_scale(exact):
    for n in range(4):
        piece = exact.add(n, [(0, 0, 0)])
        exact.move(piece, *exact.board.centre_mm(exact.board.square("d4")))
    assert read(exact)[exact.board.square("d4")] == 2048 + round(44 * COUNTS_PER_MT)


def test_wide_codes_of_the_converter(exact):
    """Nine codes come out as one; the world keeps fields in parts of a count."""
    code, fine = exact._code, len(exact._code) // 4096
    given = [code[fine * n + fine // 2] for n in range(2555, 2566)]
    assert given[1:-1] == [2560] * 9 and given[0] == 2555 and given[-1] == 2565
    assert code[0] == 0 and code[-1] == 4095


def test_what_is_less_than_a_count_shows_in_an_average():
    """Of a column of castellers the sixth adds 0.024 mT, under a count: noise carries it into the mean."""
    world = World(boards.load("lode8"), seed=1, tolerance=0)
    square = world.board.square("d4")
    means = []
    for level in range(7):
        x, y = world.board.centre_mm(square)
        world.move(world.add(level, [(0, 0, 0)]), x, y, 16.0 * level)
        means.append(sum(read(world)[square] for _ in range(4000)) / 4000)
    grew = [(b - a) / COUNTS_PER_MT for a, b in zip(means, means[1:], strict=False)]
    assert grew == pytest.approx([1.23, 0.26, 0.095, 0.0448, 0.0245, 0.0148], abs=0.006)


def test_stuck_and_dead_sensors(exact):
    exact.stick(5, 4095)
    exact.stick(6, 0)
    at = read(exact)
    assert (at[5], at[6], at[7]) == (4095, 0, 2048)
    exact.stick(5, None)
    assert read(exact)[5] == 2048
