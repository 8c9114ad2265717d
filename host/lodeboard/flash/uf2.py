"""UF2 files: reading, and checking that one is whole and meant for this chip.

Format: https://github.com/microsoft/uf2. A block has 512 bytes; the Pico's family is RP2040.
"""

import struct

from lodeboard.errors import LodeboardError

BLOCK = 512
MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
HAS_FAMILY = 0x2000
NOT_MAIN_FLASH = 0x0001
RP2040 = 0xE48BFF56
FAMILIES = {RP2040: "RP2040", 0xE48BFF57: "absolute", 0xE48BFF58: "data", 0xE48BFF59: "RP2350 (Arm)",
            0xE48BFF5A: "RP2350 (RISC-V)", 0xE48BFF5B: "RP2350 (Arm, non-secure)"}
FLASH = range(0x10000000, 0x10000000 + 16 * 1024 * 1024)


class Image:
    """blocks: list of (address, payload of at most 476 bytes) in the order of the file; size: payload bytes."""

    def __init__(self, blocks):
        self.blocks = blocks
        self.size = sum(len(payload) for _, payload in blocks)


def _damaged(path, what):
    return LodeboardError(
        f"{path} is not a usable UF2 file: {what}.",
        "Download it again with: lodeboard firmware get",
        2,
    )


def read(path):
    """The Image of a UF2 file for the RP2040; LodeboardError when it is damaged or for another chip."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LodeboardError(
            f"{path} cannot be read: {error.strerror}.", "Name a UF2 file that you may read, with --uf2.", 2
        ) from None
    if not data or len(data) % BLOCK:
        raise _damaged(path, f"{len(data)} bytes are not a whole number of blocks of {BLOCK}")
    blocks, total = [], len(data) // BLOCK
    for number in range(total):
        block = data[number * BLOCK : (number + 1) * BLOCK]
        start0, start1, flags, address, size, block_no, blocks_in_file, family = struct.unpack_from("<8I", block)
        (end,) = struct.unpack_from("<I", block, BLOCK - 4)
        if (start0, start1, end) != MAGIC:
            raise _damaged(path, f"block {number} has not the marks of UF2")
        if not flags & HAS_FAMILY or family != RP2040:
            chip = FAMILIES.get(family, f"{family:08x}") if flags & HAS_FAMILY else "no chip in particular"
            raise LodeboardError(
                f"{path} is for {chip}, not for the RP2040 of the Pico.",
                "Take the file for the Raspberry Pi Pico (RPI_PICO), or run: lodeboard firmware get",
                2,
            )
        if block_no != number or blocks_in_file != total:
            raise _damaged(path, f"block {number} calls itself {block_no} of {blocks_in_file}, not of {total}")
        if size > BLOCK - 36:
            raise _damaged(path, f"block {number} claims {size} bytes")
        if flags & NOT_MAIN_FLASH:
            continue
        if address not in FLASH:
            raise _damaged(path, f"block {number} goes to {address:08x}, which is not flash")
        blocks.append((address, block[32 : 32 + size]))
    return Image(blocks)
