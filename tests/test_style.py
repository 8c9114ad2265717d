"""The linter's and the type checker's word; `make lint` runs this file alone."""

import importlib.metadata
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
STUBS = ("micropython-rp2-rpi-pico-stubs", "micropython-stdlib-stubs")
MODULES = ("machine.pyi", "micropython.pyi", "rp2", "vfs.pyi", "_mpy_shed")


def run(*command, **environment):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_finds_nothing():
    run("ruff", "check", "--no-cache", ".")


def test_types_agree_with_the_stubs_of_the_chip(tmp_path):
    """mypy wants stub packages outside site-packages: they get a folder of links."""
    for name in STUBS:
        for file in importlib.metadata.files(name):
            top = file.parts[0]
            if top in MODULES and not (tmp_path / top).exists():
                (tmp_path / top).symlink_to(file.locate().parents[len(file.parts) - 1] / top)
    assert (tmp_path / "machine.pyi").exists()
    run("mypy", "--cache-dir", str(tmp_path / "cache"), MYPYPATH=str(tmp_path))
