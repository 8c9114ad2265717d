"""A progress bar on a terminal, nothing in a pipe.

with progress.bar() as show:
    show("sending", done, total)
"""

import contextlib
import sys


@contextlib.contextmanager
def bar(quiet=False):
    if quiet or not sys.stderr.isatty():
        yield lambda text, done=0, total=None: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"),
               TimeRemainingColumn())  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as rows:
        tasks = {}

        def show(text, done=0, total=None):
            if text not in tasks:
                tasks[text] = rows.add_task(text, total=total)
            rows.update(tasks[text], completed=done, total=total)

        yield show
