"""What each module takes of the chip's heap, and what is left while the largest games are played."""

import ast
import json

from .. import boards
from ..flash import build, cache
from ..sim.emulated.board import EmulatedBoard, flash_image
from .console import SLOT, Console

_IMPORTS = SLOT + """
import gc, json
slot.settle()
out = {}
for name in %r:
    before = gc.mem_alloc()
    try:
        __import__(name)
        slot.settle()
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
    """The modules, each after those that it imports itself: so each is charged with its own."""
    texts = {path[:-3].replace("/", ".").replace(".__init__", ""): text for path, text in build.sources().items()}
    done = []

    def visit(name):
        if name in done or name not in names:
            return
        done.append(name)
        at = len(done) - 1
        for needed in _imports(name, texts[name]):
            visit(needed)
        done.append(done.pop(at))

    for name in names:
        visit(name)
    return done


def _imports(name, text):
    """Full names of what a module's text imports at its top, packages before their modules."""
    package = name.split(".")
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.Try):
            nodes = node.body
        else:
            nodes = [node]
        for inner in nodes:
            if isinstance(inner, ast.ImportFrom):
                base = package[: len(package) - inner.level] if inner.level else []
                module = ".".join([*base, *filter(None, [inner.module])])
                found += [module, *(f"{module}.{alias.name}" for alias in inner.names)]
            elif isinstance(inner, ast.Import):
                found += [alias.name for alias in inner.names]
    return found
