"""Set down or passing by: sticks that slide, hover and land over magnets as the simulator has them."""

import random
from array import array

import pytest
from lodeboard import boards
from lodeboard.firmware.table import Table
from lodeboard.sim.world import World
from story import CONFIG, HOLES, PIECES

LODE8, LODE20 = boards.load("lode8"), boards.load("lode20")
CONFIG20 = boards.firmware_config(LODE20)
LAYOUT = CONFIG["layouts"]["tau"]
HIGH_MM = 40


class Hand:
    """Sticks in a world of magnets with noise and tolerances, and one hand that carries them exactly so."""

    def __init__(self, seed, board=LODE8):
        self.board = board
        config = CONFIG if board is LODE8 else CONFIG20
        self.layout = config["layouts"]["tau"]
        self.world = World(board, seed)
        self.table = Table(config, seed)
        self.random = random.Random(seed)
        self.now = 0
        self.readings = array("H", [0] * board.squares)
        self.log = []
        self.sticks = {}
        for seat in range(2):
            for i, piece in enumerate(PIECES):
                stick = self.world.add(f"{seat}{piece}", [(0, 0, 0)])
                x, y = board.centre_mm(self.layout["racks"][seat][i])
                self.world.move(stick, x + self.off(0.7), y + self.off(0.7), 0, 0, 1)
                self.sticks[seat, i] = stick
        self.wait(300)
        assert self.table.state == "TURN"

    def off(self, mm):
        return self.random.gauss(0, mm)

    def step(self):
        self.now += 5
        self.world.read(self.readings)
        self.table.step(self.now, self.readings, 0, ())
        self.log += [event for _, event in self.table.events]

    def wait(self, ms):
        for _ in range(ms // 5):
            self.step()

    def travel(self, stick, x, y, z, ms, tremor_mm=0.15):
        """Straight, at one speed."""
        x0, y0, z0 = stick.x, stick.y, stick.z
        steps = max(1, ms // 5)
        for i in range(1, steps + 1):
            share = i / steps
            shake = 0 if i == steps else tremor_mm
            self.world.move(
                stick,
                x0 + (x - x0) * share + self.off(shake),
                y0 + (y - y0) * share + self.off(shake),
                z0 + (z - z0) * share,
            )
            self.step()

    def centre(self, hole):
        return self.board.centre_mm(self.layout["holes"][HOLES.index(hole)])

    def place(self, stick, hole):
        x, y = self.centre(hole)
        self.travel(stick, stick.x, stick.y, HIGH_MM, 200)
        self.travel(stick, x, y, HIGH_MM, 300)
        self.travel(stick, x + self.off(1), y + self.off(1), 0, 200)

    def moves(self):
        return [event["m"] for event in self.log if event.get("t") == "move"]


def slide(hand, mm_s, tremor_mm):
    """A stick that slides from A3 over three holes to E3."""
    seat = hand.table.referee.game.turn
    stick = hand.sticks[seat, 0]
    hand.place(stick, "A3")
    hand.wait(200)
    hand.place(hand.sticks[1 - seat, 0], "A2")
    hand.wait(200)
    x, y = hand.centre("E3")
    hand.travel(stick, x, y, 0, int(1000 * (x - stick.x) / mm_s), tremor_mm)
    hand.wait(400)
    assert hand.moves()[2:] == ["A3-E3"]
    assert not [event for event in hand.log if event.get("t") in ("undo", "illegal")]


@pytest.mark.parametrize("mm_s", [10, 25, 50, 100, 250])
@pytest.mark.parametrize("tremor_mm", [0, 0.15])
def test_a_slide_plays_only_where_it_ends(mm_s, tremor_mm):
    slide(Hand(3), mm_s, tremor_mm)


@pytest.mark.parametrize(
    "seed, mm_s, tremor_mm", [(1, 20, 0.15), (2, 40, 0.15), (3, 40, 0), (4, 100, 0.15), (5, 250, 0.15)]
)
def test_a_slide_on_a_large_board_whose_lights_leave_time_for_fewer_readings(seed, mm_s, tremor_mm):
    slide(Hand(seed, LODE20), mm_s, tremor_mm)


def test_from_landing_to_the_next_turn_in_60_ms():
    """From the step in which the stick came to its place to the lights of the next turn."""
    took = []
    for seed in (1, 2):
        hand = Hand(seed)
        for j in range(12):
            if hand.table.state != "TURN":
                break
            referee = hand.table.referee
            free = [h for h in HOLES if not referee.wanted[LAYOUT["holes"][HOLES.index(h)]]]
            ply = len(referee.game.history)
            hand.place(hand.sticks[referee.game.turn, j // 2], hand.random.choice(free))
            landed = hand.now
            while len(referee.game.history) == ply:
                hand.step()
                assert hand.now < landed + 1000
            took.append(hand.now - landed)
            hand.wait(150)
    took.sort()
    assert len(took) > 15 and took[len(took) * 95 // 100] <= 60


def test_a_stick_held_over_a_hole_plays_where_it_is_set_down():
    hand = Hand(4)
    stick = hand.sticks[hand.table.referee.game.turn, 1]
    x, y = hand.centre("C3")
    hand.travel(stick, stick.x, stick.y, HIGH_MM, 200)
    hand.travel(stick, x, y, 12, 400)
    hand.travel(stick, x, y, 12, 800, 0.3)
    x, y = hand.centre("D3")
    hand.travel(stick, x, y, 12, 300)
    hand.travel(stick, x, y, 0, 150)
    hand.wait(100)
    assert [move[-2:] for move in hand.moves()] == ["D3"]


@pytest.mark.parametrize("board, most", [(LODE8, 45), (LODE20, 30)])
def test_a_magnet_that_is_there_at_once_counts_as_soon_as_the_wire_allows(board, most):
    """The bound of 60 ms less the scan in which it came, the referee's work, and the light's way."""
    hand = Hand(5, board)
    seat = hand.table.referee.game.turn
    stick = hand.sticks[seat, 0]
    hand.travel(stick, stick.x, stick.y, HIGH_MM, 200)
    hand.wait(100)
    x, y = hand.centre("C3")
    hand.world.move(stick, x, y, 0)
    came = hand.now
    while not hand.moves():
        hand.step()
        assert hand.now <= came + most


def test_pieces_that_came_at_the_same_time_are_told_by_readings_that_no_decision_changes():
    """Two sticks side by side: each decision takes its field from the other's square."""
    hand = Hand(6)
    sticks = [hand.sticks[0, 0], hand.sticks[0, 1]]
    for stick in sticks:
        hand.travel(stick, stick.x, stick.y, HIGH_MM, 100)
    hand.wait(200)
    for stick, hole in zip(sticks, ("C3", "C2"), strict=True):
        x, y = hand.centre(hole)
        hand.world.move(stick, x, y, 0)
    hand.step()
    came = hand.now
    while not hand.table.settled or hand.now < came + 20:
        hand.step()
        assert hand.now <= came + 45
