"""A folder that answers as a board's file system does, and whose power can go at any write."""

import hashlib
import shutil
from pathlib import Path


class PowerCut(Exception):
    pass


class FolderDevice:
    """writes: changes so far. cut_at: the change at which the power goes, by half for what is written."""

    def __init__(self, root, cut_at=None, blocks=1 << 20):
        self.root = Path(root)
        self.cut_at = cut_at
        self.blocks = blocks
        self.writes = 0
        self.sent = 0

    def _path(self, path):
        return self.root / path.lstrip("/")

    def _change(self):
        """True when this change is the one that is cut."""
        self.writes += 1
        if self.cut_at is not None and self.writes > self.cut_at:
            raise AssertionError("a change after the power was cut")
        return self.writes == self.cut_at

    def entries(self):
        files, folders = {}, []
        for path in sorted(self.root.rglob("*")):
            name = "/" + path.relative_to(self.root).as_posix()
            if path.is_dir():
                folders.append(name)
            else:
                files[name] = (path.stat().st_size, self.digest(name))
        return files, folders

    def digest(self, path):
        return hashlib.sha256(self._path(path).read_bytes()).hexdigest()

    def read(self, path):
        return self._path(path).read_bytes() if self._path(path).exists() else b""

    def free(self):
        return self.blocks * 4096, 4096

    def write(self, path, data, step=lambda count: None):
        # open, a block at a time, close: littlefs shows the file as it was until it is closed
        for _ in range(0, len(data) + 1, 4096):
            if self._change():
                raise PowerCut
        self._path(path).write_bytes(data)
        self.sent += len(data)
        step(len(data))

    def copy(self, pairs):
        for source, target in pairs:
            if self._change():
                raise PowerCut
            shutil.copyfile(self._path(source), self._path(target))

    def rename(self, source, target):
        if self._change():
            raise PowerCut
        self._path(source).replace(self._path(target))

    def remove(self, path):
        if self._change():
            raise PowerCut
        self._path(path).unlink()

    def mkdir(self, path):
        if self._change():
            raise PowerCut
        self._path(path).mkdir()
