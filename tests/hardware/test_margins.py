"""Magnets over a board: the model agrees with the simulator and with the firmware, and nothing is misread.

A small sample; `make hardware` takes more, `python -m hardware.magnets.report` a million squares a case.
"""

from array import array

import numpy as np
import pytest
from lodeboard import boards
from lodeboard.firmware.squares import Squares
from lodeboard.sim import field

from hardware.magnets import growth, margins, model, pieces

LARGE = boards.load("lode20")


def test_model_and_simulator_have_the_same_magnet():
    disc, table = model.disc(), field.load("6x3", "N35")
    for r in (0.0, 1.3, 4.0, 10.0, 20.0, 28.3, 60.0):
        for gap in (5.5, 6.0, 9.1):
            b = model.board_fields(np.array([(r, 0.0)]), np.array([(0, 0, gap, 0, 0, 1.0)]), disc)[0]
            assert b == pytest.approx(table.mt(r, gap), abs=0.06), (r, gap)


def test_a_leaning_magnet_is_magpylibs():
    import magpylib
    from scipy.spatial.transform import Rotation

    lean = np.radians((6.0, -4.0))
    axis = np.array((np.sin(lean[0]), np.sin(lean[1]), 0))
    axis[2] = np.sqrt(1 - axis[0] ** 2 - axis[1] ** 2)
    turn, _ = Rotation.align_vectors([axis], [(0, 0, 1)])
    exact = magpylib.magnet.Cylinder(polarization=(0, 0, 1.2), dimension=(6e-3, 3e-3)).rotate(turn)
    for x, y in ((0.0, 0.0), (3.0, 2.0), (-5.0, 1.0), (12.0, -7.0)):
        mine = model.board_fields(np.array([(x, y)]), np.array([(0, 0, 6.0, *lean, 1.0)]), model.disc())[0]
        assert mine == pytest.approx(exact.getB((x * 1e-3, y * 1e-3, -7.5e-3))[2] * 1e3, abs=0.03)


@pytest.mark.parametrize("case", ["tau", "callisto same", "callisto mixed", "castellers"])
def test_no_square_of_a_small_sample_is_misread(case):
    if case == "tau":
        tally = margins.tau(boards.load("lode8"), 3000)
    elif case == "castellers":
        tally = margins.castellers(LARGE, 3000)
    else:
        tally = margins.callisto(LARGE, 3000, poles=case.split()[1])
    assert tally.squares >= 3000 and tally.occupied > 200
    assert tally.wrong == 0
    assert tally.least > tally.thresholds["on"]
    assert tally.most < tally.thresholds["on"]


def test_pieces_beyond_the_spread_are_misread():
    careless = pieces.Spread(shift=9.0, yaw=15.0)
    assert margins.callisto(LARGE, 2000, spread=careless).wrong > 0


def test_a_plain_threshold_would_err():
    assert margins.callisto(LARGE, 2000).raw_wrong > 0


def test_the_firmware_decides_the_same():
    rng = np.random.default_rng(8)
    config = boards.firmware_config(LARGE)
    disc, gap = model.disc(), LARGE.data["magnet"]["gap_mm"]
    thresholds = LARGE.data["layouts"]["callisto"]["thresholds_mt"]
    spots = pieces.tiling(rng, 20, 20)
    sensors = margins.Sensors(LARGE, pieces.LOOSE, rng)
    for poles in ("same", "mixed"):
        magnets, truth = pieces.callisto(rng, spots, (20, 20), pieces.LOOSE, 20.0, gap, poles)
        squares = Squares(config)
        squares.set_thresholds(thresholds["on"], thresholds["off"])
        for now in range(0, 400, 10):
            mt = sensors.read(magnets, disc, pieces.LOOSE, rng).ravel()
            counts = np.clip(np.round(mt * config["counts_per_mt"]) + config["zero"], 0, 4095).astype(int)
            squares.update(now, array("H", counts.tolist()))
        seen = np.array([{0: 0, 1: 1, 2: -1}[s] for s in squares.state]).reshape(20, 20)
        assert (seen == truth).all()


def test_levels_fall_as_the_field_does():
    rows = growth.nominal()
    assert rows[0][1] == pytest.approx(32.6, abs=0.1)
    assert rows[1][1] == pytest.approx(1.23, abs=0.02) and rows[2][1] == pytest.approx(0.26, abs=0.01)
    told = growth.decide(2, 0.5, 200, learn=400)
    assert told["wrong"] == 0 and told["right"] > 0.98


def test_forces_are_weaker_than_the_dipole_formula_says():
    sideways, upwards = model.disc().force(0, 16.0)
    assert sideways == pytest.approx(0, abs=1e-6)
    assert -upwards == pytest.approx(5.45, abs=0.1)  # gf; the dipole formula gives 6.1
