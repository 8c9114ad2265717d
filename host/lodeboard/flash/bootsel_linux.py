"""Drives of Picos in BOOTSEL on Linux, mounted or not."""

import re
import subprocess
from pathlib import Path

from ..errors import LodeboardError

MOUNTS = Path("/proc/self/mounts")
BY_LABEL = Path("/dev/disk/by-label")
LABEL = re.compile(r"(RPI-RP2|RP2350)")
INFO = "INFO_UF2.TXT"


def drives():
    """Folders where such drives are mounted; one that is not is mounted with udisks, as a file manager does."""
    found, devices = [], set()
    for device, folder in mounts():
        if LABEL.search(folder.name) or (folder.name and (folder / INFO).is_file()):
            found.append(folder)
            devices.add(device.resolve())
    for device in unmounted(devices):
        found.append(mount(device))
    return found


def mounts():
    """(device, folder) of each mounted FAT file system."""
    try:
        lines = MOUNTS.read_text().splitlines()
    except OSError:
        return []
    out = []
    for line in lines:
        device, folder, kind = line.split()[:3]
        if kind in ("vfat", "msdos", "fuseblk"):
            folder = re.sub(r"\\(\d{3})", lambda match: chr(int(match.group(1), 8)), folder)
            out.append((Path(device), Path(folder)))
    return out


def unmounted(mounted):
    """Devices with the drive's label that no folder shows."""
    try:
        links = sorted(BY_LABEL.iterdir())
    except OSError:
        return []
    return [link.resolve() for link in links if LABEL.match(link.name) and link.resolve() not in mounted]


def mount(device, run=subprocess.run):
    """Folder where udisks mounted a device. LodeboardError with the command to give where udisks cannot."""
    cure = f"Run: sudo mkdir -p /mnt/pico && sudo mount -o uid=$(id -u) {device} /mnt/pico"
    try:
        done = run(
            ["udisksctl", "mount", "--no-user-interaction", "-b", str(device)],
            capture_output=True, text=True, check=False, timeout=15,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        done = None
    match = re.search(r" at (/.*?)\.?$", done.stdout.strip()) if done and done.returncode == 0 else None
    if match is None:
        raise LodeboardError(
            f"The Pico's drive {device} is there but not mounted.", cure + ", then repeat.", 2
        )
    return Path(match.group(1))
