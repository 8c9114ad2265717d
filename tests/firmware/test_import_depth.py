"""A chip has 8 KiB of stack, and a game is loaded far down in calls: how many imports lie within one another."""

import ast
from pathlib import Path

import pytest
from lodeboard.firmware import referee

import shared_rules

LOADED = {"base", "continuity", "game"}  # by the game before, or at the start
HOST_ONLY = "cover_plain", "castellers_twin"  # a chip takes the kernel


def needs(package, name):
    """Modules of the package that a module imports as it is loaded."""
    tree = ast.parse((Path(package.__file__).parent / f"{name}.py").read_text())
    blocks = [tree, *[node for node in tree.body if isinstance(node, (ast.If, ast.Try))]]
    found = []
    for node in (node for block in blocks for node in [*block.body, *getattr(block, "orelse", ())]):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            found += [node.module] if node.module else [alias.name for alias in node.names]
    there = {path.stem for path in Path(package.__file__).parent.glob("*.py")}
    return [part for part in found if part in there and part not in HOST_ONLY]


def depth(package, name, loaded):
    """Imports within one another; loads."""
    if name in loaded:
        return 0
    loaded.add(name)
    return 1 + max([depth(package, part, loaded) for part in needs(package, name)], default=0)


@pytest.mark.parametrize("game", shared_rules.GAMES)
def test_a_referee_is_two_imports_deep_and_rules_three(game):
    loaded = set(LOADED)
    assert max(depth(referee, name, loaded) for name in (*referee.FIRST.get(game, ()), game)) <= 2
    assert depth(shared_rules, game, set(LOADED)) <= 3
