"""A simulated board on the terminal: click or use keys to lift, turn, carry and set down pieces.

    Tabletop(session, speed=1.0).run()

The board's squares glow as its LEDs do, the display and the four buttons are beside it. Everything that a
person does goes through virtual hands (sim/hands.py), so the firmware sees magnets that move, nothing else.
"""

import time

from textual.app import App
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from lodeboard.sim.boardview import BoardView
from lodeboard.sim.hands import HINT, MENU, OK, UNDO
from lodeboard.sim.table import TICK_MS

FRAMES_S = 25
TICKS_MAX = 100  # in one frame: a slow terminal or engine makes board time pass more slowly
SHORT_MS = 120
LONG_MS = 1000
BUTTONS = {"ok": OK, "undo": UNDO, "hint": HINT, "menu": MENU}
KEYS = (
    "click, or arrows and Enter: lift, set down   t: turn over   r: rotate   b: lay beside\n"
    "o u h m: buttons (shift: long)    s: hands set up or mend    q: quit"
)


class PanelButton(Static):
    """One of the board's buttons: click is a short press."""

    def __init__(self, name):
        super().__init__(f" {name.upper()} ", id=name)
        self.button = BUTTONS[name]

    def on_click(self, event):
        self.app.press(self.button, LONG_MS if event.shift else SHORT_MS)


class Tabletop(App):
    """session: a Session; speed: of the board's clock."""

    CSS = """
    Screen { background: #101010; }
    #title { height: 1; background: #204060; color: #ffffff; padding: 0 1; }
    #keys { height: 2; color: #909090; padding: 0 1; }
    #side { width: 36; padding: 0 1; }
    #display { width: 25; height: 10; border: solid #405060; background: #000008; color: #b0d8ff; }
    #display { padding: 0 1; }
    #buttons { height: 1; margin: 0 0 1 0; }
    PanelButton { width: auto; background: #404048; margin: 0 1 0 0; }
    PanelButton:hover { background: #606070; }
    #info { height: auto; color: #c0c0c0; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [
        Binding("left", "step(-1, 0)"), Binding("right", "step(1, 0)"),
        Binding("up", "step(0, -1)"), Binding("down", "step(0, 1)"),
        Binding("enter,space", "act"), Binding("b", "beside"), Binding("s", "set_up"),
        Binding("t", "turn"), Binding("r", "rotate"),
        Binding("o", "button('ok', 0)"), Binding("O", "button('ok', 1)"),
        Binding("u", "button('undo', 0)"), Binding("U", "button('undo', 1)"),
        Binding("h", "button('hint', 0)"), Binding("H", "button('hint', 1)"),
        Binding("m", "button('menu', 0)"), Binding("M", "button('menu', 1)"),
        Binding("q,ctrl+c", "quit"),
    ]  # fmt: skip

    def __init__(self, session, speed=1.0):
        super().__init__()
        self.session = session
        self.speed = speed
        self.said = ""
        self._begun = None

    def compose(self):
        session = self.session
        yield Static(
            f"SIMULATED board {session.board.name}, engine {session.engine_name}: virtual magnets and hands",
            id="title",
        )  # fmt: skip
        with Horizontal():
            yield BoardView(session)
            with Vertical(id="side"):
                yield Static(id="display", markup=False)
                with Horizontal(id="buttons"):
                    for name in BUTTONS:
                        yield PanelButton(name)
                yield Static(id="info", markup=False)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self):
        self.board_view = self.query_one(BoardView)
        self.display_box = self.query_one("#display", Static)
        self.info = self.query_one("#info", Static)
        self.set_interval(1 / FRAMES_S, self.advance)

    # Time

    def advance(self):
        """Let the board's clock catch up with the wall's, then draw."""
        now = time.monotonic()
        if self._begun is None:
            self._begun = now
        due = int((now - self._begun) * 1000 * self.speed) // TICK_MS
        ticks = min(due, TICKS_MAX)
        self._begun = now if due > TICKS_MAX else self._begun + ticks * TICK_MS / 1000 / self.speed
        self.run_ticks(ticks)

    def run_ticks(self, ticks):
        """So many ticks of the board, then the screen."""
        for _ in range(ticks):
            self.session.tick()
        self.draw()

    def draw(self):
        table = self.session.table
        self.display_box.update("\n".join(line.ljust(21) for line in table.lines))
        self.info.update(self.info_text())
        self.board_view.refresh()

    def info_text(self):
        session = self.session
        held = ", ".join(session.stage.words(piece) for piece in session.user.holding) or "nothing"
        client = {"pty": "a program on the pty", "tcp": "a program on TCP", None: "nobody"}
        tone = f"buzzer: {session.table.tone} Hz" if session.table.tone else ""
        return "\n".join(
            line
            for line in (
                f"in hand: {held}",
                f"under the cursor: {self.board_view.under_cursor()}",
                f"{session.server.pty or ''}",
                f"{session.server.url}",
                f"connected: {client[session.server.client]}",
                self.said or tone,
            )
            if line
        )

    # What a person does

    def action_step(self, dx, dy):
        self.board_view.step(dx, dy)

    def action_act(self):
        self.act(self.board_view.cursor)

    def act(self, place):
        """Lift what is at a place (a square, or a piece beside the board), or set down what is in hand."""
        session, user = self.session, self.session.user
        self.board_view.cursor = place
        self.said = ""
        if not user.idle:
            self.said = "The hand is still moving."
        elif user.holding:
            self.set_down(place)
        else:
            piece = place if not isinstance(place, int) else session.stage.piece_on(place)
            if piece is None or piece in session.hands.holding:
                self.said = "Nothing stands there."
            else:
                user.start(session.stage.person_lifts(user, piece))

    def set_down(self, place):
        session, user = self.session, self.session.user
        piece = user.holding[-1]
        if not isinstance(place, int):
            self.action_beside()
        elif not session.stage.may_stand(place):
            self.said = "Something stands there already."
        else:
            user.start(session.stage.person_sets(user, piece, place))

    def action_turn(self):
        self.in_hand(self.session.user.turn)

    def action_rotate(self):
        self.in_hand(self.session.user.rotate)

    def in_hand(self, does):
        """Do something with the piece in hand."""
        user = self.session.user
        if user.idle and user.holding:
            user.start(does(user.holding[-1]))
        else:
            self.said = "Lift a piece first, then turn it."

    def action_beside(self):
        user = self.session.user
        if user.idle and user.holding:
            piece = user.holding[-1]
            user.start(lay_aside(user, piece, self.session.stage.aside(piece)))

    def action_set_up(self):
        """Let the virtual hands set up, or mend what the board asks for."""
        session = self.session
        if not session.hands.idle:
            session.stage.call()  # they play a seat: they mend as soon as they see to it
            self.said = "The virtual hands come."
        elif session.eyes.state == "SETUP":
            session.hands.start(session.stage.set_up())
        else:
            session.hands.start(session.stage.mend())

    def action_button(self, name, is_long):
        self.press(BUTTONS[name], LONG_MS if is_long else SHORT_MS)

    def press(self, button, ms):
        user = self.session.user
        if user.idle:
            user.start(user.press(button, ms))


def lay_aside(user, piece, where):
    """A person's hand lays a piece beside the board."""
    x, y = where
    yield from user.carry(piece, x, y)
    yield from user.put(piece, x, y, 0.0)
