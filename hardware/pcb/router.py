"""A maze router for two signal layers: shortest paths on a grid, negotiated until no two nets conflict.

The method is PathFinder's (McMurchie and Ebeling, 1995): every net takes its cheapest way through a grid
whose cells cost more the more nets want them now and have wanted them before; nets in conflict are taken up
and laid again until none is left. Planes are ends too: a pad of a plane's net needs no more than a via into
it.

Lengths are mm. Grid cells are numbered y * nx + x; a node is layer * cells + cell, layer 0 front, 1 back.
"""

import heapq

import numba
import numpy as np

STEP = 0.2  # mm between cells
STRAIGHT, DIAGONAL = 10.0, 14.14
AGAINST = 1.25  # a step against the layer's direction: front runs up and down, back from side to side
VIA = 55.0
DIAGONAL_SAG = 0.03  # a diagonal step comes this much closer to what its ends keep away from
BLOCKED = np.float32(1e30)


@numba.njit(cache=True)
def _search(sources, target, track, via, plane, nx, cells):
    """Cheapest path from any source node to a target node; node 2 * cells + cell is a via into the plane.

    Returns the nodes from source to end; empty when there is no way.
    """
    ny = cells // nx
    dist = np.full(3 * cells, 1e30, np.float32)
    previous = np.full(3 * cells, -1, np.int32)
    heap = [(np.float32(0), np.int32(-1))]
    heap.pop()
    for node in sources:
        dist[node] = 0.0
        heapq.heappush(heap, (np.float32(0), np.int32(node)))
    while len(heap) > 0:
        d, node = heapq.heappop(heap)
        if d > dist[node]:
            continue
        if node >= 2 * cells or target[node]:
            count = 0
            at = node
            while at >= 0:
                count += 1
                at = previous[at]
            path = np.empty(count, np.int32)
            at = node
            for i in range(count - 1, -1, -1):
                path[i] = at
                at = previous[at]
            return path
        layer = node // cells
        cell = node - layer * cells
        y = cell // nx
        x = cell - y * nx
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                if (dx == 0 and dy == 0) or x + dx < 0 or x + dx >= nx or y + dy < 0 or y + dy >= ny:
                    continue
                nxt = node + dy * nx + dx
                weight = track[nxt]
                if weight >= 1e29:
                    continue
                if dx != 0 and dy != 0:
                    step = 14.14
                elif (layer == 0 and dy == 0) or (layer == 1 and dx == 0):
                    step = 12.5
                else:
                    step = 10.0
                nd = np.float32(d + step * weight)
                if nd < dist[nxt]:
                    dist[nxt] = nd
                    previous[nxt] = node
                    heapq.heappush(heap, (nd, np.int32(nxt)))
        if via[cell] < 1e29:
            nd = np.float32(d + 55.0 * via[cell])
            other = (1 - layer) * cells + cell
            if track[other] < 1e29 and nd < dist[other]:
                dist[other] = nd
                previous[other] = node
                heapq.heappush(heap, (nd, np.int32(other)))
            if plane[cell] and nd < dist[2 * cells + cell]:
                dist[2 * cells + cell] = nd
                previous[2 * cells + cell] = node
                heapq.heappush(heap, (nd, np.int32(2 * cells + cell)))
    return np.empty(0, np.int32)


class Rules:
    """Widths of a class of nets: track, via and its hole, and the clearance to anything else."""

    def __init__(self, track, via, drill, clearance):
        self.track, self.via, self.drill, self.clearance = track, via, drill, clearance


class Route:
    """What a net got: `edges` are pairs of nodes on one layer, `vias` are cells."""

    def __init__(self):
        self.edges, self.vias, self.nodes = set(), set(), set()


class Router:
    """Nets, pads and keep-outs of one board; `solve()` finds the routes.

    width, height: of the board. rules: {class name: Rules}.
    """

    HOLE_TO_HOLE = 0.3

    def __init__(self, width, height, rules, edge=0.4):
        self.nx, self.ny = int(round(width / STEP)) + 1, int(round(height / STEP)) + 1
        self.cells = self.nx * self.ny
        self.rules = rules
        self.kinds = sorted(rules)
        self.x = np.arange(self.nx) * STEP
        self.y = np.arange(self.ny) * STEP
        # who alone may use a cell: 0 anyone, a net's number, -1 nobody
        self.track_owner = {k: np.zeros((2, self.ny, self.nx), np.int16) for k in self.kinds}
        self.via_owner = {k: np.zeros((self.ny, self.nx), np.int16) for k in self.kinds}
        self.track_use = {k: np.zeros(2 * self.cells, np.int16) for k in self.kinds}
        self.via_use = {k: np.zeros(self.cells, np.int16) for k in self.kinds}
        self.track_history = {k: np.zeros(2 * self.cells, np.float32) for k in self.kinds}
        self.via_history = {k: np.zeros(self.cells, np.float32) for k in self.kinds}
        self.nets, self.routes, self.stamps = {}, {}, {}
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

    def net(self, number, kind, terminals, plane=None):
        """A net to route. terminals: [(layers, x, y, w, h)] its pads; plane: None or bool[ny, nx], where a
        via meets the net's own plane."""
        self.nets[number] = (kind, terminals, plane)

    def _distance(self, x, y, w, h, reach):
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
            rows, columns, d = self._distance(x, y, w, h, track + STEP)
            for layer in layers:
                self._claim(self.track_owner[kind][layer][rows, columns], d < track, number)
            via = r.via / 2 + r.clearance + corner
            rows, columns, d = self._distance(x, y, w, h, via + STEP)
            self._claim(self.via_owner[kind][rows, columns], d < via, number)
            if pad:
                self._claim(self.via_owner[kind][rows, columns], d < r.via / 2 + corner + 0.05, -1)

    def hole(self, x, y, diameter, keep_off=0.0):
        """A drilled hole: vias keep away from it, whatever their net; keep_off: tracks too, from its rim."""
        for kind in self.kinds:
            r = self.rules[kind]
            reach = diameter / 2 + r.drill / 2 + self.HOLE_TO_HOLE
            rows, columns, d = self._distance(x, y, 0, 0, max(reach, diameter / 2 + keep_off + r.via) + 1)
            self._claim(self.via_owner[kind][rows, columns], d < reach, -1)
            if keep_off:
                self._claim(self.via_owner[kind][rows, columns], d < diameter / 2 + keep_off + r.via / 2, -1)
                for layer in range(2):
                    self._claim(
                        self.track_owner[kind][layer][rows, columns],
                        d < diameter / 2 + keep_off + r.track / 2,
                        -1,
                    )

    def _terminal_nodes(self, terminal):
        layers, x, y, w, h = terminal
        rows, columns, d = self._distance(x, y, max(w - 0.1, 0.01), max(h - 0.1, 0.01), 0.02)
        ys, xs = np.nonzero(d < 1e-6)
        cells = (ys + rows.start) * self.nx + xs + columns.start
        return [int(layer * self.cells + cell) for layer in layers for cell in cells]

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
        groups = [self._terminal_nodes(t) for t in terminals]
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
            path = _search(np.array(sources, np.int32), target, track, via, flat, self.nx, self.cells)
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
                rows, columns, d = self._distance(self.x[x], self.y[y], 0, 0, reach + STEP)
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
                    for c in self._spread(nodes, own.track / 2 + clearance + other.track / 2 + DIAGONAL_SAG)
                }
                vias |= self._spread(nodes, own.track / 2 + clearance + other.via / 2 + DIAGONAL_SAG)
            spots = list(route.vias)
            near = self._spread(spots, own.via / 2 + clearance + other.track / 2 + DIAGONAL_SAG)
            tracks |= near | {self.cells + c for c in near}
            vias |= self._spread(
                spots,
                max(
                    own.via / 2 + clearance + other.via / 2, (own.drill + other.drill) / 2 + self.HOLE_TO_HOLE
                ),
            )
            out["track", kind] = np.array(sorted(tracks), np.int64)
            out["via", kind] = np.array(sorted(vias), np.int64)
        return out

    def _spread(self, cells, radius):
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
                lines.append((start // self.cells, *self._place(start), *self._place(at)))
        return lines, [self._place(cell) for cell in sorted(route.vias)]

    def _place(self, node):
        y, x = divmod(node % self.cells, self.nx)
        return round(x * STEP, 3), round(y * STEP, 3)
