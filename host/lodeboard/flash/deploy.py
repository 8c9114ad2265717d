"""Putting a build on a board: into the spare of two slots, verified, switched by one atomic write.

    report = deploy(device, built, config)         device: device.Device, or a folder in its place
    greet(port, built.hash)                        the board after its start: hello with the new hash

What may be cut at any byte: until the last rename the board starts what it started before. A slot counts only
with its manifest.json, which goes first when a slot is changed and comes last (firmware/main.py chooses).
"""

import hashlib
import json

from ..errors import LodeboardError
from ..firmware import main as chooser

SLOTS = ("a", "b")
MAIN = "/main.py"
CONFIG = "/config.json"
SLOT = "/slot"
STALE = ("/fails", "/fallback", "/crash")  # of the build before
OURS = (MAIN, CONFIG, SLOT, *STALE, "/calibration.json", "/boot_note")
OUR_FOLDERS = ("/slots/", "/journal/")
MARK = b"slots"  # in every main.py of ours, in nobody else's together with /slots/
MARGIN = 16  # blocks left free for the journal's next segments and the file system itself


class Report:
    """slot, hash, sent (bytes over the wire), copied, kept (files), removed (paths), changed: anything at all."""

    def __init__(self, slot, built):
        self.slot = slot
        self.hash = built.hash
        self.sent = self.copied = self.kept = 0
        self.steps = []  # (what, path), in the order in which they are done
        self.changed = False

    def as_json(self):
        return {
            "slot": self.slot, "hash": self.hash, "changed": self.changed, "sent_bytes": self.sent,
            "copied": self.copied, "kept": self.kept, "steps": [" ".join(step) for step in self.steps],
        }  # fmt: skip


def is_ours(path):
    return path.removesuffix(".new") in OURS or path.startswith(OUR_FOLDERS)


def strangers(files):
    """Paths of somebody else's files; main.py is ours where there are slots."""
    slots = any(path.startswith("/slots/") for path in files)
    found = [path for path in files if not is_ours(path)]
    if MAIN in files and not slots:
        found.append(MAIN)
    return sorted(found)


def digest(data):
    return hashlib.sha256(data).hexdigest()


def plan(files, built, config, active):
    """The Report of what a deployment has to do, nothing done yet.

    files: as Device.entries() gives them; active: slot in force, or None; config: dict, or None to keep it
    """
    target = SLOTS[1] if active == SLOTS[0] else SLOTS[0]
    report = Report(target, built)
    config_bytes = None if config is None else json.dumps(config, separators=(",", ":")).encode()
    same_config = config is None or files.get(CONFIG, (0, ""))[1] == digest(config_bytes)
    if active and same_config and _holds(files, active, built) and _same(files, MAIN, built.main):
        report.slot = active
        return report, config_bytes
    report.changed = True
    root = f"/slots/{target}/"
    if root + "manifest.json" in files:
        report.steps.append(("remove", root + "manifest.json"))
    wanted = {root + path: data for path, data in built.files.items() if path != "manifest.json"}
    for path in sorted(files):
        if path.startswith(root) and path not in wanted and path != root + "manifest.json":
            report.steps.append(("remove", path))
    send = []
    for path, data in sorted(wanted.items()):
        if _same(files, path, data):
            report.kept += 1
            continue
        twin = f"/slots/{active}/" + path[len(root) :]
        if active and _same(files, twin, data):
            report.steps.append(("copy", path))
            report.copied += 1
        else:
            send.append(("send", path))
            report.sent += len(data)
    report.steps.extend(send)
    report.steps.append(("send", root + "manifest.json"))
    if not same_config:
        report.steps.append(("replace", CONFIG))
    if not _same(files, MAIN, built.main):
        report.steps.append(("replace", MAIN))
    report.steps.extend(("remove", path) for path in STALE if path in files)
    report.steps.append(("switch", SLOT))
    return report, config_bytes


def _same(files, path, data):
    return path in files and files[path] == (len(data), digest(data))


def _holds(files, slot, built):
    root = f"/slots/{slot}/"
    mine = {path for path in files if path.startswith(root)}
    return mine == {root + path for path in built.files} and all(
        _same(files, root + path, data) for path, data in built.files.items()
    )


def active_slot(device, files):
    """The slot that the board starts, as firmware/main.py chooses it; None when it starts none."""
    named = device.read(SLOT).decode("utf-8", "replace").strip() if SLOT in files else "a"
    for slot in (named, "b" if named == "a" else "a"):
        if f"/slots/{slot}/manifest.json" in files:
            return slot
    return None


def deploy(device, built, config=None, erase=False, dry_run=False, progress=None):
    """Do it; the Report. progress(text, done, total): bytes to send.

    LodeboardError: somebody else's files (2), no room (1), a file that does not read back as written (3).
    """
    files, folders = device.entries()
    foreign = strangers(files)
    blocking = [path for path in foreign if path in (MAIN, "/boot.py")]
    if blocking and not erase:
        raise LodeboardError(
            f"This Pico holds somebody else's program ({', '.join(foreign[:4])}).",
            "Save what you need with `mpremote fs cp`, then give --erase, which removes all of it.",
        )
    active = active_slot(device, files)
    report, config_bytes = plan(files, built, config, active)
    if CONFIG not in files and config is None:
        raise LodeboardError("This board has no board file yet.", "Name the board: --board lode8.")
    if erase and foreign:
        report.changed = True
        report.steps = [("remove", path) for path in foreign] + report.steps
    if dry_run or not report.changed:
        return report
    _room(device, files, built, report)
    _do(device, built, config_bytes, files, folders, report, progress or (lambda text, done, total: None))
    return report


def _room(device, files, built, report):
    free, block = device.free()
    need = MARGIN
    for what, path in report.steps:
        if what in ("send", "copy"):
            need += 1 + len(built.files[path.split("/", 3)[3]]) // block
        elif what == "remove":
            need -= 1 + files[path][0] // block
    if need * block > free:
        raise LodeboardError(
            f"The board's flash is full: {need * block // 1024} KiB are needed, {free // 1024} KiB are free.",
            "Remove files of your own with `mpremote fs rm`, or give --erase.",
            1,
        )


def _do(device, built, config_bytes, files, folders, report, progress):
    total, done = report.sent or 1, 0
    root = f"/slots/{report.slot}/"
    other = SLOTS[0] if report.slot == SLOTS[1] else SLOTS[1]
    made = set(folders)

    def step(count):
        nonlocal done
        done += count
        progress("sending", min(done, total), total)

    copies = []
    for what, path in report.steps:
        if what != "copy" and copies:
            device.copy(copies)
            copies = []
        if what == "remove":
            device.remove(path)
        elif what == "replace":
            _replace(device, path, built.main if path == MAIN else config_bytes)
        elif what == "switch":
            _verify(device, built, report.slot)
            _replace(device, SLOT, report.slot.encode())
        else:
            _folders(device, path, made)
            if what == "copy":
                copies.append((f"/slots/{other}/" + path[len(root) :], path))
            elif path.endswith("manifest.json"):
                _replace(device, path, built.files["manifest.json"])
            else:
                device.write(path, built.files[path[len(root) :]], step)


def _folders(device, path, made):
    parts = path.split("/")[1:-1]
    for n in range(1, len(parts) + 1):
        folder = "/" + "/".join(parts[:n])
        if folder not in made:
            device.mkdir(folder)
            made.add(folder)


def _replace(device, path, data):
    """Write a small file in one step: whole, or as it was."""
    device.write(path + ".new", data)
    if device.digest(path + ".new") != digest(data):
        raise _unlike(path)
    device.rename(path + ".new", path)


def _unlike(path):
    return LodeboardError(
        f"{path} does not read back as it was written.",
        "The board keeps running what it had; try again, and replace the Pico if it happens again.",
        3,
    )


def _verify(device, built, slot):
    files, _ = device.entries()
    for path, data in built.files.items():
        if not _same(files, f"/slots/{slot}/{path}", data):
            raise _unlike(f"/slots/{slot}/{path}")


def choose(root):
    """The slot that a board would start whose files lie in a folder (tests ask this after a power cut)."""
    return chooser.choose(root, True)[0]
