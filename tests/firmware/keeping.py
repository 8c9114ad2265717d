"""A journal's store in memory, and events to keep in it."""

import errno


def setup(game=1):
    return {"t": "setup", "g": "tau", "opt": {"starter": 1}, "match": 3, "game": game, "seed": 9, "at": 5}


def move(text, seat=1, ply=1):
    return {"t": "move", "g": "tau", "s": seat, "m": text, "ply": ply, "at": 1000}


class Memory:
    """A store in memory that can be full."""

    def __init__(self, files=None, room=1 << 30):
        self.files = dict(files or {})
        self.room = room
        self.writes = 0
        self.reads = 0

    def names(self, folder):
        return list({name.split("/")[1 if folder else 0] for name in self.files if name.startswith(folder)})

    def read(self, name):
        self.reads += 1
        return self.files.get(name, b"")

    def append(self, name, data):
        self.writes += 1
        free = self.room - sum(len(d) for d in self.files.values())
        self.files[name] = self.files.get(name, b"") + data[: max(0, free)]
        if len(data) > free:
            raise OSError(errno.ENOSPC, "no space")

    def remove(self, name):
        self.files.pop(name, None)
