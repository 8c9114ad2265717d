"""The controller, 126 x 66 mm, two layers: it is also the panel, with display, buttons and buzzer.

All parts on the front. The strip along the top carries the external supply from its terminal through fuse and
diode to the outlets; the Pico's USB looks out of the top edge; the bus leaves at the right.
"""

from hardware.pcb.layout import Layout, Zone, rectangle

WIDTH, HEIGHT = 126.0, 66.0


def _places():
    places = {
        # external supply and outlets
        "J1": (46.5, 5.6, 180),
        "F1": (56.0, 7.0, 0),
        "D1": (66.0, 4.6, 180),
        "D4": (66.0, 9.6, 180),
        "D2": (76.0, 5.0, 0),
        "C5": (32.8, 18.6, 90),
        **{f"J{4 + i}": (38.4 + 9.5 * i, 18.5, 0) for i in range(5)},
        # 3.3 V
        "U2": (60.0, 31.0, 0),
        "C3": (52.0, 32.6, 90),
        "C4": (66.8, 31.0, 90),
        # the Pico, power from its USB, the reference
        "U1": (95.0, 25.5, 0),
        "F2": (109.6, 3.2, 0),
        "C2": (113.8, 3.2, 90),
        "U3": (117.4, 4.2, 0),
        "C1": (117.4, 7.8, 0),
        "D3": (110.4, 8.4, 0),
        "C6": (109.2, 12.2, 0),
        "R1": (109.2, 14.4, 0),
        # LED data and the head of the bus
        "U4": (117.0, 15.0, 0),
        "C8": (121.0, 15.0, 90),
        "R15": (113.4, 16.4, 90),
        "R16": (117.0, 18.6, 0),
        "J2": (116.0, 27.0, 0),
        # panel
        "J3": (14.0, 6.0, 90),
        "C9": (9.6, 6.0, 90),
        "R17": (26.0, 6.0, 90),
        "R18": (28.4, 6.0, 90),
        "SW1": (8.0, 52.0, 0),
        "SW2": (25.3, 52.0, 0),
        "SW3": (42.6, 52.0, 0),
        "SW4": (60.0, 52.0, 0),
        "SW5": (73.0, 31.6, 0),
        "BZ1": (72.5, 46.0, 0),
        "R19": (65.0, 46.0, 90),
        "H1": (34.8, 4.2, 0),
        "H2": (121.6, 60.6, 0),
        "H3": (4.4, 61.6, 0),
        "H4": (88.0, 60.6, 0),
    }
    column = ["R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R2", "R3", "C7", "R4", "R5"]
    for i, ref in enumerate(column):
        places[ref] = (109.2, 20.0 + 2.0 * i, 0)
    return {ref: (*place, "front") for ref, place in places.items()}


def layout():
    """The Layout of the controller."""
    whole = rectangle(0.5, 0.5, WIDTH - 0.5, HEIGHT - 0.5)
    labels = [
        ("OK", 11.25, 60.6),
        ("UNDO", 28.55, 60.6),
        ("HINT", 45.85, 60.6),
        ("MENU", 63.25, 60.6),
        ("RESET", 76.25, 28.4),
        ("BUS", 117.3, 51.8),
    ]
    return Layout(
        name="controller",
        width=WIDTH,
        height=HEIGHT,
        layers=2,
        places=_places(),
        power=("3V3", "GND", "5V", "VSYS", "VBUS", "USB_5V", "EXT", "EXT_IN"),
        zones=[
            Zone("EXT_IN", "F.Cu", rectangle(44.6, 2.6, 54.9, 9.6), rank=3),
            Zone("EXT", "F.Cu", rectangle(57.2, 2.6, 64.1, 12.0), rank=3),
            Zone(
                "5V",
                "F.Cu",
                [
                    (64.9, 2.2),
                    (75.3, 2.2),
                    (75.3, 14.4),
                    (80.0, 14.4),
                    (80.0, 22.4),
                    (31.4, 22.4),
                    (31.4, 14.8),
                    (64.9, 14.8),
                ],
                rank=2,
            ),
            Zone("GND", "F.Cu", whole, rank=1),
            Zone("GND", "B.Cu", whole, rank=1),
        ],
        texts=[(text, x, y, 1.2) for text, x, y in labels]
        + [
            ("LODEBOARD CONTROLLER REV {revision}", 42.0, 46.0, 1.5),
            ("5V DC IN", 33.6, 9.6, 1.0),
            ("-     +", 43.9, 12.6, 1.2),
            ("LED POWER", 45.0, 25.2, 1.0),
            ("GND VCC SCL SDA", 17.8, 9.4, 0.9),
        ],
    )
