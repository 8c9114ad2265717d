"""The cheapest way through a grid of two layers: Dijkstra's search, compiled by numba.

A node is layer * cells + cell, layer 0 front, 1 back; a cell is y * nx + x. Node 2 * cells + cell stands for a via
from that cell into the net's own plane.
"""

import heapq

import numba
import numpy as np

STRAIGHT, DIAGONAL = 10.0, 14.14
AGAINST = 1.25  # a step against the layer's direction: front runs up and down, back from side to side
VIA = 55.0
BLOCKED = np.float32(1e30)


@numba.njit(cache=True)
def search(sources, target, track, via, plane, nx, cells):
    """Cheapest path from any source node to a target node; node 2 * cells + cell is a via into the plane.

    Returns the nodes from source to end; empty when there is no way.
    """
    ny = cells // nx
    dist = np.full(3 * cells, BLOCKED, np.float32)
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
                if weight >= BLOCKED:
                    continue
                if dx != 0 and dy != 0:
                    step = DIAGONAL
                elif (layer == 0 and dy == 0) or (layer == 1 and dx == 0):
                    step = STRAIGHT * AGAINST
                else:
                    step = STRAIGHT
                nd = np.float32(d + step * weight)
                if nd < dist[nxt]:
                    dist[nxt] = nd
                    previous[nxt] = node
                    heapq.heappush(heap, (nd, np.int32(nxt)))
        if via[cell] < BLOCKED:
            nd = np.float32(d + VIA * via[cell])
            other = (1 - layer) * cells + cell
            if track[other] < BLOCKED and nd < dist[other]:
                dist[other] = nd
                previous[other] = node
                heapq.heappush(heap, (nd, np.int32(other)))
            if plane[cell] and nd < dist[2 * cells + cell]:
                dist[2 * cells + cell] = nd
                previous[2 * cells + cell] = node
                heapq.heappush(heap, (nd, np.int32(2 * cells + cell)))
    return np.empty(0, np.int32)
