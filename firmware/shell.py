"""The turn of the main loop: sensors and bytes in, one step of the table, then journal, bytes, lights and
display.

    shell = Shell(config, hal, store)
    while True:
        shell.tick(now)         ms since the start

docs/architecture.md ("The shell") says what hal and store give. A fault in the core is told (event `error`,
and the traceback as console text), then the table is set up anew from the journal: the game goes on where
it was.
"""

import gc
import sys
from array import array

from . import wire
from .calibrate import Calibrate, load
from .journal import LIMIT, Journal
from .link import Link, shortened
from .referee import forget_part
from .table import Table

SUPPLY_MS = 100  # between two looks at the supply
STATS_MS = 10000
TIDY_MS = 100  # after an event was kept, while hands are away, and before memory is collected
MOST_HELD = 16  # events
SWEEP_MS = 200  # between two sweeps of a stream of readings
AGAIN_MS = 2000  # a core that fails again so soon rests that long first


class Shell:
    """now: ms of the last tick. Everything else is the rooms': table, journal, link."""

    def __init__(self, config, hal, store):
        self.config = config
        self.hal = hal
        self._write = hal.write
        self.now = 0
        self.journal = Journal(store, hal.entropy, config["limits"].get("journal_bytes", LIMIT))
        self.link = Link(self.journal)
        size = config["width"] * config["height"]
        self._readings = array("H", [config["zero"]] * size)
        self._rgb = bytearray(b"\xff" * (3 * size))  # what hal shows; at first surely something else
        self._lines = []
        self._tone = 0
        self._started = False
        self._fresh = True  # no hello was said
        self._commands = ()
        self._watched = False
        self._streaming = False
        self._next_sweep = 0
        self._next_stats = 0
        self._next_supply = 0
        self._next_try = 0
        self._trouble = ""
        self._tidy_at = 0  # ms; 0: nothing was written since
        self._held = []  # events of the turns in which hands wait for lights
        self._calibrating = None  # the command that began it
        self.table = None
        self._set_up()

    def tick(self, now):
        """One turn. now: ms since the start, never going back."""
        # Few names here and in _step(): see table.py.
        self.now = now
        hal = self.hal
        hal.scan(self._readings)
        if not self._started:
            self._start()
        data = hal.read()
        self._commands = self._hear(data) if data else ()
        if now >= self._next_supply:
            self._next_supply = now + SUPPLY_MS
            self.table.lights.limit_ma = hal.supply_ma()
            self._look_for_trouble()
        self._step()
        if self._calibrating is not None:
            self._calibrate()
        if self._watched or self._streaming:
            self._tell_more(now)
        if self._tidy_at and now >= self._tidy_at and not hal.hurry:
            self._tidy_at = 0
            self.journal.tidy()
        self.link.pump(self._write)
        hal.hurry = self.table.rest.answering(now)

    def _hear(self, data):
        """The table's commands that these bytes complete."""
        commands = []
        for command in self.link.feed(data):
            self._command(command, commands)
        return commands

    def hello(self):
        """The event that answers a sync."""
        journal = self.journal
        hello = {
            "t": "hello",
            "at": self.now,
            "proto": wire.VERSION,
            "board": self.config["name"],
            "rev": self.config["revision"],
            "jid": journal.jid,
            "games": self.config["games"],
            "mem": self._free(),
            "first": journal.first,
            "last": journal.last,
        }
        hello.update(self.hal.info)
        hello.update(self.table.summary())
        return hello

    # The core

    def _set_up(self):
        """A new table, with the game that the journal holds open."""
        self.table = self._calibrate_with = None
        gc.collect()
        record = self.journal.open_game()
        self.table = Table(self.config, self.hal.entropy ^ self.journal.last, record["g"] if record else None)
        squares = self.table.squares
        squares.calibrate(load(self.hal.files))
        self._calibrate_with = Calibrate(squares, self.hal.files, self.table.square_name)
        self.table.resume(record)

    def _start(self):
        self._started = True
        self.table.lights.limit_ma = self.hal.supply_ma()
        self._durable({"t": "note", "what": "start", "boot": self.journal.boot + 1})
        self._take_events()  # what resuming told
        for _, sentence in self._findings():
            self.link.send({"t": "error", "at": self.now, "what": sentence})

    def _step(self):
        if self.now < self._next_try:
            self._put_off()
            return
        self._try_core()
        self._show()
        self._take_events()
        if self._fresh:
            self._fresh = False
            self.link.send(self.hello())

    def _try_core(self):
        try:
            self._core()
        except Exception as error:
            self._fault(error)

    def _put_off(self):
        for command in self._commands:
            self.link.reply(command, None, "The board is recovering from a fault; try again.")

    def _core(self):
        table = self.table
        table.sense(self.now, None if self.hal.lost else self._readings)
        table.decide(self.hal.buttons(), self._commands)
        self._shine()  # before display and journal, for which no hand waits
        table.tell()

    def _take_events(self):
        """Sends what happened. While hands wait for lights, what needs no answer waits too: it costs 1 ms a turn."""
        events = self.table.events
        if not events and not self._held:
            return
        if self.table.rest.answering(self.now) and len(self._held) < MOST_HELD:
            for durable, event in events:
                if durable or "re" in event:
                    break
            else:
                self._held += events
                return
        if self._held:
            events[:0] = self._held
            self._held = []
        while events:  # a start tells so many that a chip has no room for them beside their frames
            durable, event = events.pop(0)
            if durable:
                self._durable(event)
            else:
                self.link.send(event)

    def _fault(self, error):
        self.link.send_text(trace(error))
        what = "The firmware met a fault and went on: %s: %s" % (type(error).__name__, error)
        self.link.send({"t": "error", "at": self.now, "what": what})
        self._next_try = self.now + AGAIN_MS
        self._next_supply = self.now
        self._set_up()
        if self._watched:
            self.table.watch(True)

    def _durable(self, event):
        if "at" not in event:
            event["at"] = self.now
        while True:
            try:
                line = self.journal.append(event)
                break
            except ValueError:
                event = shortened(event)
        self.link.send_line(event["n"], line)
        self._tidy_at = self.now + TIDY_MS

    # Commands of the shell; all others are the table's

    def _command(self, command, commands):
        c = command["c"]
        if c == "sync":
            self.link.sync(command, self.hello())
        elif c == "ack":
            if isinstance(command.get("n"), int):
                self.journal.ack(command["n"])
                self.link.reply(command)
            else:
                self.link.reply(command, None, "n is the number of an event.")
        elif c == "info":
            self.link.send(self.hello())
            self.link.reply(command)
        elif c == "selftest":
            self.link.reply(command, self._selftest())
        elif c == "readings":
            self._streaming = bool(command.get("on"))
            self._sweep()
            self.link.reply(command)
        elif c == "calibrate":
            self._begin_calibration(command)
        elif c == "restart" or c == "bootloader":
            act = self.hal.restart if c == "restart" else self.hal.bootloader
            if act is None:
                self.link.reply(command, None, "This board has none.")
                return
            self.link.reply(command)
            self.link.pump(self._write)
            act()
        else:
            if c == "watch":
                self._watched = bool(command.get("on"))
                self._next_stats = self.now
            commands.append(command)

    def _begin_calibration(self, command):
        if self._calibrating is not None:
            error = "A calibration is under way."
        else:
            error = self._calibrate_with.begin(command.get("what"), bool(command.get("manual")))
        if error:
            self.link.reply(command, None, error)
        else:
            self._calibrating = command

    def _calibrate(self):
        outcome = self._calibrate_with.step(self.now)
        if outcome is None:
            return
        done, text = outcome
        command, self._calibrating = self._calibrating, None
        if done:
            self._durable({"t": "note", "what": "calibrated", "of": command["what"]})
            self.link.reply(command, {"text": text} if text else None)
        else:
            self.link.reply(command, None, text)

    def _findings(self):
        memory = self._free()
        from . import selftest  # a chip needs it at the start, and when a host asks

        tiles = self.hal.tested["tiles"]
        found = selftest.findings(self.config, tiles, self._readings, memory or 1 << 30, self.journal.trouble)
        forget_part("selftest")
        return found

    def _selftest(self):
        """Keys of the answer to `selftest`: whether all is fine, code and sentence of what is not."""
        found = self._findings()
        answer = {"fine": not found, "tiles": self.hal.tested["tiles"], "mem": self._free()}
        answer["codes"] = [code for code, _ in found]
        answer["text"] = [sentence for _, sentence in found]
        answer["noise"] = self.table.squares.noise_umt / 1000
        return answer

    # Events of the shell

    def _look_for_trouble(self):
        """Tells what is wrong with tiles or journal, once each time that it changes."""
        self.table.say_trouble(self.hal.trouble if self.hal.lost else "")
        trouble = self.hal.trouble or self.journal.trouble or ""
        if trouble != self._trouble:
            self._trouble = trouble
            if trouble:
                self.link.send({"t": "error", "at": self.now, "what": trouble})

    def _tell_more(self, now):
        if self._streaming and now >= self._next_sweep:
            self._next_sweep = now + SWEEP_MS
            self._sweep()
        if self._watched and now >= self._next_stats:
            self._next_stats = now + STATS_MS
            stats = {"t": "stats", "at": now, "mem": self._free(), "loop_us": self.hal.loop_us}
            stats["ma"] = self.table.lights.ma
            stats["noise"] = self.table.squares.noise_umt / 1000
            self.link.send(stats)

    def _sweep(self):
        """One event (in as many frames as it needs) with every sensor's field, tenths of a mT."""
        squares = self.table.squares
        field = [squares.field10(sq, self._readings[sq]) for sq in range(squares.size)]
        self.link.send({"t": "readings", "at": self.now, "o": 0, "d": field})

    def _free(self):
        """Bytes of heap that are free after a collection; 0 where the language does not say."""
        gc.collect()
        return gc.mem_free() if hasattr(gc, "mem_free") else 0

    def _shine(self):
        table = self.table
        if table.painted and table.rgb != self._rgb:
            self._rgb[:] = table.rgb
            self.hal.show(self._rgb)

    def _show(self):
        panel = self.table.panel
        if panel.lines != self._lines:
            self._lines = list(panel.lines)
            self.hal.display(self._lines)
        if panel.tone != self._tone:
            self._tone = panel.tone
            self.hal.tone(self._tone)


def trace(error):
    """An exception's traceback as bytes."""
    if hasattr(sys, "print_exception"):  # MicroPython
        import io

        text = io.StringIO()
        sys.print_exception(error, text)
        return text.getvalue().encode()
    import traceback

    return "".join(traceback.format_exception(type(error), error, error.__traceback__)).encode()
