"""What the lights mean, how each meaning looks, and the governor of their current.

    lights.role[sq] = LEGAL        lights.role[sq] = COLOUR; lights.colour[sq] = RED
    lights.paint(now)              lights.rgb is the frame, lights.ma its estimated current
"""

# Roles: what a square's light means. LETTERS[role] stands for it in the `lights` event.
OFF = 0
REACH = 1  # dim: could be reached, or belongs to what is in hand
LEGAL = 2  # may go here, may act
SOURCE = 3  # was lifted from here
PUT = 4  # put a piece back here: blinking
TAKE = 5  # take away what stands here: red
TURN_OVER = 6  # wrong end up: turn it over
STRAIGHTEN = 7  # stands askew
WIN = 8  # part of the winning line
LAST = 9  # part of the last move
ASK = 10  # the host's wish, or the board's best guess: do this, or press OK
COLOUR = 11  # a real colour: lights.colour[sq] is its index in PALETTE

LETTERS = ".rgspxtfwlac"  # in the order of the roles

# Colours of PALETTE, full brightness.
BLACK = 0  # Tau's black shows as a faint violet: an LED cannot be black and lit
WHITE = 1
YELLOW = 2
ORANGE = 3
RED = 4
PURPLE = 5
BLUE = 6
GREEN = 7
CYAN = 8
PALETTE_NAMES = ("black", "white", "yellow", "orange", "red", "purple", "blue", "green", "cyan")
PALETTE = (
    (12, 0, 20),
    (150, 150, 150),
    (220, 170, 0),
    (255, 70, 0),
    (255, 0, 0),
    (150, 0, 190),
    (0, 30, 255),
    (0, 220, 20),
    (0, 180, 180),
)


class Lights:
    """The board's LEDs.

    role, colour   bytearray, a square each: what the light means; the colour where it means COLOUR
    rgb            bytearray, 3 a square: the frame that paint() made, after the governor
    limit_ma       the supply's limit; ma: the estimated current of the last frame
    """

    def __init__(self, config):
        size = config["width"] * config["height"]
        self.role = bytearray(size)
        self.colour = bytearray(size)
        self.rgb = bytearray(3 * size)
        self.limit_ma = config["limits"]["usb_ma"]
        self.ma = 0

    def clear(self):
        """All squares off."""
        for sq in range(len(self.role)):
            self.role[sq] = OFF

    def paint(self, now):
        """Makes the frame of this moment; True when it differs from the last."""
        return False
