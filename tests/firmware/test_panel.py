"""Display, buttons and buzzer."""

from hypothesis import given
from hypothesis import strategies as st
from lodeboard.firmware.panel import LINES, WIDTH, WON, Panel, wrap

OK, UNDO = 1, 2


def pressed(panel, script):
    """What a script of (ms, bits) gives, scanned every 5 ms."""
    now, got = 0, []
    for ms, bits in script:
        for _ in range(ms // 5):
            now += 5
            got.extend(panel.press(now, bits))
    return got


def test_a_short_press_counts_at_release():
    assert pressed(Panel(), [(50, OK)]) == []
    assert pressed(Panel(), [(50, OK), (20, 0)]) == [("ok", False)]


def test_a_long_press_counts_once_while_held():
    assert pressed(Panel(), [(2000, UNDO), (20, 0)]) == [("undo", True)]


def test_a_bounce_is_no_press():
    assert pressed(Panel(), [(5, OK), (5, 0), (5, OK), (5, 0), (50, 0)]) == []


def test_two_buttons_at_once():
    assert pressed(Panel(), [(50, OK | UNDO), (50, OK), (50, 0)]) == [("undo", False), ("ok", False)]


@given(st.text(alphabet="abc de/", max_size=300), st.text(max_size=40), st.text(max_size=40))
def test_a_page_fits_the_display(text, title, foot):
    panel = Panel()
    panel.page(title, text, foot)
    assert len(panel.lines) == LINES and all(len(line) <= WIDTH for line in panel.lines)


@given(st.text(alphabet="abcdefgh ", max_size=200))
def test_wrapping_loses_no_letter(text):
    assert "".join(wrap(text)).replace(" ", "") == text.replace(" ", "")


def test_an_unchanged_page_is_not_stale():
    panel = Panel()
    panel.page("Tau", "Light to move.")
    panel.stale = False
    panel.page("Tau", "Light to move.")
    assert not panel.stale


def test_a_tune_plays_its_notes_and_ends():
    panel = Panel()
    panel.play(WON)
    heard = []
    for now in range(0, 1000, 5):
        panel.step(now)
        if not heard or heard[-1] != panel.tone:
            heard.append(panel.tone)
    assert heard == [hz for hz, _ in WON] + [0]
