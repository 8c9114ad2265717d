"""The circuits of the tile and the controller, in SKiDL, and what is checked and exported of them."""

import contextlib as _contextlib
import io as _io

# At import SKiDL warns of every KiCad version whose symbols it cannot find (we bring our own parts) and opens
# log files in the working directory; both stop here, before any module of ours uses it.
with _contextlib.redirect_stderr(_io.StringIO()):
    import skidl as _skidl
_skidl.logger.stop_log_file_output()
