"""Which game is on the table: SETUP, matches, resigning, pause, and the offer after a power cut."""

import gc
import json

import shared_rules
from shared_rules.game import Random

from . import panel, referee, wire
from .referee.base import PLAY

REPLAYED = 8  # moves of a journal between two collections


class Games:
    """The part of a Table that changes games.

    referee       of the game on the table; referee.game is the rules object
    seat_by, seat_names   who decides for each seat, "board" or "host", and its name
    match, game_number, totals   games in the match (0: no end), which one this is, scores added up
    outcome       (by, ranking with seats from 0) of a game that is over, or None
    paused        nothing counts
    offer         a game was open when the power went: resume or abandon?
    """

    def start_games(self, config, seed, name):
        """Begins with SETUP of a game, or of the board's default game. seed: of every lot to come."""
        self.random = Random(seed)
        self.paused = False
        self.offer = False
        self.outcome = None
        self.seat_by = []
        self.seat_names = []
        self.match = 0
        self.game_number = 1
        self.totals = self._totals_before = []
        self.seed = 0
        self.referee = None
        self.open_game(name if name in config["games"] else config["default"], {}, None)

    def open_game(self, name, options, match, number=1, starter=None, seed=None):
        """SETUP of a game; ValueError names what is wrong with its name or options.

        starter: seat from 1, or None for the lot. match: games in the match, 0 for no end, None as usual.
        """
        self.next_due = False
        if name not in self.config["games"]:
            raise ValueError("this board plays %s, not %s" % (", ".join(self.config["games"]), name))
        options = dict(options)
        if seed is None:
            seed = self.random.next()
        lots = shared_rules.lots(name)
        if "seed" in lots:
            options.setdefault("seed", seed)
        elif "starter" not in options:
            options["starter"] = starter or self._lot(name, options, seed)
        game = self._load(name, options)
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
        layout = self._layout(game.name)
        thresholds = layout.get("thresholds_mt", {})
        self.squares.set_thresholds(thresholds.get("on", 3.5), thresholds.get("off", 2.5))
        if len(self.seat_by) != game.players:
            self.seat_by = ["board"] * game.players
            self.seat_names = [""] * game.players
        self.referee = None  # a chip has no room for two games' code
        referee.forget_others(game.name)
        self.referee = referee.load(game.name, self, game, layout)

    def _layout(self, name):
        """A game's layout of the board: text where memory is short."""
        layout = self.config["layouts"][name]
        return json.loads(layout) if isinstance(layout, str) else layout

    def _lot(self, name, options, seed):
        """Who starts, seat from 1; any number where the options are none that the rules take."""
        players = options.get("players", 2)  # two is every game's default
        if not isinstance(players, int) or players < 1:
            return 1
        lot = Random(seed)
        for _ in range(4):
            lot.next()
        return (lot.next() >> 8) % players + 1

    def _load(self, name, options):
        """A game of the rules that this board has room for; ValueError names what is wrong."""
        left = None
        if self.referee and referee.SMALL and not self.playing():
            # A chip has no room for two games; but a game that is open stays until this one is sure.
            left = self.referee.game.name, self.referee.game.options
            self.referee = None
            referee.forget_others(name)
        else:
            gc.collect()  # the rules' tables are many small things: let them fill holes
        try:
            game = shared_rules.load(name, **options)
            self._check_room(game)
        except ValueError:
            if left:
                self._seat(shared_rules.load(left[0], **left[1]))
            raise
        return game

    def _check_room(self, game):
        """ValueError when the board is too small for the game with these options."""
        boards = self._layout(game.name).get("boards")
        if boards is not None and game.board_key not in boards:
            raise ValueError("%s has no room for the board %s" % (self.config["name"], game.board_key))

    def begin(self, now):
        """The board stands right: the game begins."""
        game = self.referee.game
        setup = {
            "t": "setup",
            "g": game.name,
            "opt": game.options,
            "match": self.match,
            "game": self.game_number,
            "seed": self.seed,
        }
        for event in wire.split(setup):
            self.emit(event, True)
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
        """OK after the end: the next game begins as soon as nothing of this one is at work any more."""
        self.next_due = True

    def open_next(self):
        """The next game of the match, or the first of a new one."""
        game = self.referee.game
        options = self._kept_options()
        starter = self.referee.next_starter(self.outcome[1] if self.outcome else None)
        number = self.game_number + 1
        if self.match and number > self.match:
            number = 1
        if number == 1:
            self.totals = []
        self.open_game(game.name, options, self.match, number, starter)

    def _kept_options(self):
        """The options of this game that the next one has too."""
        options = dict(self.referee.game.options)
        for key in shared_rules.lots(self.referee.game.name):
            options.pop(key, None)
        return options

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
        options = self._kept_options()
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
            self.track.forget_air()  # before the first scan that is every piece
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

        Its moves are let go once they are played: a chip has no room for them beside the referee. A record that does
        not replay is told as an error.
        """
        if not record:
            return
        before = self.referee.game.name, self.referee.game.options
        try:
            game = self._load(record["g"], record["opt"])
            moves = record.pop("moves")
            for n in range(len(moves)):
                move = moves[n]
                game.play(game.parse(move[move.find(":") + 1 :]))
                if referee.SMALL and n % REPLAYED == 0:
                    gc.collect()  # what the game keeps is not to scatter over a chip's heap
        except (ValueError, KeyError, TypeError, IndexError) as error:
            if self.referee is None:
                self._seat(shared_rules.load(before[0], **before[1]))
            self.emit({"t": "error", "what": "The journal's game does not replay: %s" % error})
            return
        moves = None
        self.match = record.get("match", 0)
        self.game_number = record.get("game", 1)
        self.seed = record.get("seed", 0)
        self._seat(game)
        self.referee.phase = PLAY
        self.referee.resumed(record)
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
