"""One step of the board: squares -> panel -> referee -> lights. Pure: time and readings in, events out.

    table = Table(config, seed)      and the name of the game to begin with, where it is not the board's default
    table.step(now, readings, buttons, commands)     then table.rgb, table.panel, table.events

step() is sense(), which asks the sensors for decisions, decide(), after which the lights may be shown, and tell(),
for which no light waits: the display's page. decide() calls step_states(), which needs no readings: the `sense`,
`button` and `command` events of a log run it again to the same durable events (replay.py).
"""

from .commands import Commands
from .games import Games
from .lights import Lights
from .menu import Menu
from .panel import WIDTH, Panel
from .referee.base import ANY
from .referee.continuity import Continuity
from .rest import FRAME_SQUARES, Rest
from .squares import NORTH, Squares

WHISPER_MS = 2000
MOST_TOLD = 12  # lifts and drops in one step; more at once are a start, and its `sense` events tell them


class Table(Games):
    """The board and the game on it.

    events        list of (durable, dict) of this step, oldest first
    state, text   state of the table (docs/architecture.md) and its sentence
    seen          bytearray, a square each: what the sensors decided
    settled       the squares that changed last are at rest; changed_at: when one changed, ms
    weak          squares whose piece stands askew
    painted       rgb may differ from what it was before this step
    track         which piece is where (referee/continuity.py)
    and what games.py tells
    """

    def __init__(self, config, seed, game=None):
        self.config = config
        self.width = config["width"]
        self.height = config["height"]
        self.squares = Squares(config)
        self.lights = Lights(config)
        self.rgb = self.lights.rgb
        self.panel = Panel()
        self.menu = Menu(self)
        self.commands = Commands(self)
        self.seen = self.squares.state
        self.before = bytearray(len(self.seen))
        self.track = Continuity(len(self.seen), self.width)
        self.track.blind = self.squares.muted
        self.rest = Rest(self, config)
        self.events = []
        self.now = 0
        self.settled = False
        self.changed_at = 0
        self.weak = []
        self.painted = False
        self._changed = self._edge = False
        self.state = ""
        self.text = ""
        self.watched = False
        self._trouble = ""
        self._whisper = ""
        self._whisper_until = 0
        self._told_state = None
        self._told_roles = bytearray(len(self.seen))
        self._stale = True
        self._started = False
        self.start_games(config, seed, game)

    # The step

    # What each turn calls has few names: MicroPython takes memory for the frame of a call with more than eleven
    # names and temporaries, and on a heap that is nearly full that lasts 0.1 ms.

    def step(self, now, readings, buttons, commands):
        """One step; see docs/architecture.md for the arguments."""
        self.sense(now, readings)
        self.decide(buttons, commands)
        self.tell()

    def sense(self, now, readings):
        """The step as far as the squares; readings: None while nothing that is read can be believed."""
        fresh = not self._started  # what resume() told belongs to the first step
        if self.events and not fresh:
            self.events = []
        self._started = True
        self.now = now
        if readings is None:
            self._changed = self._edge = False
            return
        self._changed = self.squares.update(now, readings)
        if self.squares.muted_anew:
            self._tell_muted(fresh)
        self._edge = self.rest.update(now, self._changed)

    def decide(self, buttons, commands):
        """The step as far as the lights."""
        presses = self.panel.press(self.now, buttons)
        if self._changed or presses or commands:
            self.step_states(self.now, self._changed, self._edge, presses, commands)
        else:
            self._play(self.now, False, self._edge)
        self.painted = self.lights.paint(self.now, self.rest.answering(self.now))
        self.panel.step(self.now)

    def tell(self):
        """Brings display and told lights up to date."""
        if self._stale:
            self._show()

    def step_states(self, now, changed, edge, presses, commands):
        """The step after the sensors: squares.state, settled and weak are as they are to be.

        changed: squares.changed has changed; edge: settled became true or weak changed;
        presses: list of (button, long).
        """
        self.now = now
        if changed:
            self._tell_changes()
        for name, long in presses:
            self.press(name, long)
        for command in commands:
            self.commands.take(command)
        if self.menu.due:
            self.menu.begin()
            self._stale = True
        if self.next_due:
            self.open_next()
        self._play(now, changed, edge)

    def _play(self, now, changed, edge):
        if self._whisper_until and now >= self._whisper_until:
            self._whisper_until = 0
            self._stale = True
        if self.offer or self.paused:
            if changed:
                self.track.feed(self.squares.changed, self.before, self.seen, now)
            self._hold(changed or edge)
        else:
            self.referee.step(now, self.squares.changed if changed else (), self.before, edge)
        if changed:
            self.before[:] = self.seen

    def _tell_changes(self):
        before, seen = self.before, self.seen
        if len(self.squares.changed) > MOST_TOLD:
            return
        for sq in self.squares.changed:
            if before[sq]:
                self.emit({"t": "lift", "q": self.square_name(sq), "p": "ns"[before[sq] - 1]})
        for sq in self.squares.changed:
            if seen[sq]:
                self.emit({"t": "drop", "q": self.square_name(sq), "p": "ns"[seen[sq] - 1]})

    def _tell_muted(self, fresh):
        """Sensors that do not answer, or answer again; at a fresh start the self-test says it in words."""
        muted = self.squares.muted
        self.emit({"t": "sense", "d": [], "m": muted[:FRAME_SQUARES]})
        if muted and not fresh:
            names = ", ".join([self.square_name(sq) for sq in muted[:FRAME_SQUARES]])
            self.emit({"t": "error", "what": "No sensor answers at %s; play goes on without." % names})
        self.blind_anew()

    def blind_anew(self):
        """squares.muted changed."""
        self.referee.dirty = True
        self._stale = True

    def ignore(self, sq):
        """People say that a sensor lies: its square is as the game wants it."""
        ref = self.referee
        want = ref.wanted[sq]
        state = want if want < ANY else self.seen[sq] or NORTH
        self.squares.ignore(sq, state)
        self.before[sq] = state
        self.track.believe(sq, ref.piece[sq] if want else 0)
        self.blind_anew()

    def heed(self):
        """Every sensor that people told to ignore counts again."""
        self.squares.heed()
        self.blind_anew()

    # Saying and showing

    def emit(self, event, durable=False):
        """Adds an event of this moment."""
        if "re" not in event:
            event["at"] = self.now
        self.events.append((durable, event))

    def show_state(self, state, text, foot=""):
        """The table's state and its sentence, for the display and the event."""
        self._stale = True
        self.state = state
        self.text = text
        game = self.referee.game
        told = (state, game.turn, len(game.history), text)
        if told != self._told_state:
            self._told_state = told
            seat = None if game.turn is None else game.turn + 1
            self.emit({"t": "state", "s": state, "seat": seat, "ply": len(game.history), "text": text})

    def say_trouble(self, sentence):
        """What the display says in place of the game's sentence; "" for nothing."""
        if sentence != self._trouble:
            self._trouble = sentence
            self._stale = True

    def whisper(self, now, text, ms=WHISPER_MS):
        """A line at the foot of the display for a while."""
        self._whisper = text
        self._whisper_until = now + ms
        self._stale = True

    def _show(self):
        self._stale = False
        if self.menu.open:
            self.panel.show(self.menu.lines())
        else:
            foot = FEET.get(self.state, "")
            if self._whisper_until:
                foot = self._whisper
            elif self.squares.muted:
                foot = "No sensor: " + " ".join([self.referee.short_name(sq) for sq in self.squares.muted])
            self.panel.page(self.title(), self._trouble or self.text, foot)
        if not self.watched:
            return
        if self._told_roles != self.lights.role:
            self._told_roles[:] = self.lights.role
            letters = self.lights.letters()
            for offset in range(0, len(letters), 200):
                self.emit({"t": "lights", "o": offset, "m": letters[offset : offset + 200]})
        if self.panel.stale:
            self.panel.stale = False
            self.emit({"t": "panel", "l": list(self.panel.lines)})

    def title(self):
        """The display's first line."""
        name = self.referee.game.name
        title = name[0].upper() + name[1:]
        if self.match != 1:
            title += " %d" % self.game_number + ("/%d" % self.match if self.match else "")
        ply = len(self.referee.game.history)
        tail = ("ply %d" if len(title) + len(str(ply)) + 5 <= WIDTH else "%d") % ply
        return title + " " * max(1, min(15, WIDTH - len(tail)) - len(title)) + tail

    def watch(self, on):
        """`lights` and `panel` events on or off; on tells both at once."""
        self.watched = on
        self.panel.stale = True
        self._stale = True
        for sq in range(len(self._told_roles)):
            self._told_roles[sq] = 255

    def square_name(self, sq):
        """The board's name of a square: "a1" is bottom left."""
        return chr(97 + sq % self.width) + str(self.height - sq // self.width)

    def seat_name(self, seat):
        """What people call a seat (from 0)."""
        if self.seat_names[seat]:
            return self.seat_names[seat]
        return self.referee.SEATS[seat]

    def summary(self):
        """The table's part of `hello`."""
        return {"state": self.state, "g": self.referee.game.name}

    # Buttons

    def press(self, name, long):
        """A button was pressed."""
        self.emit({"t": "button", "b": name, "long": long})
        if self.menu.open:
            self.menu.press(name, long)
            self._stale = True
        elif name == "menu":
            self.menu.start()
            self._stale = True
        elif self.offer:
            if name == "ok":
                self.resume_offered()
            elif name == "undo" and long:
                self.abandon()
        elif self.paused:
            if name == "ok":
                self.pause(False)
        else:
            self.referee.press(self.now, name, long)


FEET = {
    "SETUP": "MENU: choose a game",
    "TURN": "UNDO HINT MENU",
    "DESYNC": "UNDO takes back",
    "OVER": "UNDO takes back",
}
