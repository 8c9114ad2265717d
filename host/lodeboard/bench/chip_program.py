"""Running a program on the emulated RP2040 with the official MicroPython, in emulated time.

    text = run({"shared_rules/game.mpy": bytes, ...}, "print(1)")
"""

from ..flash import build, cache, trim


def compiled(*prefixes):
    """{"shared_rules/game.mpy": bytes, ...} of the sources whose paths begin so, as a board gets them."""
    return {
        path[:-3] + ".mpy": build.compile_source(text, path)
        for path, text in trim.trim_all(build.sources()).items()
        if path.startswith(prefixes)
    }


def run(files, program, limit_ms=60_000):
    """What a program prints on the chip. LodeboardError when it fails, or takes longer in emulated time."""
    from ..sim.emulated import image
    from ..sim.emulated.chip import FLASH_BYTES, FS_START, Chip, load_uf2
    from .console import Console

    flash = bytearray(b"\xff" * FLASH_BYTES)
    load_uf2(cache.find(), flash)
    disk = image.make({"/" + path: data for path, data in files.items()})
    flash[FS_START : FS_START + len(disk)] = disk
    return Console(Chip(bytes(flash))).run(program, limit_ms).replace("\r\n", "\n")
