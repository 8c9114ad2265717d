"""The host's commands that change or ask the table (docs/protocol.md)."""

from .referee import forget_part


class Commands:
    """take(command) does one command; any JSON object is answered, never an exception.

    A chip loads what they do when one comes, and keeps it while a host watches or plays.
    """

    def __init__(self, table):
        self.table = table
        self._entries = []  # of an owner's rules that wait for `new`

    def take(self, command):
        """One command; with `i` its reply goes to table.events."""
        from .command_set import CommandSet

        CommandSet(self.table, self._entries).take(command)
        if not self.table.watched and "host" not in self.table.seat_by:
            forget_part("command_set")
