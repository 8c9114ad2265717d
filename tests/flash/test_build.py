"""Trimming and compiling; the trimmed rules play as the whole ones."""

import ast
import json
import subprocess
from pathlib import Path

import pytest
from lodeboard import micropython
from lodeboard.errors import LodeboardError
from lodeboard.flash import build, constants, trim

ROOT = Path(__file__).resolve().parents[2]

SOURCE = '''"""Module."""

import micropython


class Squares:
    """Class."""

    size: int = 4
    name: str

    def find(self, at: int, *rest: int, deep: bool = False) -> int:
        """Text."""
        assert at >= 0, "a bug"
        found: int = at
        return found

    # host only
    @property
    def picture(self):
        return "x"

    def empty(self):
        """Only text."""


@micropython.viper
def total(numbers: ptr16, n: int) -> int:
    """Text."""
    s: int = 0
    return s


# host only
def draw():
    pass


if True:
    assert SIZE
'''


def test_trimming_leaves_the_code():
    short = trim.trim(SOURCE)
    for gone in ("Module", "Class", "Text", "a bug", "picture", "draw", "name", "deep: bool", "-> bool"):
        assert gone not in short
    assert "def find(self, at, *rest, deep=False):" in short
    assert "size = 4" in short and "found = at" in short
    assert "def empty(self):\n        pass" in short
    assert "if True:\n    pass" in short


def test_viper_keeps_its_types():
    short = trim.trim(SOURCE)
    assert "def total(numbers: ptr16, n: int) -> int:" in short and "s: int = 0" in short


def test_a_file_may_stay_on_the_laptop():
    assert trim.is_host_only("# host only\nimport re\n") and not trim.is_host_only(SOURCE)


@pytest.fixture(scope="module")
def built():
    return build.build()


def test_a_build_is_the_same_again(built):
    again = build.build()
    assert again.files == built.files and again.main == built.main


def test_the_manifest_names_every_file(built):
    manifest = json.loads(built.files["manifest.json"])
    assert set(manifest["files"]) == set(built.files) - {"manifest.json"}
    assert len(manifest["hash"]) == 12 and manifest["mpy"] == 6
    for name in ("firmware/start.mpy", "firmware/hal/pico.mpy", "shared_rules/tau.mpy"):
        assert name in manifest["files"]
    assert not any("hal/sim" in name or name.endswith("main.mpy") for name in built.files)
    # firmware/start.py reads the beginning up to here from the first 256 bytes
    assert 0 < built.files["manifest.json"].index(b',"main"') < 200


def test_what_does_not_compile_is_told():
    with pytest.raises(LodeboardError, match="firmware/bad.py does not compile"):
        build.compile_source("def f(:\n", "firmware/bad.py")


def test_trimmed_rules_replay_the_same_records(tmp_path):
    for path, text in build.sources().items():
        if path.startswith("shared_rules/") and not trim.is_host_only(text):
            target = tmp_path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(trim.trim(text))
    (tmp_path / "replay.py").write_text((ROOT / "host/lodeboard/replay.py").read_text())
    records = b"".join(path.read_bytes() for path in sorted((ROOT / "tests/records").glob("*.jsonl")))
    chosen = b"".join(records.splitlines(keepends=True)[::4])  # a fourth of them: it takes a second
    done = subprocess.run(
        [*micropython.command(), "replay.py"], cwd=tmp_path, input=chosen, capture_output=True, timeout=120
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == chosen.count(b"\n") and done.returncode == 0, done.stderr[-500:]
    assert all(set(answer) == {"plies"} for answer in answers), answers


def test_a_modules_own_numbers_are_written_where_they_are_used():
    text = trim.trim("_ONE = 128\n_MOST = 3 * _ONE\n_LIST = [1]\nSEEN = 5\n_TWICE = 1\n_TWICE = 2\n"
                     "def f(x):\n    return x + _MOST + SEEN + _TWICE + _LIST[0]\n")  # fmt: skip
    assert "_ONE" not in text and "_MOST" not in text and "x + 384 + SEEN + _TWICE + _LIST[0]" in text
    known = {}
    exec(text, known)
    assert known["f"](1) == 1 + 384 + 5 + 2 + 1


SOURCES = {
    "firmware/sensors.py": "SCANS = 3\nON, OFF = 10, 7\nNAMES = ('a',)\nRATE = 2\nRATE = 3\n_OWN = 8\n",
    "firmware/roles.py": "RED, GREEN = range(2)\nTUNE = (1, 2)\n",
    "firmware/game/base.py": "from ..sensors import SCANS\nWAIT = 4 * SCANS\n",
    "firmware/game/tau.py": (
        "from .. import roles as li\nfrom ..sensors import NAMES, ON, RATE, SCANS\nfrom .base import WAIT\n"
        "def f(OFF):\n    from ..sensors import OFF as off\n"
        "    return SCANS, ON, NAMES, RATE, WAIT, li.GREEN, li.TUNE, OFF, off\n"
    ),
}


def test_numbers_of_other_modules_are_written_where_they_are_used():
    numbers = constants.of(SOURCES)
    assert numbers["firmware.sensors"] == {"SCANS": 3, "ON": 10, "OFF": 7}  # what is set twice keeps its name
    assert numbers["firmware.game.base"] == {"SCANS": 3, "WAIT": 12}
    assert numbers["firmware.roles"] == {"RED": 0, "GREEN": 1}
    text = trim.trim(SOURCES["firmware/game/tau.py"], "firmware/game/tau.py", numbers)
    assert "return (3, 10, NAMES, RATE, 12, 1, li.TUNE, OFF, 7)" in text
    assert "from ..sensors import NAMES, RATE\n" in text and "base" not in text and "import roles as li" in text
    assert trim.trim(SOURCES["firmware/sensors.py"], "firmware/sensors.py", numbers) == (
        "NAMES = ('a',)\nRATE = 2\nRATE = 3\n"
    )


def test_no_module_of_the_firmware_misses_a_number():
    """Every name that a trimmed module takes from another one is there after trimming."""
    sources = build.sources()
    numbers = constants.of(sources)
    kept = {}
    for path, text in sources.items():
        tree = ast.parse(trim.trim(text, path, numbers))
        names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        names += [alias.asname or alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
                  for alias in node.names]  # fmt: skip
        names += [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        kept[constants.module_of(path)] = set(names)
    taken = 0
    for path, text in sources.items():
        tree = ast.parse(trim.trim(text, path, numbers))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.level:
                package = constants.module_of(path).split(".")
                package = package[: len(package) - node.level + path.endswith("/__init__.py")]
                for alias in node.names:
                    module = ".".join([*package, node.module])
                    taken += 1
                    assert alias.name in kept[module] or f"{module}.{alias.name}" in kept, (path, alias.name)
    assert taken > 100
