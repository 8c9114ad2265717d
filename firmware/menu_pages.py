"""The pages of the menu: pause, resign, abandon, a new game with its options, without a host.

menu.py opens and closes them; HINT goes down, UNDO up, OK chooses.
"""

from . import referee
from .panel import LINES, WIDTH, wrap

MATCHES = (1, 3, 5, 7, 0)
FOOT = "OK UNDO:up HINT:down"


class Pages:
    """open: whether it is on the display; lines() is what it shows then. due: begin() is to be called."""

    def __init__(self, table):
        self.table = table
        self.open = True
        self._title = ""
        self._items = []  # [text, what OK does]
        self._at = 0
        self._game = ""
        self._options = {}
        self._match = 0
        self.due = False

    def start(self):
        """Opens at the first page."""
        table = self.table
        game = table.referee.game
        items = []
        if table.playing() and not table.offer:
            if table.paused:
                items.append(("Go on", self._go_on))
            else:
                items.append(("Pause", self._pause))
            if game.turn is not None and not table.referee.undone:
                items.append((table.seat_name(game.turn) + " resigns", self._resign))
        if table.playing():
            items.append(("Abandon this game", self._abandon))
        items += self._sensors()
        if "host" in table.seat_by or table.referee.wish is not None:
            items.append(("Host leaves the game", self._drop_host))
        items.append(("New game", self._new))
        items.append(("Close", self.close))
        self._page("Menu", items)

    def _sensors(self):
        """A sensor that lies makes a square differ for ever: people may tell the board to ignore it."""
        table, ref = self.table, self.table.referee
        items = []
        if not (table.offer or table.paused):
            ref.compare()
            for squares in (ref.take, ref.turn, [sq for sq in ref.put if ref.may_show_put(sq)]):
                if squares:
                    name, sq = ref.short_name(squares[0]), squares[0]
                    items.append(("Ignore sensor " + name, lambda name=name, sq=sq: self._ignore(name, sq)))
        if table.squares.ignoring():
            items.append(("Heed all sensors", self._heed))
        return items

    def _ignore(self, name, sq):
        self._sure("Ignore sensor %s?" % name, lambda: self._do_ignore(sq))

    def _do_ignore(self, sq):
        self.close()
        self.table.ignore(sq)

    def _heed(self):
        self.close()
        self.table.heed()

    def close(self):
        """Leaves the menu."""
        self.open = False

    def press(self, name, long):
        """A button while the menu is open."""
        if name == "menu":
            self.close()
        elif name == "hint":
            self._at = (self._at + 1) % len(self._items)
        elif name == "undo":
            self._at = (self._at - 1) % len(self._items)
        else:
            self._items[self._at][1]()

    def lines(self):
        """The display's lines: six items around the chosen one."""
        first = max(0, min(self._at - 2, len(self._items) - (LINES - 2)))
        lines = [self._title]
        for i in range(first, min(len(self._items), first + LINES - 2)):
            lines.append((">" if i == self._at else " ") + self._items[i][0])
        while len(lines) < LINES - 1:
            lines.append("")
        return lines + [FOOT]

    def _page(self, title, items, at=0):
        self._title = title
        self._items = items
        self._at = at

    def _sure(self, title, does):
        """Asks again before what cannot be taken back."""
        self._page(title, [("No", self.start), ("Yes", does)])

    def _go_on(self):
        self.close()
        self.table.pause(False)

    def _pause(self):
        self.close()
        self.table.pause(True)

    def _resign(self):
        table = self.table
        self._sure(table.seat_name(table.referee.game.turn) + " resigns?", self._do_resign)

    def _do_resign(self):
        self.close()
        self.table.paused = False
        self.table.resign(self.table.referee.game.turn)

    def _abandon(self):
        self._sure("Abandon the game?", self._do_abandon)

    def _do_abandon(self):
        self.close()
        self.table.abandon()

    def _drop_host(self):
        self.close()
        for seat in range(len(self.table.seat_by)):
            self.table.take_seat(seat, "board", "")

    # A new game

    def _new(self):
        self._game = self.table.referee.game.name
        self._match = self.table.match
        self._options = {}
        self._new_page(0)

    def _new_page(self, at):
        items = [("Game: " + self._game, self._next_game)]
        for key, text, values in referee.options(self._game):
            value = self._options.get(key, values[0])
            shown = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
            items.append(("%s: %s" % (text, shown), lambda key=key, values=values: self._next(key, values)))
        items.append(("Match: %s" % (self._match or "no end"), self._next_match))
        items.append(("Start", self._start_new))
        items.append(("Back", self.start))
        self._page("New game", items, at)

    def _next_game(self):
        games = self.table.config["games"]
        self._game = games[(games.index(self._game) + 1) % len(games)]
        self._options = {}
        self._new_page(self._at)

    def _next(self, key, values):
        value = self._options.get(key, values[0])
        self._options[key] = values[(values.index(value) + 1) % len(values)]
        self._new_page(self._at)

    def _next_match(self):
        at = MATCHES.index(self._match) if self._match in MATCHES else -1
        self._match = MATCHES[(at + 1) % len(MATCHES)]
        self._new_page(self._at)

    def _start_new(self):
        if self.table.playing():
            self._sure("Abandon this game?", self._do_new)
        else:
            self._do_new()

    def _do_new(self):
        self.due = True

    def begin(self):
        """The new game that was chosen begins, or the page says why not."""
        self.due = False
        try:
            self.table.new_game(self._game, self._options, self._match)
        except ValueError as error:  # options that do not go together, or not on this board
            lines = wrap(str(error), WIDTH - 1)
            self._page("This cannot be:", [(line, self._again) for line in lines] + [("Close", self.close)])
            return
        self.close()

    def _again(self):
        self._new_page(0)
