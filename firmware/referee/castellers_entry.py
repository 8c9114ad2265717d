"""Castellers with a real bag: what was drawn or dealt is entered with the buttons. HINT: next, OK, UNDO: back."""

import shared_rules
from shared_rules.castellers_moves import drawn, name

from .. import panel
from .castellers_words import COLOUR_NAMES, name_of


class Entry:
    """First the colour is chosen, then the number.

    dealt   the castellers of the deal that were entered so far, or None: it is a draw
    """

    def __init__(self, referee, dealt):
        self.referee = referee
        self.dealt = dealt
        self.colour = 0
        self.number = -1

    def ask(self):
        """Shows what OK would enter."""
        referee = self.referee
        table = referee.table
        table.lights.clear()
        referee.question = ("entry", self.colour, self.number, len(self.dealt or ()))
        if self.dealt is None:
            what = table.seat_name(referee.game.turn) + " drew"
        else:
            what = "%s was dealt, %d of 2:" % (table.seat_name(len(self.dealt) // 2), len(self.dealt) % 2 + 1)
        text = COLOUR_NAMES[self.colour] if self.number < 0 else name_of(self.colour * 7 + self.number)
        referee.show("SETUP" if self.dealt is not None else "PENDING", "%s %s? HINT: next. OK." % (what, text))

    def next(self):
        """HINT: another colour, or another number."""
        if self.number < 0:
            self.colour = (self.colour + 1) % len(COLOUR_NAMES)
        else:
            self.number = (self.number + 1) % 7

    def back(self):
        """UNDO: the colour again, the piece before, or nothing was drawn."""
        if self.number >= 0:
            self.number = -1
        elif self.dealt:
            self.dealt.pop()
        elif self.dealt is None:
            self.referee.entry = None

    def accept(self, now):
        """OK: this colour; then, this casteller."""
        if self.number < 0:
            self.number = 0
            return
        piece = self.colour * 7 + self.number
        self.colour, self.number = 0, -1
        if self.dealt is not None:
            self._deal(now, piece)
            return
        referee = self.referee
        why = referee.game.why_not(drawn(piece))
        if why:
            self._refuse(now, why)
        else:
            referee.entry = None
            referee.commit(now, drawn(piece))

    def _refuse(self, now, why):
        table = self.referee.table
        table.emit({"t": "illegal", "why": why, "q": []})
        table.panel.play(panel.REFUSED)
        table.whisper(now, why)

    def _deal(self, now, piece):
        """One more casteller of the deal; with the last the game is ready."""
        referee = self.referee
        game = referee.game
        if self.dealt.count(piece) >= game.box.counts[piece]:
            self._refuse(now, "the box has no more " + name(piece))
            return
        self.dealt.append(piece)
        if len(self.dealt) < 2 * game.players:
            return
        options = dict(game.options)
        names = [name(piece) for piece in self.dealt]
        options["deal"] = [names[2 * seat : 2 * seat + 2] for seat in range(game.players)]
        referee.game = shared_rules.load(game.name, **options)
        referee.entry = None
        referee.lay_setup()
