"""The file system of a Pico at MicroPython's prompt, through mpremote's transport.

    with Device(port) as device:
        device.listing()                   {"/slots/a/firmware/table.mpy": (size, sha256), ...}
        device.write(path, data, step)     step(bytes) as it goes
        device.reset()

deploy.py asks for no more than the methods of this class: tests put a folder in its place.
"""

import ast
import base64
import contextlib
import io
import os
import time

from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport

from .. import ports
from ..errors import LodeboardError

CHUNK = 1536  # bytes of a file between two answers of the board; base64 makes 2048 of them
COPIES = 16  # files in one command
PATIENCE_S = 30  # for one answer of the board
SILENCE_S = 10  # between two bytes of an answer

# What the board's side of the methods below is made of.
_HELPER = """
import os, sys, hashlib, binascii
def _take(p, sizes):
    b = memoryview(bytearray(2048))
    with open(p, 'wb') as f:
        for n in sizes:
            sys.stdin.buffer.readinto(b[:n])
            f.write(binascii.a2b_base64(b[:n]))
            print('.', end='')
def _sha(p):
    h = hashlib.sha256()
    b = memoryview(bytearray(1024))
    with open(p, 'rb') as f:
        while True:
            n = f.readinto(b)
            if not n:
                break
            h.update(b[:n])
    return binascii.hexlify(h.digest()).decode()
def _walk(d):
    for e in os.ilistdir(d or '/'):
        p = d + '/' + e[0]
        if e[1] & 0x4000:
            print(repr((p, -1, '')), end=',')
            _walk(p)
        else:
            print(repr((p, e[3], _sha(p))), end=',')
def _copy(a, b):
    d = memoryview(bytearray(1024))
    with open(a, 'rb') as f, open(b, 'wb') as g:
        while True:
            n = f.readinto(d)
            if not n:
                break
            g.write(d[:n])
"""


class _Transport(SerialTransport):
    """mpremote's, whose patience with silence can be longer."""

    def __init__(self, port, patience):
        self._silence = SILENCE_S * patience
        super().__init__(port, timeout=PATIENCE_S * patience)

    def read_until(self, min_num_bytes, ending, timeout=None, **more):
        return super().read_until(min_num_bytes, ending, timeout=timeout or self._silence, **more)


class Device:
    """port: a port's name. LodeboardError (3): no port, busy, not permitted, no MicroPython behind it."""

    def __init__(self, port):
        self.port = port
        self._patience = ports.patience(port)
        ports.open_port(port).close()  # says in a sentence what is wrong with a port
        try:
            self._transport = _Transport(port, self._patience)
        except (OSError, ValueError, TransportError):
            raise ports.busy(port) from None
        try:
            self._enter()
            self._run(_HELPER)
        except BaseException:
            self.close()
            raise

    def _enter(self):
        """MicroPython's raw prompt, in fresh memory. A board that is just starting may need a second call."""
        for attempt in range(3):
            try:
                with contextlib.redirect_stdout(io.StringIO()):  # mpremote prints what it saw
                    self._transport.enter_raw_repl(soft_reset=True, timeout_overall=(5 + 5 * attempt) * self._patience)
                return
            except TransportError:
                continue
            except OSError as error:
                raise self._lost(error) from None
        raise LodeboardError(
            f"{self.port} does not give MicroPython's prompt.",
            "Unplug the board and plug it in again, or hold BOOTSEL meanwhile and give --uf2.",
            3,
        )

    def _lost(self, error):
        return LodeboardError(
            f"The board at {self.port} was lost: {error}.",
            "It still has what it had: plug it in again and repeat the command.",
            3,
        )

    def _run(self, source):
        try:
            out, failed = self._transport.exec_raw(source, timeout=PATIENCE_S * self._patience)
        except (TransportError, OSError, IndexError) as error:
            raise self._lost(error) from None
        if failed:
            raise _as_oserror(TransportExecError(out, failed.decode("utf-8", "replace")))
        return out

    # What deploy.py asks for

    def entries(self):
        """(files, folders): {path: (size, sha256 in hex)} and a list of paths."""
        files, folders = {}, []
        for path, size, digest in ast.literal_eval("[" + self._run("_walk('')").decode() + "]"):
            if size < 0:
                folders.append(path)
            else:
                files[path] = (size, digest)
        return files, folders

    def digest(self, path):
        return self._run(f"print(_sha({path!r}), end='')").decode()

    def read(self, path):
        """A file's bytes; b"" when there is none."""
        out = self._run(
            f"try:\n with open({path!r}, 'rb') as f: print(repr(f.read()), end='')\nexcept OSError: print(b'')"
        )
        return ast.literal_eval(out.decode())

    def free(self):
        """(free, size) of the file system in bytes, and the size of a block."""
        size, _, blocks, free = ast.literal_eval(self._run("print(os.statvfs('/')[:4])").decode())
        if free > blocks:  # a full littlefs counts some twice, and what is left falls below 0
            free = 0
        return size * free, size

    def write(self, path, data, step=lambda count: None):
        """Base64, so that no byte of it is Ctrl-C and the board can always be interrupted."""
        chunks = [base64.b64encode(data[at : at + CHUNK]) for at in range(0, len(data), CHUNK)]
        try:
            self._transport.exec_raw_no_follow(f"_take({path!r}, {[len(chunk) for chunk in chunks]})")
            for number, chunk in enumerate(chunks):
                self._transport.serial.write(chunk)
                if self._transport.serial.read(1) != b".":
                    break  # it failed: what it says comes below
                step(min(CHUNK, len(data) - number * CHUNK))
            out, failed = self._transport.follow(timeout=PATIENCE_S * self._patience)
        except (TransportError, OSError, IndexError) as error:
            raise self._lost(error) from None
        if failed:
            raise _as_oserror(TransportExecError(out, failed.decode("utf-8", "replace")))

    def copy(self, pairs):
        """Copy files on the board; pairs of (source, target)."""
        for at in range(0, len(pairs), COPIES):
            self._run(f"for a, b in {pairs[at : at + COPIES]!r}: _copy(a, b)")

    def rename(self, source, target):
        self._run(f"os.rename({source!r}, {target!r})")

    def remove(self, path):
        self._run(f"os.remove({path!r})")

    def mkdir(self, path):
        self._run(f"os.mkdir({path!r})")

    def rmdir(self, path):
        self._run(f"os.rmdir({path!r})")

    def reset(self):
        """Start the board anew; the port is closed."""
        with contextlib.suppress(TransportError, OSError):
            self._transport.exec_raw_no_follow("import machine\nmachine.reset()")
            time.sleep(0.2)  # until it is out
        self.close()

    def bootloader(self):
        """Send the board into BOOTSEL; the port is closed."""
        with contextlib.suppress(TransportError, OSError):
            self._transport.exec_raw_no_follow("import machine\nmachine.bootloader()")
            time.sleep(0.2)
        self.close()

    def about(self):
        """(chip's machine text, MicroPython's version), as the board says them."""
        out = self._run(
            "import sys\nprint((sys.implementation._machine, '.'.join(map(str, "
            "sys.implementation[1][:3])), getattr(sys.implementation, '_mpy', 0)))"
        )
        return ast.literal_eval(out.decode())

    def close(self):
        with contextlib.suppress(OSError):
            self._transport.close()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


def _as_oserror(error):
    """The board's own OSError as ours, anything else as a LodeboardError."""
    last = error.error_output.strip().splitlines()[-1] if error.error_output.strip() else "it failed"
    if last.startswith("OSError"):
        words = last.replace(":", " ").replace("]", " ").split()
        number = next((int(word) for word in words if word.isdigit()), 5)
        return OSError(number, os.strerror(number))
    return LodeboardError(
        f"The board could not do it: {last}.", "Report this with the command that you gave.", 3
    )
