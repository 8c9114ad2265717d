"""A slot as a file system that knows its names beforehand, for `import`.

The flash's own needs 5 ms to look a path up, and an import looks up three, also before it takes a module of
MicroPython's own such as `time`. So the slot is mounted alone, and nothing else is on sys.path. Its files are read
from a second mount of the flash, which tells where they lie: their code runs from there (in_place.py).

    slot = Slot("/slots/a")
    slot.take_over("/fw")
    import ...
    slot.settle()            when all is loaded, and again when slot.fresh says that more was
    slot.forget()            at last

Before that, what was loaded is settled now and then, so that what stays in the heap lies close together. But a module
that is loaded far down in calls, as a game from the menu is, only has its name noted: the chip's stack of 8 KiB has
no room there for a file system that is read by functions of Python's, and settles when the calls are over.
"""

import gc
import os
import sys

import micropython
import rp2

from . import in_place

FLASH_END = in_place.FLASH + 2 * 1024 * 1024  # the file system's end on a Pico
SIZE_IN_BLOCKS = 4  # a device's ioctl
SIZE_OF_BLOCK = 5
READ_ONLY = -30
DEEP = 4600  # bytes of stack in use: looking where a file lies takes 1400 more, and an import that follows 600
TOGETHER = 10  # modules settle at a start; later, when the heap is in use, each by itself


class Slot:
    """root: the slot's folder. fresh: modules that were loaded since settle(). code: what in_place.py knows."""

    def __init__(self, root):
        self.root = root
        self.fresh = 0
        self._disk = Disk()
        self._deep = []  # paths of modules of which nothing is known yet
        self.code = in_place.Code(FLASH_END - in_place.BLOCK * self._disk.ioctl(SIZE_IN_BLOCKS, 0))
        self._sizes = {}  # of a folder None
        self._list("")

    def _list(self, folder):
        self._sizes[folder] = None
        for entry in os.ilistdir(self.root + folder):
            path = folder + "/" + entry[0]
            if entry[1] & 0x4000:
                self._list(path)
            else:
                self._sizes[path] = entry[3]

    def take_over(self, path):
        """Mounts the slot; from now on all imports come from it, packages that are loaded included."""
        os.mount(self, path)
        sys.path[:] = [path, ".frozen"]
        for name in ("firmware", "firmware.hal"):
            sys.modules[name].__path__ = path + "/" + name.replace(".", "/")

    def settle(self):
        """From now on runs what was loaded from the flash, and takes its copies back."""
        self.fresh = 0
        for path in self._deep:
            self._look(path, "rb").close()
        self._deep = []
        self.code.move()
        gc.collect()

    def forget(self):
        """All is loaded. Gives up the names, 6 KiB of heap: what is loaded later is looked up in the flash."""
        self._sizes = self._disk = None
        self.code.forget()

    # What MicroPython asks of a file system

    def mount(self, readonly, mkfs):
        pass

    def umount(self):
        pass

    def chdir(self, path):
        pass

    def stat(self, path):
        if self._sizes is None:
            return os.stat(self.root + path)
        size = self._sizes.get(path, -1)
        if size == -1:
            raise OSError(2)
        mode = 0x4000 if size is None else 0x8000
        return (mode, 0, 0, 0, 0, 0, size or 0, 0, 0, 0)

    def open(self, path, mode):
        if micropython.stack_use() > DEEP:
            file = open(self.root + path, mode)
            self.fresh += 1
            self._deep.append(path)
            return file
        if self.fresh >= (TOGETHER if self._sizes else 1):
            self.settle()
        self.fresh += 1
        return self._look(path, mode)

    def _look(self, path, mode):
        """The open file of a module; where it lies is noted."""
        if self._disk is None:
            self._disk = Disk()
        file = self._disk.files.open(self.root + path, mode)
        del self._disk.blocks[:]  # those of the folders
        self.code.note(file, self.stat(path)[6], self._disk.blocks)
        file.seek(0)
        return file


class Disk:
    """The flash's file system for reading. blocks: numbers of those that were read, each once."""

    def __init__(self):
        self._flash = rp2.Flash()
        self.blocks = []
        self.files = os.VfsLfs2(self, progsize=256)

    def readblocks(self, block, into, offset=0):
        if block not in self.blocks:
            self.blocks.append(block)
        return self._flash.readblocks(block, into, offset)

    def writeblocks(self, block, data, offset=0):
        return READ_ONLY

    def ioctl(self, request, argument):
        return self._flash.ioctl(request, argument) if request in (SIZE_IN_BLOCKS, SIZE_OF_BLOCK) else 0
