"""Hands for the fuzz: careless ones that do anything, and honest ones that do what the board asks for."""

from lodeboard.firmware.referee.continuity import CONFUSED
from story import HINT, MENU, OK, PIECES, UNDO

SWAP_MS = 200  # no hand takes one stick out and puts another in faster
TURN_MS = 100  # or turns a stick over


class Careless:
    """Random hands: at most three sticks in the air, any square, any end, any button, a sleeve's magnet."""

    def __init__(self, story, rnd):
        self.story = story
        self.rnd = rnd
        self.left = {}

    def act(self):
        story, rnd = self.story, self.rnd
        ms = rnd.choice((5, 10, 20, 40, 60, 100, 200, 400))
        roll = rnd.random()
        if roll < 0.40 and len(story.hand) < rnd.choice((1, 1, 1, 2, 3)) and story.board:
            stick = rnd.choice(list(story.board.values()))
            sq = story.where(stick)
            del story.board[sq]
            story.hand.append(stick)
            self.left[sq] = (stick, story.now)
        elif roll < 0.80 and story.hand:
            free = self.free()
            stick = rnd.choice(story.hand)
            sq = rnd.choice(free)
            last, at = self.left.get(sq, (stick, 0))
            if story.now - at < SWAP_MS:
                if last is not stick:
                    story.wait(SWAP_MS)
                elif story.now - at < TURN_MS:
                    story.wait(TURN_MS)
            story.put(sq, stick.piece[rnd.randrange(2)], stick, 0)
        elif roll < 0.86:
            buttons = rnd.choice((OK, UNDO, HINT, MENU, UNDO | OK))
            held = rnd.choice((20, 60, 900))
            if story.state == "PENDING" or (story.state == "DESYNC" and held > 60):
                buttons &= ~OK  # a careless yes to "is it so?" would be a lie
            story.wait(held, buttons)
            story.wait(20)
        elif roll < 0.90:
            free = [sq for sq in self.free() if story.now - self.left.get(sq, (None, -SWAP_MS))[1] >= SWAP_MS]
            if free:
                sq = rnd.choice(free)
                story.foreign[sq] = rnd.choice((1, -1, 0.5))
                if story.hand:  # a magnet that stays passes for the stick in hand: nobody could tell
                    story.wait(rnd.choice((20, 60, 200)))
                    del story.foreign[sq]
                    self.left[sq] = (None, story.now)
        elif story.foreign:
            story.foreign.popitem()
        elif roll < 0.94 and story.board:  # a nudge: gone for a moment
            sq, stick = rnd.choice(list(story.board.items()))
            del story.board[sq]
            story.wait(rnd.choice((20, 40, 60)))
            story.board[sq] = stick
        story.wait(ms)

    def free(self):
        story, rnd = self.story, self.rnd
        taken = set(story.board) | set(story.foreign)
        places = list(story.layout["holes"])
        if rnd.random() < 0.3:
            places = sum(story.layout["racks"], [])
        if rnd.random() < 0.05:
            places = list(range(story.config["width"] * story.config["height"]))
        if rnd.random() < 0.2:
            homes = [story.rack(stick) for stick in story.hand]
            places = homes or places
        return [sq for sq in places if sq not in taken] or [
            sq for sq in range(story.config["width"] * story.config["height"]) if sq not in taken
        ]


class Honest:
    """Hands that read lights and display. clumsy: how often they take the wrong stick or end of several."""

    def __init__(self, story, rnd, clumsy=0.2):
        self.story = story
        self.rnd = rnd
        self.clumsy = clumsy

    def restore(self, steps=300):
        """Follows the guidance until it is somebody's turn; the number of steps that it took."""
        story = self.story
        story.foreign.clear()
        for step in range(steps):
            story.wait(450)
            if story.table.menu.open:
                story.press(MENU)
            elif story.state == "TURN" and not story.table.referee.undone:
                return step
            else:
                getattr(self, story.state.lower())()
        raise AssertionError(f"no way back: {story.state}: {story.text} {story.hand}")

    def stick_for(self, sq):
        """The stick in hand that people would put here, and the end they would put up."""
        story, ref = self.story, self.story.table.referee
        right = next((s for s in story.hand if ref.piece[sq] == 7 * s.seat + PIECES.index(s.piece) + 1), None)
        if right is None or self.rnd.random() < self.clumsy:
            right = self.rnd.choice(story.hand)
        if self.rnd.random() > self.clumsy:
            right.pole = ref.wanted[sq] if ref.wanted[sq] in (1, 2) else right.pole
        return right

    def lift(self, sq):
        if sq in self.story.board:
            self.story.lift(sq)

    def lifted(self):
        story = self.story
        ref = story.table.referee
        sq = next(sq for sq in ref.put)
        story.put(sq, None, self.stick_for(sq))

    def desync(self):
        story = self.story
        take, put, turn = (sorted(story.squares_lit(letter)) for letter in "xpt")
        if "OK goes on" in story.text and self.rnd.random() < 0.3:
            story.press(OK)
        elif story.hand and put:
            sq = self.rnd.choice(put)
            story.put(sq, None, self.stick_for(sq))
        elif take:
            self.lift(self.rnd.choice(take))
        elif turn and not story.hand:
            stick = story.board[turn[0]]
            story.lift(turn[0])
            story.put(turn[0], stick.piece[2 - stick.pole])
        elif put:
            raise AssertionError("asks for a stick that nobody has: " + story.text)
        else:
            raise AssertionError("shows nothing to do: " + story.text)

    def pending(self):
        story, table = self.story, self.story.table
        ref = table.referee
        if ref.question != "names" and ref.turn:  # a stick was turned: over again
            stick = story.board[ref.turn[0]]
            story.move(ref.turn[0], ref.turn[0], stick.piece[2 - stick.pole])
            return
        if ref.question != "names":  # a stick was carried on: back where the position has it
            sq = ref.put[0]
            self.lift(ref.take[0])
            story.put(sq, None, self.stick_for(sq))
            return
        wrong = []
        for sq in range(ref.size):
            if table.track.at[sq] == CONFUSED:
                stick, asked = story.board[sq], ref.piece[sq] - 1
                if (stick.seat, stick.up()) != (asked // 7, ref.top(asked, table.seen[sq])):
                    wrong.append(sq)
        if not wrong:
            story.press(OK)
        for sq in wrong:
            self.lift(sq)

    def setup(self):
        story = self.story
        wanted = {story.rack(s): s for s in story.sticks.values()}
        for stick in list(story.hand):
            if story.rack(stick) not in story.board:
                story.put(story.rack(stick), stick.piece[0], stick)
                return
        for sq, stick in list(story.board.items()):
            if wanted.get(sq) is not stick or stick.pole != 1:
                story.lift(sq)
                if stick.pole != 1 and wanted.get(sq) is stick:
                    story.put(sq, stick.piece[0])
                return

    def over(self):
        self.story.press(OK)

    def paused(self):
        self.story.press(OK)


def true_position(story):
    """Whether the sticks really stand as the game says, by identity and end."""
    ref = story.table.referee
    wrong = []
    for sq in range(ref.size):
        stick = story.board.get(sq)
        token = 0 if stick is None else 7 * stick.seat + PIECES.index(stick.piece) + 1
        if token != ref.piece[sq] or (stick and ref.wanted[sq] in (1, 2) and stick.pole != ref.wanted[sq]):
            wrong.append((story.name(sq), stick, ref.piece[sq], ref.wanted[sq]))
    return wrong
