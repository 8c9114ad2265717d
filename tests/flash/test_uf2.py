"""Images that are whole, damaged, or for another chip."""

import struct

import pytest
from lodeboard.errors import LodeboardError
from lodeboard.flash import uf2


def block(number, total, family=uf2.RP2040, address=None, payload=b"\x55" * 256, flags=uf2.HAS_FAMILY):
    address = 0x10000000 + 256 * number if address is None else address
    head = struct.pack("<8I", uf2.MAGIC[0], uf2.MAGIC[1], flags, address, len(payload), number, total, family)
    return head + payload.ljust(476, b"\0") + struct.pack("<I", uf2.MAGIC[2])


@pytest.fixture
def write(tmp_path):
    def write(*blocks):
        path = tmp_path / "image.uf2"
        path.write_bytes(b"".join(blocks))
        return path

    return write


def test_a_whole_image_gives_its_blocks_in_order(write):
    image = uf2.read(write(*(block(n, 3, payload=bytes([n]) * 256) for n in range(3))))
    assert [address for address, _ in image.blocks] == [0x10000000, 0x10000100, 0x10000200]
    assert image.blocks[2][1] == b"\x02" * 256
    assert image.size == 768


def test_blocks_that_are_not_for_the_flash_are_left_out(write):
    image = uf2.read(write(block(0, 2), block(1, 2, flags=uf2.HAS_FAMILY | uf2.NOT_MAIN_FLASH)))
    assert len(image.blocks) == 1


@pytest.mark.parametrize(
    "name, blocks, words",
    [
        ("empty", [], "whole number of blocks"),
        ("cut off", [block(0, 2), block(1, 2)[:300]], "whole number of blocks"),
        ("a block missing", [block(0, 3), block(2, 3)], "block 0 calls itself 0 of 3, not of 2"),
        ("two blocks changed over", [block(1, 2), block(0, 2)], "block 0 calls itself 1"),
        ("no UF2", [b"\x7fELF" + b"\0" * 508], "marks of UF2"),
        ("one bit in a mark", [block(0, 1)[:-1] + b"\x0b"], "marks of UF2"),
        ("a size too large", [block(0, 1)[:16] + struct.pack("<I", 477) + block(0, 1)[20:]], "claims 477"),
        ("outside the flash", [block(0, 1, address=0x20000000)], "not flash"),
    ],
)
def test_damaged_images_are_refused_with_the_place(write, name, blocks, words):
    with pytest.raises(LodeboardError) as refused:
        uf2.read(write(*blocks))
    assert words in refused.value.what and refused.value.code == 2 and refused.value.do


@pytest.mark.parametrize("family, words", [(0xE48BFF59, "RP2350 (Arm)"), (0xADA52840, "ada52840")])
def test_images_for_other_chips_are_named(write, family, words):
    with pytest.raises(LodeboardError) as refused:
        uf2.read(write(block(0, 1, family=family)))
    assert words in refused.value.what and "RP2040" in refused.value.what


def test_an_image_without_a_family_is_refused(write):
    with pytest.raises(LodeboardError, match="no chip in particular"):
        uf2.read(write(block(0, 1, flags=0)))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(LodeboardError, match="cannot be read"):
        uf2.read(tmp_path / "none.uf2")


def test_whatever_byte_of_a_head_is_spoilt_the_blocks_stay_in_the_flash(write):
    for at in range(32):
        spoilt = bytearray(block(0, 1))
        spoilt[at] ^= 0xFF
        try:
            image = uf2.read(write(bytes(spoilt)))
        except LodeboardError:
            continue
        assert at in range(8, 20), f"byte {at} is neither flags, address nor size"
        for address, payload in image.blocks:
            assert address in uf2.FLASH and len(payload) <= 476
