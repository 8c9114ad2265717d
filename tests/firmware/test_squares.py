"""What the sensors read becomes squares: hysteresis, patience, neighbours, drift, calibration."""

from array import array

import numpy
import pytest
from lodeboard import boards
from lodeboard.firmware.squares import EMPTY, NORTH, SCANS, SOUTH, Squares
from lodeboard.sim import field

CONFIGS = {name: boards.firmware_config(boards.load(name)) for name in boards.names()}
LODE8 = CONFIGS["lode8"]
WIDTH = LODE8["width"]
TICK = 5


class Desk:
    """A lode8 whose sensors are perfect: the field of each piece is the nominal kernel's."""

    def __init__(self):
        self.squares = Squares(LODE8)
        self.field = numpy.zeros(64)
        self.now = 0

    def put(self, sq, pole=1, share=1.0):
        """A magnet over the square, with a share of its full field; share -1 takes it away again."""
        kernel = LODE8["kernel"]
        for other in range(64):
            dy, dx = abs(other // WIDTH - sq // WIDTH), abs(other % WIDTH - sq % WIDTH)
            if max(dx, dy) < len(kernel):
                self.field[other] += pole * share * kernel[dy][dx]

    def scan(self, times=1):
        """Scans; the squares that changed in any of them."""
        changed = []
        for _ in range(times):
            self.now += TICK
            counts = numpy.clip(numpy.rint(LODE8["zero"] + self.field), 0, 4095).astype(int)
            self.squares.update(self.now, array("H", counts.tolist()))
            changed += self.squares.changed
        return changed

    def mt(self, sq, value):
        """Sets the field at a sensor without any neighbour."""
        self.field[sq] = value * LODE8["counts_per_mt"]


def test_a_piece_counts_after_equal_scans_and_tells_its_pole():
    desk = Desk()
    desk.scan()
    desk.put(20)
    desk.put(22, pole=-1)
    assert desk.scan(SCANS - 1) == []
    assert sorted(desk.scan()) == [20, 22]
    assert desk.squares.state[20] == NORTH and desk.squares.state[22] == SOUTH
    desk.put(20, share=-1)
    assert desk.scan(SCANS) == [20]
    assert desk.squares.state[20] == EMPTY


def test_one_bounce_begins_the_count_anew():
    desk = Desk()
    desk.scan()
    for _ in range(10):
        desk.put(20)
        desk.scan(SCANS - 1)
        desk.put(20, share=-1)
        desk.scan()
    assert not any(desk.squares.state)


def test_between_the_thresholds_a_square_stays_what_it_was():
    desk = Desk()
    desk.scan()
    desk.mt(9, 3.0)
    assert desk.scan(10) == []
    desk.mt(9, 3.6)
    assert desk.scan(10) == [9]
    desk.mt(9, 2.6)
    assert desk.scan(10) == []
    desk.mt(9, 2.4)
    assert desk.scan(10) == [9]


def test_a_game_may_want_other_thresholds():
    desk = Desk()
    desk.squares.set_thresholds(10, 7)
    desk.scan()
    desk.mt(9, 9)
    assert desk.scan(10) == []
    desk.mt(9, 11)
    assert desk.scan(10) == [9]


def test_a_stick_turned_over_in_its_hole_changes_pole_at_once():
    desk = Desk()
    desk.put(20)
    desk.scan()
    desk.put(20, pole=-1, share=2)
    assert desk.scan(SCANS) == [20]
    assert desk.squares.state[20] == SOUTH


def test_neighbours_of_one_pole_do_not_make_a_piece_of_an_empty_square():
    desk = Desk()
    desk.scan()
    for sq in range(64):
        if sq != 27:
            desk.put(sq)
    assert desk.field[27] < -4.5 * LODE8["counts_per_mt"]  # a plain threshold of 3.5 mT would be fooled
    desk.scan(SCANS)
    desk.scan(SCANS)
    assert desk.squares.state[27] == EMPTY
    assert sum(1 for state in desk.squares.state if state == NORTH) == 63
    assert abs(desk.squares.residual[27]) < 0.1 * LODE8["counts_per_mt"]


def test_the_base_comes_back_when_the_pieces_go():
    desk = Desk()
    desk.scan()
    for sq in (3, 12, 13, 40):
        desk.put(sq)
    desk.scan(SCANS)
    for sq in (3, 12, 13, 40):
        desk.put(sq, share=-1)
    desk.scan(2 * SCANS)
    assert not any(desk.squares.state) and not any(desk.squares.residual)


def test_rest_is_measured_from_the_last_movement():
    desk = Desk()
    desk.scan(4)
    assert desk.squares.rested_ms(desk.now) == 3 * TICK
    desk.put(20, share=0.05)
    desk.scan()
    assert desk.squares.rested_ms(desk.now) == 0
    desk.scan(20)
    assert desk.squares.rested_ms(desk.now) == 20 * TICK


def test_a_piece_askew_is_weak_once_it_rests_and_no_longer_when_straight():
    desk = Desk()
    desk.scan()
    desk.put(20, share=0.3)
    desk.scan(20)
    assert desk.squares.state[20] == NORTH and not desk.squares.weak(20)
    desk.scan(100)
    assert desk.squares.weak(20) and not desk.squares.weak(21)
    assert desk.squares.askew() == [20]
    desk.put(45)
    desk.scan(SCANS)
    assert desk.squares.askew() == [20]  # what it was, while another piece moves
    desk.put(20, share=0.7)
    desk.scan(100)
    assert not desk.squares.weak(20) and desk.squares.askew() == []


def test_a_weak_piece_that_is_taken_away_and_set_down_again_is_judged_anew():
    desk = Desk()
    desk.scan()
    desk.put(20, share=0.3)
    desk.scan(100)
    assert desk.squares.weak(20)
    desk.put(20, share=-0.3)
    desk.scan(SCANS)
    assert not desk.squares.weak(20)
    desk.put(20)
    desk.scan(SCANS)
    assert desk.squares.state[20] == NORTH and not desk.squares.weak(20)


def test_an_empty_square_s_zero_follows_drift_but_not_far_and_not_below_a_piece():
    desk = Desk()
    desk.scan()
    desk.put(20)
    desk.field += 0.8 * LODE8["counts_per_mt"]
    desk.scan(60000)
    assert abs(desk.squares.residual[5]) < 0.1 * LODE8["counts_per_mt"]
    assert desk.squares.drift[20] == 0
    desk.field += 1.2 * LODE8["counts_per_mt"]
    desk.scan(60000)
    assert 0.9 < desk.squares.residual[5] / LODE8["counts_per_mt"] < 1.1


def test_what_a_person_calibrated_does_not_drift():
    desk = Desk()
    calibration = desk.squares.calibration()
    calibration["manual"] = True
    desk.squares.calibrate(calibration)
    desk.field += 0.8 * LODE8["counts_per_mt"]
    desk.scan(20000)
    assert not any(desk.squares.drift)
    assert desk.squares.residual[5] == round(0.8 * LODE8["counts_per_mt"])


def test_a_sensor_that_is_dead_at_the_start_is_muted_and_not_a_piece():
    desk = Desk()
    desk.field[9] = -2048
    desk.field[10] = 2047
    desk.put(20)
    assert desk.scan(10) == [20]
    assert desk.squares.muted == [9, 10]
    assert desk.squares.calibration()["gain"] == [256] * 64


def test_a_calibration_of_another_board_is_nominal():
    squares = Squares(LODE8)
    squares.calibrate({"zero": [1, 2, 3], "gain": []})
    assert list(squares.zero) == [2048 * 8] * 64


def test_noise_is_measured_at_rest():
    squares = Squares(LODE8)
    random = numpy.random.default_rng(3)
    sigma = 0.1 * LODE8["counts_per_mt"]
    for i in range(2100):
        squares.update(i * TICK, array("H", numpy.rint(random.normal(2048, sigma, 64)).astype(int).tolist()))
    assert squares.noise_umt == pytest.approx(100, rel=0.06)


def test_listening_averages_and_starts_over_when_something_moves():
    desk = Desk()
    desk.scan()
    desk.mt(7, 1.0)
    desk.squares.listen(8)
    desk.scan(5)
    desk.put(20)
    desk.scan()
    assert desk.squares.listening == 8
    desk.scan(8)
    assert desk.squares.listening == 0
    assert desk.squares.average(7) / 8 == pytest.approx(2048 + desk.field[7], abs=0.6)


def test_forced_states_stand_as_if_decided():
    desk = Desk()
    states = bytearray(64)
    states[20], states[21] = NORTH, SOUTH
    desk.squares.force(states)
    assert desk.squares.changed == [20, 21]
    desk.put(20)
    desk.put(21, pole=-1)
    assert desk.scan(10) == []
    assert abs(desk.squares.residual[22]) <= 1


# Monte Carlo, with the tolerances of the study


def pieces_of(random, width, height, fill, mixed):
    """A board full of straight pieces of 1 to 5 squares, each shifted up to 3 mm and turned up to 5 degrees.

    Gives states, and x, y in mm, of every magnet.
    """
    size = width * height
    state = numpy.zeros(size, int)
    at = numpy.zeros((size, 2))
    sq = 0
    while sq < size:
        length = min(int(random.integers(1, 6)), width - sq % width)
        pole = int(random.integers(1, 3)) if mixed else NORTH
        shift = random.uniform(-3, 3, 2)
        angle = numpy.deg2rad(random.uniform(-5, 5))
        there = random.random() < fill
        for k in range(length):
            arm = 20 * (k - (length - 1) / 2)
            x = 20 * (sq % width) + arm * (numpy.cos(angle) - 1)
            at[sq] = x + shift[0], 20 * (sq // width) + arm * numpy.sin(angle) + shift[1]
            state[sq] = pole if there else EMPTY
            sq += 1
    return state, at


class Physics:
    """Fields of many magnets at many sensors at once."""

    def __init__(self):
        self.field = field.load("6x3", "N35")
        self.gaps = numpy.arange(5.5, 6.51, 0.25)
        self.r = numpy.arange(0, 600, 0.25)
        self.table = numpy.array([[self.field.mt(r, gap) for r in self.r] for gap in self.gaps])

    def mt(self, r, gap):
        i = numpy.clip(((gap - 5.5) / 0.25).astype(int), 0, len(self.gaps) - 2)
        t = (gap - self.gaps[i]) / 0.25
        j = (r * 4).astype(int)
        x = r * 4 - j
        low = self.table[i, j] + x * (self.table[i, j + 1] - self.table[i, j])
        high = self.table[i + 1, j] + x * (self.table[i + 1, j + 1] - self.table[i + 1, j])
        return low + t * (high - low)


@pytest.fixture(scope="module")
def physics():
    return Physics()


@pytest.mark.parametrize(
    "board, count, fill, mixed",
    [
        ("lode16", 60, 0.94, False),
        ("lode16", 30, 0.94, True),
        ("lode20", 20, 0.94, False),
        ("lode20", 20, 0.5, False),
    ],
)
def test_no_square_is_wrong_within_the_tolerances(physics, board, count, fill, mixed):
    """Magnets and sensors +-5 %, gap 6 +-0.5 mm, offset +-0.5 mT, noise 0.1 mT, A2 clipping at 44 mT."""
    config = CONFIGS[board]
    width, height = config["width"], config["height"]
    size = width * height
    random = numpy.random.default_rng(count + int(100 * fill) + mixed)
    sensors = numpy.array([(20.0 * (sq % width), 20.0 * (sq // width)) for sq in range(size)])
    weakest, strongest = 99.0, 0.0
    for _ in range(count):
        state, at = pieces_of(random, width, height, fill, mixed)
        there = numpy.flatnonzero(state)
        sign = numpy.where(state[there] == NORTH, 1, -1) * random.uniform(0.95, 1.05, len(there))
        gap = random.uniform(5.5, 6.5, len(there))
        r = numpy.hypot(*(sensors[:, None, :] - at[there][None, :, :]).transpose(2, 0, 1))
        mt = (physics.mt(r, numpy.broadcast_to(gap, r.shape)) * sign).sum(axis=1)
        mt = mt * random.uniform(0.95, 1.05, size) + random.uniform(-0.5, 0.5, size)
        mt = numpy.clip(mt, -44, 44)
        squares = Squares(config)
        for scan in range(2):
            noisy = mt + random.normal(0, 0.1, size)
            counts = numpy.clip(numpy.rint(config["zero"] + noisy * config["counts_per_mt"]), 0, 4095)
            squares.update(scan * TICK, array("H", counts.astype(int).tolist()))
        assert list(squares.state) == state.tolist()
        residual = numpy.abs(numpy.array(squares.residual)) / config["counts_per_mt"]
        weakest = min(weakest, residual[state > 0].min())
        strongest = max(strongest, residual[state == 0].max())
    assert weakest > 4.0  # on from 3.5
    assert strongest < 2.0  # off under 2.5
