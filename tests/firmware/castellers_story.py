"""A table of Castellers for stories: a real core on virtual magnets, hands that set castellers down at once.

    story = Story(deal=[["r1", "r2"], ["b3", "g4"]])      set up; the game has begun
    story.lift("r1")                  out of its hole or off its column, into the hand
    story.put("e14")                  what is in hand onto a square, or onto the column there
    story.build("r1", "e14")          both
    story.wait(100)                   ms
"""

from array import array

from lodeboard import boards
from lodeboard.firmware import lights
from lodeboard.firmware.table import Table
from lodeboard.sim.world import World

TICK_MS = 5
LEVEL_MM = 16.0
OK, UNDO, HINT, MENU = 1, 2, 4, 8
BOARDS = {}


def board(name):
    if name not in BOARDS:
        loaded = boards.load(name)
        BOARDS[name] = loaded, boards.firmware_config(loaded)
    return BOARDS[name]


class Story:
    """standing: {square: [castellers from the bottom up]}, a casteller being a Piece with the name it stands for."""

    def __init__(self, name="lode16", seed=7, table=None, noise=3.0, set_up=True, games=None, **options):
        self.board, self.config = board(name)
        self.world = World(self.board, seed, noise=noise)
        self.table = table or Table(self.config, seed)
        self.now = 0
        self.log = []
        self.readings = array("H", bytes(2 * self.board.squares))
        self.standing = {}
        self.hand = []
        self.made = 0
        if table is None:
            reply = self.send(c="new", g="castellers", opt=options, games=games, seed=seed)
            assert reply.get("ok"), reply
            if set_up:
                self.set_up()

    # The world

    def square(self, name):
        return name if isinstance(name, int) else self.board.square(name)

    def casteller(self, name):
        """A new one out of the box, in the hand."""
        self.made += 1
        piece = self.world.add((name, self.made), [(0, 0, 0)])
        self.hand.append(piece)
        return piece

    def set_up(self):
        """Every square that SETUP asks for is filled, whatever else stands is taken away."""
        for sq in list(self.standing):
            while self.standing.get(sq):
                self.off(sq)
        self.hand.clear()
        self.wait(300)
        for sq, token in enumerate(self.referee.piece):
            if token:
                self.casteller(self.name_of(token - 1))
                self.put(sq, ms=30)
        self.wait(100)
        assert self.state == "TURN", (self.state, self.text)
        return self.wait(300)

    def name_of(self, piece):
        return self.game.pieces[piece]

    def place(self, piece, sq, shift=0.5):
        x, y = self.board.centre_mm(sq)
        rnd = self.world._random
        column = self.standing.setdefault(sq, [])
        self.world.move(piece, x + rnd.uniform(-shift, shift), y + rnd.uniform(-shift, shift), LEVEL_MM * len(column))
        column.append(piece)

    def off(self, sq):
        """The top casteller of a square goes into the hand."""
        piece = self.standing[sq].pop()
        if not self.standing[sq]:
            del self.standing[sq]
        self.world.remove(piece)
        self.hand.append(piece)
        return piece

    def shift(self, sq, mm=0.3):
        """A hand bumps a column: it stands a little elsewhere in its well."""
        rnd = self.world._random
        dx, dy = rnd.gauss(0, mm), rnd.gauss(0, mm)
        for piece in self.standing.get(sq, ()):
            self.world.move(piece, piece.x + dx, piece.y + dy, piece.z)

    # Hands

    def lift(self, what, ms=200):
        """By name: the first such casteller in a rack; or the top of a square."""
        squares = list(self.standing)
        if what in self.game.pieces:
            token = self.game.pieces.index(what) + 1
            sq = next(sq for sq in squares if self.referee.piece[sq] == token)
        else:
            sq = self.square(what)
        self.off(sq)
        return self.wait(ms)

    def put(self, where, ms=150):
        self.place(self.hand.pop(), self.square(where))
        return self.wait(ms)

    def build(self, what, where, ms=900):
        self.lift(what)
        return self.put(where, ms)

    def rock(self, where, mm=1.2, times=4):
        """Rocks a column."""
        sq = self.square(where)
        for i in range(times):
            for piece in self.standing[sq]:
                self.world.move(piece, piece.x + (mm, -mm)[i % 2], piece.y, piece.z)
            self.wait(100)
        return self.wait(600)

    def draw(self, ms=300):
        """OK, and the drawn casteller into its hole."""
        self.press(OK)
        name = self.moves()[-1].partition("draw=")[2]
        assert name, (self.state, self.text, self.moves()[-3:])
        if self.referee.due >= 0:
            self.casteller(name)
            self.put(self.referee.due, ms)
        return self

    # Time

    def wait(self, ms=100, buttons=0, commands=()):
        end = self.now + ms
        while self.now < end:
            self.now += TICK_MS
            self.world.read(self.readings)
            self.table.step(self.now, self.readings, buttons, list(commands))
            commands = ()
            self.log.extend(self.table.events)
        return self

    def press(self, button, times=1):
        for _ in range(times):
            self.wait(60, button)
            self.wait(60)
        return self

    def send(self, **command):
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
    def state(self):
        return self.table.state

    @property
    def text(self):
        return self.table.text

    def told(self, kind):
        return [event for _, event in self.log if event.get("t") == kind]

    def durable(self):
        return [event for durable, event in self.log if durable]

    def moves(self):
        """Durable moves and take-backs in their order: "1:draw=r3", "undo 1:draw=r3"."""
        said = []
        for event in self.durable():
            if event["t"] in ("move", "undo"):
                said.append(f"{'undo ' if event['t'] == 'undo' else ''}{event['s']}:{event['m']}")
        return said

    def why(self):
        return [event["why"] for event in self.told("illegal")]

    def lit(self, role):
        """Board names of the squares that have this role (a letter of lights.LETTERS)."""
        roles = self.table.lights.role
        return {self.board.square_name(sq) for sq, this in enumerate(roles) if lights.LETTERS[this] == role}

    def display(self):
        return " ".join(line for line in self.table.panel.lines if line)
