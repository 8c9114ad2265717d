"""Drives of Picos in BOOTSEL, played by folders."""

import errno
import os
import threading
import time
from types import SimpleNamespace

import pytest
from lodeboard.errors import LodeboardError
from lodeboard.flash import bootsel, bootsel_linux, bootsel_macos

INFO = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"


@pytest.fixture
def drive(tmp_path):
    folder = tmp_path / "RPI-RP2"
    folder.mkdir()
    (folder / "INFO_UF2.TXT").write_text(INFO)
    return folder


@pytest.fixture
def image(tmp_path):
    path = tmp_path / "RPI_PICO.uf2"
    path.write_bytes(os.urandom(300_000))
    return path


def refused(call, *arguments):
    with pytest.raises(LodeboardError) as error:
        call(*arguments)
    assert error.value.what.endswith(".") and error.value.do
    return error.value


def test_none_one_and_two_drives(monkeypatch, drive, tmp_path):
    monkeypatch.setattr(bootsel, "drives", lambda: [])
    error = refused(bootsel.find)
    assert error.code == 3 and "BOOTSEL" in error.do
    monkeypatch.setattr(bootsel, "drives", lambda: [drive])
    assert bootsel.find() == drive
    monkeypatch.setattr(bootsel, "drives", lambda: [drive, tmp_path / "other"])
    error = refused(bootsel.find)
    assert "2 drives" in error.what and f"--drive {drive}" in error.do


def test_a_given_folder_must_be_a_picos_drive(drive, tmp_path):
    assert bootsel.find(str(drive)) == drive
    assert "has no INFO_UF2.TXT" in refused(bootsel.find, str(tmp_path)).what
    (drive / "INFO_UF2.TXT").write_text(INFO.replace("RPI-RP2", "RP2350"))
    assert "RP2350" in refused(bootsel.find, str(drive)).what
    (drive / "INFO_UF2.TXT").write_bytes(b"\xff\x00 no such thing")
    assert "another chip" in refused(bootsel.find, str(drive)).what


def test_the_drive_goes_when_the_chip_has_all_of_it(drive, image):
    def chip():
        target = drive / image.name
        while not target.exists() or target.stat().st_size < image.stat().st_size:
            time.sleep(0.005)
        (drive / "INFO_UF2.TXT").unlink()

    thread = threading.Thread(target=chip)
    thread.start()
    seen = []
    bootsel.copy(image, drive, lambda done, total: seen.append((done, total)))
    thread.join()
    assert (drive / image.name).read_bytes() == image.read_bytes()
    assert seen[-1] == (300_000, 300_000) and len(seen) > 3


def test_a_drive_that_stays_is_told(monkeypatch, drive, image):
    monkeypatch.setattr(bootsel, "GONE_S", 0.2)
    assert "did not take" in refused(bootsel.copy, image, drive).what


class Failing:
    """A file of which so many bytes reach the drive."""

    def __init__(self, room, number):
        self.room, self.number = room, number

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def write(self, data):
        if self.room <= 0:
            raise OSError(self.number, os.strerror(self.number))
        taken = min(len(data), self.room)
        self.room -= taken
        return taken


@pytest.mark.parametrize(
    "number, code, words",
    [
        (errno.EIO, 3, "went away after"),
        (errno.ENODEV, 3, "went away after"),
        (errno.ENOSPC, 1, "no room"),
        (errno.EACCES, 2, "may not write"),
        (errno.EROFS, 2, "may not write"),
    ],
)
def test_a_copy_that_breaks_off(monkeypatch, drive, image, number, code, words):
    monkeypatch.setattr(bootsel, "open", lambda *a, **k: Failing(100_000, number), raising=False)
    error = refused(bootsel.copy, image, drive)
    assert words in error.what and error.code == code


def test_linux_reads_the_mounts(monkeypatch, tmp_path, drive):
    other = tmp_path / "USB STICK"
    other.mkdir()
    table = tmp_path / "mounts"
    quoted = str(other).replace(" ", "\\040")
    table.write_text(
        f"/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 {drive} vfat rw 0 0\n/dev/sdc1 {quoted} vfat rw 0 0\n"
    )
    monkeypatch.setattr(bootsel_linux, "MOUNTS", table)
    monkeypatch.setattr(bootsel_linux, "BY_LABEL", tmp_path / "none")
    assert bootsel_linux.drives() == [drive]
    (other / "INFO_UF2.TXT").write_text(INFO)
    assert bootsel_linux.drives() == [drive, other]


def test_linux_mounts_a_drive_that_is_not(monkeypatch, tmp_path):
    labels = tmp_path / "by-label"
    labels.mkdir()
    device = tmp_path / "sdb1"
    device.touch()
    (labels / "RPI-RP2").symlink_to(device)
    monkeypatch.setattr(bootsel_linux, "MOUNTS", tmp_path / "none")
    monkeypatch.setattr(bootsel_linux, "BY_LABEL", labels)
    assert bootsel_linux.unmounted(set()) == [device]
    assert bootsel_linux.unmounted({device}) == []

    def udisks(command, **options):
        return SimpleNamespace(returncode=0, stdout=f"Mounted {command[-1]} at /run/media/me/RPI-RP2\n")

    assert str(bootsel_linux.mount(device, udisks)) == "/run/media/me/RPI-RP2"

    def none(command, **options):
        raise FileNotFoundError

    error = refused(bootsel_linux.mount, device, none)
    assert "not mounted" in error.what and f"sudo mount -o uid=$(id -u) {device}" in error.do


def test_macos_looks_at_every_volume(monkeypatch, tmp_path, drive):
    (tmp_path / "Macintosh HD").mkdir()
    monkeypatch.setattr(bootsel_macos, "VOLUMES", tmp_path)
    assert bootsel_macos.drives() == [drive]
    monkeypatch.setattr(bootsel_macos, "VOLUMES", tmp_path / "none")
    assert bootsel_macos.drives() == []
