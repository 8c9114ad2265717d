"""What every referee shares: wanted squares against seen ones, guidance, take-back, refusals, the end.

A referee turns hands on the board into moves. Its game subclasses Referee and gives

    lay(), lay_setup()       fill wanted (and piece) from the position, and for SETUP
    judge_turn(now)          the board is in play: what do the squares mean? It calls one of
                             commit(move), refuse(why, squares), guide(text), show(state, text)
    moved(now, seat, move)   after a move counted: announcements
    hint(now), ok(now), yes(now), no(now), describe(move), the texts and the lights
                             where the defaults below do not fit

Nothing here keeps what hands did: judge() looks at the squares as they are now, at the position, and at what
the continuity says, so that every way back is a way back. It runs when a square was decided, when the board
came to rest, when a button or the host changed something, and at `wake`.

docs/adding-a-game.md ("The referee") tells what a referee may ask of its table.
"""

from .. import lights as li
from .. import panel
from .continuity import CONFUSED, FOREIGN

try:
    from ..kernels import differing
except (ImportError, SyntaxError):  # no native code here
    from ..twins import differing

ANY = 3  # in wanted: occupied, either end up
SURE_MS = 300  # hands that hold still this long mean it, even while something else on the board moves

READ_MS = 300  # a button so soon after a question was meant for something else

SETUP, PLAY, OVER = 0, 1, 2  # phases of a game on the table


def from_one(ranking):
    """A ranking with seats from 1, as people and records write it."""
    if ranking is None:
        return None
    return [[s + 1 for s in seat] if isinstance(seat, (list, tuple)) else seat + 1 for seat in ranking]


class Referee:
    """One game on the table.

    wanted     bytearray, a square each: 0 empty, 1 north, 2 south, ANY; what the position asks for
    piece      bytearray, a square each: number + 1 of the piece that belongs there, 0 where any will do
    take, put, turn   squares that differ: to be emptied, to be filled, with the wrong end up
    wish       the move that the host asks for, or None
    undone     moves stepped back in a take-back that the board does not show yet, latest first
    question   what OK and UNDO answer now, or None; judge() asks again each time
    """

    def __init__(self, table, game, layout):
        self.table = table
        self.game = game
        self.layout = layout
        self.size = len(table.seen)
        self.wanted = bytearray(self.size)
        self.piece = bytearray(self.size)
        self._none = table.lights.all_off  # zeros
        self._differing = table.squares.scratch
        self._compared = (self.wanted, table.seen, self.piece, table.track.at, self._differing, self.size)
        self.take = []
        self.put = []
        self.turn = []
        self.phase = SETUP
        self.wish = None
        self.undone = []
        self.question = None
        self.asked_at = 0
        self.wake = 0
        self.dirty = True
        self.moved_at = 0
        self.hint_until = 0
        self._refused = None
        self._guided = None

    SEATS = ("Seat 1", "Seat 2", "Seat 3", "Seat 4")  # type: tuple  # what people call the seats

    # What a game gives

    def lay(self):
        """Fills wanted, and piece where identity counts, from the position."""
        raise NotImplementedError

    def lay_setup(self):
        """At the start the board is empty, unless a game has racks."""
        self.clear_wanted()

    def judge_turn(self, now):
        """Says what the squares mean while the game is open and no take-back is under way."""
        raise NotImplementedError

    def moved(self, now, seat, move):
        """A move counted."""

    def hint(self, now):
        """HINT was pressed in play."""

    def ok(self, now):
        """OK was pressed and nothing was asked."""

    def yes(self, now):
        """OK answers the question."""

    def no(self, now):
        """UNDO answers the question."""

    def describe(self, move):
        """A move as an instruction to hands, without a full stop."""
        return self.game.text(move)

    def place_name(self, sq):
        """A square's name for people."""
        return self.table.square_name(sq)

    def short_name(self, sq):
        """A square's name in few letters."""
        return self.table.square_name(sq)

    def may_show_put(self, sq):
        """Whether guidance may show this empty square: Tau keeps a hidden stick's rack hole to itself."""
        return True

    def match_games(self):
        """Games of a match where nobody said; 0: no end."""
        return 0

    def why_not_ask(self, move):
        """None, or why the table cannot take this legal move from a host."""
        return None

    def resumed(self, record):
        """The journal's open game is on the table; record: as Table.resume() takes it."""

    def replay(self, event):
        """Hears a game's own event of a log in place of what it measures (castellers: `stack`)."""

    def next_starter(self, ranking):
        """Who starts the next game, seat from 1: the loser; None: the lot. ranking: seats from 0, or None."""
        if ranking is None:
            return None
        last = ranking[-1]
        if isinstance(last, int):
            return last + 1
        return self.game.options["starter"] % self.game.players + 1  # nobody lost alone

    def setup_text(self):
        return "Clear the board."

    def undo_text(self):
        return "Take back %d: %s OK goes on without." % (len(self.undone), self.guide_text())

    def over_text(self):
        return "The game is over. OK: next game."

    def extra_result(self):
        """Keys of the game's own for the event `result`."""
        return {}

    # The step

    def step(self, now, changed, before, edge):
        """One step: changed squares and their states before, and whether the rest of the board changed."""
        if changed:
            self.table.track.feed(changed, before, self.table.seen, now)
        elif not (edge or self.dirty or (self.wake and now >= self.wake)):
            return
        self.dirty = False
        self.wake = 0
        self.judge(now)

    def judge(self, now):
        """What the board means now."""
        asked = self.question
        self._judge(now)
        if self.question is not None and self.question != asked:
            self.asked_at = now

    def _judge(self, now):
        self.question = None
        self.compare()
        if self.phase == SETUP:
            self.judge_setup(now)
        elif self.undone:
            self.judge_undo(now)
        elif self.phase == OVER:
            self.judge_over(now)
        else:
            self.judge_turn(now)

    def wake_at(self, ms):
        """judge() again at this time at the latest."""
        if not self.wake or ms < self.wake:
            self.wake = ms

    def sure(self, now):
        """Whether hands hold still: the board rests, or nothing was decided for a while."""
        table = self.table
        if table.settled or now - table.changed_at >= SURE_MS:
            return True
        self.wake_at(table.changed_at + SURE_MS)
        return False

    # Wanted against seen

    def clear_wanted(self):
        self.wanted[:] = self._none
        self.piece[:] = self._none

    def compare(self):
        """Fills take, put and turn."""
        del self.take[:], self.put[:], self.turn[:]
        lists = (self.take, self.put, self.turn)
        wanted, seen, piece, at = self.wanted, self.table.seen, self.piece, self.table.track.at
        trust = self.phase == SETUP  # before the start a piece is what its place says
        blind = self.table.squares.muted
        for i in range(differing(0, 0, 0, self._compared)):
            sq = self._differing[i] >> 2
            what = self._differing[i] & 3
            if blind and sq in blind:
                continue
            if what == 3:
                what = 0
                if self.may_be(piece[sq], at[sq], trust):
                    if wanted[sq] in (ANY, seen[sq]):
                        continue
                    what = 2
            lists[what].append(sq)

    def may_be(self, token, there, trust):
        """Whether what the track calls `there` may be the piece with this token."""
        if there == CONFUSED:
            return trust or self.table.track.confused >> (token - 1) & 1 == 1
        return trust and there == FOREIGN

    def differs(self):
        """Whether any square differs; a piece in the air differs through its empty square."""
        return bool(self.take or self.put or self.turn)

    def lone_piece(self):
        """The one piece that is not as the position wants it, everything else being right; or -1."""
        piece, at = self.piece, self.table.track.at
        lone = 0
        for squares, tokens in ((self.put, piece), (self.turn, piece), (self.take, at)):
            for sq in squares:
                token = tokens[sq]
                if lone and token != lone:
                    return -1
                lone = token
        return lone - 1 if lone and lone < CONFUSED else -1

    # Saying and showing

    def show(self, state, text, foot=""):
        """The table's state and its sentence; mends the desync that was told."""
        if self._guided:
            self._guided = None
            self.table.emit({"t": "desync", "take": [], "put": [], "turn": []})
            self.table.panel.play(panel.MENDED)
        self.table.show_state(state, text, foot)

    def names(self, squares):
        """Board names of squares for an event; a frame holds 30."""
        return [self.table.square_name(sq) for sq in squares[:30]]

    def guide(self, now, text=None):
        """DESYNC: says and lights what to take away, put back and turn over. Waits until hands hold still."""
        if not self.sure(now):
            return
        table = self.table
        puts = [sq for sq in self.put if self.may_show_put(sq)]
        guided = (tuple(self.take), tuple(puts), tuple(self.turn))
        if guided != self._guided:
            if not self._guided:
                table.panel.play(panel.ATTENTION)
            self._guided = guided
            table.emit(
                {
                    "t": "desync",
                    "take": self.names(self.take),
                    "put": self.names(puts),
                    "turn": self.names(self.turn),
                }
            )
        self.light_guidance(puts)
        table.show_state("DESYNC", text or self.guide_text())

    def light_guidance(self, puts):
        """TAKE, PUT and TURN_OVER; with one piece in hand only its own place asks for it."""
        role, air = self.table.lights.role, self.table.track.air
        held = air[0][0] if len(air) == 1 and air[0][0] < CONFUSED else 0  # the one known piece in hand
        self.table.lights.clear()
        for sq in puts:
            if not held or self.piece[sq] in (0, held):
                role[sq] = li.PUT
        for sq in self.take:
            role[sq] = li.TAKE
        for sq in self.turn:
            role[sq] = li.TURN_OVER

    def guide_text(self):
        """One sentence for the display: the most urgent thing to do."""
        if self.take:
            return "Take away what stands on %s." % self.place_name(self.take[0])
        for sq in self.put:
            if self.may_show_put(sq):
                return "Put back %s." % self.place_name(sq)
        if self.turn:
            return "Turn over %s." % self.place_name(self.turn[0])
        return "Put back what you hold."

    def refuse(self, now, why, squares, move=None):
        """Someone tried what is not allowed: told once, then the way back is shown."""
        if not self.sure(now):
            return
        key = (why, tuple(squares))
        if key != self._refused:
            self._refused = key
            event = {"t": "illegal", "why": why, "q": self.names(squares)}
            if move is not None:
                event["m"] = self.game.text(move)
            self.table.emit(event)
            self.table.panel.play(panel.REFUSED)
        self.guide(now, why[0].upper() + why[1:] + ". " + self.guide_text())

    def at_rights(self):
        """Board and game agree: what was refused may be refused anew."""
        self._refused = None

    # Moves

    def commit(self, now, move):
        """A move counts: rules, journal, announcements, the end."""
        game = self.game
        seat = game.turn
        game.play(move)
        move = game.history[-1][1]  # what chance made of it
        self.wish = None
        self.moved_at = now
        self.hint_until = 0
        self.at_rights()
        self.table.emit(
            {"t": "move", "g": game.name, "s": seat + 1, "m": game.text(move), "ply": len(game.history)}, True
        )
        self.table.panel.play(panel.PLACED)
        self.lay()
        self.moved(now, seat, move)
        if game.turn is None:
            self.finish(now, game.ended_by or "end", game.ranking())
        self.judge(now)

    def finish(self, now, by, ranking):
        """The game ended: by is "win", "draw", "end" or "resign"."""
        self.cancel_undo()
        self.phase = OVER
        self.wish = None
        self.dirty = True
        event = {
            "t": "result",
            "g": self.game.name,
            "ranking": from_one(ranking),
            "scores": self.game.scores(),
            "by": by,
        }
        event.update(self.extra_result())
        self.table.emit(event, True)
        self.table.panel.play(panel.WON)
        self.table.ended(by, ranking)

    def abandoned(self):
        """The event of a game that ends without a result."""
        return {"t": "result", "g": self.game.name, "ranking": None, "scores": None, "by": "abandon"}

    def told_moves(self):
        """Every move so far as text ("2:~C3"), as the seat in turn may know it."""
        undone = list(self.undone)
        self.replay_undone()
        game = self.game
        told = game.seen_by(game.turn or 0)["moves"]
        told = ["%d:%s" % (game.history[i][0] + 1, told[i]) for i in range(len(told))]
        for _ in undone:
            game.undo()
        self.undone = undone
        return told

    def may_play(self, move):
        """None, or why this legal move may not be played now: a host decides, or asked for another."""
        if self.wish is not None:
            if move != self.wish:
                return "asked is: " + self.describe(self.wish)
        elif self.table.seat_by[self.game.turn] == "host":
            return "wait for the move of " + self.table.seat_name(self.game.turn)
        return None

    def ask_for(self, move):
        """The host asks for this move."""
        self.wish = move
        self.dirty = True

    # Take-back

    def step_back(self, now):
        """UNDO: one ply further back; the board then shows what to put where."""
        game = self.game
        if not game.history or (self.phase == OVER and game.turn is not None):
            self.table.whisper(now, "Nothing to take back")
            return
        seat = game.history[-1][0]
        self.undone.append((seat, game.undo()))
        self.wish = None
        self.dirty = True
        self.lay()

    def cancel_undo(self):
        """Goes on without the take-back."""
        self.replay_undone()
        self.lay()
        self.dirty = True

    def replay_undone(self):
        """Plays what was stepped back; the squares' wishes stay as they are."""
        while self.undone:
            self.game.play(self.undone.pop()[1])

    def judge_undo(self, now):
        """The board is to show an earlier position: guides there and takes back when it stands right."""
        if self.differs():
            self.guide(now, self.undo_text())
        elif self.table.track.confused:
            self.doubt(now)
        elif self.table.settled:
            self.take_back(now)

    def take_back(self, now):
        """Journals the moves in undone, latest first: the board stands right."""
        ply = len(self.game.history) + len(self.undone)
        for seat, move in self.undone:
            ply -= 1
            self.table.emit(
                {"t": "undo", "g": self.game.name, "s": seat + 1, "m": self.game.text(move), "ply": ply}, True
            )
        del self.undone[:]
        if self.phase == OVER:
            self.phase = PLAY
            self.table.reopened()
        self.at_rights()
        self.table.track.forget_air()
        self.table.panel.play(panel.TAKEN_BACK)
        self.judge(now)

    def undo_by_hand(self, now):
        """The board shows the position before the last move: taken back without a button."""
        self.undone.append((self.game.history[-1][0], self.game.undo()))
        self.lay()
        self.compare()
        self.take_back(now)

    def doubt(self, now):
        """Everything stands right, but pieces may have been exchanged: a game with identities asks."""
        self.table.track.confused = 0

    # Setup, the end, the buttons

    def judge_setup(self, now):
        """Guides to the starting position and begins by itself."""
        if not self.differs():
            if self.table.settled:
                self.phase = PLAY
                self.lay()
                self.table.track.assign(self.piece, self.wanted, self.table.seen)
                self.table.begin(now)
                self.judge(now)
            return
        self.light_setup()
        self.show("SETUP", self.setup_text())

    def light_setup(self):
        """Lights of SETUP."""
        self.light_guidance(self.put)

    def judge_over(self, now):
        self.table.lights.clear()
        self.light_over()
        self.show("OVER", self.over_text())

    def light_over(self):
        """Lights of a finished game."""

    def press(self, now, name, long):
        """A button, MENU apart: OK confirms or goes on, UNDO denies or takes back, HINT."""
        self.dirty = True
        read_ms = READ_MS + panel.LONG_MS if long else READ_MS  # it was pressed down so long ago
        if self.question is not None and name in ("ok", "undo") and now - self.asked_at < read_ms:
            return
        if name == "ok":
            if self.question is not None:
                self.yes(now)
            elif self.undone:
                self.cancel_undo()
            elif self.phase == OVER:
                self.table.next_game(now)
            elif self.phase == PLAY:
                self.ok(now)
        elif name == "undo":
            if self.question is not None:
                self.no(now)
            elif self.phase != SETUP:
                self.step_back(now)
        elif name == "hint" and self.phase == PLAY and not self.undone:
            self.hint(now)
