"""The circuits of the tile and the controller, in SKiDL, and what is checked and exported of them."""

import contextlib as _contextlib
import io as _io
import logging as _logging
import os as _os
import sys as _sys
import tempfile as _tempfile

# At import SKiDL warns of every KiCad version whose symbols it cannot find (we bring our own parts) and opens
# log files in the working directory, over which two processes would fall; both stop here, before any module
# of ours uses it. It also makes its own class that of every later logger, which numba's do not survive.
_here = _os.getcwd()
with _tempfile.TemporaryDirectory() as _elsewhere:
    _os.chdir(_elsewhere)
    try:
        with _contextlib.redirect_stderr(_io.StringIO()):
            import skidl as _skidl
        _skidl.logger.stop_log_file_output()
    finally:
        _os.chdir(_here)
_logging.setLoggerClass(_logging.Logger)
# every part and net would keep the whole call stack of its making, which costs most of a circuit's time
for _module in ("circuit", "node"):
    _sys.modules[f"skidl.{_module}"].get_skidl_trace = list
