"""What happens to a board in the middle of a game: new firmware, power gone, a calibration. By `make test-chip`."""

import itertools

import pytest
from lodeboard.bench import answer, games
from lodeboard.firmware import wire
from lodeboard.flash import build
from lodeboard.sim.hands import OK

from .live import LiveBoard
from .test_flashing import flash, with_change  # noqa: F401  (flash is a fixture)

pytestmark = pytest.mark.slow

MOVES = 6


class Evening:
    """A lode8 with a game of Tau after a few moves, and all that it says."""

    def __init__(self):
        self.bench = answer.Bench("lode8")
        self.chip = self.bench.chip
        self.events = []
        self.bench.begin("tau", {"starter": 1}, games.tau_setup(self.bench.config))
        self.moves = iter(games.tau_hands(self.bench.config, MOVES + 20))
        self.ask("sync", proto=1)
        for _ in range(MOVES):
            self.play()

    @property
    def ply(self):
        return self.last("state")["ply"]

    def hear(self):
        self.events += [wire.decode(line)[1] for line in self.chip.receive().splitlines() if line.startswith(b"@")]

    def last(self, kind):
        self.hear()
        return [event for event in self.events if event.get("t") == kind][-1]

    def play(self):
        start, goal, pole = next(self.moves)
        self.bench.change_any(start, 0)
        self.chip.run_ms(answer.HOLD_MS)
        self.bench.change_any(goal, pole)
        self.chip.run_ms(answer.REST_MS)

    def ask(self, c, **keys):
        self.hear()
        self.chip.send(wire.encode({"c": c, "i": 77, **keys}))
        assert self.chip.run_until(lambda: b'"re":77' in self.chip.pending(), 5000)
        self.chip.run_ms(100)
        self.hear()
        return [event for event in self.events if event.get("re") == 77][-1]

    def goes_on(self, ply):
        """The board has come up and resumes the game after this ply; the next move counts."""
        assert self.ask("resume")["ok"]
        self.chip.run_ms(1000)
        assert self.last("state")["s"] == "TURN" and self.ply == ply, self.last("state")
        self.counts_a_move()

    def press(self, button):
        for bits in (button, 0):
            self.bench.emulated.buttons.press(bits)
            self.chip.run_ms(400)

    def counts_a_move(self):
        ply = self.ply
        self.play()
        assert self.ply == ply + 1 and self.last("move")["ply"] == ply + 1, self.last("state")


@pytest.fixture(scope="module")
def evening(image):
    """One evening: each test leaves the game going on."""
    evening = Evening()
    assert evening.ply == MOVES
    return evening


def test_new_firmware_comes_between_two_moves(evening, built, flash):  # noqa: F811
    ply = evening.ply
    changed = with_change(built, "firmware/hal/font.mpy", build.sources()["firmware/hal/font.py"] + "X = 1\n")
    with LiveBoard(evening.bench.emulated) as live:
        outcome = flash(live, changed)
    assert outcome["hello"]["hash"] == "changed" and outcome["hello"]["g"] == "tau"
    evening.goes_on(ply)


def comes_back(evening):
    """The power comes back; the board still knows its journal and its game."""
    jid, chip = evening.last("hello")["jid"], evening.chip
    evening.bench.emulated.flash.cut_at(None)
    evening.bench.emulated.fault("power")
    assert chip.run_until(lambda: b'"hello"' in chip.pending(), 8000)
    chip.run_ms(200)
    assert evening.ask("sync", proto=1)["ok"]
    hello = evening.last("hello")
    assert (hello["g"], hello["jid"]) == ("tau", jid)


def test_the_power_goes_between_two_moves(evening):
    ply = evening.ply
    evening.chip.power_off()
    comes_back(evening)
    evening.goes_on(ply)


@pytest.mark.parametrize("write", [1, 2, 3])
def test_the_power_goes_with_a_move_on_its_way_to_the_journal(evening, write):
    """The move is kept, or the board asks for its stick to be put back, and takes it when it is made again."""
    ply, stood, moves = evening.ply, dict(evening.bench._on), evening.moves
    coming = [next(moves) for _ in range(4)]
    evening.bench.emulated.flash.cut_at(write)
    made = 0
    while evening.chip.powered:
        stood = dict(evening.bench._on)
        evening.moves = iter([coming[made]])
        evening.play()
        made += 1
    evening.moves = itertools.chain(coming[made:], moves)
    comes_back(evening)
    assert evening.ask("resume")["ok"]
    evening.chip.run_ms(1000)
    assert evening.ply in (ply + made, ply + made - 1)
    if evening.ply < ply + made:
        made -= 1
        evening.moves = itertools.chain(coming[made:], moves)
        assert evening.last("state")["s"] == "DESYNC"
        now = evening.bench._on
        for square in sorted(set(stood) | set(now), key=lambda square: stood.get(square, 0) != 0):
            if stood.get(square, 0) != now.get(square, 0):
                evening.bench._set(square, stood.get(square, 0))
                evening.chip.run_ms(600)
        if evening.last("state")["text"].startswith("Is it so?"):  # it moved while the board was off
            evening.press(OK)
    assert (evening.last("state")["s"], evening.ply) == ("TURN", ply + made), evening.last("state")
    evening.counts_a_move()


def test_a_calibration_of_rest_levels_wants_an_empty_board(evening):
    refused = evening.ask("calibrate", what="rest")
    assert "err" in refused and "ok" not in refused
    evening.counts_a_move()


def test_a_sagging_supply_costs_light_and_no_move(evening):
    resets = evening.chip.resets
    evening.bench.emulated.fault("brownout")
    evening.chip.run_ms(500)
    evening.counts_a_move()
    evening.bench.emulated.fault("none")
    evening.counts_a_move()
    assert evening.chip.resets == resets


def test_a_tile_that_falls_out_is_told_and_back_again_the_game_goes_on(evening):
    emulated = evening.bench.emulated
    evening.hear()
    told = len(evening.events)
    emulated.fault("tile:2")
    evening.chip.run_ms(2500)
    evening.hear()
    errors = [event["what"] for event in evening.events[told:] if event.get("t") == "error"]
    assert len(errors) == 1 and "the tiles' cables" in errors[0]
    assert "token" in " ".join(emulated.display.lines())
    emulated.fault("none")
    evening.chip.run_ms(2500)
    evening.counts_a_move()
