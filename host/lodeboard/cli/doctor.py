"""`lodeboard doctor`: is everything here that the other commands need?"""

import json

import click

STYLES = {"fine": "green", "warning": "yellow", "error": "bold red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(as_json):
    """Check this computer: Python, package, port rights, MicroPython tools, firmware images, folders.

    Each fault comes with the exact command that mends it. Exit status: 0 fine, 1 a warning, 2 an error.
    """
    from ..doctor import ERROR, FINE, WARNING, examine

    findings = examine()
    worst = max((FINE, WARNING, ERROR).index(finding.status) for finding in findings)
    if as_json:
        print(json.dumps({"status": worst, "findings": [finding._asdict() for finding in findings]}))
        return worst
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for finding in findings:
        console.print(
            Text(f"{finding.status:<8}", STYLES[finding.status]), Text(f"{finding.name}: {finding.text}")
        )
        if finding.do:
            console.print(Text(" " * 9 + finding.do))
    return worst
