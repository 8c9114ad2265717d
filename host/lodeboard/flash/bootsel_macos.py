"""Drives of Picos in BOOTSEL on macOS."""

from pathlib import Path

VOLUMES = Path("/Volumes")
INFO = "INFO_UF2.TXT"


def drives():
    """Folders below /Volumes that have an INFO_UF2.TXT (a second drive is called "RPI-RP2 1")."""
    try:
        folders = sorted(VOLUMES.iterdir())
    except OSError:
        return []
    return [folder for folder in folders if (folder / INFO).is_file()]
