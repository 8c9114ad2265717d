"""What the host's commands do to the table (docs/protocol.md): checked, done, answered."""

import json

from shared_rules.game import IllegalMove

from . import wire
from .panel import BUTTONS

REPLY_CHARS = 300  # of moves in one answer, so that it fits a frame


class Refused(Exception):
    """A command that cannot be done; str() is one sentence."""


class CommandSet:
    """take(command) does one command; any JSON object is answered, never an exception.

    entries: of an owner's rules that wait for `new`
    """

    def __init__(self, table, entries):
        self.table = table
        self._entries = entries
        self._does = {
            "new": self.new,
            "press": self.press,
            "play": self.play,
            "seat": self.seat,
            "resign": self.resign,
            "resume": self.resume,
            "abandon": self.abandon,
            "pause": self.pause,
            "watch": self.watch,
            "rules": self.rules,
            "position": self.position,
        }

    def take(self, command):
        """One command; with `i` its reply goes to table.events."""
        name = command.get("c")
        reply = {"re": command.get("i"), "ok": True}
        try:
            does = self._does.get(name) if isinstance(name, str) else None
            if does is None:
                raise Refused("There is no command %s." % str(name)[:30])
            answer = does(command)
            if answer:
                reply.update(answer)
        except Refused as error:
            reply = {"re": command.get("i"), "err": str(error)[:200]}
        if "i" in command:
            if not isinstance(reply["re"], int):
                reply = {"re": None, "err": "i is a number."}
            self.table.emit(reply)

    # Checks

    def number(self, command, key, low, high, default=None):
        """An int of the command; default where the key is absent."""
        value = command.get(key, default)
        if value is default and key not in command and default is not None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise Refused("%s is a number from %d to %d." % (key, low, high))
        return value

    def flag(self, command, key, default=None):
        """A bool of the command."""
        value = command.get(key, default)
        if not isinstance(value, bool):
            raise Refused("%s is true or false." % key)
        return value

    def told(self, **command):
        """Tells what was taken, for the replay."""
        self.table.emit({"t": "command", "c": command})

    def in_play(self):
        """The referee of a game that can be played on now."""
        table = self.table
        if table.offer:
            raise Refused("A game waits to be resumed or abandoned.")
        if not table.playing():
            raise Refused("No game is open.")
        return table.referee

    # Commands

    def new(self, command):
        table = self.table
        name = command.get("g", table.referee.game.name)
        options = command.get("opt", {})
        if not isinstance(name, str):
            raise Refused("g is the name of a game.")
        if not isinstance(options, dict) or "name" in options or "snapshot" in options:
            raise Refused("opt is an object of the game's options.")
        games = self.number(command, "games", 0, 99) if "games" in command else None
        seed = self.number(command, "seed", -0x80000000, 0xFFFFFFFF) if "seed" in command else None
        force = self.flag(command, "force", False)
        if table.playing() and not force:
            raise Refused("A game is open; resign or abandon it first, or use force.")
        whole = wire.join({"opt": options}, self._entries)["opt"]
        self._check_entries(whole.get("rules"))
        try:
            table.new_game(name, whole, games, seed)
        except (ValueError, TypeError) as error:
            raise Refused(str(error)) from None
        taken = {"c": "new", "g": name, "opt": options, "games": table.match, "force": force}
        if seed is not None:
            taken["seed"] = seed
        table.emit({"t": "command", "c": taken})

    def _check_entries(self, rules):
        """Refused where the journal could not keep these rules."""
        if isinstance(rules, dict):
            for key in rules:
                if len(json.dumps([key, rules[key]])) > wire.ENTRY:
                    raise Refused("The entry %s of the rules is too long for the board." % str(key)[:30])
            if len(rules) > wire.ENTRIES:
                raise Refused("The rules have too many entries.")

    def rules(self, command):
        """One entry of an owner's rules that are too long for the frame of `new`; without a key, none."""
        key = command.get("k")
        if key is None:
            del self._entries[:]
            self.told(c="rules")
            return
        if not isinstance(key, str) or not key or len(json.dumps([key, command.get("v")])) > wire.ENTRY:
            raise Refused("k and v are an entry of the rules, at most %d bytes." % wire.ENTRY)
        if len(self._entries) >= wire.ENTRIES:
            raise Refused("There are too many entries.")
        self._entries.append({"k": key, "v": command.get("v")})
        self.told(c="rules", k=key, v=command.get("v"))

    def press(self, command):
        name = command.get("b")
        if name not in BUTTONS:
            raise Refused("b is one of " + ", ".join(BUTTONS) + ".")
        self.table.press(name, self.flag(command, "long", False))

    def play(self, command):
        ref = self.in_play()
        if ref.undone:
            raise Refused("Moves are being taken back.")
        text = command.get("m")
        try:
            move = ref.game.parse(text)
        except IllegalMove as error:
            raise Refused(str(error)) from None
        except (TypeError, ValueError, IndexError, KeyError):
            raise Refused("m is no move of this game.") from None
        why = ref.game.why_not(move) or ref.why_not_ask(move)
        if why:
            raise Refused(why)
        ref.ask_for(move)
        self.told(c="play", m=text)

    def seat(self, command):
        table = self.table
        seat = self.number(command, "s", 1, table.referee.game.players)
        by = command.get("by", "board")
        name = command.get("name", "")
        if by not in ("board", "host"):
            raise Refused("by is board or host.")
        if not isinstance(name, str):
            raise Refused("name is a text.")
        table.take_seat(seat - 1, by, name[:12])
        self.told(c="seat", s=seat, by=by, name=name[:12])

    def resign(self, command):
        ref = self.in_play()
        seat = self.number(command, "s", 1, ref.game.players)
        self.table.resign(seat - 1)
        self.told(c="resign", s=seat)

    def resume(self, command):
        if not self.table.offer:
            raise Refused("No game waits to be resumed.")
        self.table.resume_offered()
        self.told(c="resume")

    def abandon(self, command):
        if not self.table.playing():
            raise Refused("No game is open.")
        self.table.abandon()
        self.told(c="abandon")

    def pause(self, command):
        on = self.flag(command, "on", True)
        if self.table.offer:
            raise Refused("A game waits to be resumed or abandoned.")
        self.table.pause(on)
        self.told(c="pause", on=on)

    def watch(self, command):
        self.table.watch(self.flag(command, "on", True))

    def position(self, command):
        first = self.number(command, "from", 0, 1 << 30, 0)
        table = self.table
        moves = table.referee.told_moves()
        part = []
        chars = 0
        for text in moves[first:]:
            chars += len(text) + 3
            if chars > REPLY_CHARS:
                break
            part.append(text)
        game = table.referee.game
        return {
            "g": game.name,
            "opt": wire.split({"opt": game.options}, REPLY_CHARS // 2)[-1]["opt"],
            "state": table.state,
            "plies": len(moves),
            "from": first,
            "moves": part,
        }
