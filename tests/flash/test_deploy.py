"""Deployments into a folder, whole and cut off at every write."""

import hashlib
import json
import shutil

import pytest
from lodeboard.errors import LodeboardError
from lodeboard.firmware import main as chooser
from lodeboard.flash import deploy
from lodeboard.flash.build import Built

from .folder import FolderDevice, PowerCut

CONFIG = {"name": "lode8", "tiles": 4}


def built(number, main=b"# main\n", changed=()):
    """A small build; its number is in the files named in `changed`, or in all."""
    names = ["firmware/__init__.mpy", "firmware/table.mpy", "firmware/hal/pico.mpy", "shared_rules/tau.mpy"]
    names += [f"firmware/referee/game{n}.mpy" for n in range(4)]
    files = {}
    for name in names:
        version = number if not changed or name in changed else 0
        files[name] = (f"{name} {version} ".encode() * 300)[: 1000 + 700 * len(name)]
    listed = {name: [hashlib.sha256(data).hexdigest(), len(data)] for name, data in files.items()}
    manifest = {"version": "0", "git": "", "hash": f"hash{number}", "mpy": 6, "main": "", "files": listed}
    files["manifest.json"] = json.dumps(manifest).encode()
    return Built(files, {}, main, manifest)


def starts(root):
    """Hash of the build that a board with these files starts, all whole; None when it starts none."""
    slot, _ = chooser.choose(str(root), True)
    if slot is None or not (root / "main.py").exists():
        return None
    folder = root / "slots" / slot
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, (digest, size) in manifest["files"].items():
        data = (folder / name).read_bytes()
        assert len(data) == size and hashlib.sha256(data).hexdigest() == digest, name
    assert json.loads((root / "config.json").read_text()) == CONFIG
    return manifest["hash"]


@pytest.fixture
def board(tmp_path):
    root = tmp_path / "flash"
    root.mkdir()
    return root


def test_a_new_pico_gets_everything(board):
    device = FolderDevice(board)
    report = deploy.deploy(device, built(1), CONFIG)
    assert report.slot == "a" and report.changed and report.kept == 0
    assert starts(board) == "hash1"


def test_the_same_build_again_writes_nothing(board):
    deploy.deploy(FolderDevice(board), built(1), CONFIG)
    device = FolderDevice(board)
    report = deploy.deploy(device, built(1))
    assert not report.changed and device.writes == 0


def test_only_what_changed_is_sent(board):
    deploy.deploy(FolderDevice(board), built(0), CONFIG)
    deploy.deploy(FolderDevice(board), built(1, changed=["firmware/table.mpy"]), None)
    changed = ["firmware/table.mpy", "shared_rules/tau.mpy"]
    device = FolderDevice(board)
    report = deploy.deploy(device, built(2, changed=changed))
    # slot a holds build 0: table and tau are sent, the rest is there
    assert report.slot == "a" and report.kept == 6 and report.copied == 0
    assert [path for what, path in report.steps if what == "send"] == [
        "/slots/a/firmware/table.mpy", "/slots/a/shared_rules/tau.mpy", "/slots/a/manifest.json",
    ]  # fmt: skip
    assert starts(board) == "hash2"


def test_the_first_update_copies_on_the_board(board):
    deploy.deploy(FolderDevice(board), built(0), CONFIG)
    report = deploy.deploy(FolderDevice(board), built(1, changed=["firmware/table.mpy"]))
    assert report.slot == "b" and report.copied == 7
    assert starts(board) == "hash1"


def test_journal_calibration_and_strange_files_stay(board):
    deploy.deploy(FolderDevice(board), built(1), CONFIG)
    (board / "journal").mkdir()
    kept = {"journal/00000001.log": b"@{...}\n", "calibration.json": b"{}", "holiday.txt": b"mine"}
    for name, data in kept.items():
        (board / name).write_bytes(data)
    deploy.deploy(FolderDevice(board), built(2))
    deploy.deploy(FolderDevice(board), built(3))
    assert {name: (board / name).read_bytes() for name in kept} == kept


@pytest.mark.parametrize("name", ["main.py", "boot.py"])
def test_somebody_elses_program_needs_erase(board, name):
    (board / name).write_bytes(b"print('mine')")
    (board / "lib").mkdir()
    (board / "lib" / "mine.py").write_bytes(b"x = 1")
    with pytest.raises(LodeboardError) as refused:
        deploy.deploy(FolderDevice(board), built(1), CONFIG)
    assert name in refused.value.what and "--erase" in refused.value.do
    assert (board / name).read_bytes() == b"print('mine')"
    deploy.deploy(FolderDevice(board), built(1), CONFIG, erase=True)
    assert starts(board) == "hash1" and not (board / "lib" / "mine.py").exists()


def test_a_board_without_a_board_file_must_be_named(board):
    with pytest.raises(LodeboardError, match="--board"):
        deploy.deploy(FolderDevice(board), built(1))


def test_a_dry_run_writes_nothing(board):
    device = FolderDevice(board)
    report = deploy.deploy(device, built(1), CONFIG, dry_run=True)
    assert report.changed and device.writes == 0 and ("switch", "/slot") in report.steps


def test_a_full_flash_is_told_before_anything_is_written(board):
    device = FolderDevice(board, blocks=20)
    with pytest.raises(LodeboardError, match="full"):
        deploy.deploy(device, built(1), CONFIG)
    assert device.writes == 0


def test_a_file_that_reads_back_otherwise_is_not_switched_to(board):
    deploy.deploy(FolderDevice(board), built(1), CONFIG)

    class Forgetful(FolderDevice):
        def write(self, path, data, step=lambda count: None):
            spoilt = data[:-1] + b"\0" if path.endswith("table.mpy") else data
            super().write(path, spoilt, step)

    with pytest.raises(LodeboardError, match="does not read back"):
        deploy.deploy(Forgetful(board), built(2))
    assert starts(board) == "hash1"


@pytest.mark.parametrize("before", [None, 1, 2])
def test_the_power_may_go_at_every_write(board, tmp_path, before):
    """After a cut the board starts what it had or what it gets, whole; and the next deployment mends all."""
    for number in range(1, (before or 0) + 1):
        deploy.deploy(FolderDevice(board), built(number, main=b"# main %d\n" % number), CONFIG)
    new = built(9, main=b"# main 9\n")
    cut, outcomes = 0, set()
    while True:
        cut += 1
        trial = tmp_path / f"cut{cut}"
        shutil.copytree(board, trial)
        try:
            deploy.deploy(FolderDevice(trial, cut_at=cut), new, CONFIG)
            break
        except PowerCut:
            pass
        found = starts(trial)
        assert found in (f"hash{before}" if before else None, "hash9")
        outcomes.add(found)
        deploy.deploy(FolderDevice(trial), new, CONFIG)
        assert starts(trial) == "hash9"
    assert cut > 20 and outcomes == ({f"hash{before}"} if before else {None, "hash9"})
