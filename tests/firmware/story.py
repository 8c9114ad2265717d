"""A table for stories: a real core, scripted hands, and time as an argument.

story = Story()                 an empty lode8
story.set_up()                  all sticks in their racks; the game begins
story.lift("1y/o")              a stick by seat and name, from wherever it is
story.put("C3", "o")            what is in hand goes into a hole (capitals) or a square, this colour up
story.move("1y/o", "C3", "o")   both
story.wait(100)                 ms
story.told("move")              the events of a kind since the last story.forget()
"""

from array import array

from lodeboard import boards
from lodeboard.firmware import lights
from lodeboard.firmware.table import Table

PIECES = ("yo", "or", "rp", "pb", "bg", "gy", "wk")
HOLES = (
    "B1",
    "C1",
    "D1",
    "A2",
    "B2",
    "C2",
    "D2",
    "E2",
    "A3",
    "B3",
    "C3",
    "D3",
    "E3",
    "A4",
    "B4",
    "C4",
    "D4",
    "E4",
    "B5",
    "C5",
    "D5",
)
TICK_MS = 5
CONFIG = boards.firmware_config(boards.load("lode8"))
OK, UNDO, HINT, MENU = 1, 2, 4, 8


def _near(config):
    """For each square the squares that a magnet on it is felt by, with the counts."""
    width, size, kernel = config["width"], config["width"] * config["height"], config["kernel"]
    near = []
    for sq in range(size):
        felt = []
        for to in range(size):
            dx, dy = abs(to % width - sq % width), abs(to // width - sq // width)
            if dx < len(kernel) and dy < len(kernel):
                felt.append((to, kernel[dy][dx]))
        near.append(felt)
    return near


NEAR = _near(CONFIG)


class Stick:
    """A real stick: who owns it, its two colours, which of them is up (pole 1: the first)."""

    def __init__(self, seat, piece):
        self.seat = seat
        self.piece = piece
        self.pole = 1

    def up(self):
        return self.piece[self.pole - 1]

    def show(self, colour):
        self.pole = self.piece.index(colour) + 1

    def __repr__(self):
        return f"{self.seat + 1}{self.piece}"


class Story:
    """The true world (board: square -> stick, hand: list of sticks) and the table that watches it."""

    def __init__(self, seed=7, config=CONFIG, table=None):
        self.config = config
        self.table = table or Table(config, seed)
        self.now = 0
        self.readings = array("H", [config["zero"]] * (config["width"] * config["height"]))
        self.board = {}
        self.foreign = {}
        self.hand = []
        self.log = []
        self.frames = []
        self.sticks = {f"{s + 1}{p[0]}/{p[1]}": Stick(s, p) for s in range(2) for p in PIECES}
        self.layout = config["layouts"]["tau"]
        self.extra = {}
        self.stuck = {}  # square -> counts of a sensor that gives these whatever happens
        self.sources = {}

    # The world

    def square(self, name):
        """A hole ("C3"), a rack hole ("1:0" is seat 1, first) or a square ("g4")."""
        if isinstance(name, int):
            return name
        if name in HOLES:
            return self.layout["holes"][HOLES.index(name)]
        if name[1] == ":":
            return self.layout["racks"][int(name[0]) - 1][int(name[2])]
        return (self.config["height"] - int(name[1:])) * self.config["width"] + ord(name[0]) - 97

    def rack(self, stick):
        return self.layout["racks"][stick.seat][PIECES.index(stick.piece)]

    def where(self, stick):
        return next((sq for sq, there in self.board.items() if there is stick), None)

    def at(self, name):
        return self.board.get(self.square(name))

    def measure(self):
        """Readings of all magnets: nominal kernel, added up."""
        sources = {sq: 1 if stick.pole == 1 else -1 for sq, stick in self.board.items()}
        for more in (self.foreign, self.extra):
            for sq, strength in more.items():
                sources[sq] = sources.get(sq, 0) + strength
        sources["stuck"] = dict(self.stuck)
        if sources == self.sources:
            return
        self.sources = dict(sources)
        del sources["stuck"]
        field = [float(self.config["zero"])] * len(self.readings)
        for sq, strength in sources.items():
            for to, counts in NEAR[sq]:
                field[to] += strength * counts
        for sq, value in enumerate(field):
            self.readings[sq] = max(0, min(4095, round(value)))
        for sq, counts in self.stuck.items():
            self.readings[sq] = counts

    # Time

    def wait(self, ms=100, buttons=0, commands=()):
        self.measure()
        end = self.now + ms
        while self.now < end:
            self.now += TICK_MS
            self.table.step(self.now, self.readings, buttons, list(commands))
            commands = ()
            self.log.extend(self.table.events)
        return self

    def press(self, button, ms=60):
        self.wait(ms, button)
        return self.wait(60)

    def send(self, **command):
        """A command; gives its reply."""
        command.setdefault("i", 99)
        self.wait(TICK_MS, 0, [command])
        return next(e for d, e in self.log[::-1] if "re" in e)

    # Hands

    def lift(self, what, ms=150):
        stick = self.sticks.get(what) or self.at(what)
        del self.board[self.where(stick)]
        self.hand.append(stick)
        return self.wait(ms)

    def put(self, where, up=None, stick=None, ms=100):
        stick = self.sticks[stick] if isinstance(stick, str) else stick or self.hand[-1]
        self.hand.remove(stick)
        if up:
            stick.show(up)
        self.board[self.square(where)] = stick
        return self.wait(ms)

    def move(self, what, where, up=None):
        self.lift(what)
        return self.put(where, up)

    def rack_up(self, ms=0):
        """Every stick stands in its rack hole, first colour up."""
        self.board.clear()
        self.hand.clear()
        for stick in self.sticks.values():
            stick.pole = 1
            self.board[self.rack(stick)] = stick
        return self.wait(ms)

    def set_up(self, starter=1):
        self.send(c="new", g="tau", opt={"starter": starter})
        self.rack_up(150)
        assert self.state == "TURN", (self.state, self.text)
        return self

    def play(self, *moves):
        """Moves in notation, by hands."""
        for text in moves:
            self.hands(text)
            self.wait(50)
        return self

    def hands(self, text):
        """What hands do for a move of the seat in turn."""
        if text[0] == "~":
            stick = self.at(text[1:])
            self.lift(text[1:])
            self.put(text[1:], stick.piece[2 - stick.pole])
        elif "@" in text:
            seat = self.table.referee.game.turn + 1
            name = text[:3] if f"{seat}{text[:3]}" in self.sticks else text[2] + "/" + text[0]
            self.move(f"{seat}{name}", text[4:], text[0])
        else:
            self.move(text[:2], text[3:])

    # What the table says

    @property
    def state(self):
        return self.table.state

    @property
    def text(self):
        return self.table.text

    def told(self, kind):
        return [e for _, e in self.log if e.get("t") == kind]

    def durable(self):
        return [e for d, e in self.log if d]

    def moves(self):
        return [e["m"] for e in self.told("move")]

    def forget(self):
        self.log.clear()
        return self

    def role(self, where):
        return lights.LETTERS[self.table.lights.role[self.square(where)]]

    def squares_lit(self, letter):
        """Squares whose light means this."""
        return [sq for sq, role in enumerate(self.table.lights.role) if lights.LETTERS[role] == letter]

    def lit(self, letter):
        """Their names."""
        return {self.name(sq) for sq in self.squares_lit(letter)}

    def name(self, sq):
        """A hole by its own name, any other square by the board's."""
        if sq in self.layout["holes"]:
            return HOLES[self.layout["holes"].index(sq)]
        return self.table.square_name(sq)

    def display(self):
        return " ".join(line for line in self.table.panel.lines if line)
