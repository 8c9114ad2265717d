"""Smart Game Format as a tree: parsing files from outside, with the line of whatever is broken.

    for root in parse(text): root.properties["GM"]

Format: https://www.red-bean.com/sgf/ (FF 4), and Pentobi's page on its own files. Nesting is kept on a list,
so a file of any depth is read.
"""

import codecs
import re

from .errors import LodeboardError

MEND = "Open it in the program that wrote it and save it again."
IDENTIFIER = re.compile(r"[A-Za-z0-9]+")
BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip


class Node:
    """properties: {identifier: [values]} in the file's order; children: nodes, the main line first; line."""

    def __init__(self, line):
        self.properties = {}
        self.children = []
        self.line = line


def decode(data, name):
    """(text, note) of a file's bytes; note says which encoding had to be guessed, or is None.

    The encoding is the byte order mark's, else that of CA, else UTF-8, else ISO-8859-1, which SGF once meant.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _decoded(data, encoding, name), None
    stated = re.search(rb"CA\s*\[([^\]]*)\]", data[:4096])
    if stated:
        encoding = stated.group(1).decode("ascii", "replace").strip()
        try:
            codecs.lookup(encoding)
        except (LookupError, ValueError):
            raise LodeboardError(f"{name}: the encoding {encoding[:30]!a} is unknown.", MEND) from None
        return _decoded(data, encoding, name), None
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        return data.decode("iso-8859-1"), "the file is not UTF-8 and names no encoding: read as ISO-8859-1"


def _decoded(data, encoding, name):
    try:
        text = data.decode(encoding)
    except (UnicodeError, LookupError):
        raise LodeboardError(f"{name}: the text is not in its encoding, {encoding}.", MEND) from None
    if not isinstance(text, str):
        raise LodeboardError(f"{name}: {encoding} is no encoding of text.", MEND)
    return text


def parse(text, name):
    """Root nodes of all game trees of a file. LodeboardError names the line of what is broken."""
    return _Parser(text, name).trees()


class _Parser:
    def __init__(self, text, name):
        self.text = text
        self.name = name
        self.at = 0
        self._counted = (0, 1)  # up to where lines were counted, and the line there

    def trees(self):
        roots, open_trees, node = [], [], None
        while True:
            self._skip_space()
            if self.at == len(self.text):
                break
            char = self.text[self.at]
            line = self._line()
            self.at += 1
            if char == "(":
                if node is None and open_trees:
                    self._broken("a variation before the first node of its game", line)
                open_trees.append((node, line))
                self._skip_space()
                if self.text[self.at : self.at + 1] != ";":
                    self._broken("a parenthesis without a node behind it", line)
            elif char == ")":
                if not open_trees:
                    self._broken("a closing parenthesis too many", line)
                node = open_trees.pop()[0]
            elif char == ";" and open_trees:
                child = Node(line)
                (roots if node is None else node.children).append(child)
                node = child
                self._properties(node)
            else:
                self._broken(f"{char!a} where a game, a node or its end was expected", line)
        if open_trees:
            self._broken("a parenthesis that is never closed", open_trees[-1][1])
        if not roots:
            raise LodeboardError(f"{self.name}: there is no game in it.", "Name a file that holds a game.")
        return roots

    def _properties(self, node):
        while True:
            self._skip_space()
            match = IDENTIFIER.match(self.text, self.at)
            if not match:
                return
            line = self._line()
            self.at = match.end()
            key = match.group().upper()
            values = node.properties.setdefault(key, [])
            self._skip_space()
            if self.text[self.at : self.at + 1] != "[":
                self._broken(f"the property {key[:20]} has no value", line)
            while self.text[self.at : self.at + 1] == "[":
                values.append(self._value(line))
                self._skip_space()

    def _value(self, line):
        value = []
        self.at += 1
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == "]":
                return "".join(value)
            if char == "\\":
                char = self.text[self.at : self.at + 1]
                self.at += 1
            value.append(char)
        self._broken("a value that is never closed", line)

    def _skip_space(self):
        while self.at < len(self.text) and (self.text[self.at].isspace() or self.text[self.at] == "\0"):
            self.at += 1

    def _line(self):
        at, line = self._counted
        line += self.text.count("\n", at, self.at)
        self._counted = (self.at, line)
        return line

    def _broken(self, what, line):
        raise LodeboardError(f"{self.name}, line {line}: {what}.", MEND)
