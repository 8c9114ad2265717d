"""The board on the terminal, by Textual's pilot: keys and mouse lift, turn, carry and set down."""

import asyncio

import pytest
from lodeboard import boards
from lodeboard.players import make
from lodeboard.sim.boardview import BoardView
from lodeboard.sim.session import Session
from lodeboard.sim.tui import Tabletop


class Screen:
    """The app under its pilot; its clock goes by run() alone."""

    def __init__(self, app, pilot):
        self.app, self.pilot, self.session = app, pilot, app.session
        self.view = app.query_one(BoardView)

    def run(self, ms):
        self.app.run_ticks(ms // 5)

    def square(self, name):
        return self.session.board.square(name)

    def at(self, name):
        piece = self.session.stage.piece_on(self.square(name))
        return piece.key if piece else None

    async def click(self, name):
        """Click on a square."""
        width, height = self.view.cell()
        y, x = divmod(self.square(name), self.session.board.width)
        await self.pilot.click(BoardView, offset=(3 + x * width + width // 2, 1 + y * height))
        self.run(3000)

    async def press(self, *keys):
        await self.pilot.press(*keys)
        self.run(3000)

    def text(self):
        """What the board's part of the screen shows."""
        lines = [self.view.render_line(y) for y in range(self.view.size.height)]
        return "\n".join("".join(segment.text for segment in line) for line in lines)

    @property
    def mover(self):
        return self.session.eyes.seat + 1

    def rack(self, letter):
        return f"{letter}{1 if self.mover == 1 else 8}"


@pytest.fixture
def play(tmp_path):
    """play(story) runs an async story on a Screen in a terminal of 80 x 24."""

    def run(story, size=(80, 24), board="lode8", players=(None, None), **keys):
        async def main():
            with Session(boards.load(board), "tau", tmp_path, players=players, seed=4, **keys) as session:
                app = Tabletop(session)
                app.advance = lambda: None
                async with app.run_test(size=size) as pilot:
                    screen = Screen(app, pilot)
                    screen.run(1500)
                    await story(screen)

        asyncio.run(main())

    return run


def test_it_says_that_it_is_simulated_and_shows_everything_in_80_by_24(play):
    async def story(screen):
        assert "SIMULATED" in str(screen.app.query_one("#title").render())
        text = screen.text()
        assert text.count("(") == 7 and text.count("[") == 7 and "a    b    c" in text
        for widget in screen.app.query("*"):
            assert widget.region.bottom <= 24 and widget.region.right <= 80, widget
        assert "to move" in "\n".join(screen.session.table.lines)

    play(story, laid=True)


def test_a_move_by_mouse(play):
    async def story(screen):
        first = screen.rack("a")
        await screen.click(first)
        assert screen.session.user.holding and screen.session.eyes.state == "LIFTED"
        assert "yellow up, orange down" in screen.app.info_text()
        await screen.click("d5")
        assert screen.session.eyes.ply == 1 and screen.at("d5").endswith("yo")

    play(story, laid=True)


def test_a_move_by_keys_with_the_stick_turned_over(play):
    async def story(screen):
        screen.view.cursor = screen.square(screen.rack("b"))
        await screen.press("enter")
        await screen.press("t")
        assert "red up, orange down" in screen.app.info_text()
        screen.view.cursor = screen.square("d5")
        await screen.press("right", "enter")
        assert screen.session.eyes.ply == 1 and screen.at("e5").endswith("or")
        assert screen.session.stage.game.text(screen.session.stage.game.history[0][1]) == "r/o@D3"

    play(story, laid=True)


def test_a_wrong_move_is_guided_back_and_lights_show(play):
    async def story(screen):
        other = "a8" if screen.mover == 1 else "a1"
        await screen.click(other)
        await screen.click("d5")
        assert screen.session.eyes.state == "DESYNC" and screen.session.eyes.take
        square = screen.square("d5")
        lit = [screen.session.table.rgb[3 * square]]
        for _ in range(60):
            screen.run(20)
            lit.append(screen.session.table.rgb[3 * square])
        assert max(lit) > 100  # red: take away
        await screen.press("s")  # the virtual hands put it right
        screen.run(9000)
        assert screen.session.eyes.state == "TURN" and screen.at(other) is not None

    play(story, laid=True)


def test_nothing_is_set_down_on_something(play):
    async def story(screen):
        await screen.click(screen.rack("a"))
        await screen.click(screen.rack("c"))
        assert "already" in screen.app.said and screen.session.user.holding
        await screen.press("b")
        assert not screen.session.user.holding and screen.at(screen.rack("a")) is None
        lying = screen.view.beside(below=screen.mover == 1)
        assert len(lying) == 1
        await screen.pilot.click(BoardView, offset=(5, 0 if screen.mover == 2 else 17))
        screen.run(3000)
        assert screen.session.user.holding == lying
        await screen.click(screen.rack("a"))
        assert screen.session.eyes.state == "TURN"

    play(story, laid=True)


def test_buttons_short_and_long(play):
    async def story(screen):
        await screen.click(screen.rack("a"))
        await screen.click("d5")
        before = screen.session.table.lines[:]
        await screen.press("u")
        assert screen.session.eyes.state == "DESYNC" and screen.session.table.lines != before
        await screen.press("o")
        assert screen.session.eyes.state == "TURN"
        await screen.pilot.click("#menu")
        screen.run(500)
        assert screen.session.table.lines != before

    play(story, laid=True)


def test_hands_set_the_board_up_from_beside_it(play):
    async def story(screen):
        assert screen.session.eyes.state == "SETUP"
        assert screen.text().count("(") == 7  # beside the board
        await screen.press("s")
        screen.run(60000)
        assert screen.session.eyes.state == "TURN"

    play(story)


def test_a_person_against_virtual_hands(play):
    async def story(screen):
        for _ in range(200):
            screen.run(200)
            if screen.session.eyes.seat == 0 and screen.session.eyes.state == "TURN":
                break
        ply = screen.session.eyes.ply
        await screen.click("a1")
        free = next(n for n in ("d5", "c5", "e5") if screen.at(n) is None)
        await screen.click(free)
        screen.run(9000)
        assert screen.session.eyes.ply == ply + 2 and screen.session.eyes.seat == 0

    play(story, laid=True, players=(None, make("random", 5).choose))


def test_the_cursor_tells_the_name_of_a_hole_that_the_display_uses(play):
    async def story(screen):
        screen.view.cursor = screen.square("c5")
        assert screen.view.under_cursor() == "c5, hole B3"
        screen.view.cursor = screen.square("h8")
        assert screen.view.under_cursor() == "h8"

    play(story, laid=True)


def test_virtual_hands_leave_a_person_time(play):
    """What a person holds or did wrong in the own turn is nobody else's to touch, until the hands are called."""

    async def story(screen):
        for _ in range(200):
            screen.run(200)
            if screen.session.eyes.seat == 0 and screen.session.eyes.state == "TURN":
                break
        ply = screen.session.eyes.ply
        await screen.click("a1")
        screen.run(20000)
        held = screen.session.user.holding
        assert [piece.key for piece in held] == ["1:yo"] and screen.session.eyes.state == "LIFTED"
        await screen.click("g5")  # beside the holes
        screen.run(20000)
        assert screen.at("g5") == "1:yo" and screen.session.eyes.state == "DESYNC"
        await screen.press("s")
        screen.run(9000)
        assert screen.at("a1") == "1:yo" and screen.session.eyes.state == "TURN"
        await screen.click("a1")
        free = next(n for n in ("d5", "c5", "e5") if screen.at(n) is None)
        await screen.click(free)
        screen.run(9000)
        assert screen.session.eyes.ply == ply + 2 and screen.session.eyes.seat == 0

    play(story, laid=True, players=(None, make("random", 5).choose))


@pytest.mark.parametrize("board", ["lode16", "lode20"])
@pytest.mark.parametrize("size", [(80, 24), (120, 50)])
def test_the_larger_boards_fit(play, board, size):
    async def story(screen):
        width, height = screen.view.cell()
        assert width * screen.session.board.width + 3 <= screen.view.size.width
        assert height * screen.session.board.height + 1 <= screen.view.size.height
        assert screen.text().count(")") == 7

    play(story, size=size, board=board, laid=True)
