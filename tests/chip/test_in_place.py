"""Code and strings used where they lie in the flash: on the emulated chip, against overwritten copies."""

import ast

import pytest
from lodeboard.bench.console import SLOT, Console
from lodeboard.flash import build, mpy

from .conftest import PROMPT

PROBE = '''
import gc

LONG = "a text of this module that is no name: %s"


def sums(n):
    total = 0
    for i in range(n):
        total += i
        yield total


def waits(act, n):
    numbers = [k * k for k in range(n)]
    act()
    return sum(numbers) + len(LONG % n)


def plain(a, b=3):
    return [a + k for k in range(b)]
'''

SETUP = SLOT + """
import gc, machine
from firmware import probe
def place(thing):
    return machine.mem32[id(thing) + 12] & 0xffffffff
def in_flash(thing):
    return 0x100a0000 <= place(thing) < 0x10200000
def overwrite():
    gc.collect()
    rubbish = []
    try:
        for size in (4000, 400, 100, 40, 16):
            while True:
                rubbish.append(b'\\xff' * size)
    except MemoryError:
        pass
    rubbish = None
    gc.collect()
def settle():
    slot.settle()
    overwrite()
"""


@pytest.fixture
def chip(board_of):
    """A function of the chip's value of an expression; .run runs statements."""
    probe = mpy.with_footer(build.compile_source(PROBE, "firmware/probe.py"))
    board = board_of("lode8", keep={"/slots/a/firmware/probe.mpy": probe, **PROMPT})
    console = Console(board.chip)
    console.run(SETUP)

    def ask(expression):
        return ast.literal_eval(console.run(f"print(repr({expression}))").strip())

    ask.run = console.run
    return ask


def test_functions_and_texts_move_and_work_as_before(chip):
    assert chip("[in_flash(thing) for thing in (probe.plain, probe.sums, probe.waits, probe.LONG)]") == [False] * 4
    chip.run("settle()")
    assert chip("[in_flash(thing) for thing in (probe.plain, probe.sums, probe.waits, probe.LONG)]") == [True] * 4
    assert chip("probe.plain(5)") == [5, 6, 7]
    assert chip("list(probe.sums(5))") == [0, 1, 3, 6, 10]
    assert chip("probe.LONG") == "a text of this module that is no name: %s"


def test_what_runs_or_waits_in_a_generator_stays(chip):
    chip.run("steps = probe.sums(5)\nfirst = [next(steps), next(steps)]")
    expected = sum(k * k for k in range(30)) + len("a text of this module that is no name: 30")
    assert chip("probe.waits(settle, 30)") == expected
    assert chip("[in_flash(thing) for thing in (probe.plain, probe.sums, probe.waits)]") == [True, False, False]
    assert chip("first + list(steps)") == [0, 1, 3, 6, 10]
    assert chip("probe.waits(settle, 30)") == expected


def test_what_differs_by_a_byte_stays(chip):
    """Each place's address shifted by one byte: no copy is given up."""
    chip.run("places = slot.code._places\nfor i in range(0, len(places), 3): places[i] += 1")
    chip.run("settle()")
    assert chip("slot.code.moved") == 0
    assert chip("[in_flash(thing) for thing in (probe.plain, probe.sums, probe.LONG)]") == [False] * 3
    assert chip("probe.plain(5)") == [5, 6, 7]


def test_the_firmware_runs_from_the_flash(chip):
    chip.run("before = gc.mem_alloc()\nfrom firmware import table, shell\nfrom firmware.hal import pico\nsettle()")
    assert chip("slot.code.moved") > 20000
    assert chip("in_flash(table.Table.step) and in_flash(shell.Shell.tick)")
    chip.run("from firmware import kernels\nfrom shared_rules import cover_viper\nsettle()")
    assert not chip("in_flash(kernels.scan)")  # it runs in every turn
    assert chip("in_flash(cover_viper._fits)")


def test_modules_that_are_loaded_later_move_too(chip):
    chip.run("import shared_rules\nsettle()\nslot.forget()\nmoved = slot.code.moved")
    chip.run("game = shared_rules.load('tau', starter=1)")
    assert chip("slot.fresh") == 1  # the last module; those before have settled
    chip.run("settle()")
    assert chip("slot.code.moved - moved") > 3000
    assert chip("len(game.legal())") == 252
