"""Numbers that modules name in capitals: a chip keeps every name that it has once read, and two entries for each
module that uses it, for ever. So trim.py writes the numbers where they are used, across modules.

    numbers = of({"firmware/squares.py": text, ...})     {"firmware.squares": {"SCANS": 3, ...}, ...}
    tree = Folder("firmware.rest", numbers).fold(tree)   the module without those names

A number is what a module's own statement, or an import, of its top level gives a name once and for all: `A = 3`,
`B = 2 * A`, `C, D = 1, 2`, `E, F = range(2)`.
"""

import ast
import functools
import re

CAPITALS = re.compile("_?[A-Z][A-Z0-9_]*$")


def module_of(path):
    """The dotted name of a module's path."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def of(sources):
    """{module: {name: number}} of all sources, {path: text}. Private names stay with their module."""
    return _of(tuple(sorted(sources.items())))


@functools.cache
def _of(sources):
    trees = {module_of(path): (path, ast.parse(text)) for path, text in sources}
    numbers = {}

    def find(module):
        if module not in numbers and module in trees:
            numbers[module] = {}  # where modules import each other the first sees nothing of the second
            path, tree = trees[module]
            folder = Folder(path, None, find)
            folder.fold(tree)
            numbers[module] = {name: value for name, value in folder.known.items() if name[0] != "_"}
        return numbers.get(module, {})

    for module in trees:
        find(module)
    return numbers


class Folder(ast.NodeTransformer):
    """Folds one module. path: None folds what is private alone. numbers: as of() gives, or find(module)."""

    def __init__(self, path, numbers=None, find=None):
        self.known = {}  # name: number; those that it imported too, for who imports them from here
        self._path = path
        self._find = find or (lambda module: (numbers or {}).get(module, {}))
        self._modules = {}  # name: {name: number} of a module that is imported by it
        self._taken = []

    def fold(self, tree):
        """The tree without the statements that only name numbers, and with numbers where names were."""
        self._taken = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]
        self._taken += [n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)]
        tree.body = [statement for statement in map(self._statement, tree.body) if statement is not None]
        return tree

    def _statement(self, statement):
        statement = self.visit(statement)
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            found = self._named(statement.targets[0], statement.value)
            if found:
                self.known.update(found)
                return None
        return statement

    def _named(self, target, value):
        """{name: number} of an assignment that does nothing else."""
        if isinstance(target, ast.Name):
            targets, values = [target], [_number(value)]
        elif isinstance(target, ast.Tuple):
            targets, values = target.elts, _numbers(value)
        else:
            return {}
        if len(targets) != len(values) or None in values:
            return {}
        found = {}
        for name, number in zip(targets, values, strict=True):
            if not isinstance(name, ast.Name) or not self._is_number(name.id):
                return {}
            found[name.id] = number
        return found

    def _is_number(self, name):
        if self._path is None and name[0] != "_":
            return False
        return bool(CAPITALS.match(name)) and self._taken.count(name) == 1

    def visit_ImportFrom(self, node):
        """An import without the numbers in it; a module that is imported is known by its name."""
        if self._path is None:
            return node
        base = node.module or ""
        if node.level:
            package = module_of(self._path).split(".")
            package = package[: len(package) - node.level + self._path.endswith("/__init__.py")]
            base = ".".join(package + ([base] if base else []))
        numbers = self._find(base)
        kept = []
        for alias in node.names:
            name = alias.asname or alias.name
            if alias.name in numbers and name not in self._taken:
                self.known[name] = numbers[alias.name]
            else:
                kept.append(alias)
                if name not in self._taken:
                    self._modules[name] = self._find(f"{base}.{alias.name}")
        node.names = kept
        return node if kept else None

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id in self.known:
            return ast.Constant(self.known[node.id])
        return node

    def visit_Attribute(self, node):
        if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            number = self._modules.get(node.value.id, {}).get(node.attr)
            if number is not None:
                return ast.Constant(number)
        return self.generic_visit(node)


def _number(expression):
    """The int or float that an expression of numbers gives, or None."""
    for node in ast.walk(expression):
        number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
        if not number and not isinstance(node, ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop):
            return None
    return eval(compile(ast.fix_missing_locations(ast.Expression(expression)), "constant", "eval"), {})


def _numbers(expression):
    """The numbers of a tuple of them or of a range."""
    if isinstance(expression, ast.Tuple):
        return [_number(element) for element in expression.elts]
    if isinstance(expression, ast.Call) and getattr(expression.func, "id", "") == "range":
        bounds = [_number(argument) for argument in expression.args]
        return [] if None in bounds else list(range(*bounds))
    return []
