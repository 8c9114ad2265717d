"""A table of Callisto for stories: a real core, squares that hands fill and empty, and time as an argument.

    story = Story("lode16", edition="2014")      an empty board; the game has begun
    story.put("a1,b1", "c4")                     pieces by the game's names of squares, one after the other
    story.lift("a1,b1")                          takes them away
    story.wait(100)                              ms
"""

from array import array
from functools import lru_cache

from lodeboard import boards
from lodeboard.firmware import lights
from lodeboard.firmware.table import Table

TICK_MS = 5
OK, UNDO, HINT, MENU = 1, 2, 4, 8


@lru_cache
def board(name):
    """(config, for each square the squares that feel a magnet on it with the counts) of a board."""
    config = boards.firmware_config(boards.load(name))
    width, kernel = config["width"], config["kernel"]
    near = []
    for sq in range(width * config["height"]):
        felt = []
        for to in range(width * config["height"]):
            dx, dy = abs(to % width - sq % width), abs(to // width - sq // width)
            if dx < len(kernel) and dy < len(kernel):
                felt.append((to, kernel[dy][dx]))
        near.append(felt)
    return config, near


class Story:
    """magnets: {board square: strength, 1 a north pole on its seat}; log: (durable, event) of all steps."""

    def __init__(self, name="lode16", seed=7, table=None, **options):
        self.config, self.near = board(name)
        self.table = table or Table(self.config, seed)
        self.now = 0
        self.magnets = {}
        self.log = []
        self.readings = array("H", [self.config["zero"]] * len(self.near))
        self.field = [float(self.config["zero"])] * len(self.near)
        if table is None:
            options.setdefault("starter", 1)
            self.send(c="new", g="callisto", opt=options, games=options.pop("games", None))
            self.wait(100)

    # The world

    def magnet(self, sq, strength):
        """A magnet of this strength on a square; 0 takes it away."""
        change = strength - self.magnets.get(sq, 0)
        for to, counts in self.near[sq]:
            self.field[to] += change * counts
            self.readings[to] = max(0, min(4095, round(self.field[to])))
        self.magnets[sq] = strength

    def squares(self, text):
        """Board squares of names: the game's own, or the board's after an @."""
        found = []
        for name in text.split(","):
            if name[0] == "@":
                width, height = self.config["width"], self.config["height"]
                found.append((height - int(name[2:])) * width + ord(name[1]) - 97)
            else:
                x, y = ord(name[0]) - 97, self.game.size - int(name[1:])
                found.append(self.referee.board_square(y * self.game.size + x))
        return found

    def put(self, *texts, strength=1, ms=150):
        for text in texts:
            for sq in self.squares(text):
                self.magnet(sq, strength)
            self.wait(ms)
        return self

    def lift(self, *texts, ms=150):
        return self.put(*texts, strength=0, ms=ms)

    def play(self, *texts):
        """Pieces set down, each with the time that it may need to be sure."""
        for text in texts:
            ply = self.ply
            self.put(text)
            if self.ply == ply:
                self.wait(400)
            assert self.ply == ply + 1, (text, self.state, self.text)
        return self

    # Time

    def wait(self, ms=100, buttons=0, commands=()):
        end = self.now + ms
        while self.now < end:
            self.now += TICK_MS
            self.table.step(self.now, self.readings, buttons, list(commands))
            commands = ()
            self.log.extend(self.table.events)
        return self

    def press(self, button):
        self.wait(60, button)
        return self.wait(60)

    def send(self, **command):
        """A command; gives its reply."""
        command = {key: value for key, value in command.items() if value is not None}
        command.setdefault("i", 99)
        self.wait(TICK_MS, 0, [command])
        return next(event for _, event in self.log[::-1] if "re" in event)

    # What the table says

    @property
    def referee(self):
        return self.table.referee

    @property
    def game(self):
        return self.table.referee.game

    @property
    def ply(self):
        return len(self.game.history)

    @property
    def state(self):
        return self.table.state

    @property
    def text(self):
        return self.table.text

    def told(self, kind):
        return [event for _, event in self.log if event.get("t") == kind]

    def moves(self):
        """Durable moves and take-backs in their order: "1:a1", "undo 1:a1"."""
        said = []
        for durable, event in self.log:
            if event.get("t") in ("move", "undo"):
                assert durable
                said.append(f"{'undo ' if event['t'] == 'undo' else ''}{event['s']}:{event['m']}")
        return said

    def why(self):
        """Reasons of the refusals so far."""
        return [event["why"] for event in self.told("illegal")]

    def lit(self, role):
        """The game's names of the squares that have this role (a letter of lights.LETTERS)."""
        found = set()
        for sq, this in enumerate(self.table.lights.role):
            if lights.LETTERS[this] == role:
                found.add(self.referee.place_name(sq))
        return found

    def display(self):
        return " ".join(line for line in self.table.panel.lines if line)
