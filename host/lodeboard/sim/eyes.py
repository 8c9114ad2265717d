"""What a player notices of a simulated board: the state it shows, what it asks for, what it refuses.

    eyes.feed(tx)            the board's own bytes, as they leave it
    eyes.state, eyes.seat, eyes.ply, eyes.text, eyes.opened, eyes.moves
    eyes.take, eyes.put, eyes.turn       squares that the board wants mended; numbers
    eyes.hosts, eyes.asked               seats that a host plays, and the move that it asks for now

A person sees these things as lights and text on the display; here they are read from the events that the
board sends with them, so that virtual hands see the same on every engine.
"""

from lodeboard.firmware import wire


class Eyes:
    """board: the Board, for the names of squares."""

    def __init__(self, board):
        self._board = board
        self._rest = b""
        self.state = None
        self.seat = None
        self.ply = 0
        self.text = ""
        self.take = self.put = self.turn = ()
        self.illegal = None  # the newest `illegal` event since hands last looked away
        self.last = 0  # number of the newest durable event
        self.seen = 0  # events so far: unchanged means that nothing happened
        self.opened = None  # options of the game that began last
        self.moves = []  # its moves, as the display told them
        self.holes = {}  # ply: (from, to), Castellers' holes that hands chose
        self._entries = []  # of its owner's rules
        self.hosts = set()  # seats, from 0
        self.asked = None  # a move's text

    @property
    def asks(self):
        """True while the board wants squares to be mended."""
        return bool(self.take or self.put or self.turn)

    def feed(self, data):
        """Read the board's bytes; torn lines wait for their rest."""
        if not data:
            return
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()[-2 * wire.MAX_FRAME :]
        for line in lines:
            kind, event = wire.decode(line)
            if kind == wire.FRAME:
                self._event(event)

    def _event(self, event):
        kind = event.get("t")
        self.last = max(self.last, event.get("n", 0))
        if kind == "state":
            self.state = event.get("s")
            seat = event.get("seat")
            self.seat = None if seat is None else seat - 1  # the wire counts seats from 1
            self.ply = event.get("ply", 0)
            self.text = event.get("text", "")
        elif kind == "hello":
            self.state = event.get("state", self.state)
        elif kind == "desync":
            self.take, self.put, self.turn = (self._squares(event.get(k)) for k in ("take", "put", "turn"))
        elif kind == "setup":
            self.opened, self.moves = wire.join(event, self._entries).get("opt"), []
            self._entries, self.holes = [], {}
        elif kind == "note" and event.get("what") == "hole":
            self.holes[event.get("ply")] = event.get("from"), event.get("to")
        elif kind == "note" and event.get("what") == "rules":
            self._entries.append(event)
        elif kind == "move":
            self.moves.append(event.get("m"))
            self.asked = None
        elif kind == "undo":
            del self.moves[event.get("ply", 0) :]
            self.holes = {ply: hole for ply, hole in self.holes.items() if ply <= len(self.moves)}
            self.asked = None
        elif kind == "command":
            self._command(event.get("c", {}))
        elif kind == "illegal":
            self.illegal = event
        else:
            return
        self.seen += 1

    def _command(self, command):
        if command.get("c") == "play":
            self.asked = command.get("m")
        elif command.get("c") == "seat":
            seat = command.get("s", 0) - 1
            if command.get("by") == "host":
                self.hosts.add(seat)
            else:
                self.hosts.discard(seat)
                self.asked = None

    def _squares(self, names):
        return tuple(self._board.square(name) for name in names or ())
