"""Whatever the host sends is answered with a sentence, and never breaks the table."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from story import Story

COMMANDS = (
    "new",
    "press",
    "play",
    "seat",
    "resign",
    "resume",
    "abandon",
    "pause",
    "watch",
    "position",
    "sync",
    "no such",
)
KEYS = ("g", "opt", "seed", "games", "force", "b", "long", "m", "s", "by", "name", "on", "from", "i")
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=30),
    st.sampled_from(("tau", "callisto", "ok", "undo", "board", "host", "y/o@C3", "~C3", "C3-D4", 1, 2, 0)),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(
        st.sampled_from(("open", "starter", "repetition", "players", "name", "snapshot", "edition")),
        st.one_of(
            st.none(),
            st.booleans(),
            st.integers(-3, 5),
            st.text(max_size=3),
            st.lists(st.integers(), max_size=2),
        ),
        max_size=3,
    ),
)
COMMAND = st.tuples(
    st.one_of(st.sampled_from(COMMANDS), VALUES), st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5)
)


@settings(max_examples=25, deadline=None)
@given(st.lists(COMMAND, min_size=1, max_size=12), st.booleans())
def test_any_object_is_answered(commands, playing):
    story = Story(1)
    if playing:
        story.set_up()
        story.play("y/o@C3")
    for c, keys in commands:
        command = dict(keys, c=c)
        story.forget().wait(5, 0, [command])
        replies = [e for _, e in story.log if "re" in e]
        assert len(replies) == ("i" in command)
        for reply in replies:
            assert reply.get("ok") is True or reply["err"]
    story.wait(300)


@pytest.mark.parametrize(
    "command, says",
    [
        ({"c": "new", "g": "chess"}, "this board plays tau, not chess"),
        ({"c": "new", "opt": {"opne": True}}, "opne"),
        ({"c": "new", "opt": {"starter": 3}}, "starter"),
        ({"c": "new", "opt": {"snapshot": {}}}, "opt"),
        ({"c": "new", "opt": 7}, "opt"),
        ({"c": "new", "games": -1}, "games"),
        ({"c": "new", "games": True}, "games"),
        ({"c": "new", "seed": "x"}, "seed"),
        ({"c": "press", "b": "fire"}, "ok, undo, hint, menu"),
        ({"c": "play", "m": "y/o@C3"}, "No game is open"),
        ({"c": "seat", "s": 3}, "s is a number from 1 to 2"),
        ({"c": "seat", "s": 1, "by": "me"}, "board or host"),
        ({"c": "resign", "s": 1}, "No game is open"),
        ({"c": "resume"}, "No game waits"),
        ({"c": "abandon"}, "No game is open"),
        ({"c": "pause", "on": 3}, "on is true or false"),
        ({"c": "position", "from": -1}, "from"),
        ({"c": "dance"}, "There is no command dance"),
        ({"c": 5}, "There is no command 5"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(command, says):
    story = Story(1)
    assert says in story.send(**command)["err"]
    assert story.state == "SETUP"


@pytest.mark.parametrize(
    "text", ["", "C3", "y/y@C3", "y/o@A1", "~C3", "C3-D4", "w/k@C3", 5, None, ["~C3"], "x" * 400]
)
def test_moves_that_cannot_be_asked_for(text):
    story = Story(1).set_up()
    reply = story.send(c="play", m=text)
    assert reply["err"] and len(reply["err"]) <= 200
    assert story.state == "TURN" and story.table.referee.wish is None


def test_commands_in_every_state_keep_the_position():
    rnd = random.Random(4)
    story = Story(2).set_up()
    for _ in range(80):
        story.wait(
            rnd.choice((5, 100)),
            rnd.choice((0, 0, 1, 2, 4, 8)),
            [
                {
                    "c": rnd.choice(("pause", "position", "watch", "resume", "play")),
                    "on": rnd.random() < 0.5,
                    "m": "y/o@C3",
                }
            ],
        )
    story.send(c="pause", on=False)
    story.wait(500)
    assert story.moves() == [] and story.state in ("TURN", "PAUSED", "DESYNC")
