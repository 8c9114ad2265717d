"""Files that a person names, to be read: none of them may be endless, or too long for the memory.

    data = read_input(path, "Name a board file.")         bytes, whole
    with open_input(path, "Give the name of a log.") as file:      binary, as a stream

LodeboardError says what is wrong with the file; `do` is what to do then.
"""

import os
import stat

from .errors import LodeboardError

LONGEST = 256 << 20  # bytes that are read whole; a record of a game has under 10 KB


def open_input(path, do):
    """An open binary file, or a pipe. A device has no end (and reading takes from a board what it says)."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
            raise LodeboardError(f"{path} is a device, not a file.", do)
        return open(path, "rb")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or "that is no name of a file"
        raise LodeboardError(f"{path} cannot be read: {reason}.", do) from None


def read_input(path, do, longest=LONGEST):
    """All bytes of a file."""
    with open_input(path, do) as file:
        try:
            data = file.read(longest + 1)
        except OSError as error:
            raise LodeboardError(f"{path} cannot be read: {error.strerror}.", do) from None
    if len(data) > longest:
        raise LodeboardError(f"{path} is longer than {longest >> 20} MB.", do)
    return data
