"""Set down or passing by: sticks that slide, hover and land over magnets as the simulator has them."""

import random
from array import array

import pytest
from lodeboard import boards
from lodeboard.firmware.table import Table
from lodeboard.sim.world import World
from story import CONFIG, HOLES, PIECES

BOARD = boards.load("lode8")
LAYOUT = CONFIG["layouts"]["tau"]
HIGH_MM = 40


class Hand:
    """Sticks in a world of magnets with noise and tolerances, and one hand that carries them exactly so."""

    def __init__(self, seed):
        self.world = World(BOARD, seed)
        self.table = Table(CONFIG, seed)
        self.random = random.Random(seed)
        self.now = 0
        self.readings = array("H", [0] * BOARD.squares)
        self.log = []
        self.sticks = {}
        for seat in range(2):
            for i, piece in enumerate(PIECES):
                stick = self.world.add(f"{seat}{piece}", [(0, 0, 0)])
                x, y = BOARD.centre_mm(LAYOUT["racks"][seat][i])
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

    def place(self, stick, hole):
        x, y = BOARD.centre_mm(LAYOUT["holes"][HOLES.index(hole)])
        self.travel(stick, stick.x, stick.y, HIGH_MM, 200)
        self.travel(stick, x, y, HIGH_MM, 300)
        self.travel(stick, x + self.off(1), y + self.off(1), 0, 200)

    def moves(self):
        return [event["m"] for event in self.log if event.get("t") == "move"]


@pytest.mark.parametrize("mm_s", [10, 25, 50, 100, 250])
@pytest.mark.parametrize("tremor_mm", [0, 0.15])
def test_a_slide_plays_only_where_it_ends(mm_s, tremor_mm):
    hand = Hand(3)
    seat = hand.table.referee.game.turn
    stick = hand.sticks[seat, 0]
    hand.place(stick, "A3")
    hand.wait(200)
    hand.place(hand.sticks[1 - seat, 0], "A2")
    hand.wait(200)
    x, y = BOARD.centre_mm(LAYOUT["holes"][HOLES.index("E3")])
    hand.travel(stick, x, y, 0, int(1000 * (x - stick.x) / mm_s), tremor_mm)
    hand.wait(400)
    assert hand.moves()[2:] == ["A3-E3"]
    assert not [event for event in hand.log if event.get("t") in ("undo", "illegal")]


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
    x, y = BOARD.centre_mm(LAYOUT["holes"][HOLES.index("C3")])
    hand.travel(stick, stick.x, stick.y, HIGH_MM, 200)
    hand.travel(stick, x, y, 12, 400)
    hand.travel(stick, x, y, 12, 800, 0.3)
    x, y = BOARD.centre_mm(LAYOUT["holes"][HOLES.index("D3")])
    hand.travel(stick, x, y, 12, 300)
    hand.travel(stick, x, y, 0, 150)
    hand.wait(100)
    assert [move[-2:] for move in hand.moves()] == ["D3"]
