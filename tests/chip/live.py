"""An emulated board behind a TCP port, running in a thread, at most as fast as a real one."""

import threading
import time

from lodeboard.sim.server import Server


class LiveBoard:
    """with LiveBoard(board) as live: live.url is its port. Holding live.lock the chip stands still."""

    def __init__(self, board, step_ms=5):
        self.board = board
        self.server = Server()
        self.url = self.server.url
        self.error = None
        self.lock = threading.Lock()
        self._step_ms = step_ms
        self._ends = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self):
        chip = self.board.chip
        ahead = chip.now_us / 1e6 - time.monotonic()
        try:
            while not self._ends:
                with self.lock:
                    self.server.plug(chip.attached and chip.powered)
                    data = self.server.read()
                    if data:
                        chip.send(data)
                    chip.run_ms(self._step_ms)
                    out = chip.receive()
                    if out and self.server.client:
                        while not self.server.write(out) and not self._ends:
                            time.sleep(0.001)
                    self.server.flush()
                rest = chip.now_us / 1e6 - time.monotonic() - ahead
                if rest > 0 or not chip.powered:
                    time.sleep(max(0.002, rest))  # never faster than a real one
        except Exception as error:
            self.error = error

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exc):
        self._ends = True
        self._thread.join(10)
        self.server.close()
        if self.error is not None:
            raise self.error
