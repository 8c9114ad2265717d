"""Short names for what only one class or one function knows: a chip keeps every name that it has once read, for
ever, and where they are more than 1270 it takes 8 KiB at once for the next ones.

    short = of({"firmware/squares.py": text, ...})
    tree = short.shorten(tree, "firmware/squares.py")

Two kinds are shortened, and each only where no other use of the name is found in all sources. Private attributes
of `self` in a module whose classes neither inherit from another module's nor are inherited there: `_a`, `_b`; other
modules' get the same. Arguments that nobody gives by keyword: they get names that MicroPython has in its ROM.
Functions, classes and methods keep theirs, so tracebacks read as before.
"""

import ast
import collections
import functools
import itertools
import string

ROM = ("data", "size", "count", "value", "key", "name", "start", "stop", "step", "args", "mode", "file", "index",
       "keys", "items", "end", "format", "function", "iterator", "read", "write")  # fmt: skip


@functools.cache
def _of(sources):
    return Short({path: ast.parse(text) for path, text in sources})


def of(sources):
    """A Short of all sources, {path: text}."""
    return _of(tuple(sorted(sources.items())))


class Short:
    def __init__(self, trees):
        self._uses = collections.defaultdict(set)  # name: kinds of its uses; paths where it is an attribute of self
        for path, tree in trees.items():
            self._look(tree, path)
        mixed = _mixed(trees)
        self._attributes = {path: self._for(path) for path in trees if path not in mixed}
        self._arguments = {name for name, uses in self._uses.items() if uses == {"argument"}} - {*ROM, "self"}

    def _look(self, tree, path):
        uses = self._uses
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                uses[node.attr].add(path if getattr(node.value, "id", None) == "self" else "attribute")
            elif isinstance(node, ast.arg):
                uses[node.arg].add("argument")
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                uses[node.name].add("definition")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                uses[node.value].add("text")
            elif isinstance(node, ast.keyword) and node.arg:
                uses[node.arg].add("keyword")
            elif isinstance(node, ast.Global | ast.Nonlocal):
                for name in node.names:
                    uses[name].add("global")
            elif isinstance(node, ast.alias):
                for name in (*node.name.split("."), node.asname or ""):
                    uses[name].add("import")
        for name in _named_outside_functions(tree):
            uses[name].add("global")

    def _for(self, path):
        """{attribute: short name} of a module."""
        own = sorted(name for name, uses in self._uses.items() if uses == {path} and _is_private(name))
        letters = ("_" + "".join(some) for n in (1, 2) for some in itertools.product(string.ascii_lowercase, repeat=n))
        return dict(zip(own, (name for name in letters if name not in self._uses), strict=False))

    def shorten(self, tree, path):
        """The tree of one of the sources, trimmed or not, with short names."""
        attributes = self._attributes.get(path, {})
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                node.attr = attributes.get(node.attr, node.attr)
        for function in _outermost(tree):
            self._shorten_arguments(function)
        return tree

    def _shorten_arguments(self, function):
        known = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
        arguments = [node.arg for node in ast.walk(function) if isinstance(node, ast.arg)]
        known.update(arguments)
        free = [name for name in ROM if name not in known]
        long = [name for name in dict.fromkeys(arguments) if name in self._arguments]
        short = dict(zip(long, free, strict=False))
        for node in ast.walk(function):
            if isinstance(node, ast.Name):
                node.id = short.get(node.id, node.id)
            elif isinstance(node, ast.arg):
                node.arg = short.get(node.arg, node.arg)


def _is_private(name):
    return name.startswith("_") and not name.startswith("__")


def _mixed(trees):
    """Paths of modules that have a class from which another module's inherits, or one that inherits so."""
    homes = collections.defaultdict(set)
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].add(path)
    mixed = set()
    for path, tree in trees.items():
        for node in ast.walk(tree):
            for base in node.bases if isinstance(node, ast.ClassDef) else ():
                others = homes[base.attr if isinstance(base, ast.Attribute) else base.id] - {path}
                if others:
                    mixed |= others | {path}
    return mixed


def _named_outside_functions(node):
    """Names that a module's or a class's own statements assign."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.Name) and not isinstance(child.ctx, ast.Load):
            yield child.id
        yield from _named_outside_functions(child)


def _outermost(node):
    """Functions that lie in no other one; assembler's, whose arguments are registers, are left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            if not any("asm_" in ast.unparse(decorator) for decorator in child.decorator_list):
                yield child
        else:
            yield from _outermost(child)
