"""Drives of Picos in BOOTSEL on Windows."""

from pathlib import Path

INFO = "INFO_UF2.TXT"
REMOVABLE = 2  # GetDriveTypeW


def letters():
    """Roots of the removable drives, "E:\\\\" and so on."""
    import ctypes

    kernel = ctypes.windll.kernel32
    bits = kernel.GetLogicalDrives()
    roots = [f"{chr(65 + n)}:\\" for n in range(26) if bits >> n & 1]
    return [root for root in roots if kernel.GetDriveTypeW(root) == REMOVABLE]


def drives():
    """Folders of the removable drives that have an INFO_UF2.TXT."""
    found = []
    for root in letters():
        try:
            if (Path(root) / INFO).is_file():
                found.append(Path(root))
        except OSError:  # a card reader without a card
            continue
    return found
