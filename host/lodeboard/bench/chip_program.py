"""Running a program on the emulated RP2040 with the official MicroPython, in emulated time.

    text = run({"shared_rules/game.mpy": bytes, ...}, "print(1)")
"""

from ..errors import LodeboardError
from ..flash import build, cache, trim

DONE = b"END OF PROGRAM\n"


def compiled(prefix):
    """{"shared_rules/game.mpy": bytes, ...} of the sources below a prefix, as a board gets them."""
    files = {}
    for path, text in build.sources().items():
        if path.startswith(prefix) and not trim.is_host_only(text):
            files[path[:-3] + ".mpy"] = build.compile_source(trim.trim(text), path)
    return files


def run(files, program, limit_ms=60_000):
    """What a program prints on the chip. LodeboardError when it does not end within so much emulated time."""
    from ..sim.emulated import image
    from ..sim.emulated.chip import FLASH_BYTES, FS_START, Chip, load_uf2

    disk = {"/" + path: data for path, data in files.items()}
    # The file system is in place before the first start: nothing is typed, nothing but the program is timed.
    disk["/main.py"] = f"{program}\nprint({DONE.decode().strip()!r})\n".encode()
    flash = bytearray(b"\xff" * FLASH_BYTES)
    load_uf2(cache.find(), flash)
    made = image.make(disk)
    flash[FS_START : FS_START + len(made)] = made
    chip = Chip(bytes(flash))
    out = bytearray()

    def ended():
        out.extend(chip.receive().replace(b"\r\n", b"\n"))
        return DONE in out or b"Traceback" in out and out.endswith(b">>> ")

    if not chip.run_until(ended, limit_ms, step_us=5000) or DONE not in out:
        last = out.decode(errors="replace").strip().splitlines()
        raise LodeboardError(
            f"The program on the emulated chip did not end: {' / '.join(last[-3:]) or 'it printed nothing'}.",
            "Please report it.",
            1,
        )
    return out.decode().split(DONE.decode())[0]
