"""Short names change nothing but names, and only those that nobody else knows."""

import ast

from lodeboard.flash import build, names, trim

ONE = '''
LIMIT = 3

class One:
    kind = 1

    def __init__(self, height, width=2):
        self._height = height
        self._shared = width
        self.public = 0

    def area(self, factor):
        grown = [factor * height for height in range(self._height)]
        return sum(grown) + self._shared

    def told(self, other):
        return other._secret, self._secret
'''

TWO = '''
class Base:
    def __init__(self, colour):
        self._below = colour

class Two:
    def __init__(self, weight):
        self._weight = weight

    def ask(self, one, weight):
        return one._shared + getattr(one, "_named") + self._named + self._weight * weight
'''

THREE = '''
from .two import Base

class Three(Base):
    def tell(self, amount, by=1):
        self._above = amount
        return self._above + self._below

def make(colour, amount):
    return Three(colour).tell(amount, by=2)
'''

SOURCES = {"room/one.py": ONE, "room/two.py": TWO, "room/three.py": THREE}


def shortened(path):
    return ast.unparse(names.of(SOURCES).shorten(ast.parse(SOURCES[path]), path))


def test_a_private_attribute_of_one_class_and_an_argument_get_short_names():
    text = shortened("room/one.py")
    assert "self._height" not in text and "self._a = " in text
    assert "factor" not in text and "other" not in text
    assert all(name in text for name in ("area", "told", "public", "kind", "LIMIT"))


def test_what_others_read_keeps_its_name():
    one, two = shortened("room/one.py"), shortened("room/two.py")
    assert "self._shared" in one and "one._shared" not in one
    assert "_secret" in one  # of another object of the class
    assert "'_named'" in two and "self._named" in two


def test_what_is_inherited_across_modules_keeps_its_name():
    assert "self._below" in shortened("room/two.py") and "self._weight" in shortened("room/two.py")
    assert "self._above" in shortened("room/three.py")


def test_arguments_that_are_given_by_name_keep_theirs():
    assert "by=2" in shortened("room/three.py") and "by=1" in shortened("room/three.py")


def test_what_a_function_knows_already_is_no_new_name():
    source = "def f(first, data):\n    size = 2\n    return lambda second: first + data + size + second + len(count)\n"
    text = ast.unparse(names.of({"m.py": source}).shorten(ast.parse(source), "m.py"))
    scope = {"count": "abc"}
    exec(text, scope)
    assert scope["f"](1, 2)(3) == 11
    assert "first" not in text and "second" not in text and text.count("size") == 2


def test_the_sources_keep_public_names_and_methods():
    sources = build.sources()
    for path, text in trim.trim_all(sources).items():
        before, after = ast.parse(trim.trim(sources[path])), ast.parse(text)
        for kind in (ast.FunctionDef, ast.ClassDef):
            kept = [[node.name for node in ast.walk(tree) if isinstance(node, kind)] for tree in (before, after)]
            assert kept[0] == kept[1], path
        public = [
            {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr[0] != "_"}
            for tree in (before, after)
        ]
        assert public[1] <= public[0], path
