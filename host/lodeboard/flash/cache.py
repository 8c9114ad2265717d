"""MicroPython's official images: the pinned one, where it is kept, and how it gets there.

    path = cache.find()              the pinned image, from --uf2, LODEBOARD_UF2 or the cache
    path = cache.get("1.23.0")       downloaded, checked, in the cache
"""

import hashlib
import os
import re
import urllib.error
import urllib.request
from pathlib import Path

from .. import folders
from ..errors import LodeboardError
from . import uf2

BOARD = "RPI_PICO"
PINNED = "1.23.0"
SITE = "https://micropython.org/resources/firmware/"
INDEX = "https://micropython.org/download/RPI_PICO/"
# name of the image of a version, and its SHA-256 where we know it
KNOWN = {
    "1.23.0": (
        "RPI_PICO-20240602-v1.23.0.uf2",
        "b7966f448e5a23d2691ca28d6894065fc9dab659fcea0113a1f006c1702dd61c",
    ),
}
VARIABLE = "LODEBOARD_UF2"
TIMEOUT_S = 30


def folder():
    return folders.cache() / "firmware"


def by_hand(version):
    return (
        f"Get RPI_PICO v{version} from {INDEX} on a machine that has a network, then name the file with "
        f"--uf2 FILE or {VARIABLE}=FILE."
    )


def find(given=None, version=PINNED):
    """Path of a MicroPython image: `given`, else the variable's, else the cached one. Checked as a UF2."""
    for path, source in ((given, "--uf2"), (os.environ.get(VARIABLE), VARIABLE)):
        if path:
            if not Path(path).is_file():
                raise LodeboardError(f"There is no file {path}, which {source} names.", by_hand(version))
            uf2.read(Path(path))
            return Path(path)
    path = cached(version)
    if path is None:
        raise LodeboardError(
            f"The image of MicroPython {version} is not in the cache.",
            f"Run: lodeboard firmware get. Or, without a network: {by_hand(version)}",
        )
    return path


def cached(version=PINNED):
    """Path of the cached image of a version, checked; None when there is none."""
    if version in KNOWN:
        path = folder() / KNOWN[version][0]
        if not path.is_file():
            return None
        check(path, version)
        return path
    found = sorted(folder().glob(f"{BOARD}-*-v{version}.uf2"))
    return found[-1] if found else None


def check(path, version):
    """LodeboardError unless the file is the known image of the version, or a whole UF2 for the RP2040."""
    uf2.read(path)
    if version in KNOWN:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest != KNOWN[version][1]:
            raise LodeboardError(
                f"{path} is not MicroPython {version}: its SHA-256 begins {digest[:12]}, "
                f"not {KNOWN[version][1][:12]}.",
                "Remove it, then run: lodeboard firmware get",
            )


def get(version=PINNED, progress=None, opener=urllib.request.urlopen):
    """Download an image into the cache, unless it is there, and check it; its path.

    progress(done, total): bytes. opener: as urllib's urlopen.
    """
    path = cached(version)
    if path is not None:
        return path
    name = KNOWN[version][0] if version in KNOWN else _name_of(version, opener)
    data = _fetch(SITE + name, version, opener, progress)
    target = folder() / name
    part = target.with_suffix(".part")
    try:
        folder().mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        check(part, version)
        part.replace(target)
    except OSError as error:
        what = f"{target} cannot be written: {error.strerror}."
        raise LodeboardError(what, "Make room, or mend the rights.") from None
    finally:
        part.unlink(missing_ok=True)
    return target


def _name_of(version, opener):
    """File name of a version that we have no checksum of, from the list of downloads."""
    if not re.fullmatch(r"\d+\.\d+(\.\d+)?", version):
        raise LodeboardError(f"{version!r} is no version of MicroPython.", "Give one such as 1.23.0.")
    page = _fetch(INDEX, version, opener).decode("utf-8", "replace")
    names = re.findall(rf"{BOARD}-\d{{8}}-v{re.escape(version)}\.uf2", page)
    if not names:
        raise LodeboardError(f"There is no image of MicroPython {version} for the Pico.", f"Look at {INDEX}", 1)
    return names[0]


def _fetch(url, version, opener, progress=None):
    data = bytearray()
    try:
        with opener(url, timeout=TIMEOUT_S) as answer:
            total = int(answer.headers.get("Content-Length") or 0)
            while chunk := answer.read(65536):
                data += chunk
                if progress:
                    progress(len(data), total)
    except (OSError, urllib.error.URLError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise LodeboardError(f"{url} cannot be reached: {reason}.", by_hand(version), 1) from None
    return bytes(data)
