"""The maze router joins what belongs together, keeps nets apart, and says when there is no way."""

import itertools

import numpy as np
import pytest

from hardware.pcb.grid import STEP, Rules
from hardware.pcb.router import Router

RULES = {"signal": Rules(0.2, 0.6, 0.3, 0.2), "power": Rules(0.5, 0.8, 0.4, 0.2)}
BOTH = (0, 1)


def board(pads, kinds=None, size=20.0, planes=None):
    """A router with round pads {net: [(layers, x, y)]} of 1 mm."""
    router = Router(size, size, RULES)
    for net, places in pads.items():
        for layers, x, y in places:
            router.copper(net, layers, x, y, 1.0, 1.0, round_=True, pad=True)
    for net, places in pads.items():
        kind = (kinds or {}).get(net, "signal")
        router.net(net, kind, [(layers, x, y, 0.66, 0.66) for layers, x, y in places], (planes or {}).get(net))
    return router


def copper(router, net):
    """[(layers, points every tenth of a mm, half width)] of what the router laid for a net."""
    rules = RULES[router.nets[net][0]]
    lines, vias = router.segments(net)
    out = []
    for layer, x0, y0, x1, y1 in lines:
        n = max(2, int(np.hypot(x1 - x0, y1 - y0) * 10))
        out.append(((layer,), np.linspace((x0, y0), (x1, y1), n), rules.track / 2))
    return out + [(BOTH, np.array([place]), rules.via / 2) for place in vias]


def clearance(router, pads):
    """The least distance between copper of different nets, pads included."""
    shapes = {net: copper(router, net) for net in pads}
    for net, places in pads.items():
        shapes[net] = shapes[net] + [(layers, np.array([(x, y)]), 0.5) for layers, x, y in places]
    least = np.inf
    for a, b in itertools.combinations(shapes, 2):
        for (la, pa, ra), (lb, pb, rb) in itertools.product(shapes[a], shapes[b]):
            if set(la) & set(lb):
                gap = np.hypot(*(pa[:, None] - pb[None]).transpose(2, 0, 1)).min() - ra - rb
                least = min(least, gap)
    return least


def joined(router, net, places):
    """Whether tracks and vias of a net form one piece that touches every pad."""
    route = router.routes[net]
    near = {}
    for a, b in route.edges:
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    for cell in route.vias:
        near.setdefault(cell, set()).add(cell + router.cells)
        near.setdefault(cell + router.cells, set()).add(cell)
    for layers, px, py in places:  # a pad joins what ends in it
        inside = [n for n in near if n // router.cells in layers and _gap(router, n, px, py) < 0.5]
        for a, b in zip(inside[:-1], inside[1:], strict=True):
            near[a].add(b)
            near[b].add(a)
    start = next(iter(near))
    seen, todo = {start}, [start]
    while todo:
        for other in near[todo.pop()]:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return len(seen) == len(near) and all(
        any(_gap(router, node, px, py) < 0.5 for node in seen) for _, px, py in places
    )


def _gap(router, node, px, py):
    y, x = divmod(node % router.cells, router.nx)
    return np.hypot(x * STEP - px, y * STEP - py)


CROSSED = {
    1: [((0,), 2.0, 10.0), ((0,), 18.0, 10.0)],
    2: [((0,), 10.0, 2.0), ((0,), 10.0, 18.0)],
    3: [((0,), 4.0, 4.0), ((0,), 16.0, 16.0), ((0,), 16.0, 4.0)],
    4: [(BOTH, 4.0, 16.0), ((0,), 12.0, 6.0)],
}


def test_crossing_nets_are_joined_and_kept_apart():
    router = board(CROSSED, {3: "power"})
    router.solve()
    for net, places in CROSSED.items():
        assert joined(router, net, places), net
    assert clearance(router, CROSSED) >= 0.2 - 1e-6


def test_the_same_board_is_routed_the_same_way():
    def lines():
        router = board(CROSSED)
        router.solve()
        return [router.segments(net) for net in CROSSED]

    assert lines() == lines()


def test_a_pad_of_a_planes_net_gets_a_via_into_the_plane_only():
    pads = {1: [((0,), 5.0, 5.0), ((0,), 15.0, 5.0)], 2: [((0,), 5.0, 10.0), ((0,), 15.0, 10.0)]}
    router = Router(20.0, 20.0, RULES)
    plane = np.zeros((router.ny, router.nx), np.bool_)
    plane[:, : router.nx // 2] = True
    router = board(pads, planes={1: plane})
    router.solve()
    _, vias = router.segments(1)
    assert vias and all(x <= 10.0 for x, _ in vias)


def test_a_walled_in_pad_is_said_to_be_out_of_reach():
    router = Router(20.0, 20.0, RULES)
    for i in range(40):
        router.copper(-1, BOTH, 10.0, i * 0.5, 0.5, 0.5)
    for x in (5.0, 15.0):
        router.copper(1, (0,), x, 10.0, 1.0, 1.0)
    router.net(1, "signal", [((0,), 5.0, 10.0, 1.0, 1.0), ((0,), 15.0, 10.0, 1.0, 1.0)])
    with pytest.raises(ValueError, match="no way"):
        router.solve()
