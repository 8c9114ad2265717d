"""A folder of files: what the journal and the calibration are kept in, on the chip's flash and on a laptop
alike.

    files = Files("journal")       makes the folder
    files.append("1.log", data)    files.write("a.json", data) replaces a file in one step: whole, or as it
    was files.read("1.log")            b"" when there is none

A name may lie in a folder, "1/2.log", that comes with its first file and goes with its last; a folder's name has no
dot.

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
            os.stat(root)  # it is there, or this says why not

    def path(self, name):
        return self.root + "/" + name

    def names(self, folder):
        """Names in a folder, or with "" here, of files and folders, in no order; none when there is no such folder."""
        try:
            return [name for name in os.listdir(self.path(folder)) if not name.endswith(_NEW)]
        except OSError:
            return []

    def read(self, name):
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except OSError as error:
            if _is_missing(error):
                return b""
            raise

    def append(self, name, data):
        if name != self._name:
            self.close()
            self._file = self._opened(self.path(name))
            self._name = name
        try:
            self._file.write(data)
            self._file.flush()
        except OSError:
            self.close()
            raise

    def _opened(self, path):
        try:
            return open(path, "ab")
        except OSError as error:
            if not _is_missing(error):
                raise
        os.mkdir(path[: path.rfind("/")])
        return open(path, "ab")

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
        """None is there afterwards; a file that never was is no error."""
        if name == self._name:
            self.close()
        try:
            os.remove(self.path(name))
        except OSError as error:
            if not _is_missing(error):
                raise
        if "/" in name:
            try:
                os.rmdir(self.path(name[: name.rfind("/")]))
            except OSError:
                pass  # it holds others


def _is_missing(error):
    return bool(error.args) and error.args[0] == 2  # ENOENT
