"""What each module takes of the chip's heap, and what is left while the largest games are played."""

import json

from .. import boards
from ..flash import cache
from ..sim.emulated.board import EmulatedBoard, flash_image
from .console import Console

_IMPORTS = """
import sys, gc, json
sys.path.insert(0, '/slots/a')
out = {}
for name in %r:
    gc.collect()
    before = gc.mem_alloc()
    try:
        __import__(name)
        gc.collect()
        out[name] = gc.mem_alloc() - before
    except Exception as error:
        out[name] = str(error)
print(json.dumps(out))
"""


def console(built, board="lode20"):
    """The prompt of an emulated board with a build on it."""
    config = boards.firmware_config(boards.load(board))
    emulated = EmulatedBoard(config, flash_image(config, built, cache.find()))
    return Console(emulated.chip), emulated


def heap_of_modules(built):
    """{"firmware/table.py": bytes, ...}: what a module's import keeps, those that it imports before it."""
    names = [path[:-3].replace("/", ".").replace(".__init__", "") for path in built.sizes]
    prompt, _ = console(built)
    found = json.loads(prompt.run(_IMPORTS % _imports_first(names)))
    return {
        path: found[name]
        for path, name in zip(built.sizes, names, strict=True)
        if isinstance(found[name], int)
    }


def _imports_first(names):
    """Modules in an order in which most of a module's own imports come before it: leaves first."""
    leaves = ("shared_rules", "shared_rules.game", "firmware", "firmware.wire", "firmware.files", "firmware.hal",
              "firmware.hal.font", "firmware.kernels", "firmware.lights", "firmware.squares")  # fmt: skip
    last = ("firmware.table", "firmware.shell", "firmware.selftest", "firmware.start")
    middle = [name for name in names if name not in leaves and name not in last]
    return [name for name in leaves if name in names] + middle + [name for name in last if name in names]
