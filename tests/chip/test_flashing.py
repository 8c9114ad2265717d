"""`lodeboard flash` on the emulated chip over its port, as on a real board. Minutes: run by `make test-chip`."""

import json
import random

import pytest
from lodeboard import boards, ports
from lodeboard.errors import LodeboardError
from lodeboard.firmware import main as chooser
from lodeboard.flash import build, install
from lodeboard.sim.emulated import image as file_system
from lodeboard.sim.emulated.board import EmulatedBoard, flash_image
from lodeboard.sim.emulated.chip import FLASH_BYTES, FS_START

from .live import LiveBoard

pytestmark = pytest.mark.slow


@pytest.fixture
def flash(monkeypatch):
    """A function: flash a live board with a build; what install() gives."""

    def flash(live, built, **options):
        with ports.announced(url=live.url, pty=None, board="lode8", engine="rp2040"):
            monkeypatch.setattr(build, "build", lambda: built)
            return install.install(port=live.url, **options)

    return flash


def with_change(built, name, source, new_hash="changed"):
    """The build with one module of other source."""
    files = dict(built.files)
    files[name] = build.compile_source(source, name[:-4] + ".py")
    manifest = json.loads(files["manifest.json"])
    manifest["hash"] = new_hash
    manifest["files"][name] = [build.hashlib.sha256(files[name]).hexdigest(), len(files[name])]
    files["manifest.json"] = json.dumps(manifest, separators=(",", ":")).encode()
    return build.Built(files, built.sizes, built.main, manifest)


def test_a_new_pico_an_update_and_an_update_that_fails(board_of, built, flash):
    board = board_of("lode8", blank=True)
    with LiveBoard(board) as live:
        outcome = flash(live, built, board="lode8")
        assert outcome["hello"]["hash"] == built.hash and outcome["slot"] == "a"
        changed = with_change(built, "firmware/hal/font.mpy", build.sources()["firmware/hal/font.py"] + "X = 1\n")
        busy_us = board.chip.busy_us
        outcome = flash(live, changed)
        assert outcome["hello"]["hash"] == "changed" and outcome["slot"] == "b"
        assert outcome["sent_bytes"] == len(changed.files["firmware/hal/font.mpy"])
        assert board.chip.busy_us - busy_us < 10_000_000  # all of it, start and first turns included
        broken = with_change(built, "firmware/wire.mpy", "raise ValueError('no such wire')\n", "broken")
        with pytest.raises(LodeboardError) as refused:
            flash(live, broken)
    assert "runs changed as before" in refused.value.what and "no such wire" in refused.value.what
    assert "did not stay up in 3 starts" in refused.value.what
    files = file_system.read(board.chip.flash)
    assert files["/slot"] == b"b" and any(path.startswith("/journal/") for path in files)


def test_somebody_elses_pico_is_left_alone_until_it_is_to_be_erased(image, built, flash):
    config = boards.firmware_config(boards.load("lode8"))
    theirs = {"/main.py": b"print('hello')\n", "/data/log.txt": b"1 2 3\n", "/lib.py": b""}
    memory = bytearray(flash_image(config, None, image, blank=True))
    memory[FS_START:FLASH_BYTES] = file_system.make(theirs)
    board = EmulatedBoard(config, bytes(memory))
    with LiveBoard(board) as live:
        with pytest.raises(LodeboardError) as refused:
            flash(live, built, board="lode8")
        assert refused.value.code == 2 and "/main.py" in refused.value.what and "--erase" in refused.value.do
        assert file_system.read(board.chip.flash) == theirs
        outcome = flash(live, built, board="lode8", erase=True)
    assert outcome["hello"]["hash"] == built.hash
    files = file_system.read(board.chip.flash)
    assert files["/main.py"] == built.main and not {"/data/log.txt", "/lib.py"} & set(files)


def test_the_power_goes_in_the_middle_of_writes(board_of, built, flash, tmp_path):
    """A sample of the flash chip's own writes: afterwards the board starts the old or the new firmware, whole."""
    changed = with_change(built, "firmware/hal/font.mpy", build.sources()["firmware/hal/font.py"] + "X = 1\n")
    chosen = random.Random(3)
    for number in sorted(chosen.sample(range(1, 120), 4)):
        board = board_of("lode8")
        board.chip.run_until(lambda c=board.chip: b'"hello"' in c.pending(), 4000)
        with LiveBoard(board) as live:
            board.fault(f"cut:{number}")
            with pytest.raises(LodeboardError):
                flash(live, changed)
            with live.lock:
                board.fault("power")
                board.flash.cut_at(None)
                up = board.chip.run_until(lambda c=board.chip: b'"hello"' in c.pending(), 6000)
        assert up, f"no start after a cut in write {number}"
        root = tmp_path / str(number)
        for path, data in file_system.read(board.chip.flash).items():
            target = root / path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        slot, _ = chooser.choose(str(root), True)
        manifest = json.loads((root / "slots" / slot / "manifest.json").read_text())
        for name, (digest, _) in manifest["files"].items():
            assert build.hashlib.sha256((root / "slots" / slot / name).read_bytes()).hexdigest() == digest


def test_mpremote_works_on_a_running_board(board_of):
    import subprocess
    import sys

    board = board_of("lode8")
    assert board.chip.run_until(lambda: b'"hello"' in board.chip.pending(), 4000)
    with LiveBoard(board) as live:
        done = subprocess.run(
            [sys.executable, "-m", "mpremote", "connect", live.url, "fs", "ls"],
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip
    assert done.returncode == 0 and "config.json" in done.stdout and "slots/" in done.stdout, done.stderr


def test_config_names_the_board(board_of):
    files = file_system.read(board_of("lode16").chip.flash)
    config = json.loads(files["/config.json"])
    assert config == json.loads(json.dumps(boards.firmware_config(boards.load("lode16"))))
