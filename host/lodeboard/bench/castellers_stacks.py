"""Which column grew? The firmware's decision on simulated builds: tremor, tolerances, noise.

    outcome = builds(200, noise_mt=0.05, seed=1)
    outcome["levels"][2]      {"builds": ..., "asked": ..., "wrong": ..., "guess": ...}
    tops(200, noise_mt=0.05)  {"quiet": ..., "alarms": ..., "fallen": {2: ..., ...}, "noticed": {2: ..., ...}}

A build: a board of a middle game, columns of 1 to 7 on its fields, castellers in its racks, every magnet and
sensor with the tolerances of its kind. A casteller leaves a rack and comes onto one of the columns that could
take it; all columns shift by 0.3 mm rms in their wells meanwhile, one in ten of them is bumped by a millimetre.
The change of a sensor's mean from before to after carries `noise_mt`, rms, in columns and racks alike. The
firmware's own Stacks measures the noise in resting averages, as on a board, and decides.
"""

import random
from array import array

from lodeboard import boards
from lodeboard.firmware.referee.castellers_stacks import SCANS, Stacks
from lodeboard.sim.world import World
from shared_rules.castellers_places import Places

from .castellers_chip import Sensors

ITSELF = 2  # up to this level the referee takes a sure answer without asking (referee/castellers.py)
PLAY_MM = 0.5  # sideways, in wells and spigots
SHIFT_MM = 0.3
BUMP_MM = 1.0
BUMPED = 0.1  # share of the columns that are bumped in a build
REST = 10  # averages of the resting board before a build, for the noise
BOARD_BUILDS = 40  # on one board, before another with other parts


class Means(Sensors):
    """The part of the firmware's Squares that Stacks asks, given means instead of scans. noise in counts."""

    def __init__(self, world, config, seed, noise):
        super().__init__(config)
        self.world = world
        self.residual = [0] * self.size
        self.noise_umt = 80
        self._random = random.Random(f"means {seed}")
        self._noise = noise
        self._sums = array("i", [0] * self.size)

    def average(self):
        """A mean of every sensor at rest."""
        gauss, level = self._random.gauss, self.world.level
        self._sums = array("i", [round(SCANS * (level(sq) + gauss(0, self._noise))) for sq in range(self.size)])


class Desk:
    """A board in a middle game."""

    def __init__(self, board, seed, noise_mt):
        self.random = random.Random(f"desk {seed}")
        config = boards.firmware_config(board)
        layout = config["layouts"]["castellers"]
        self.board = board
        self.world = World(board, seed, noise=0)
        self.level_mm = board.data["layouts"]["castellers"]["casteller_mm"]
        self.means = Means(self.world, config, seed, noise_mt / 2**0.5 * config["counts_per_mt"])
        self.stacks = Stacks(self.means, layout["level"], config["kernel"])
        places = Places(layout, config["width"], self.means.size)
        self.columns = {}  # square: pieces from the bottom up
        self._count = 0
        self.castells = []
        for number in range(len(layout["bases"])):
            squares = places.field(number)
            if self.random.random() < 0.8:
                self.castells.append(squares[: self.random.choice((1, 2, 2, 3, 3, 4, 4, 5))])
        self.holes = [sq for rack in places.racks for sq in rack]

    def clear(self):
        for pieces in self.columns.values():
            for piece in pieces:
                self.world.remove(piece)
        self.columns = {}

    def add(self, sq):
        """One more casteller on a square."""
        self._count += 1
        pieces = self.columns.setdefault(sq, [])
        piece = self.world.pieces.pop(None, None) or self.world.add(None, [(0, 0, 0)])
        self.world.pieces.pop(None)
        x, y = self.board.centre_mm(sq)
        spread = self.random.uniform
        self.world.move(piece, x + spread(-PLAY_MM, PLAY_MM), y + spread(-PLAY_MM, PLAY_MM),
                        self.level_mm * len(pieces))
        pieces.append(piece)
        self.means.state[sq] = 1

    def take(self, sq):
        """The top casteller of a square away."""
        pieces = self.columns[sq]
        self.world.remove(pieces.pop())
        if not pieces:
            del self.columns[sq]
            self.means.state[sq] = 0

    def shift(self):
        """Every column moves a little in its well, some are bumped."""
        gauss = self.random.gauss
        for sq, pieces in self.columns.items():
            mm = BUMP_MM if self.random.random() < BUMPED else SHIFT_MM
            dx, dy = gauss(0, mm), gauss(0, mm)
            cx, cy = self.board.centre_mm(sq)
            for piece in pieces:
                x = cx + max(-PLAY_MM, min(PLAY_MM, piece.x + dx - cx))
                y = cy + max(-PLAY_MM, min(PLAY_MM, piece.y + dy - cy))
                self.world.move(piece, x, y, piece.z)

    def heights(self):
        """Builds castells whose columns are on their way up: within one of each other. The candidates."""
        self.clear()
        self.means.state[:] = bytes(self.means.size)
        candidates = []
        for squares in self.castells:
            full = self.random.choice((1, 1, 1, 2, 2, 3, 3, 4, 5, 6))
            begun = self.random.randrange(len(squares))
            for at, sq in enumerate(squares):
                height = full + (1 if at < begun else 0)
                for _ in range(height):
                    self.add(sq)
                if height == full:
                    candidates.append((sq, full + 1, 1))
        for sq in self.random.sample(self.holes, self.random.randrange(4, 20)):
            self.add(sq)
        return candidates

    def rest(self, home):
        self.means.average()
        self.stacks.step(home)

    def build(self, target, hole):
        """A casteller from a rack hole onto a column; (squares likeliest first, sure), for these candidates."""
        self.take(hole)
        self.add(target)
        self.shift()

    def fall(self, target, hole):
        """The top of a column into a rack hole."""
        self.take(target)
        self.add(hole)
        self.shift()


def builds(count, noise_mt=0.05, seed=1, board="lode16"):
    """Outcome of `count` builds and falls, two to one, by level.

    {"levels": {level: {"builds", "asked", "wrong", "guess"}}, "falls": the same, "noise_mt": as the firmware
    measured it}; asked: what the referee would ask about, guess: how often its best guess was right.
    """
    board = boards.load(board)
    levels = {kind: {} for kind in ("build", "fall")}
    desk, left, number = None, 0, 0
    noise = []
    done = 0
    while done < count:
        if not left:
            desk, left, number = Desk(board, f"{seed} {number}", noise_mt), BOARD_BUILDS, number + 1
            candidates = desk.heights()
            for _ in range(REST):
                desk.rest(True)
        left -= 1
        kind = "build" if desk.random.random() < 0.67 else "fall"
        candidates = desk.heights()
        racked = [sq for sq in desk.holes if sq in desk.columns]
        if kind == "build":
            chosen = desk.random.choice(candidates)
            hole = desk.random.choice(racked)
        else:
            tops = [(sq, len(p)) for sq, p in desk.columns.items() if len(p) > 1]
            candidates = []
            for squares in desk.castells:
                here = [(sq, height) for sq, height in tops if sq in squares]
                high = max((height for _, height in here), default=0)
                candidates += [(sq, height, -1) for sq, height in here if height == high]
            if not candidates:
                continue  # nothing stands tall here: not counted
            chosen = desk.random.choice(candidates)
            hole = desk.random.choice([sq for sq in desk.holes if sq not in desk.columns])
        tall = [candidate for candidate in candidates if candidate[1] > 1]
        desk.stacks.forget()
        for _ in range(3):
            desk.rest(True)
        (desk.build if kind == "build" else desk.fall)(chosen[0], hole)
        desk.rest(False)
        order, sure = desk.stacks.judge(tall)
        noise.append(desk.stacks.noise_mt)
        row = levels[kind].setdefault(chosen[1], {"builds": 0, "asked": 0, "wrong": 0, "guess": 0})
        row["builds"] += 1
        done += 1
        level = {sq: level for sq, level, _ in tall}
        if sure and level[order[0]] <= ITSELF:
            row["wrong"] += order[0] != chosen[0]
        else:
            row["asked"] += 1
        row["guess"] += bool(desk.stacks.order) and desk.stacks.order[0] == chosen[0]
    noise.sort()
    return {"levels": levels["build"], "falls": levels["fall"], "noise_mt": round(noise[len(noise) // 2], 3)}


def tops(count, noise_mt=0.05, seed=1, board="lode16"):
    """Whether castellers that fall off their column, its lowest left standing, are noticed; and bumps are not.

    {"quiet", "alarms": averages in which columns shifted and were bumped but nothing fell, and how many of them
    looked as if; "fallen", "noticed": {lowest level that fell: falls}}
    """
    board = boards.load(board)
    outcome = {"quiet": 0, "alarms": 0, "fallen": {}, "noticed": {}}
    desk, number = None, 0
    while outcome["quiet"] < count:
        if number % BOARD_BUILDS == 0:
            desk = Desk(board, f"tops {seed} {number}", noise_mt)
            desk.heights()
            for _ in range(REST):
                desk.rest(True)
        number += 1
        desk.heights()
        desk.stacks.forget()
        for _ in range(2):
            desk.rest(True)
        tall = [(sq, len(pieces)) for sq, pieces in desk.columns.items() if len(pieces) > 1]
        if not tall:
            continue
        for fall in (False, True):
            if fall:
                sq, height = desk.random.choice(tall)
                left = desk.random.randrange(1, height)
                for _ in range(height - left):
                    desk.take(sq)
            desk.shift()
            desk.means.average()
            noticed = desk.stacks.complete() and desk.stacks.fell([height << 9 | sq for sq, height in tall])
            if fall:
                outcome["fallen"][left + 1] = outcome["fallen"].get(left + 1, 0) + 1
                outcome["noticed"][left + 1] = outcome["noticed"].get(left + 1, 0) + noticed
            else:
                outcome["quiet"] += 1
                outcome["alarms"] += noticed
                desk.rest(True)
    return outcome
