"""Source trimmed for the chip: without docstrings, annotations, asserts and what is marked host-only.

A statement below a line `# host only` is left out; a file that begins with this line is left out whole.
Inside functions for viper the annotations stay: there they are the types. Numbers such as `_SIZE = 4 * 25` are
written where they are used (constants.py), and what nobody else knows gets short names (names.py).
"""

import ast

from . import constants, names

MARK = "# host only"
COMPILED = ("viper", "native")


def is_host_only(source):
    """True when a whole file stays on the laptop."""
    return source.split("\n", 1)[0].strip() == MARK


def trim(source, path=None, numbers=None):
    """Equal code as text, as short as it gets without renaming anything.

    path, numbers: with the module's path ("firmware/rest.py") and what constants.of() found in all sources, also
    numbers that other modules name, or use, are written where they are used.
    """
    return _text(_trimmed(source, path, numbers))


def trim_all(sources):
    """{path: text} of sources that are loaded together, without those that are for the host only: trimmed, with short
    names.
    """
    numbers, short = constants.of(sources), names.of(sources)
    return {
        path: _text(short.shorten(_trimmed(source, path, numbers), path))
        for path, source in sources.items()
        if not is_host_only(source)
    }


def _trimmed(source, path, numbers):
    return constants.Folder(path, numbers).fold(_Trimmer(source.splitlines()).visit(ast.parse(source)))


def _text(tree):
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _is_viper(function):
    names = [d.attr if isinstance(d, ast.Attribute) else getattr(d, "id", "") for d in function.decorator_list]
    return any(name in COMPILED for name in names)


class _Trimmer(ast.NodeTransformer):
    def __init__(self, lines):
        self._lines = lines
        self._keep_types = False

    def _marked(self, node):
        first = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])
        return first >= 2 and self._lines[first - 2].strip() == MARK

    def _body(self, statements, may_be_empty=False):
        kept = []
        for statement in statements:
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if self._marked(statement) or isinstance(statement, ast.Assert):
                continue
            if is_text and isinstance(statement.value.value, str):
                continue
            visited = self.visit(statement)
            if visited is not None:
                kept.append(visited)
        return kept if kept or may_be_empty else [ast.Pass()]

    def generic_visit(self, node):
        for field, value in ast.iter_fields(node):
            if field in ("body", "orelse", "finalbody") and isinstance(value, list):
                setattr(node, field, self._body(value, field != "body" or isinstance(node, ast.Module)))
            elif isinstance(value, list):
                setattr(node, field, [self.visit(v) if isinstance(v, ast.AST) else v for v in value])
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node

    def visit_FunctionDef(self, node):
        outer, self._keep_types = self._keep_types, self._keep_types or _is_viper(node)
        if not self._keep_types:
            node.returns = None
            arguments = node.args
            every = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
            for argument in [*every, arguments.vararg, arguments.kwarg]:
                if argument is not None:
                    argument.annotation = None
        self.generic_visit(node)
        self._keep_types = outer
        return node

    def visit_AnnAssign(self, node):
        if self._keep_types:
            return self.generic_visit(node)
        if node.value is None:
            return None
        return ast.Assign(targets=[node.target], value=self.visit(node.value), lineno=node.lineno)
