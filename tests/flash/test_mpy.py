"""Where the unchanging parts of a compiled module lie."""

import struct
import subprocess

import pytest
from lodeboard import micropython
from lodeboard.flash import build, mpy

SOURCE = '''
import micropython

GREETING = "a text that is too long for a name"
TABLE = (b"bytes that never change", ("a nested text, long as well", 7, 1.5, 10 ** 20, None, True, ...))


def outer(n):
    def inner(m):
        return [m * k for k in range(n)]
    return inner


class Steps:
    def walk(self):
        for step in range(3):
            yield step


@micropython.viper
def total(numbers: ptr8, count: int) -> int:
    sum = 0
    for i in range(count):
        sum += numbers[i]
    return sum


@micropython.asm_thumb
def double(r0):
    add(r0, r0, r0)
'''


@pytest.fixture(scope="module")
def module():
    return build.compile_source(SOURCE, "probe.py")


def footer(data):
    (count,) = struct.unpack("<H", data[-4:-2])
    words = struct.unpack(f"<{2 * count}H", data[-4 - 4 * count : -4])
    return list(zip(words[::2], words[1::2], strict=True))


def test_every_function_and_long_text_has_its_place(module):
    texts = [module[at : at + length] for _, at, length in mpy.parts(module)]
    for text in (b"a text that is too long for a name", b"bytes that never change", b"a nested text, long as well"):
        assert text in texts
    # the module, outer, inner, its list, the class, walk, and viper's total
    assert len(texts) == 3 + 7


def test_the_parts_reach_the_modules_end(module):
    """What is last in a file of functions ends where the file does: nothing was missed or misread."""
    plain = build.compile_source("def f():\n    return 'x'\ndef g(a, b=2):\n    return [a, b]\n", "probe.py")
    _, at, length = mpy.parts(plain)[-1]
    assert at + length == len(plain)


def test_the_footer_tells_places_that_lie_in_one_block_and_machine_code_at_words():
    for path, data in build.build().files.items():
        if not path.endswith(".mpy"):
            continue
        assert data[-2:] == mpy.FOOTER_MARK
        for at, length in footer(data):
            assert not mpy._split(at, length), path
            assert at + length <= len(data)


def test_machine_code_is_repeated_at_a_word(module):
    kinds = mpy.parts(module)
    (code,) = [module[at : at + length] for kind, at, length in kinds if kind == mpy._NATIVE_VIPER]
    found = mpy.with_footer(module)
    assert [at for at, length in footer(found) if found[at : at + length] == code and at % 4 == 0]


@pytest.mark.parametrize(
    ("offset", "length", "split"),
    [
        (0, 4096, False),
        (0, 4097, True),
        (4095, 1, False),
        (4095, 2, True),
        (4096, 4092, False),  # the second block holds one pointer
        (4096, 4093, True),
        (8188, 4088, False),  # the third two
        (8188, 4089, True),
        (12276, 4092, False),  # the fourth one
    ],
)
def test_blocks_of_the_file_system(offset, length, split):
    assert mpy._split(offset, length) is split


@pytest.mark.parametrize("data", [b"", b"M\x05\x00\x1f", b"\x7fELF", b"M\x06\x00\x1f\x03"])
def test_what_is_no_module_is_refused(data):
    with pytest.raises(ValueError):
        mpy.parts(data)


def test_a_module_cut_off_anywhere_is_refused_or_ends(module):
    for end in range(4, 120):
        try:
            mpy.parts(module[:end])
        except ValueError as error:
            assert "cut off" in str(error)


def test_micropython_loads_a_module_with_a_footer(tmp_path):
    (tmp_path / "probe.mpy").write_bytes(mpy.with_footer(build.compile_source("def f():\n    return 41\n", "probe.py")))
    done = subprocess.run(
        [*micropython.command(), "-c", "import probe; print(probe.f() + 1)"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "42\n"


@pytest.mark.parametrize("length", [4092, 4093, 9000, 70000])
def test_a_part_longer_than_a_block_has_no_place_and_hinders_no_other(length):
    source = f"LONG = '{'a' * length}'\nSHORT = 'a text that is too long for a name'\ndef f():\n    return [1, 2, 3]\n"
    data = mpy.with_footer(build.compile_source(source, "probe.py"))
    found = footer(data)
    assert [data[at] for at, size in found if size == length] == ([ord("a")] if length == 4092 else [])
    assert all(not mpy._split(at, size) for at, size in found)
    assert (b"a text that is too long for a name" in [data[at : at + size] for at, size in found]) is (length < 1 << 16)
