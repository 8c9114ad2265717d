"""What `lodeboard play` shows: a picture that follows the game on a terminal, a line a move in a pipe."""

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from . import show
from .draw import drawer

TAIL = 10  # moves that are listed


class Screen:
    """On a terminal. A context manager."""

    def __init__(self, board, follower, opponent):
        self.board = board
        self.follower = follower
        self.opponent = opponent
        self.alert = None
        self._live = Live(console=Console(highlight=False), auto_refresh=False, screen=True)

    def __enter__(self):
        self._live.__enter__()
        return self

    def __exit__(self, *exc):
        return self._live.__exit__(*exc)

    def take(self, event):
        kind = event.get("t")
        if kind == "illegal":
            self.alert = f"Not allowed: {event.get('why')}"
        elif kind in ("move", "undo", "setup"):
            self.alert = None
        if event.get("host") in ("lost", "back") or not self.board.waiting:
            self.refresh()

    def refresh(self, now=None):
        self._live.update(picture(self.board, self.follower, self.opponent, self.alert, now), refresh=True)


def picture(board, follower, opponent, alert=None, now=None):
    """Everything about the board at one moment, as a renderable."""
    draw = drawer(follower.game.name) if follower.game is not None and follower.rules is not None else None
    if hasattr(draw, "beside"):  # a board that fills the height of a terminal: the words stand beside it
        words = [line for line in _words(board, follower, opponent, alert, now, None, 3) if line.plain]
        words.append(draw.hands(follower.rules, [follower.rules.turn]))
        return draw.beside(draw.board(follower.rules, follower.last_move()), Group(*words))
    return Group(*_words(board, follower, opponent, alert, now, draw))


def _words(board, follower, opponent, alert, now, draw, tail=TAIL):
    """The lines of a picture, the drawn board among them where there is a drawer."""
    hello, game, rules = board.hello, follower.game, follower.rules
    kind = "simulated board" if hello.get("sim") else "board"
    head = f"{kind} {hello.get('board')} at {board.port}, serial {hello.get('serial')}"
    parts = [Text(head, "dim")]
    if not board.connected:
        parts.append(Text("The connection is lost; waiting for the board.", "bold red"))
    if game is not None:
        parts.append(Text(title(game, follower), "bold"))
    parts.append(Text(""))
    if rules is not None:
        if draw is not None:
            parts.append(draw.text(rules, follower.spectator, follower.last_move()))
        parts.append(clocks(follower, opponent, now))
        parts.append(Text("Moves: " + " ".join(follower.moves()[-tail:])))
    elif game is not None:
        parts.append(Text(game.broken or show.fault(1, game), "yellow"))
    parts.append(Text(""))
    parts.append(Text(sentence(follower), "bold"))
    told = follower.announcement(now)
    if told:
        parts.append(Text(f"{told[0]} hides {told[1]}", "bold reverse"))
    for words in (alert, opponent.trouble if opponent else None):
        if words:
            parts.append(Text(words, "yellow"))
    if game is not None and game.result is not None:
        parts.append(Text("Result: " + show.outcome(game), "bold green"))
    parts.append(Text("Ctrl-C leaves; the board plays on.", "dim"))
    return parts


def title(game, follower):
    words = game.name.capitalize()
    if game.number:
        words += f", game {game.number}" + (f" of {game.match}" if game.match else "")
    return words + (" (spectator: covered colours are shown)" if follower.spectator else "")


def clocks(follower, opponent, now):
    words = Text()
    turn = follower.rules.turn
    for seat, ms in enumerate(follower.clocks(now)):
        name = f" ({opponent.name})" if opponent and opponent.seat == seat + 1 else ""
        mark = "> " if turn == seat else "  "
        words.append(f"{mark}seat {seat + 1}{name} {ms // 60000}:{ms // 1000 % 60:02d}   ")
    return words


def sentence(follower):
    state = follower.state
    return f"{state['s']}: {state.get('text', '')}" if state.get("s") else "Waiting for the board."


class Lines:
    """In a pipe: a line a move, and what a reader must know. A context manager."""

    def __init__(self, board, follower, opponent):
        self.follower = follower

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None

    def take(self, event):
        words = self.line(event)
        if words:
            print(words, flush=True)

    def refresh(self, now=None):
        """Nothing runs on in a pipe."""

    def line(self, event):
        kind, game = event.get("t"), self.follower.game
        if kind == "move" and game is not None and game.moves:
            entry, moves = game.moves[-1], self.follower.moves()
            text = moves[-1] if moves else f"{entry['seat']}:?"
            return f"ply {entry['ply']} {text} {show.seconds(entry['think_ms'], entry['at_least'])}"
        if kind == "setup":
            words = f"setup {event.get('g')}, seat {event['opt'].get('starter', 1)} starts"
            unverified = getattr(self.follower.rules, "unverified", None)
            return f"{words}; unverified: {unverified}" if unverified else words
        if kind == "undo" and game is not None:
            return f"take-back, {len(game.moves)} plies remain"
        if kind == "result" and game is not None:
            return "result: " + show.outcome(game)
        if kind == "illegal":
            # The reason may name a covered colour, and a line stays.
            why = f": {event.get('why')}" if self.follower.spectator else ""
            return f"not allowed at {show.squares(event.get('q') or [])}{why}"
        if event.get("host") in ("lost", "back"):
            return f"{event['port']} is {event['host']}"
        return None
