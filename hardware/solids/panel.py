"""The controller's case: a tray, a lid with the display's window and the buttons' holes, and their caps.

Made from the controller's layout, so that holes stay over their parts. Solids lie as they are printed; the
layout's y runs down, the solids' up.
"""

from build123d import Box, Cylinder, Pos

from hardware.pcb import controller_layout as layout
from hardware.solids.shapes import CORNER, UP
from hardware.solids.sizes import CIRCUIT

WALL, FLOOR, PLAY = 2.0, 2.0, 0.5
POST, POST_TALL, SCREW = 7.0, 4.0, 2.6  # M3 cuts its own thread in 2.6
OVER = 14.0  # room over the circuit board: display on its socket, Pico on its own
LID = 2.0
STEM_TALL, STEM, CAP, CAP_PLAY = 9.5, 3.6, 11.0, 0.4
WINDOW, WINDOW_DOWN = (26.0, 15.0), 12.5  # of a 0.96 inch module, below its pins
USB_WIDE, RIBBON_WIDE, LEADS_WIDE = 12.0, 24.0, 50.0

TALL = FLOOR + POST_TALL + CIRCUIT + OVER
WIDE, DEEP = layout.WIDTH + 2 * (PLAY + WALL), layout.HEIGHT + 2 * (PLAY + WALL)


def _at(x, y):
    """A place of the circuit board in the case."""
    return WALL + PLAY + x, WALL + PLAY + layout.HEIGHT - y


def _place(ref):
    x, y = layout.layout().places[ref][:2]
    return _at(x, y)


def buttons():
    """Centres of the four buttons; a button's origin is one of its pins."""
    return [(x + 3.25, y - 2.25) for x, y in (_place(f"SW{i}") for i in (1, 2, 3, 4))]


def tray():
    """The lower part: posts under the circuit board's holes, slots for USB, ribbon and leads."""
    body = Box(WIDE, DEEP, TALL, align=CORNER)
    body -= Pos(WALL, WALL, FLOOR) * Box(WIDE - 2 * WALL, DEEP - 2 * WALL, TALL, align=CORNER)
    for i in (1, 2, 3, 4):
        x, y = _place(f"H{i}")
        body += Pos(x, y, FLOOR) * Cylinder(POST / 2, POST_TALL, align=UP)
        body -= Pos(x, y, FLOOR) * Cylinder(SCREW / 2, POST_TALL + 0.01, align=UP)
    low = FLOOR + POST_TALL + CIRCUIT
    x, _ = _place("U1")
    body -= Pos(x, DEEP - WALL / 2, low + 6.0) * Box(USB_WIDE, 3 * WALL, TALL, align=UP)
    x, _ = _place("J6")
    body -= Pos(x, DEEP - WALL / 2, FLOOR + POST_TALL + CIRCUIT + 4.0) * Box(LEADS_WIDE, 3 * WALL, TALL, align=UP)
    _, y = _place("J2")
    body -= Pos(WIDE - WALL / 2, y - 8.9, low + 4.0) * Box(3 * WALL, RIBBON_WIDE, TALL, align=UP)
    return body


def lid():
    """The upper part: a plate with a rim that drops into the tray."""
    body = Box(WIDE, DEEP, LID, align=CORNER)
    inner = WALL + 0.2
    rim = Pos(inner, inner, LID) * Box(WIDE - 2 * inner, DEEP - 2 * inner, 3.0, align=CORNER)
    rim -= Pos(inner + 1.6, inner + 1.6, LID) * Box(WIDE - 2 * inner - 3.2, DEEP - 2 * inner - 3.2, 3.01, align=CORNER)
    x, _ = _place("U1")
    rim -= Pos(x, DEEP, LID) * Box(USB_WIDE + 2, 12.0, 3.02, align=UP)  # room for the plug
    body += rim
    # printed face down: left and right change sides
    x, y = _place("J3")
    body -= Pos(WIDE - (x + 3.81), y - WINDOW_DOWN, -0.01) * Box(*WINDOW, LID + 0.02, align=UP)
    for x, y in buttons():
        body -= Pos(WIDE - x, y, -0.01) * Cylinder(CAP / 2 + CAP_PLAY, LID + 0.02, align=UP)
    return body


def button():
    """A cap for a push button, pressed on its stem; it looks out of the lid by a millimetre."""
    tall = OVER + LID + 1.0 - (STEM_TALL - 2.2)
    return Cylinder(CAP / 2, tall, align=UP) - Pos(0, 0, -0.01) * Cylinder(STEM / 2, 2.21, align=UP)
