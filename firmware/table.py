"""One step of the board: squares -> panel -> referee -> lights. Pure: time and readings in, events out.

    table = Table(config, seed)
    table.step(now, readings, buttons, commands)     then table.rgb, table.panel, table.events

step() asks the sensors for decisions and calls step_states(), which needs no readings: the `sense`, `button`
and `command` events of a log run it again to the same durable events (replay.py).
"""

import gc

import shared_rules
from shared_rules.game import Random

from . import panel, referee
from .commands import Commands
from .lights import Lights
from .menu import Menu
from .panel import Panel
from .referee.base import PLAY
from .referee.continuity import Continuity
from .squares import Squares

SETTLE_MS = 40  # a piece that read the same for so long was set down
SETTLE_MT = 0.2  # "the same": a slide across a square faster than 26 mm/s leaves this band within SETTLE_MS
SETTLE_NOISES = 4  # or so many standard deviations of the measured noise
RESTLESS_MS = 1500  # decisions that held so long count, however much a reading trembles
ASKEW_MS = 500  # between two looks for pieces that stand askew
WHISPER_MS = 2000


class Table:
    """The board and the game on it.

    events        list of (durable, dict) of this step, oldest first
    state, text   state of the table (docs/architecture.md) and its sentence
    seen          bytearray, a square each: what the sensors decided
    settled       the squares that changed last are at rest; changed_at: when one changed, ms
    weak          squares whose piece stands askew
    track         which piece is where (referee/continuity.py)
    seat_by       who decides for each seat: "board" or "host"
    match, game_number, totals   games in the match (0: no end), which one this is, scores added up
    outcome       (by, ranking) of a game that is over, or None
    offer         a game was open when the power went: resume or abandon?
    """

    def __init__(self, config, seed):
        self.config = config
        self.width = config["width"]
        self.height = config["height"]
        self.random = Random(seed)
        self.squares = Squares(config)
        self.lights = Lights(config)
        self.rgb = self.lights.rgb
        self.panel = Panel()
        self.menu = Menu(self)
        self.commands = Commands(self)
        self.seen = self.squares.state
        self.before = bytearray(len(self.seen))
        self.track = Continuity(len(self.seen), self.width)
        self.events = []
        self.now = 0
        self.settled = False
        self.changed_at = 0
        self.weak = []
        self.state = ""
        self.text = ""
        self.paused = False
        self.offer = False
        self.watched = False
        self.outcome = None
        self.seat_by = []
        self.seat_names = []
        self.match = 0
        self.totals = self._totals_before = []
        self.game_number = 1
        self.seed = 0
        self._arrivals = []  # squares that filled since the board last rested: [square, residual, since ms]
        self._next_look = 0
        self._tolerance = int(SETTLE_MT * config["counts_per_mt"])
        self._whisper = ""
        self._whisper_until = 0
        self._told_state = None
        self._told_roles = bytearray(len(self.seen))
        self._stale = True
        self._started = False
        self.open_game(config["default"], {}, None)

    # The step

    def step(self, now, readings, buttons, commands):
        """One step; see docs/architecture.md for the arguments."""
        if self.events and self._started:
            self.events = []
        self._started = True  # what resume() told belongs to the first step
        self.now = now
        changed = self.squares.update(now, readings)
        edge = self._rest(now, changed)
        self.step_states(now, changed, edge, self.panel.press(now, buttons), commands)
        self.lights.paint(now)
        self.panel.step(now)

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
        if self._stale:
            self._show()

    def _rest(self, now, changed):
        """Follows whether the board came to rest; True at that moment, or when pieces stand askew anew."""
        squares = self.squares
        if changed:
            self.changed_at = now
            self.settled = False
            data = []
            for sq in squares.changed:
                data.append([sq, self.seen[sq], squares.mt10(sq)])
                self._arrivals = [arrival for arrival in self._arrivals if arrival[0] != sq]
                if self.seen[sq]:
                    self._arrivals.append([sq, squares.residual[sq], now])
            self._sense(data)
        if not self.settled:
            if not self._at_rest(now):
                return False
            self.settled = True
            self._arrivals = []
            self.weak = self._askew()
            self._next_look = now + ASKEW_MS
            event = {"t": "sense", "d": [], "r": 1}
            if self.weak:
                event["w"] = self.weak[:20]
            self.emit(event)
            return True
        if now >= self._next_look:
            self._next_look = now + ASKEW_MS
            weak = self._askew()
            if weak != self.weak:
                self.weak = weak
                self.emit({"t": "sense", "d": [], "r": 1, "w": weak[:20]})
                return True
        return False

    def _sense(self, data):
        for i in range(0, len(data), 20):
            self.emit({"t": "sense", "d": data[i : i + 20]})

    def _at_rest(self, now):
        if now - self.changed_at >= RESTLESS_MS:
            return True
        residual = self.squares.residual
        tolerance = max(
            self._tolerance,
            SETTLE_NOISES * self.squares.noise_umt * self.config["counts_per_mt"] // 1000,
        )
        rests = now - self.changed_at >= SETTLE_MS
        for arrival in self._arrivals:
            if abs(residual[arrival[0]] - arrival[1]) > tolerance:
                arrival[1] = residual[arrival[0]]
                arrival[2] = now
            if now - arrival[2] < SETTLE_MS:
                rests = False
        return rests

    def _askew(self):
        squares = self.squares
        return [sq for sq in range(len(self.seen)) if self.seen[sq] and squares.weak(sq)]

    def _tell_changes(self):
        before, seen = self.before, self.seen
        for sq in self.squares.changed:
            if before[sq]:
                self.emit({"t": "lift", "q": self.square_name(sq), "p": "ns"[before[sq] - 1]})
        for sq in self.squares.changed:
            if seen[sq]:
                self.emit({"t": "drop", "q": self.square_name(sq), "p": "ns"[seen[sq] - 1]})

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

    def whisper(self, now, text, ms=WHISPER_MS):
        """A line at the foot of the display for a while."""
        self._whisper = text
        self._whisper_until = now + ms
        self._stale = True

    def _show(self):
        """Brings display and told lights up to date."""
        self._stale = False
        if self.menu.open:
            self.panel.show(self.menu.lines())
        else:
            foot = self._whisper if self._whisper_until else FEET.get(self.state, "")
            self.panel.page(self.title(), self.text, foot)
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
        return title + " " * max(1, 15 - len(title)) + "ply %d" % len(self.referee.game.history)

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

    # Games and matches

    def open_game(self, name, options, match, number=1, starter=None, seed=None):
        """SETUP of a game; ValueError names what is wrong with its name or options.

        starter: seat from 1, or None for the lot. match: games in the match, 0 for no end, None as usual.
        """
        if name not in self.config["games"]:
            raise ValueError("this board plays %s, not %s" % (", ".join(self.config["games"]), name))
        options = dict(options)
        gc.collect()  # the rules' tables are many small things: let them fill holes
        game = shared_rules.load(name, **options)
        if seed is None:
            seed = self.random.next()
        if "starter" not in options:
            if starter is None:
                lot = Random(seed)
                for _ in range(4):
                    lot.next()
                starter = (lot.next() >> 8) % game.players + 1
            options["starter"] = starter
            game = None  # memory for its twin
            game = shared_rules.load(name, **options)
        self.seed = seed
        self.game_number = number
        self.outcome = None
        self._seat(game)
        self.match = self.referee.match_games() if match is None else match

    def new_game(self, name, options, match, seed=None):
        """SETUP of a new match; a game that is open ends as abandoned. ValueError as open_game()."""
        left = self.referee.abandoned() if self.playing() else None
        self.open_game(name, options, match, 1, None, seed)
        self.totals = []
        if left:
            self.emit(left, True)
        self.offer = self.paused = False

    def take_seat(self, seat, by, name):
        """Who decides for a seat (from 0), "board" or "host", and its name ("": the game's own)."""
        self.seat_by[seat] = by
        self.seat_names[seat] = name
        if by == "board" and seat == self.referee.game.turn:
            self.referee.wish = None
        self.referee.dirty = True

    def _seat(self, game):
        """Puts a game on the table."""
        gc.collect()
        layout = self.config["layouts"][game.name]
        thresholds = layout.get("thresholds_mt", {})
        self.squares.set_thresholds(thresholds.get("on", 3.5), thresholds.get("off", 2.5))
        if len(self.seat_by) != game.players:
            self.seat_by = ["board"] * game.players
            self.seat_names = [""] * game.players
        self.referee = None  # a chip has no room for two games' code
        referee.forget_others(game.name)
        self.referee = referee.load(game.name, self, game, layout)

    def _check_room(self, game):
        """ValueError when the board is too small for the game with these options."""
        boards = self.config["layouts"][game.name].get("boards")
        if boards is not None and game.board_key not in boards:
            raise ValueError("%s has no room for the board %s" % (self.config["name"], game.board_key))

    def begin(self, now):
        """The board stands right: the game begins."""
        game = self.referee.game
        self.emit(
            {
                "t": "setup",
                "g": game.name,
                "opt": game.options,
                "match": self.match,
                "game": self.game_number,
                "seed": self.seed,
            },
            True,
        )
        self.panel.play(panel.STARTED)

    def ended(self, by, ranking):
        """The game is over; ranking with seats from 0, or None."""
        self.outcome = (by, ranking)
        self._totals_before = self.totals
        scores = self.referee.game.scores()
        if scores:
            if not self.totals:
                self.totals = [0] * len(scores)
            self.totals = [self.totals[i] + scores[i] for i in range(len(scores))]

    def reopened(self):
        """The end was taken back, and with it what it scored."""
        self.outcome = None
        self.totals = self._totals_before

    def next_game(self, now):
        """OK after the end: the next game of the match, or the first of a new one."""
        game = self.referee.game
        options = dict(game.options)
        del options["starter"]
        starter = self.referee.next_starter(self.outcome[1] if self.outcome else None)
        number = self.game_number + 1
        if self.match and number > self.match:
            number = 1
        if number == 1:
            self.totals = []
        self.open_game(game.name, options, self.match, number, starter)

    def resign(self, seat):
        """A seat (from 0) gives up."""
        others = [other for other in range(self.referee.game.players) if other != seat]
        ranking = others + [seat] if len(others) == 1 else [others, seat]
        self.referee.finish(self.now, "resign", ranking)

    def abandon(self):
        """The open game, or the offered one, ends without a result. SETUP of the same game again."""
        if self.offer:
            self.emit({"t": "note", "what": "abandon"}, True)
        game = self.referee.game
        options = dict(game.options)
        del options["starter"]
        self.emit(self.referee.abandoned(), True)
        self.offer = self.paused = False
        self.open_game(game.name, options, self.match, self.game_number)

    def playing(self):
        """Whether a game is open: begun, and not over."""
        return self.offer or self.referee.phase == PLAY

    # Pause, and after a power cut

    def pause(self, on):
        """Nothing on the board counts while paused; afterwards the board must stand as it stood."""
        self.paused = on
        self.referee.dirty = True
        self._hold(True)

    def _hold(self, anew):
        """PAUSED: says why and, after a power cut, shows what differs."""
        if not anew or not (self.paused or self.offer):
            return
        self.lights.clear()
        if self.offer:
            ref = self.referee
            self.track.assign(ref.piece, ref.wanted, self.seen)
            ref.compare()
            ref.light_guidance(ref.put)
            text = "The power went. Ply %d. OK resumes, UNDO held abandons." % len(ref.game.history)
            if ref.differs():
                text += " " + ref.guide_text()
        else:
            text = "Paused. OK goes on."
        self.show_state("PAUSED", text)

    def resume(self, record):
        """At start: the open game of the journal, its `setup` event with `moves` (["2:~C3", ...]), or None.

        A record that does not replay is told as an error and left alone.
        """
        if not record:
            return
        try:
            game = shared_rules.load(record["g"], **record["opt"])
            for move in record["moves"]:
                game.play(game.parse(move[move.find(":") + 1 :]))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            self.emit({"t": "error", "what": "The journal's game does not replay: %s" % error})
            return
        self.match = record.get("match", 0)
        self.game_number = record.get("game", 1)
        self.seed = record.get("seed", 0)
        self._seat(game)
        self.referee.phase = PLAY
        self.referee.lay()
        self.offer = True
        self._hold(True)

    def resume_offered(self):
        """OK to the offer: play goes on; what differs is guided."""
        self.offer = False
        ref = self.referee
        self.track.assign(ref.piece, ref.wanted, self.seen)
        ref.dirty = True
        self.emit({"t": "note", "what": "resume", "ply": len(ref.game.history)}, True)


FEET = {
    "SETUP": "MENU: choose a game",
    "TURN": "UNDO HINT MENU",
    "DESYNC": "UNDO takes back",
    "OVER": "UNDO takes back",
}
