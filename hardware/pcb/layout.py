"""What a board's layout is made of; tile_layout and controller_layout fill it in. Lengths are mm, y down."""

from dataclasses import dataclass, field

from hardware.pcb.grid import Rules

RULES = {
    "signal": Rules(track=0.2, via=0.6, drill=0.3, clearance=0.2),
    "power": Rules(track=0.5, via=0.8, drill=0.4, clearance=0.2),
}
RELEASED = "2026-11-29"  # of the revision: stands in every file where KiCad would write today's date
MIN_EDGE = 0.4  # copper to the board's edge
SCREW_KEEP_OFF = 1.8  # copper to the rim of a mounting hole: the head of an M3 screw


@dataclass
class Zone:
    """A filled area. outline: corners. rank: fills before zones of lower rank. solid: no thermal spokes."""

    net: str
    layer: str
    outline: list
    rank: int = 0
    solid: bool = False


@dataclass
class Layout:
    """Places of all parts and what the router does not decide.

    places: {reference: (x, y, degrees, "front" or "back")}. power: nets with wide tracks.
    planes: {net: (layer, [rectangles x0 y0 x1 y1 in which a via of the net meets its plane])}.
    poured: nets that their zones alone connect (the router leaves them out).
    reserved: [(net, 0 front or 1 back, x0, y0, x1, y1)] where such zones keep the router's tracks out.
    vias: [(net, x, y)] placed by hand, of the class "power".
    """

    name: str
    width: float
    height: float
    layers: int
    places: dict
    power: tuple
    zones: list = field(default_factory=list)
    planes: dict = field(default_factory=dict)
    poured: tuple = ()
    reserved: list = field(default_factory=list)
    vias: list = field(default_factory=list)
    texts: list = field(default_factory=list)


def rectangle(x0, y0, x1, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
