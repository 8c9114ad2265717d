"""Castellers on the terminal: a person stacks castellers, topples a castell, exchanges between racks."""

import asyncio

import pytest
from lodeboard import boards
from lodeboard.sim.session import Session
from lodeboard.sim.tui import Tabletop
from test_tui import Screen

DEAL = [["r1", "r6"], ["b3", "g4"]]


@pytest.fixture
def play(tmp_path):
    """play(story) runs an async story on a Screen once the board is set up."""

    def run(story, **options):
        async def main():
            options.setdefault("deal", DEAL)
            with Session(boards.load("lode16"), "castellers", tmp_path, seed=4, options={"players": 2, **options},
                         players=(None, None)) as session:  # fmt: skip
                app = Tabletop(session)
                app.advance = lambda: None
                async with app.run_test(size=(120, 40)) as pilot:
                    screen = Screen(app, pilot)
                    screen.run(1500)
                    await screen.press("s")
                    screen.run(15_000)
                    assert session.eyes.state == "TURN", session.eyes.text
                    await story(screen)

        asyncio.run(main())

    return run


def test_a_person_builds_a_column_of_two_and_takes_it_down_again(play):
    async def story(screen):
        eyes, stage = screen.session.eyes, screen.session.stage
        await screen.click("a4")
        assert eyes.state == "LIFTED"
        await screen.click("f15")
        await screen.click("b4")
        await screen.click("f15")
        screen.run(2000)
        assert eyes.moves == ["r1@1.1", "r6@1.1"] and stage.standing()[screen.square("f15")] == ["r1", "r6"]
        assert "red 1, on it red 6" in screen.view.under_cursor()
        await screen.press("u")  # take back: off the column, into its hole
        await screen.click("f15")
        await screen.click("b4")
        screen.run(2000)
        assert eyes.moves == ["r1@1.1"] and eyes.state == "TURN", eyes.text

    play(story)


def test_a_castell_that_a_person_topples_is_built_again_as_the_display_says(play):
    async def story(screen):
        eyes = screen.session.eyes
        for square in ("a4", "f15", "b4", "f15"):
            await screen.click(square)
        screen.run(2000)
        for _ in range(2):  # both castellers are laid beside the board
            await screen.click("f15")
            await screen.press("b")
        screen.run(1000)
        assert eyes.state == "DESYNC" and "red 1" in eyes.text, eyes.text
        await screen.press("s")
        screen.run(15_000)
        assert screen.session.stage.standing()[screen.square("f15")] == ["r1", "r6"]
        assert eyes.state == "TURN" and eyes.ply == 2, eyes.text

    play(story)


def test_a_person_draws_and_exchanges(play):
    async def story(screen):
        eyes, stage = screen.session.eyes, screen.session.stage
        await screen.press("o")  # draw: the casteller comes out of the box
        assert eyes.ply == 1 and " drew " in eyes.text
        await screen.press("s")
        screen.run(6000)
        assert eyes.state == "TURN", eyes.text
        lit = next(name for name in ("c16", "d16") if screen.at(name) is None)
        await screen.click("b4")  # the six goes to the other player,
        await screen.click(lit)
        assert eyes.moves[-1] == "give r6>2", (eyes.moves, eyes.text)
        await screen.click("a16" if stage.standing()[screen.square("a16")] == ["b3"] else "b16")
        await screen.click("f15")  # and their three is built
        screen.run(1500)
        assert eyes.moves[-1] == "take b3@1.1" and eyes.state == "TURN", (eyes.moves, eyes.text)

    play(story)
