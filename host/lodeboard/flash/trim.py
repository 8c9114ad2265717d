"""Source trimmed for the chip: without docstrings, annotations, asserts and what is marked host-only.

A statement below a line `# host only` is left out; a file that begins with this line is left out whole.
Inside functions for viper the annotations stay: there they are the types. A module's own numbers, such as
`_SIZE = 4 * 25`, are written where they are used: a chip keeps a name for ever that it has read once.
"""

import ast
import re

MARK = "# host only"
COMPILED = ("viper", "native")
PRIVATE = re.compile("_[A-Z][A-Z0-9_]*$")


def is_host_only(source):
    """True when a whole file stays on the laptop."""
    return source.split("\n", 1)[0].strip() == MARK


def trim(source):
    """Equal code as text, as short as it gets without renaming anything."""
    lines = source.splitlines()
    tree = _folded(_Trimmer(lines).visit(ast.parse(source)))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _folded(tree):
    """The module with its private constants in place of their names."""
    stored = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)]
    stored += [argument.arg for argument in ast.walk(tree) if isinstance(argument, ast.arg)]
    folder = _Folder()
    kept = []
    for statement in tree.body:
        statement = folder.visit(statement)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(target, ast.Name) and PRIVATE.match(target.id) and stored.count(target.id) == 1:
            number = _number(statement.value)
            if number is not None:
                folder.numbers[target.id] = number
                continue
        kept.append(statement)
    tree.body = kept
    return tree


def _number(expression):
    """The int or float that an expression of numbers gives, or None."""
    for node in ast.walk(expression):
        number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
        if not number and not isinstance(node, ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop):
            return None
    return eval(compile(ast.fix_missing_locations(ast.Expression(expression)), "constant", "eval"), {})


class _Folder(ast.NodeTransformer):
    """Puts known numbers in the place of names. numbers: {name: number}."""

    def __init__(self):
        self.numbers = {}

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and node.id in self.numbers:
            return ast.Constant(self.numbers[node.id])
        return node


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
