"""What all tests share."""

import signal

# A shell starts what runs in the background with Ctrl-C ignored, and children inherit that: the tests' own
# children are to hear it as they do in a terminal.
signal.signal(signal.SIGINT, signal.default_int_handler)
