"""Readings -> squares: empty, north or south, decided on the residue with the neighbours' fields taken away."""

from array import array

EMPTY = 0
NORTH = 1  # the pole that raises the reading
SOUTH = 2

SCANS = 3  # equal decisions in a row before a square changes


class Squares:
    """The state of every square of a board.

    state      bytearray, a square each: EMPTY, NORTH or SOUTH
    changed    list of squares that the last update changed
    residual   array('h'), counts: reading - zero - the decided neighbours' nominal field, of the last update
    noise      resting noise of one reading, thousandths of a mT
    """

    def __init__(self, config):
        size = config["width"] * config["height"]
        self.counts_per_mt = config["counts_per_mt"]
        self.state = bytearray(size)
        self.changed = []
        self.residual = array("h", [0] * size)
        self.noise = 0
        self.moved_at = 0
        self.set_thresholds(3.5, 2.5)

    def set_thresholds(self, on_mt, off_mt):
        """|residual| from which a square counts as occupied, and below which it counts as empty again, mT."""
        self.on = int(on_mt * self.counts_per_mt)
        self.off = int(off_mt * self.counts_per_mt)

    def update(self, now, readings):
        """Takes one scan (array('H'), counts, in the order of squares); True when any decision changed."""
        return False

    def weak(self, sq):
        """A piece rests on the square and its field is low: it stands askew ("straighten me")."""
        return False

    def rested_ms(self, now):
        """ms since any reading last moved noticeably."""
        return now - self.moved_at

    def force(self, states):
        """Takes these states as decided (bytes, a square each): the replay of sense events."""
        self.changed = [sq for sq in range(len(states)) if states[sq] != self.state[sq]]
        self.state[:] = states

    def mt10(self, sq):
        """The square's residual in tenths of a mT, for events."""
        return int(self.residual[sq] * 10 / self.counts_per_mt)
