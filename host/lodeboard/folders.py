"""Where lodeboard keeps its own files, and who the user is; known also where neither home nor name is."""

import getpass
import os
from pathlib import Path

import platformdirs

from .errors import LodeboardError


def cache():
    """The folder of what can be fetched or made again."""
    return _own(platformdirs.user_cache_path)


def state():
    """The folder of what outlives a simulator."""
    return _own(platformdirs.user_state_path)


def _own(find):
    try:
        return Path(find("lodeboard"))
    except RuntimeError:
        raise LodeboardError(
            "This user has no home folder.", "Set HOME to a folder that you may write to."
        ) from None


def user():
    """The user's name, or number where no name is known (a container)."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return str(os.getuid())
