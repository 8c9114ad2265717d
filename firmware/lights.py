"""What the lights mean, how each meaning looks, and the governor of their current.

    lights.role[sq] = LEGAL        lights.role[sq] = COLOUR; lights.colour[sq] = RED
    lights.paint(now)              lights.rgb is the frame, lights.ma its estimated current

A meaning differs from every other in more than hue: in its rhythm or in its brightness. Nothing reaches the
LEDs but a frame of paint(), and paint() keeps every frame within the supply's limit: it counts what each
look would cost at the top of its rhythm, so that blinking never makes the rest of the board breathe, and
dims all looks alike. Where the limit is so tight that a look would vanish it keeps one step of light, and
the less urgent looks go first.
"""

from array import array

try:
    from .kernels import dim, fill, tally
except (ImportError, SyntaxError):  # no native code here
    from .twins import dim, fill, tally

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


# How a role looks: colour at full brightness, period of its rhythm in ms, brightness (255 is full) in equal
# parts of it.
_SLOW = bytes((60, 90, 120, 160, 200, 230, 255, 230, 200, 160, 120, 90))
_LOOKS = (
    ((0, 0, 0), 1, b"\x00"),
    ((20, 90, 50), 1, b"\x40"),
    ((0, 190, 30), 1, b"\xff"),
    ((120, 120, 160), 1800, _SLOW),
    ((255, 120, 0), 900, b"\xff\x00"),
    ((255, 0, 0), 300, b"\xff\xff\x50"),
    ((160, 0, 220), 1200, b"\xff\x00\xff\x00\x00\x00"),
    ((220, 150, 0), 1600, b"\x30\x30\x30\xff"),
    ((255, 180, 20), 700, b"\xff\xc0\x80\x50\x80\xc0"),
    ((70, 60, 50), 2000, b"\xa0\xa0\xa0\xa0\xa0\xa0\xa0\x20"),
    ((0, 170, 200), 500, b"\xff\xa0\x40\xa0"),
)
_RHYTHMIC = tuple([role for role in range(len(_LOOKS)) if _LOOKS[role][1] > 1])
# What goes dark first where the limit cannot feed one step of light for each look; what guides hands goes
# last.
_GIVE_UP = (REACH, LAST, WIN, LEGAL, STRAIGHTEN, SOURCE, ASK, COLOUR, TURN_OVER, PUT, TAKE)

_PHASE = 5  # rhythms advance in steps of 32 ms
_ONE = 4096  # the scale that dims nothing


class Lights:
    """The board's LEDs.

    role, colour   bytearray, a square each: what the light means; the colour where it means COLOUR
    rgb            bytearray, 3 a square: the frame that paint() made, after the governor
    limit_ma       the supply's limit for the whole board; ma: the board's estimated current with the last
    frame
    """

    def __init__(self, config):
        limits = config["limits"]
        self.size = size = config["width"] * config["height"]
        self.role = bytearray(size)
        self.all_off = bytes(size)  # OFF is 0
        self.colour = bytearray(size)
        self.rgb = bytearray(3 * size)
        self.limit_ma = limits["usb_ma"]
        self._dark_ua = int(limits["base_ma"] * 1000 + size * limits["led_dark_ma"] * 1000)
        channels = [int(ma * 1000 / 255) + 1 for ma in limits["led_ma"]]
        self.ma = self._dark_ua // 1000
        looks = [look[0] for look in _LOOKS] + [(0, 0, 0)] + list(PALETTE)
        looks += [(0, 0, 0)] * (32 - len(looks))
        self._level = bytearray([look[2][0] for look in _LOOKS] + [255] * (32 - len(_LOOKS)))
        self._shade = bytearray(3 * 32)
        self._count = array("H", [0] * 32)
        self._job = array("i", [_ONE] + channels)
        cost = array("i", [sum([look[i] * channels[i] for i in range(3)]) for look in looks])
        self._tally_rest = (self.colour, self._count, cost, size)
        full = bytearray()  # no list of all of them: a large block of a heap that is nearly full
        for look in looks:
            full.extend(bytes(look))
        self._dim_rest = (self._shade, full, self._level, self._count, self._job)
        self._fill_rest = (self.role, self.colour, self._shade, self.rgb, size)
        self._rhythms = []  # roles in use that have one
        self._seen_role = bytearray(size)
        self._seen_colour = bytearray(size)
        self._seen_phase = -1
        self._seen_limit = -1

    def clear(self):
        """All squares off."""
        self.role[:] = self.all_off

    def letters(self):
        """What the lights mean, a letter a square, for the `lights` event."""
        return "".join([LETTERS[role] for role in self.role])

    def paint(self, now, hold=False):
        """Makes the frame of this moment; True when it may differ from the last. hold: rhythms stand still."""
        anew = self._seen_limit != self.limit_ma or self.role != self._seen_role or self.colour != self._seen_colour
        if anew:
            self._seen_limit = self.limit_ma
            self._seen_role[:] = self.role
            self._seen_colour[:] = self.colour
            self._measure()
        elif hold or now >> _PHASE == self._seen_phase:
            return False
        self._seen_phase = now >> _PHASE
        if self._advance(now) or anew:
            self._shade_looks()
            fill(0, 0, 0, self._fill_rest)
            return True
        return False

    def _measure(self):
        """Counts the looks, and finds the scale at which all of them at full level stay within the limit."""
        need = tally(0, 0, self.role, self._tally_rest)
        self._room = room = max(0, self.limit_ma * 1000 - self._dark_ua)
        self._job[0] = _ONE if need <= room else room * _ONE // need
        count = self._count
        self._rhythms = [role for role in _RHYTHMIC if count[role]]

    def _advance(self, now):
        """Takes the rhythms in use to this moment; True when a level changed."""
        changed = False
        current = self._level
        for role in self._rhythms:
            _, period, levels = _LOOKS[role]
            level = levels[now % period * len(levels) // period]
            if level != current[role]:
                current[role] = level
                changed = True
        return changed

    def _shade_looks(self):
        """Dims each look in use; where one step of light for each is still too much, gives looks up."""
        used = dim(0, 0, 0, self._dim_rest)
        if used > self._room:
            used = self._give_up(used)
        self.ma = (self._dark_ua + used + 999) // 1000

    def _give_up(self, used):
        for role in _GIVE_UP:
            if used <= self._room:
                break
            for k in range(12, 32) if role == COLOUR else (role,):
                used -= self._darken(k)
        return used

    def _darken(self, k):
        """Takes look k's light away; gives the current that this saves, uA."""
        if not self._count[k]:
            return 0
        saved = 0
        for i in range(3):
            saved += self._shade[3 * k + i] * self._job[1 + i]
            self._shade[3 * k + i] = 0
        return saved * self._count[k]
