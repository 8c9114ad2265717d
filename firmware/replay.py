"""Runs the core again on what a log holds: `sense`, `button` and `command` events, without readings.

    events = replay(config, log_events)      the durable events that the same hands give
    table = replayed(config, log_events)     the table as they leave it

log_events: the events of one run of a board, from its start on (after a power cut `at` begins anew), as dicts in
their order. record: the game that the run found open (Table.resume). The starter drawn by lot, and a seed, are
taken from the log's own `setup` events.
"""

from .table import Table
from .wire import join

TICK_MS = 5
HEARD = ("sense", "button", "command", "stack")


class LoggedTable(Table):
    """A table whose games are those that a log began: their lot falls as it fell."""

    setups = ()

    def open_game(self, name, options, match, number=1, starter=None, seed=None):
        if self.setups and self.setups[0]["g"] == name:
            setup = self.setups[0]
            options, match, number, seed = setup["opt"], setup["match"], setup["game"], setup["seed"]
        super().open_game(name, options, match, number, starter, seed)

    def begin(self, now):
        super().begin(now)
        self.setups = self.setups[1:]


def setups(events):
    """The `setup` events of a log, their rules whole."""
    found, notes = [], []
    for event in events:
        if event.get("t") == "setup":
            found.append(join(event, notes))
        elif event.get("t") == "note" and event.get("what") == "rules":
            notes.append(event)
    return found


class Replay:
    """One run, step by step; durable holds the durable events so far."""

    def __init__(self, config, events, record=None):
        self.table = LoggedTable(config, 1)
        self.table.setups = setups(events)
        self.durable = []
        self._events = [event for event in events if event.get("t") in HEARD]
        if record:
            self.table.resume(dict(record))
        elif self.table.setups:
            self.table.open_game(self.table.setups[0]["g"], {}, None)
        self._take()

    def run(self):
        """All of it."""
        events = self._events
        at = 0
        self._step(0, False, False, (), ())
        while at < len(events):
            end = at
            while end < len(events) and events[end]["at"] == events[at]["at"]:
                end += 1
            self._idle(events[at]["at"])
            self._moment(events[at]["at"], events[at:end])
            at = end
        self._idle(self.table.now + 5000)

    def _idle(self, until):
        """Steps where nothing came from outside: what the referee had set itself to do."""
        table = self.table
        while True:
            referee = table.referee
            next_ms = table.now + TICK_MS if referee.dirty else referee.wake
            if not next_ms or next_ms >= until:
                return
            self._step(max(next_ms, table.now), False, False, (), ())

    def _moment(self, now, events):
        """Everything of one step of the board: decisions first, then buttons, then commands."""
        table = self.table
        states = bytearray(table.seen)
        changed = edge = False
        presses, commands, measured = [], [], []
        for event in events:
            if event["t"] == "button":
                presses.append((event["b"], event.get("long", False)))
            elif event["t"] == "command":
                commands.append(event["c"])
            elif event["t"] == "stack":
                measured.append(event)
            elif "m" in event:
                table.squares.muted[:] = event["m"]
                table.blind_anew()
            elif event.get("r"):
                edge = True
                table.weak = list(event.get("w", ()))
            else:
                changed = True
                for change in event["d"]:
                    states[change[0]] = change[1]
        if changed:
            table.squares.force(states)
            table.changed_at = now
            table.settled = False
        if edge:
            table.settled = True
        self._step(now, changed, edge, presses, commands)
        for event in measured:
            table.referee.replay(event)

    def _step(self, now, changed, edge, presses, commands):
        self.table.step_states(now, changed, edge, presses, commands)
        self.table.tell()
        self._take()

    def _take(self):
        table = self.table
        self.durable += [event for durable, event in table.events if durable]
        table.events = []


def replay(config, events, record=None):
    """The durable events that a log's hands give."""
    run = Replay(config, events, record)
    run.run()
    return run.durable


def replayed(config, events, record=None):
    """The table as a log's hands leave it."""
    run = Replay(config, events, record)
    run.run()
    return run.table
