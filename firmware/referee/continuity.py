"""Identity by continuity: which piece is where, from lifts and drops, one at a time.

A sensor tells a pole, never a piece. A piece is known because it was seen to come from a known place: with
one piece in the air the next drop is that piece. With two in the air a drop could be either: both are
confused until people confirm them. A drop with nothing in the air is foreign: a sleeve's magnet, a spare
piece, or a piece whose place a sleeve's magnet had taken; so it is followed like a piece that nobody knows.
"""

try:
    from ..kernels import find
except (ImportError, SyntaxError):  # no native code here
    from ..twins import find

NONE = 0  # nothing there
CONFUSED = 254  # one of the confused pieces
FOREIGN = 255  # no piece of the game that the board knows of

AIR = -1  # where(): in somebody's hand
LOST = -2  # where(): among the confused

DIP_MS = 100  # a square that empties and fills again within this time was nudged; no hand swaps two so fast
SLIDE_MS = 300  # a drop followed by a lift within this time may be one piece that slid to the next square


class Continuity:
    """Tracks pieces, numbered from 0 (at most 253), over squares.

    at         bytearray, a square each: NONE, piece + 1, CONFUSED or FOREIGN
    air        what is in hands: list of (piece + 1, CONFUSED or FOREIGN; square it left; its pole there; ms)
    confused   bits of the pieces that could be any of each other
    """

    def __init__(self, size, width):
        self.width = width
        self.blind = ()  # squares whose sensor does not answer: their pieces are taken to stand there
        self.at = bytearray(size)
        self._places = (self.at, size)
        self.air = []
        self.confused = 0
        self._fresh = -1  # the newest foreign square, and when it appeared
        self._fresh_at = 0

    def clear(self):
        """Forgets every piece; what stands on the board becomes foreign by assign()."""
        for sq in range(len(self.at)):
            self.at[sq] = NONE
        self.air = []
        self.confused = 0
        self._fresh = -1

    def assign(self, piece, wanted, seen):
        """Takes the board as it stands: piece[sq] (number + 1, or 0) is where wanted[sq] is occupied.

        Missing pieces are in the air from here on; whatever else is seen is foreign.
        """
        self.clear()
        for sq in range(len(self.at)):
            if seen[sq] or sq in self.blind:
                self.at[sq] = piece[sq] if wanted[sq] and piece[sq] else FOREIGN
            elif wanted[sq] and piece[sq]:
                self.air.append((piece[sq], sq, wanted[sq], 0))

    def feed(self, changed, before, seen, now):
        """Takes decided changes: lifts first, so that a piece may slide to the next square in one scan.

        before, seen: states of all squares before and after; a pole that flips in one scan is both.
        """
        for sq in changed:
            if before[sq]:
                self._lift(sq, before[sq], now)
        for sq in changed:
            if seen[sq]:
                self._drop(sq, seen[sq], now)

    def _lift(self, sq, pole, now):
        token = self.at[sq]
        self.at[sq] = NONE
        if token == NONE:
            return
        if token != FOREIGN and not self.air and self._slid(sq, now):
            self.at[self._fresh] = token
            self._fresh = -1
            return
        self.air.append((token, sq, pole, now))

    def _slid(self, sq, now):
        """Whether what just appeared beside this square is what leaves it."""
        fresh = self._fresh
        if fresh < 0 or self.at[fresh] != FOREIGN or now - self._fresh_at > SLIDE_MS:
            return False
        dx, dy = fresh % self.width - sq % self.width, fresh // self.width - sq // self.width
        return abs(dx) < 2 and abs(dy) < 2

    def _drop(self, sq, pole, now):
        air = self.air
        for i in range(len(air)):
            if air[i][1] == sq and air[i][2] == pole and now - air[i][3] <= DIP_MS:
                self.at[sq] = air.pop(i)[0]
                return
        if not air:
            self.at[sq] = FOREIGN
            self._fresh = sq
            self._fresh_at = now
        elif len(air) == 1:
            self.at[sq] = air.pop()[0]
            self._fresh = -1
        else:
            self._confuse()
            self.at[sq] = CONFUSED
            air.pop()

    def _confuse(self):
        """Everything in the air becomes confused."""
        air = self.air
        for i in range(len(air)):
            if air[i][0] == FOREIGN:
                air[i] = (CONFUSED, air[i][1], air[i][2], air[i][3])
            elif air[i][0] != CONFUSED:
                self.confused |= 1 << (air[i][0] - 1)
                air[i] = (CONFUSED, air[i][1], air[i][2], air[i][3])

    def believe(self, sq, token):
        """The piece with this token (0: none) stands on a square, whatever was seen there."""
        was = self.at[sq]
        if was != token and 0 < was < CONFUSED:
            self.air.append((was, sq, 0, 0))
        if token:
            self.confused &= ~(1 << (token - 1))
            self.air = [lifted for lifted in self.air if lifted[0] != token]
        self.at[sq] = token

    def forget_air(self):
        """Every piece stands where it should: whatever else was lifted is gone."""
        if self.air:
            self.air = []

    def where(self, piece):
        """The square of a piece, AIR or LOST."""
        if self.confused >> piece & 1:
            return LOST
        return self.find(piece + 1)

    def find(self, token):
        """The first square that holds this token, or AIR."""
        return find(0, token, 0, self._places)  # AIR is its -1

    def knows_foreign(self):
        """Whether something that is no known piece stands on the board or was lifted from it."""
        for lifted in self.air:
            if lifted[0] == FOREIGN:
                return True
        return self.find(FOREIGN) >= 0
