"""The tile, 80 x 80 mm, four layers.

Front: every part but the connectors. Back: connectors, bus. Inner 1: ground of sensors and logic, whole.
Inner 2: a comb of 5 V for the LEDs and one of their return, a pair of teeth under each column of squares.
The sensor lies in the centre of its square and its LED 6 mm above; all sixteen the same way round.
"""

from hardware.pcb.layout import Layout, Zone, rectangle

PITCH = 20.0
SIDE = 80.0
LED_UP = 6.0
TEETH_END, SPINE = 71.4, 71.9  # the 5 V teeth end above the spine of their return


def _centre(square):
    row, column = divmod(square, 4)
    return PITCH * (column + 0.5), PITCH * (row + 0.5)


def _places():
    places = {}
    for square in range(16):
        x, y = _centre(square)
        places[f"B{square + 1}"] = (x, y, 0, "front")
        places[f"C{square + 1}"] = (x, y - 2.47, 0, "front")
        places[f"D{square + 1}"] = (x, y - LED_UP, 0, "front")
        places[f"C{square + 17}"] = (x + (-4.7 if x < SIDE / 2 else 4.7), y - LED_UP, 270, "front")
    places |= {
        "J1": (21.27, 31.11, 180, "back"),
        "J2": (61.27, 31.11, 180, "back"),
        "J3": (21.98, 74.3, 180, "back"),
        "J4": (61.98, 74.3, 180, "back"),
        "F1": (40.0, 74.2, 0, "front"),
        "C42": (40.0, 68.6, 180, "front"),
        "U1": (40.0, 40.0, 0, "front"),
        "C33": (46.4, 29.6, 90, "front"),
        "U5": (39.0, 28.6, 0, "front"),
        "C37": (35.4, 28.6, 90, "front"),
        "U3": (38.0, 51.6, 0, "front"),
        "C35": (42.0, 51.6, 90, "front"),
        "R1": (33.5, 51.0, 0, "front"),
        "C40": (33.5, 52.9, 0, "front"),
        "R2": (25.6, 48.2, 90, "front"),
        "U2": (38.0, 56.6, 0, "front"),
        "C34": (42.0, 56.6, 90, "front"),
        "R3": (45.6, 54.4, 0, "front"),
        "R5": (33.5, 55.6, 0, "front"),
        "C43": (33.5, 57.6, 0, "front"),
        "U4": (38.0, 61.6, 0, "front"),
        "C36": (42.0, 61.6, 90, "front"),
        "Q1": (39.6, 21.6, 0, "front"),
        "R6": (35.6, 23.2, 90, "front"),
        "C39": (43.0, 21.6, 90, "front"),
        "C41": (40.0, 17.4, 0, "front"),
        "R4": (15.4, 61.2, 90, "front"),
        "H1": (20, 20, 0, "front"),
        "H2": (60, 20, 0, "front"),
        "H3": (20, 60, 0, "front"),
        "H4": (60, 60, 0, "front"),
    }
    return places


def _teeth():
    """[(net, x0, y0, x1, y1)] of the two combs' teeth."""
    teeth = []
    for column in range(4):
        x = PITCH * (column + 0.5)
        down = 73.5 if column == 2 else TEETH_END
        teeth.append(("5V_LED", max(x - 9.7, 0.5), 0.5, x - 0.15, down))
        teeth.append(("PGND", x + 0.15, 2.5, min(x + 9.7, 79.5), 79.5))
    return teeth


def _comb(net):
    """The outline of a comb: teeth and the spine along its edge of the board."""
    teeth = [t[1:] for t in _teeth() if t[0] == net]
    if net == "5V_LED":
        outline = [(0.5, 0.5), (79.5, 0.5), (79.5, 2.0)]
        for x0, _, x1, y1 in reversed(teeth):
            outline += [(x1, 2.0), (x1, y1), (x0, y1), (x0, 2.0)]
        return outline[:-1]
    outline = [(79.5, 79.5), (0.5, 79.5), (0.5, SPINE)]
    for x0, y0, x1, _ in teeth:
        if 49 < x0 < 51:  # the third 5 V tooth reaches down to its fuse: the spine gives way there
            outline += [(40.0, SPINE), (40.0, 74.0), (x0, 74.0)]
        else:
            outline.append((x0, SPINE))
        outline += [(x0, y0), (x1, y0), (x1, SPINE)]
    return outline


def layout():
    """The Layout of the tile."""
    planes = {"GND": ("In1.Cu", [(0.5, 0.5, 79.5, 79.5)])}
    for net, x0, y0, x1, y1 in _teeth():
        planes.setdefault(net, ("In2.Cu", []))[1].append((x0, y0, x1, y1))
    return Layout(
        name="tile",
        width=SIDE,
        height=SIDE,
        layers=4,
        places=_places(),
        power=("3V3", "3V3_SENSE", "GND", "5V_LED", "PGND"),
        zones=[
            Zone("GND", "In1.Cu", rectangle(0.5, 0.5, 79.5, 79.5)),
            Zone("5V_LED", "In2.Cu", _comb("5V_LED")),
            Zone("PGND", "In2.Cu", _comb("PGND"), solid=True),
            Zone("5V", "F.Cu", rectangle(13.5, 71.9, 66.5, 79.4), rank=2, solid=True),
            Zone("5V_LED", "F.Cu", rectangle(41.0, 70.9, 49.0, 76.3), rank=3, solid=True),
            Zone("3V3", "B.Cu", rectangle(15.0, 26.5, 65.0, 51.5), rank=2),
            Zone("GND", "F.Cu", rectangle(0.5, 0.5, 79.5, 79.5), rank=1),
            Zone("GND", "B.Cu", rectangle(0.5, 0.5, 79.5, 79.5), rank=1),
        ],
        planes=planes,
        poured=("5V",),
        reserved=[
            ("5V", 0, 13.5, 71.9, 40.7, 79.4),
            ("5V", 0, 40.7, 76.6, 66.5, 79.4),
            ("5V", 0, 49.3, 71.9, 66.5, 79.4),
            ("5V_LED", 0, 41.0, 70.9, 49.0, 76.3),
        ],
        vias=[("5V_LED", x, y) for x in (43.8, 45.0, 46.2, 47.2) for y in (71.6, 72.8)],
        texts=[
            ("LODEBOARD TILE", 40.0, 8.2, 1.2),
            ("REV {revision}", 40.0, 10.2, 1.0),
            ("IN", 20.0, 27.0, 1.0),
            ("OUT", 60.0, 27.0, 1.0),
            ("IN", 20.0, 23.9, 1.2, "back"),
            ("OUT", 60.0, 23.9, 1.2, "back"),
            ("LED POWER", 40.0, 74.0, 1.2, "back"),
            ("5V", 22.2, 67.4, 1.0, "back"),
            ("5V", 62.2, 67.4, 1.0, "back"),
            ("LODEBOARD TILE REV {revision}", 40.0, 6.0, 1.2, "back"),
            ("LAST TILE: JUMPER 15-16 OF OUT", 40.0, 62.0, 1.0, "back"),
        ],
    )
