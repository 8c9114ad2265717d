"""The referee of Castellers: racks, columns, the bag, falls and exchanges.

A casteller is known from the rack hole it was lifted from. Where it went, a square tells on the first level;
above it castellers_stacks.py weighs the columns that it may have gone to. The second level counts by itself
when that is sure; anything else is asked: the best guess glows, OK or a wiggle of its column confirms, UNDO
or a wiggle of another column corrects. Nothing is ever guessed. What the measurements say reaches the referee
as values and the log as `stack` events, so that a log replays without them.
"""

from shared_rules import castellers_moves as notation
from shared_rules.castellers_moves import DRAW, END, IS_BUILD, IS_DRAW, IS_END, IS_FALL, IS_GIVE, IS_TAKE, KINDS
from shared_rules.castellers_places import BESIDE, NOWHERE

from .. import lights as li
from .castellers_asks import Asks
from .castellers_words import name_of
from .continuity import FOREIGN

_ITSELF = 2  # up to this level a casteller that is sure counts without a question

OPTIONS = (("players", "Players", (2, 3, 4)), ("bag", "Bag", ("board", "real")))


class Referee(Asks):
    """Castellers on the table.

    picked   a casteller from beside the board that is in a hand, or -1
    due      rack hole of a drawn casteller that was not seen there yet, or -1
    """

    def __init__(self, table, game, layout):
        self.picked = -1
        self.due = -1
        self._moves = (None, ())
        self._chosen = (None, None)  # the holes that hands chose for the move that is being counted
        super().__init__(table, game, layout)

    def why_not_ask(self, move):
        return self.part("refuse").why_not_ask(self, move)

    # What hands mean

    def judge_turn(self, now):
        if self.rebuilt(now):
            return
        if self.entry is not None:
            self.entry.ask()
        elif not self.differs() and self.picked < 0:
            if self.table.track.confused:
                self.doubt(now)
            else:
                self.table.track.forget_air()
                self.at_rights()
                self.due = -1
                self.know_foreign()
                self.away()
                self.stands_right(now)
        elif self.table.track.confused or len(self.put) > 1 or len(self.take) > 1:
            self.guide(now)
        else:
            self.in_hands(now, self.put[0] if self.put else NOWHERE, self.take[0] if self.take else NOWHERE)

    def stands_right(self, now):
        """Nothing is in anybody's hands, as far as squares tell."""
        if self.wish == DRAW and self.game.options["bag"] == "real":
            self.begin_entry()  # only people know what they draw for the host
            self.entry.ask()
        elif self.wish is not None and self.wish >> 17 in (IS_DRAW, IS_END):
            self.commit(now, self.wish)  # nothing for hands to do before it
        elif self.wish is not None and self.is_beside(self.wish):
            self.picked = self.wish >> 11 & 63
            self.in_hands(now, NOWHERE, NOWHERE)
        elif self.game.must_fall:
            self.part("fall").show(self, now)
        elif self.suspect:
            self.ask_fell()
        else:
            self.home = True
            self.show_turn(now)

    def know_foreign(self):
        """What came into a hole from a column, the bag or beside the board is what belongs there."""
        at, piece = self.table.track.at, self.piece
        for sq in range(self.size):
            if piece[sq] and at[sq] == FOREIGN:
                at[sq] = piece[sq]

    def in_hands(self, now, hole, goal):
        """A casteller left its hole (or was picked from beside the board), or one came to a square."""
        if self.put_back(hole, goal):
            if self.table.settled:
                self.undo_by_hand(now)
        elif hole != NOWHERE and hole == self.due and self.is_due(hole, goal):
            self.show_due(now, hole, goal)
        elif self.game.must_fall:
            self.picked = -1
            self.part("fall").in_hands(self, now, hole, goal)
        elif hole == NOWHERE and self.picked < 0:
            self.guide(now)
        elif hole == NOWHERE:
            seat = self.game.turn if self.game.exchange is None else self.picked_from()
            self.carried(now, self.picked, seat, hole, goal)
        elif self.owner(hole) < 0:
            self.guide(now)  # the only casteller of a column
        else:
            self.picked = -1
            self.carried(now, self.piece[hole] - 1, self.owner(hole), hole, goal)

    def is_due(self, hole, goal):
        """Whether a drawn casteller goes into the rack first: its seat cannot build it now."""
        if goal != NOWHERE and self.owner(goal) == self.owner(hole):
            return True
        waits = self.wish is None and self.table.seat_by[self.game.turn] == "host"
        return waits or self.owner(hole) != self.game.turn or self.game.must_fall

    def picked_from(self):
        """Whose the picked casteller is while two exchange: their own set's first."""
        partner = self.game.exchange
        return partner if self.picked in self.places.beside[partner] else self.game.turn

    def is_beside(self, move):
        """Whether a move is made with a casteller that lies beside the board, and with no other."""
        kind, piece = move >> 17, move >> 11 & 63
        if kind not in (IS_BUILD, IS_GIVE, IS_TAKE):
            return False
        seat = self.game.exchange if kind == IS_TAKE else self.game.turn
        return piece + 1 not in self.places.held[seat]

    def put_back(self, hole, goal):
        """Whether the last move's casteller stands again where that move took it from."""
        last = self.places.last()
        if last is None or self.game.must_fall:
            return False
        start, end, level = last
        if start == NOWHERE or goal != start or level < 0:
            return False
        return hole == (end if level < 2 else NOWHERE) and end != NOWHERE

    def moves_with(self, piece, seat):
        """The legal moves that may be made with a casteller of a seat's set, and that have room."""
        key = (len(self.game.history), piece, seat)
        if self._moves[0] != key:
            own = seat == self.game.turn
            moves = []
            for move in self.game.legal():
                kind = move >> 17
                if move >> 11 & 63 == piece and (kind in (IS_BUILD, IS_GIVE) if own else kind == IS_TAKE):
                    if kind == IS_GIVE or self.goal(move)[0] != NOWHERE:
                        moves.append(move)
            self._moves = (key, moves)
        moves = self._moves[1]
        return [self.wish] if self.wish in moves else moves

    def carried(self, now, piece, seat, hole, goal):
        """A casteller of a rack is in a hand, or has come to rest on a square."""
        turn = self.game.turn
        if seat != turn and seat != self.game.exchange:
            self.refuse(now, "it is the turn of " + self.table.seat_name(turn), [hole])
            return
        moves = self.moves_with(piece, seat)
        if self.table.seat_by[turn] == "host" and self.wish is None:
            self.refuse(now, "wait for the move of " + self.table.seat_name(turn), [hole])
        elif goal == NOWHERE:
            self.carry(now, piece, hole, moves)
        elif self.table.settled:
            move = self.put_on(piece, seat, goal, moves)
            if move is None:
                why = self.part("refuse").why_not_put(self, piece, seat, goal)
            else:
                why = self.may_play(move)
            if why is None:
                self.act(now, move, hole, goal)
            else:
                self.refuse(now, why, [goal], move)

    def put_on(self, piece, seat, goal, moves):
        """The legal move of a casteller that came to rest on a square that was empty, or None."""
        owner = self.owner(goal)
        for move in moves:
            if move >> 17 == IS_GIVE:
                if owner >= 0 and seat == self.game.turn and move == notation.give(piece, owner):
                    return move
            elif owner < 0 and self.goal(move) == (goal, 1):
                return move
        return None

    def carry(self, now, piece, hole, moves):
        """It is in a hand: lights where it may go, and listens for the column that grows."""
        builds = [move for move in moves if move >> 17 != IS_GIVE]
        tall = []
        for move in builds:
            sq, level = self.goal(move)
            if level > 1:
                tall.append((sq, level, 1))
        self.listen(tall)
        sq, sure = self.heard()
        if sure and self.level_of(sq) <= _ITSELF:
            self.grown(now, sq, moves, hole)
            return
        lights = self.table.lights
        lights.clear()
        drawn = hole != NOWHERE and hole == self.due
        if drawn:
            self.colour(hole, piece)
        elif hole != NOWHERE:
            lights.role[hole] = li.SOURCE
        offers = []
        for move in moves:
            if move >> 17 != IS_GIVE:
                lights.role[self.goal(move)[0]] = li.ASK if move == self.wish else li.LEGAL
            elif self.places.free_hole(move >> 7 & 15) != NOWHERE:
                lights.role[self.places.free_hole(move >> 7 & 15)] = li.ASK if move == self.wish else li.REACH
            else:
                text = "OK: %s, beside the board." % self.describe(move)
                offers.append((text, lambda now, move=move: self.act(now, move, hole, None)))
        if tall:
            offers.insert(0, ("On a column: OK.", self.ask))
        if self.asked or sq >= 0:
            self.question_column(now, piece, lambda now, sq: self.grown(now, sq, moves, hole))
        elif drawn:
            text = "%s drew %s: into the lit hole%s."
            text = text % (self.table.seat_name(self.game.turn), name_of(piece), ", or build it" if builds else "")
            self.show("LIFTED", text + self.offer_text(offers))
        elif not moves:
            self.offer_text(())
            self.show("LIFTED", "Nowhere to go now for %s. Put it back." % name_of(piece))
        else:
            where = "onto a lit square" if builds else "into a lit hole"
            self.show("LIFTED", "%s: %s.%s" % (name_of(piece), where, self.offer_text(offers)))

    def grown(self, now, sq, moves, hole):
        """The casteller in hand stands on this column of two or more."""
        for move in moves:
            if move >> 17 != IS_GIVE and self.goal(move)[0] == sq:
                why = self.may_play(move)
                if why is None:
                    self.act(now, move, hole, None)
                else:
                    self.refuse(now, why, [sq], move)
                return

    def act(self, now, move, hole, goal):
        """A move by hands counts: the hole that a casteller left or came to is remembered."""
        seat = self.game.exchange if move >> 17 == IS_TAKE else self.game.turn
        taken = put = None  # the first hole that holds such a casteller, the first that is free
        if move >> 17 != IS_FALL and (hole == NOWHERE or self.owner(hole) == seat):
            at = self.places.held[seat].find(bytes([(move >> 11 & 63) + 1]))
            if hole == NOWHERE:
                taken = BESIDE if at >= 0 else None
            elif at < 0 or self.places.racks[seat][at] != hole:
                taken = hole
        if goal is not None and self.owner(goal) >= 0 and self.places.free_hole(self.owner(goal)) != goal:
            put = goal
        self.places.choose(len(self.game.history), taken, put)
        self._chosen = taken, put
        self.commit(now, move)

    def moved(self, now, seat, move):
        kind = move >> 17
        self.picked = -1
        self.due = -1
        self.order = ()
        chosen, self._chosen = self._chosen, (None, None)
        if chosen != (None, None):
            self.tell_hole(*chosen)
        goal = self.places.last()[1]
        if kind == IS_DRAW:
            piece = self.game.history[-1][1] >> 11 & 63
            if goal == NOWHERE:
                self.table.whisper(now, name_of(piece) + ": beside the board", 4000)
            elif not self.table.seen[goal]:
                self.due = goal
        if kind in (IS_BUILD, IS_TAKE, IS_FALL):
            self.stacks.forget()
            self.suspect = False

    def tell_hole(self, taken, put):
        """Hands chose holes for the last move: the journal keeps them for the time after a power cut."""
        event = {"t": "note", "what": "hole", "ply": len(self.game.history), "from": taken, "to": put}
        self.table.emit(event, True)

    def show_due(self, now, hole, goal):
        """A drawn casteller is not in its hole yet; another free one of the same rack will do as well."""
        seat = self.owner(hole)
        if goal != NOWHERE and self.owner(goal) == seat:
            if self.table.settled:
                self.places.choose(len(self.game.history) - 1, None, goal)
                self.tell_hole(None, goal)
                self.places.begin(self.game)
                self.lay()
                self.due = -1
                self.dirty = True
        elif goal != NOWHERE:
            self.guide(now)
        else:
            self.table.lights.clear()
            piece = self.piece[hole] - 1
            self.colour(hole, piece)
            text = "%s drew %s: into the lit hole." % (self.table.seat_name(seat), name_of(piece))
            self.show("LIFTED", text)

    # The turn

    def show_turn(self, now):
        game, table = self.game, self.table
        seat = game.turn
        lights = table.lights
        lights.clear()
        self.light_last()
        if self.wish is not None:
            text = self.show_wish(seat)
        elif table.seat_by[seat] == "host":
            text = "%s thinks." % table.seat_name(seat)
            self.offer_text(())
        else:
            text = self.show_allowed(seat)
        for sq in table.weak:
            lights.role[sq] = li.STRAIGHTEN
        self.show("TURN", text + self.unverified_text())

    def show_wish(self, seat):
        """Lights the hole and the place of what the host asks for."""
        role = self.table.lights.role
        kind, piece = self.wish >> 17, self.wish >> 11 & 63
        owner = self.game.exchange if kind == IS_TAKE else seat
        at = self.places.held[owner].find(bytes([piece + 1]))
        if at >= 0:
            role[self.places.racks[owner][at]] = li.ASK
        sq = self.places.free_hole(self.wish >> 7 & 15) if kind == IS_GIVE else self.goal(self.wish)[0]
        if sq != NOWHERE:
            role[sq] = li.ASK
        self.offer_text(())
        return "%s: %s." % (self.table.seat_name(seat), self.describe(self.wish))

    def show_allowed(self, seat):
        """Lights the castellers that may be taken up; the turn's sentence with what OK does."""
        game, partner = self.game, self.game.exchange
        own, theirs = bytearray(KINDS), bytearray(KINDS)  # what each casteller is good for: a role, or 0
        draws = ends = False
        for move in game.legal():
            kind, piece = move >> 17, move >> 11 & 63
            if kind == IS_GIVE:
                own[piece] = own[piece] or li.REACH
            elif kind == IS_BUILD:
                own[piece] = li.LEGAL
            elif kind == IS_TAKE:
                theirs[piece] = li.LEGAL
            draws = draws or move == DRAW
            ends = ends or move == END
        offers = []
        if draws:
            offers.append(("OK draws.", self.draw))
        if ends:
            offers.append(("OK ends the turn.", lambda now: self.commit(now, END)))
        role = self.table.lights.role
        for owner in (seat,) if partner is None else (seat, partner):
            holes, held = self.places.racks[owner], self.places.held[owner]
            use = own if owner == seat else theirs
            for at in range(len(holes)):
                if held[at] and use[held[at] - 1]:
                    role[holes[at]] = use[held[at] - 1]
            for piece in sorted(set(self.places.beside[owner])):
                if use[piece]:
                    text = "OK takes %s from beside the board." % name_of(piece)
                    offers.append((text, lambda now, piece=piece: self.pick(piece)))
        if self.places.tall():
            offers.append(("Fell down? OK.", lambda now: self.rebuild_all()))
        name = self.table.seat_name(seat)
        if partner is None:
            text = "%s, action %d of 2." % (name, game.actions + 1)
        else:
            text = "%s: give more to %s, or take one under %d and build it." % (
                name, self.table.seat_name(partner), game.given_sum,
            )
        return text + self.offer_text(offers)

    def pick(self, piece):
        """A casteller from beside the board is in a hand now."""
        self.picked = piece

    def draw(self, now):
        if self.may_play(DRAW):
            self.table.whisper(now, self.may_play(DRAW))
        elif self.game.options["bag"] == "real":
            self.begin_entry()
        else:
            self.commit(now, DRAW)
