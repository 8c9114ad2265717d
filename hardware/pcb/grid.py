"""The grid that a board is routed on: who may use a cell, by the clearance to pads, holes and the board's edge.

Lengths are mm. Cells are numbered y * nx + x; a node is layer * cells + cell, layer 0 front, 1 back.
"""

import numpy as np

STEP = 0.2  # mm between cells
DIAGONAL_SAG = 0.03  # a diagonal step comes this much closer to what its ends keep away from


class Rules:
    """Widths of a class of nets: track, via and its hole, and the clearance to anything else."""

    def __init__(self, track, via, drill, clearance):
        self.track, self.via, self.drill, self.clearance = track, via, drill, clearance


class Grid:
    """Owners of the cells of a board: 0 anyone, a net's number that net alone, -1 nobody.

    width, height: of the board. rules: {class name: Rules}. edge: from copper to the board's edge.
    track_owner: {class: int16[layer, y, x]}, via_owner: {class: int16[y, x]}.
    """

    HOLE_TO_HOLE = 0.3

    def __init__(self, width, height, rules, edge=0.4):
        self.nx, self.ny = int(round(width / STEP)) + 1, int(round(height / STEP)) + 1
        self.cells = self.nx * self.ny
        self.rules = rules
        self.kinds = sorted(rules)
        self.x = np.arange(self.nx) * STEP
        self.y = np.arange(self.ny) * STEP
        self.track_owner = {k: np.zeros((2, self.ny, self.nx), np.int16) for k in self.kinds}
        self.via_owner = {k: np.zeros((self.ny, self.nx), np.int16) for k in self.kinds}
        for kind in self.kinds:
            r = rules[kind]
            for layer in range(2):
                self._border(self.track_owner[kind][layer], edge + r.track / 2)
            self._border(self.via_owner[kind], edge + r.via / 2)

    def _border(self, owner, distance):
        inside = (
            (self.x[None, :] >= distance - 1e-6)
            & (self.x[None, :] <= self.x[-1] - distance + 1e-6)
            & (self.y[:, None] >= distance - 1e-6)
            & (self.y[:, None] <= self.y[-1] - distance + 1e-6)
        )
        owner[~inside] = -1

    def distance(self, x, y, w, h, reach):
        """(rows, columns, distance to the rectangle) of the window within `reach` of it."""
        x0, x1 = np.searchsorted(self.x, [x - w / 2 - reach, x + w / 2 + reach])
        y0, y1 = np.searchsorted(self.y, [y - h / 2 - reach, y + h / 2 + reach])
        dx = np.maximum(np.abs(self.x[x0:x1] - x) - w / 2, 0)
        dy = np.maximum(np.abs(self.y[y0:y1] - y) - h / 2, 0)
        return slice(y0, y1), slice(x0, x1), np.hypot(dx[None, :], dy[:, None])

    @staticmethod
    def _claim(window, near, number):
        taken = window[near]
        taken[(taken != 0) & (taken != number)] = -1
        taken[taken == 0] = number
        window[near] = taken

    def copper(self, number, layers, x, y, w, h, round_=False, pad=False):
        """Copper of a net (number > 0) or of nobody (-1): other nets keep their clearance from it.

        pad: a soldered pad, into which no via goes, not even of its own net.
        """
        if round_:
            corner, w, h = min(w, h) / 2, max(w - h, 0), max(h - w, 0)
        else:
            corner = 0.0
        for kind in self.kinds:
            r = self.rules[kind]
            track = r.track / 2 + r.clearance + corner + DIAGONAL_SAG
            rows, columns, d = self.distance(x, y, w, h, track + STEP)
            for layer in layers:
                self._claim(self.track_owner[kind][layer][rows, columns], d < track, number)
            via = r.via / 2 + r.clearance + corner
            rows, columns, d = self.distance(x, y, w, h, via + STEP)
            self._claim(self.via_owner[kind][rows, columns], d < via, number)
            if pad:
                self._claim(self.via_owner[kind][rows, columns], d < r.via / 2 + corner + 0.05, -1)

    def hole(self, x, y, diameter, keep_off=0.0):
        """A drilled hole: vias keep away from it, whatever their net; keep_off: tracks too, from its rim."""
        for kind in self.kinds:
            r = self.rules[kind]
            reach = diameter / 2 + r.drill / 2 + self.HOLE_TO_HOLE
            rows, columns, d = self.distance(x, y, 0, 0, max(reach, diameter / 2 + keep_off + r.via) + 1)
            self._claim(self.via_owner[kind][rows, columns], d < reach, -1)
            if keep_off:
                self._claim(self.via_owner[kind][rows, columns], d < diameter / 2 + keep_off + r.via / 2, -1)
                for layer in range(2):
                    self._claim(
                        self.track_owner[kind][layer][rows, columns],
                        d < diameter / 2 + keep_off + r.track / 2,
                        -1,
                    )

    def terminal_nodes(self, terminal):
        layers, x, y, w, h = terminal
        rows, columns, d = self.distance(x, y, max(w - 0.1, 0.01), max(h - 0.1, 0.01), 0.02)
        ys, xs = np.nonzero(d < 1e-6)
        cells = (ys + rows.start) * self.nx + xs + columns.start
        return [int(layer * self.cells + cell) for layer in layers for cell in cells]

    def spread(self, cells, radius):
        """The set of cells nearer than `radius` to one of `cells`."""
        if not len(cells):
            return set()
        reach = int(radius / STEP) + 1
        dy, dx = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        disc = np.hypot(dx, dy) * STEP < radius - 1e-6
        dy, dx = dy[disc], dx[disc]
        y, x = np.divmod(np.array(cells), self.nx)
        ys, xs = (y[:, None] + dy).ravel(), (x[:, None] + dx).ravel()
        inside = (ys >= 0) & (ys < self.ny) & (xs >= 0) & (xs < self.nx)
        return set((ys[inside] * self.nx + xs[inside]).tolist())

    def place_of(self, node):
        y, x = divmod(node % self.cells, self.nx)
        return round(x * STEP, 3), round(y * STEP, 3)
