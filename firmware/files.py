"""A folder of files: what the journal and the calibration are kept in, on the chip's flash and on a laptop
alike.

    files = Files("journal")       makes the folder
    files.append("1.log", data)    files.write("a.json", data) replaces a file in one step: whole, or as it
    was files.read("1.log")            b"" when there is none

A file that is appended to stays open for the next time, for on the chip looking up its path takes 3 to 5 ms; what was
appended is in the flash when append() returns. OSError (full, not permitted) comes through.
"""

import os

_NEW = ".new"  # ending of a file that is being replaced


class Files:
    def __init__(self, root):
        self.root = root
        self._name = None  # of the file that is open
        self._file = None
        try:
            os.mkdir(root)
        except OSError:
            os.listdir(root)  # it is there, or this says why not

    def path(self, name):
        return self.root + "/" + name

    def names(self):
        """The files' names, sorted."""
        return sorted([name for name in os.listdir(self.root) if not name.endswith(_NEW)])

    def read(self, name):
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except OSError as error:
            if error.args and error.args[0] == 2:  # ENOENT
                return b""
            raise

    def append(self, name, data):
        if name != self._name:
            self.close()
            self._file = open(self.path(name), "ab")  # noqa: SIM115
            self._name = name
        try:
            self._file.write(data)
            self._file.flush()
        except OSError:
            self.close()
            raise

    def close(self):
        """Lets the file go that is open."""
        file, self._file, self._name = self._file, None, None
        if file is not None:
            try:
                file.close()
            except OSError:
                pass  # it was full: append() said so

    def write(self, name, data):
        with open(self.path(name) + _NEW, "wb") as file:
            file.write(data)
        os.rename(self.path(name) + _NEW, self.path(name))

    def remove(self, name):
        if name == self._name:
            self.close()
        os.remove(self.path(name))
