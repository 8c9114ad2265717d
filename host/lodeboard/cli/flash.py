"""`lodeboard flash`: MicroPython and the firmware onto a board."""

import json

import click


@click.command()
@click.option("--port", metavar="P", help="The board's port; needed only when there are several.")
@click.option(
    "--drive", type=click.Path(file_okay=False), metavar="D", help="The drive of a Pico in BOOTSEL."
)
@click.option(
    "--uf2", type=click.Path(dir_okay=False), metavar="FILE", help="MicroPython's image to put on first."
)
@click.option("--board", metavar="B", help="Board file, such as lode8; a new board needs it.")
@click.option("--erase", is_flag=True, help="Remove somebody else's files from the Pico.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(port, drive, uf2, board, erase, dry_run, as_json):
    """Put the firmware on a board, and MicroPython first where it is missing.

    A board that runs gets what changed, into the spare of its two slots; journal and calibration stay. With
    --uf2 a running board is sent into BOOTSEL first. With --drive, or a Pico that is in BOOTSEL already,
    MicroPython comes from --uf2, LODEBOARD_UF2 or the cache.
    """
    from ..flash import install, progress

    with progress.bar(as_json) as show:
        outcome = install.install(
            port=port, drive=drive, uf2=uf2, board=board, erase=erase, dry_run=dry_run, progress=show
        )
    if as_json:
        print(json.dumps(outcome))
        return 0
    print(install.summary(outcome))
    return 0
