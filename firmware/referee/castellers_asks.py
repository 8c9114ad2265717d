"""Castellers: what is asked. Columns that grew, castells that fell down, pieces entered, who holds what.

Between the words (castellers_words.py) and the referee (castellers.py).
"""

import gc

from shared_rules.castellers_places import NOWHERE

from .. import lights as li
from . import forget, forget_rules, module
from .castellers_stacks import Stacks
from .castellers_words import Words, name_of
from .continuity import FOREIGN

_WAIT_MS = 2500  # without an answer from the sensors a question comes all the same
_TOLD = 24  # squares in one `stack` event
# What is loaded when it is needed.
_PARTS = ("setup", "entry", "fall", "refuse", "mend", "end")
_PARTS_OF_RULES = ("deal", "box", "check", "why", "points", "score")


class Asks(Words):
    """home     the board stands right: its averages are from before the next move
    listening   candidates of the column that is told, ((square, level, sign), ...)
    order, at   the candidates' squares, likeliest first, and which of them is asked for
    asked       somebody pressed OK: ask, whatever the sensors say
    entry       the Entry of a casteller out of a real bag, or None
    rebuild     {square: levels that stand} of columns that fell down
    suspect     a column reads as if castellers had fallen off it: people are asked
    """

    def __init__(self, table, game, layout):
        for part in _PARTS_OF_RULES:
            forget_rules("castellers_" + part)  # the game is made
        for part in _PARTS:
            forget("castellers_" + part)  # of the game before
        gc.collect()
        self.stacks = Stacks(table.squares, layout["level"], table.config["kernel"])
        self.home = False
        self.listening = ()
        self.answer = ((), False)
        self.order = ()
        self.at = 0
        self.asked = False
        self.corrected = False
        self.rocked = -1
        self.entry = None
        self.rebuild = {}
        self.suspect = False
        self.loaded = ""
        self.offers = ()
        self.offer_at = 0
        self.hint_seat = -1
        self._told = ((), False)
        self._heard_at = 0
        self._context = ()
        self._watched = ()
        self._answers = None  # (now, square): what a confirmed column does
        self.back = []  # Places.last() of the moves in undone, latest first
        self.restacked = False  # hands did what a take-back asked for and no square tells
        super().__init__(table, game, layout)
        if game.undealt:
            self.begin_entry([])

    # The step

    def step(self, now, changed, before, edge):
        if self.phase == 1:
            self.sense()
        super().step(now, changed, before, edge)

    def sense(self):
        """Takes what the sensors say of columns; tells it as `stack` events, which replay() hears."""
        stacks = self.stacks
        if self.home and not self.suspect and stacks.complete() and stacks.fell(self.places.tall()):
            self.table.emit({"t": "stack", "f": 1})
            self.suspect = self.dirty = True
        averaged = stacks.step(self.home)
        if averaged and self.home:
            if self.game.must_fall:
                self.home = False
        elif averaged and self.listening:
            order, sure = stacks.judge(self.listening)
            told = (order[:1], sure)
            if told == self._told and told != (self.answer[0][:1], self.answer[1]):  # twice in a row
                self.tell(order, sure)
            self._told = told
        stacks.go_on()
        if self.question is not None and self.question[0] == "column":
            sq = stacks.wiggle(averaged)
            if sq >= 0:
                stacks.watch(self.order)
                self.table.emit({"t": "stack", "w": sq})
                self.rock(sq)

    def tell(self, order, sure):
        """Tells and hears what the sensors say."""
        order = order[:_TOLD]
        self.table.emit({"t": "stack", "q": list(order), "sure": 1 if sure else 0})
        self.hear(order, sure)

    def replay(self, event):
        """A `stack` event of a log, in place of the sensors."""
        if "f" in event:
            self.suspect = self.dirty = True
        elif "w" in event:
            self.rock(event["w"])
        else:
            self.hear(tuple(event["q"]), bool(event["sure"]))

    def hear(self, order, sure):
        """The columns that the sensors think of, likeliest first."""
        self.answer = (order, sure)
        if not self.corrected:
            self.order = order
            self.at = 0
        self.dirty = True

    def rock(self, sq):
        """A column was rocked while it was asked which."""
        self.rocked = sq
        self.dirty = True

    def judge(self, now):
        self.home = False
        listening, self.listening = self.listening, ()
        super().judge(now)
        if self.listening != listening:
            self.stop_asking()

    def stop_asking(self):
        self.answer = self._told = ((), False)
        self.order = self._watched = ()
        self.at = 0
        self.asked = self.corrected = False
        self.rocked = -1
        self.stacks.order = ()
        self._heard_at = 0

    # Which column?

    def listen(self, candidates):
        """Asks the sensors which of the columns grew, or lost its top."""
        candidates = tuple(candidates)
        if candidates != self._context:
            self._context = candidates
            self.stop_asking()
        self.listening = candidates

    def heard(self):
        """(likeliest square or -1, whether that is sure)."""
        order, sure = self.answer
        return (order[0] if order else -1), sure and not self.corrected

    def waited(self, now):
        """Whether the sensors were given the time to answer."""
        if not self._heard_at:
            self._heard_at = now
        self.wake_at(self._heard_at + _WAIT_MS)
        return now - self._heard_at >= _WAIT_MS

    def level_of(self, sq):
        for at, level, _ in self.listening:
            if at == sq:
                return level
        return 99

    def ask(self, now):
        """OK: something stands on a column; which?"""
        self.asked = True

    def question_column(self, now, piece, confirm):
        """Asks for the best guess; confirm(now, square) when it is right. piece: in hand, -1 for a fall."""
        if not self.order:
            self.tell(self.stacks.order or tuple([candidate[0] for candidate in self.listening]), False)
        if len(self.order) < len(self.listening):
            self.order = self.order + tuple([c[0] for c in self.listening if c[0] not in self.order])
        if self._watched != self.order:
            self._watched = self.order
            self.stacks.watch(self.order)
        role = self.table.lights.role
        self.table.lights.clear()
        if self.rocked >= 0 and self.rocked in self.order:
            at = self.order.index(self.rocked)
            self.rocked = -1
            if at == self.at:
                confirm(now, self.order[at])
                return
            self.at = at
            self.corrected = True
        self.at %= len(self.order)
        for sq in self.order:
            role[sq] = li.LEGAL
        sq = self.order[self.at]
        role[sq] = li.ASK
        self.question = ("column", sq)
        self._answers = confirm
        if piece >= 0:
            text = "%s on %s? OK, or rock it." % (name_of(piece), self.place_name(sq))
        else:
            text = "Did the top of %s fall? OK, or rock it." % self.place_name(sq)
        self.show("PENDING", text + (" UNDO: another." if len(self.order) > 1 else " UNDO: no."))

    # Offers: what OK does when nothing is asked; HINT goes to the next

    def offer_text(self, offers):
        """Takes the offers of this moment; the sentence about the one that OK accepts."""
        texts = [offer[0] for offer in offers]
        if texts != [offer[0] for offer in self.offers]:
            self.offer_at = 0
        self.offers = offers
        if not offers:
            return ""
        more = " HINT: more." if len(offers) > 1 else ""
        return " " + offers[self.offer_at][0] + more

    def ok(self, now):
        if self.offers and self.table.state in ("TURN", "LIFTED"):
            self.offers[self.offer_at][1](now)

    def hint(self, now):
        if self.entry is not None:
            self.entry.next()
        elif self.offers:
            self.offer_at = (self.offer_at + 1) % len(self.offers)

    def press(self, now, name, long):
        if name == "hint" and self.phase == 0 and self.entry is not None:
            self.dirty = True
            self.hint(now)
        elif name == "hint" and self.phase == 2:
            self.dirty = True
            self.hint_seat = (self.hint_seat + 1) % self.game.players
        else:
            super().press(now, name, long)

    def yes(self, now):
        kind = self.question[0]
        if kind == "column":
            self._answers(now, self.question[1])
        elif kind == "entry":
            self.entry.accept(now)
        elif kind == "level":
            for sq in self.question[2]:
                self.rebuild[sq] = max(self.rebuild[sq], self.question[1])
        elif kind == "restack":
            self.restacked = True
        elif kind == "fell":
            self.suspect = False
            self.rebuild_all()
        else:
            self.table.track.assign(self.piece, self.wanted, self.table.seen)

    def no(self, now):
        kind = self.question[0]
        if kind == "column":
            if len(self.order) > 1:
                self.at = (self.at + 1) % len(self.order)
                self.corrected = True
            else:
                self.asked = False
                self.stop_asking()
        elif kind == "entry":
            self.entry.back()
        elif kind == "names":
            self.table.whisper(now, "Exchange, then OK")
        elif kind == "fell":
            self.suspect = False
            self.stacks.forget()
        else:
            self.table.whisper(now, "Build it, then OK")

    # The real bag

    def begin_entry(self, dealt=None):
        self.entry = self.part("entry").Entry(self, dealt)

    def judge_setup(self, now):
        if self.entry is None:
            super().judge_setup(now)
        else:
            self.entry.ask()

    # Parts of the code that are seldom needed

    def part(self, name):
        """The module castellers_<name>.py, which a chip keeps until away(), or until another one is needed."""
        if name != self.loaded:
            self.forget_part()
            self.loaded = name
            gc.collect()  # small things first fill the holes of a heap that is nearly full
        return module("castellers_" + name)

    def forget_part(self):
        if self.loaded:
            forget("castellers_" + self.loaded)
        for name in ("why", "points", "score"):
            forget_rules("castellers_" + name)

    def away(self):
        """Everything stands right and nothing is owed: a chip needs the memory for other things."""
        if self.loaded and not self.game.must_fall:
            self.forget_part()
            self.loaded = ""

    # What went wrong: castellers_mend.py

    def rebuilt(self, now):
        """Leads through the levels of columns that fell down; whether there are any."""
        if not self.rebuild:
            if not [sq for sq in self.put if self.places.height(sq) > 1] or not self.sure(now):
                return False
        return self.part("mend").rebuild(self, now)

    def rebuild_all(self):
        """Somebody says that a castell fell down: every level of all of them is shown."""
        for column in self.places.tall():
            self.rebuild[column & 511] = 1

    def ask_fell(self):
        """A column reads as if its upper castellers were gone: are they?"""
        role = self.table.lights.role
        self.table.lights.clear()
        for column in self.places.tall():
            role[column & 511] = li.ASK
        self.question = ("fell",)
        self.show("PENDING", "Did castellers fall down? OK: build them again. UNDO: no.")

    def doubt(self, now):
        """Two were in hands at once, and all holes are filled: is each where it should be?"""
        if self.table.settled:
            self.part("mend").doubt(self)

    # Taking back

    def step_back(self, now):
        step = self.places.last()
        plies = len(self.undone)
        super().step_back(now)
        if len(self.undone) > plies:
            self.restacked = False
            self.stacks.forget()
            self.suspect = False
            self.back.append(step)
            self.entry = None
            self.picked = -1

    def compare(self):
        super().compare()
        if self.undone:
            for start, goal, level in self.back:
                if level > 1 and start != NOWHERE and start in self.put and goal not in self.take:
                    self.take.append(goal)

    def judge_undo(self, now):
        if not self.rebuilt(now) and not self.part("mend").ask_restack(self):
            super().judge_undo(now)

    def undo_text(self):
        return self.part("mend").undo_text(self) or super().undo_text()

    def take_back(self, now):
        del self.back[:]
        self.restacked = False
        self.stacks.forget()
        super().take_back(now)

    def cancel_undo(self):
        super().cancel_undo()
        del self.back[:]

    # Who holds what

    def may_be(self, token, there, trust):
        """A casteller that comes from a column, the bag or beside the board is foreign to the squares."""
        if there == FOREIGN:
            return True
        return super().may_be(token, there, trust)

    # The end

    def finish(self, now, by, ranking):
        """`by` is the wire's word; how the rules ended it is in `ended_by`."""
        self.hint_seat = -1
        super().finish(now, "end" if by in ("castells", "stalemate") else by, ranking)
