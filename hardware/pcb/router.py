"""A maze router for two signal layers: shortest paths on a grid, negotiated until no two nets conflict.

The method is PathFinder's (McMurchie and Ebeling, 1995): every net takes its cheapest way through a grid
whose cells cost more the more nets want them now and have wanted them before; nets in conflict are taken up
and laid again until none is left. Planes are ends too: a pad of a plane's net needs no more than a via into
it.

Lengths are mm. Grid cells are numbered y * nx + x; a node is layer * cells + cell, layer 0 front, 1 back.
"""

import numpy as np

from hardware.pcb.grid import DIAGONAL_SAG, STEP, Grid
from hardware.pcb.maze import BLOCKED, search


class Route:
    """What a net got: `edges` are pairs of nodes on one layer, `vias` are cells."""

    def __init__(self):
        self.edges, self.vias, self.nodes = set(), set(), set()


class Router(Grid):
    """Nets, pads and keep-outs of one board; `solve()` finds the routes. Arguments as Grid's."""

    def __init__(self, width, height, rules, edge=0.4):
        super().__init__(width, height, rules, edge)
        self.track_use = {k: np.zeros(2 * self.cells, np.int16) for k in self.kinds}
        self.via_use = {k: np.zeros(self.cells, np.int16) for k in self.kinds}
        self.track_history = {k: np.zeros(2 * self.cells, np.float32) for k in self.kinds}
        self.via_history = {k: np.zeros(self.cells, np.float32) for k in self.kinds}
        self.nets, self.routes, self.stamps = {}, {}, {}

    def net(self, number, kind, terminals, plane=None):
        """A net to route. terminals: [(layers, x, y, w, h)] its pads; plane: None or bool[ny, nx], where a
        via meets the net's own plane."""
        self.nets[number] = (kind, terminals, plane)

    def _costs(self, number, kind, pressure):
        owner = self.track_owner[kind].reshape(-1)
        free = (owner == 0) | (owner == number)
        track = 1 + self.track_history[kind] + pressure * self.track_use[kind]
        track = np.where(free, track, BLOCKED).astype(np.float32)
        owner = self.via_owner[kind].reshape(-1)
        free = (owner == 0) | (owner == number)
        via = 1 + self.via_history[kind] + pressure * self.via_use[kind]
        return track, np.where(free, via, BLOCKED).astype(np.float32)

    def _lay(self, number, pressure):
        """Routes one net through the grid as it is; ValueError names a terminal that cannot be reached."""
        kind, terminals, plane = self.nets[number]
        track, via = self._costs(number, kind, pressure)
        route = Route()
        flat = np.zeros(self.cells, np.bool_) if plane is None else plane.reshape(-1)
        groups = [self.terminal_nodes(t) for t in terminals]
        if plane is None:
            tree, waiting = set(groups[0]), groups[1:]
        else:
            tree, waiting = set(), groups
        while waiting:
            target = np.zeros(2 * self.cells, np.bool_)
            if plane is None:
                for group in waiting:
                    target[group] = True
                sources = sorted(tree)
            else:
                target[sorted(tree)] = True
                sources = waiting[0]
            path = search(np.array(sources, np.int32), target, track, via, flat, self.nx, self.cells)
            if not len(path):
                layers, x, y, _, _ = terminals[len(groups) - len(waiting)]
                raise ValueError(f"net {number}: no way from or to the pad at {x:.2f}, {y:.2f}")
            self._add(route, path, via, kind)
            tree.update(int(n) for n in path if n < 2 * self.cells)
            if plane is None:
                end = int(path[-1])
                done = next(g for g in waiting if end in g)
            else:
                done = waiting[0]
            tree.update(done)
            waiting = [g for g in waiting if g is not done]
        return route

    def _add(self, route, path, via, kind):
        for a, b in zip(path[:-1], path[1:], strict=True):
            a, b = int(a), int(b)
            if a // self.cells == b // self.cells:
                route.edges.add((min(a, b), max(a, b)))
            else:
                cell = a % self.cells
                route.vias.add(cell)
                # a second via of the same net has to keep its hole off this one
                y, x = divmod(cell, self.nx)
                reach = self.rules[kind].drill + self.HOLE_TO_HOLE
                rows, columns, d = self.distance(self.x[x], self.y[y], 0, 0, reach + STEP)
                view = via.reshape(self.ny, self.nx)[rows, columns]
                view[(d < reach) & (d > 1e-6)] = BLOCKED
        route.nodes.update(int(n) for n in path if n < 2 * self.cells)

    def _stamp(self, number):
        """{(what, kind): cells} that the net's route makes unusable for a track or via of each kind."""
        own = self.rules[self.nets[number][0]]
        route = self.routes[number]
        out = {}
        for kind in self.kinds:
            other = self.rules[kind]
            clearance = max(own.clearance, other.clearance)
            tracks = set()
            vias = set()
            for layer in range(2):
                nodes = [n % self.cells for n in route.nodes if n // self.cells == layer]
                tracks |= {
                    layer * self.cells + c
                    for c in self.spread(nodes, own.track / 2 + clearance + other.track / 2 + DIAGONAL_SAG)
                }
                vias |= self.spread(nodes, own.track / 2 + clearance + other.via / 2 + DIAGONAL_SAG)
            spots = list(route.vias)
            near = self.spread(spots, own.via / 2 + clearance + other.track / 2 + DIAGONAL_SAG)
            tracks |= near | {self.cells + c for c in near}
            vias |= self.spread(
                spots,
                max(own.via / 2 + clearance + other.via / 2, (own.drill + other.drill) / 2 + self.HOLE_TO_HOLE),
            )
            out["track", kind] = np.array(sorted(tracks), np.int64)
            out["via", kind] = np.array(sorted(vias), np.int64)
        return out

    def _count(self, number, sign):
        for (what, kind), cells in self.stamps[number].items():
            (self.track_use if what == "track" else self.via_use)[kind][cells] += sign

    def _conflicts(self):
        """Numbers of nets that run where another net's clearance forbids it."""
        found = []
        for number, route in self.routes.items():
            self._count(number, -1)
            kind = self.nets[number][0]
            nodes = np.fromiter(route.nodes, np.int64, len(route.nodes))
            spots = np.fromiter(route.vias, np.int64, len(route.vias))
            hit = nodes[self.track_use[kind][nodes] > 0] if len(nodes) else nodes
            via_hit = spots[self.via_use[kind][spots] > 0] if len(spots) else spots
            self._count(number, 1)
            if len(hit) or len(via_hit):
                self.track_history[kind][hit] += 0.6
                self.via_history[kind][via_hit] += 0.6
                found.append(number)
        return found

    def solve(self, rounds=60, say=None):
        """{net: Route}. ValueError when nets stay in conflict after `rounds`."""
        order = sorted(self.nets)
        todo, pressure = order, 0.3
        for turn in range(rounds):
            for number in todo:
                if number in self.routes:
                    self._count(number, -1)
                self.routes[number] = self._lay(number, pressure)
                self.stamps[number] = self._stamp(number)
                self._count(number, 1)
            todo = self._conflicts()
            if say:
                say(f"routing round {turn + 1}: {len(todo)} of {len(order)} nets in conflict")
            if not todo:
                return self.routes
            pressure = min(pressure * 1.5, 60.0)
        raise ValueError(f"nets {todo} stay in conflict after {rounds} rounds")

    def segments(self, number):
        """([(layer, x0, y0, x1, y1)], [(x, y)]): a net's tracks, straight runs joined, and its vias."""
        route = self.routes[number]
        near = {}
        for a, b in route.edges:
            near.setdefault(a, []).append(b)
            near.setdefault(b, []).append(a)

        def bends(node):
            ends = near[node]
            vias = node % self.cells in route.vias
            return vias or len(ends) != 2 or ends[0] - node != node - ends[1]

        lines, seen = [], set()
        for start in sorted(near):
            if not bends(start):
                continue
            for first in sorted(near[start]):
                if (start, first) in seen:
                    continue
                before, at = start, first
                while not bends(at):
                    after = near[at][0] if near[at][0] != before else near[at][1]
                    before, at = at, after
                seen.add((at, before))
                seen.add((start, first))
                lines.append((start // self.cells, *self.place_of(start), *self.place_of(at)))
        return lines, [self.place_of(cell) for cell in sorted(route.vias)]
