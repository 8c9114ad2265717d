"""What all tests share."""

import gc
import os
import signal

from hypothesis import settings

# A shell starts what runs in the background with Ctrl-C ignored, and children inherit that: the tests' own
# children are to hear it as they do in a terminal.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A change is judged on the same examples as the one before it; `make test` elsewhere looks for new ones.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_collection_finish():
    """The firmware collects memory on every computer: what is loaded by now need not be looked through each time."""
    gc.collect()
    gc.freeze()
