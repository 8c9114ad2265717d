"""The file system in the Pico's flash, made and read on the host: littlefs as MicroPython 1.23 keeps it."""

from lodeboard.errors import LodeboardError

from .chip import FLASH_BYTES, FS_START

BLOCK = 4096
DISK_VERSION = 0x00020000  # 2.0: what MicroPython 1.23 mounts


def _library():
    try:
        import littlefs
    except ImportError:
        raise LodeboardError(
            "The library that makes file systems for the emulator is not installed.",
            "Install it with: pip install 'lodeboard[rp2040]'",
            2,
        ) from None
    return littlefs


def _open(buffer=None):
    littlefs = _library()
    size = FLASH_BYTES - FS_START
    context = littlefs.UserContext(buffsize=size)
    if buffer is not None:
        context.buffer = bytearray(buffer)
    return littlefs.LittleFS(
        context=context,
        block_size=BLOCK,
        block_count=size // BLOCK,
        read_size=32,
        prog_size=32,
        lookahead_size=32,
        disk_version=DISK_VERSION if buffer is None else 0,
        mount=False,
    )


def make(files):
    """The bytes of a file system with files: dict of path ("/a/b.mpy") -> bytes."""
    fs = _open()
    fs.format()
    fs.mount()
    for path, data in files.items():
        folder = path.rsplit("/", 1)[0]
        if folder:
            fs.makedirs(folder, exist_ok=True)
        with fs.open(path, "wb") as out:
            out.write(data)
    fs.unmount()
    return bytes(fs.context.buffer)


def read(flash):
    """dict of path -> bytes of the file system in a Pico's flash (its whole 2 MiB)."""
    fs = _open(flash[FS_START:FLASH_BYTES])
    fs.mount()
    files = {}
    for folder, _, names in fs.walk("/"):
        for name in names:
            path = folder.rstrip("/") + "/" + name
            with fs.open(path, "rb") as source:
                files[path] = source.read()
    fs.unmount()
    return files
