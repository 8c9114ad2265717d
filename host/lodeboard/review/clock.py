"""Thinking times from the board's clock, which stands still in a pause and starts anew after a power cut."""


class Clock:
    """Feed it the board times (`at`, ms) of one game's events in order; None where an event has none."""

    def __init__(self):
        self._since = None  # when the turn, or what a power cut left of it, began
        self._banked = 0
        self._paused = None
        self._latest = None
        self._cut = False

    def begin(self, at):
        """A turn begins."""
        self._since, self._banked, self._paused, self._cut = at, 0, None, False
        self._latest = at

    def see(self, at):
        """Something passing happened; after a power cut the time until here is known to have gone by."""
        if at is not None and (self._latest is None or at > self._latest):
            self._latest = at

    def pause(self, at):
        if self._paused is None and at is not None:
            self._bank(at)
            self._paused = at

    def go_on(self, at):
        if self._paused is not None:
            self._paused, self._since = None, at

    def cut(self, at):
        """The power failed and came back; `at` is of the first event after it."""
        if self._paused is None:
            self._bank(self._latest)
        self._paused, self._since, self._latest, self._cut = None, at, at, True

    def running(self, at):
        """Thinking time so far of the turn that goes on, at board time `at`, ms."""
        return self._banked + (max(0, at - self._since) if self._since is not None else 0)

    def _bank(self, at):
        if self._since is not None and at is not None:
            self._banked += max(0, at - self._since)
        self._since = None

    def end(self, at):
        """The turn ends: (thinking time in ms or None, whether a power cut makes it a lower bound)."""
        self.go_on(at)
        known = self._since is not None and at is not None
        if known:
            self._bank(at)
        result = (self._banked if known or self._cut else None), self._cut
        self.begin(at)
        return result
