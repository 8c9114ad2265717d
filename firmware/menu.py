"""The menu on the panel: what people choose without a host. A chip loads its pages when MENU is pressed."""

from .referee import forget_part


class Menu:
    """open: whether it is on the display; lines() is what it shows then.

    due: a new game was chosen; begin() begins it. The table calls that itself, not from within a press: loading a
    game takes most of a chip's stack.
    """

    def __init__(self, table):
        self.table = table
        self._pages = None

    @property
    def open(self):
        return self._pages is not None

    @property
    def due(self):
        return self._pages is not None and self._pages.due

    def start(self):
        """Opens at the first page."""
        from .menu_pages import Pages

        self._pages = Pages(self.table)
        self._pages.start()

    def press(self, name, long):
        """A button while the menu is open."""
        self._pages.press(name, long)
        self._end()

    def begin(self):
        """The new game that was chosen."""
        self._pages.begin()
        self._end()

    def _end(self):
        if not self._pages.open:
            self._pages = None
            forget_part("menu_pages")

    def lines(self):
        """The display's lines."""
        return self._pages.lines()
