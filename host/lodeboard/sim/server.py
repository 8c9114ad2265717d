"""A simulated board's serial port: a pty (POSIX) and TCP for pyserial's socket://, one client at a time.

    with Server() as server:
        print(server.url, server.pty)        socket://127.0.0.1:40123   /dev/pts/5 (None where there are none)
        data = server.read()                 what the client sent since the last call
        server.write(data)                   False: dropped, because nobody reads or the client is too slow

A second client is turned away as at a real port: on TCP the connection closes at once, on the pty the lock
that pyserial takes is held. `server.client` names who is connected: "pty", "tcp" or None. plug(False) is a pulled
cable: the client sees the port go, and nobody gets in until plug(True), when the pty may have another name.
"""

import contextlib
import os
import select
import socket

try:
    import fcntl
    import pty
    import termios
    import tty
except ImportError:  # Windows has no ptys: there the TCP port is all
    pty = None

QUEUE_BYTES = 65536  # what may wait for a slow client before the board's bytes are dropped
HOST = "127.0.0.1"


class Server:
    """port: TCP port, 0 for any free one. link: path of a symbolic link to the pty, or None."""

    def __init__(self, port=0, link=None):
        self.client = None
        self._queue = bytearray()
        self._socket = None
        self._plugged = True
        self._link = link
        self._master = self._lock = None
        self._listener = socket.create_server((HOST, port))
        self._listener.setblocking(False)
        self.url = f"socket://{HOST}:{self._listener.getsockname()[1]}"
        self.pty = self._open_pty() if pty else None

    def _open_pty(self):
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        name = os.ttyname(slave)
        os.close(slave)  # while no client has it open, the master hangs up: so clients are noticed
        os.set_blocking(self._master, False)
        if self._link:
            if os.path.islink(self._link):
                os.unlink(self._link)
            os.symlink(name, self._link)
        return name

    def plug(self, plugged):
        """Whether the cable is in; as often as one likes."""
        if plugged == self._plugged:
            return
        self._plugged = plugged
        if not plugged:
            self._drop_client()
            self._close_pty()
        elif pty:
            self.pty = self._open_pty()

    def _close_pty(self):
        self.pty = None
        if self._master is not None:
            os.close(self._master)
            self._master = None
        if self._link:
            with contextlib.suppress(OSError):
                os.unlink(self._link)

    def close(self):
        """Close both ports; the client sees the board go."""
        self._drop_client()
        self._listener.close()
        self._close_pty()
        self._link = None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    # Bytes

    def read(self):
        """The bytes that the client sent; notices who comes and goes. Never waits."""
        data = self._read()  # before anybody else is let in: it notices that a client has gone
        self._accept()
        if self.client is None:
            self._look_at_pty()
        return data or self._read()

    def _read(self):
        if self.client == "tcp":
            return self._read_tcp()
        if self.client == "pty":
            return self._read_pty()
        return b""

    def write(self, data):
        """Send data, as much as the client takes now; the rest waits. False: dropped whole."""
        if self.client is None or len(self._queue) + len(data) > QUEUE_BYTES:
            return False
        self._queue += data
        self.flush()
        return True

    def flush(self):
        """Send what waits, as far as the client takes it now. True when nothing waits any more."""
        while self._queue and self.client:
            try:
                sent = self._send(bytes(self._queue[:4096]))
            except BlockingIOError:
                return False
            except OSError:
                self._drop_client()
                return True
            del self._queue[:sent]
        return True

    def drain(self):
        """Wait until the client has taken everything, or has gone: nothing is dropped in simulated time."""
        while self._queue and not self.flush():
            fd = self._socket if self.client == "tcp" else self._master
            select.select([], [fd], [], 0.2)
            if self.client == "pty" and self._hung_up():
                self._drop_client()

    def wait(self, seconds):
        """Wait until the client sends something or somebody knocks, at most so long."""
        watched = [self._listener]
        if self.client == "tcp":
            watched.append(self._socket)
        elif self.client == "pty":
            watched.append(self._master)
        select.select(watched, [], [], seconds)

    def _send(self, data):
        if self.client == "tcp":
            return self._socket.send(data)
        return os.write(self._master, data)

    # Who is there

    def _accept(self):
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        if self.client is not None or not self._plugged or not self._lock_pty():
            connection.close()
            return
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connection
        self.client = "tcp"

    def _lock_pty(self):
        """Hold the pty's lock while a TCP client is connected. False: a client has the pty open."""
        if self._master is None:
            return True
        if not self._hung_up():
            return False
        self._lock = os.open(self.pty, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        return True

    def _hung_up(self):
        """True when no client has the pty open."""
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        return any(event & select.POLLHUP for _, event in poll.poll(0))

    def _look_at_pty(self):
        if self._master is not None and not self._hung_up():
            self.client = "pty"

    def _drop_client(self):
        self._queue.clear()
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if self._master is not None:
            try:
                termios.tcflush(self._master, termios.TCIOFLUSH)  # not for the next client to read
            except OSError:
                pass
        self.client = None

    def _read_tcp(self):
        try:
            data = self._socket.recv(65536)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._drop_client()
        return data

    def _read_pty(self):
        try:
            return os.read(self._master, 65536)
        except BlockingIOError:
            return b""
        except OSError:  # EIO: the last client has closed it
            self._drop_client()
            return b""
