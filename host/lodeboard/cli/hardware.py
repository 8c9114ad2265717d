"""`lodeboard hardware`: what a board file says about the thing itself."""

import json

import click


@click.group()
def command():
    """Check a board file. Circuits, boards and cases are made from a clone of the sources: `make
    hardware`."""


@command.command()
@click.argument("board", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def check(board, as_json):
    """Check FILE (a board file, or the name of a board): pins, tiles, layouts, parts, and every budget.

    Exit status: 0 all budgets hold, 1 one does not, 2 the file is wrong (it is named with the key).
    """
    from .. import boards
    from ..hardware import budget

    loaded = boards.load(board)
    lines = budget.lines(loaded)
    failing = [line for line in lines if not line.holds]
    if as_json:
        print(
            json.dumps(
                {
                    "board": loaded.name,
                    "revision": loaded.data["revision"],
                    "holds": not failing,
                    "budgets": [
                        {
                            "what": line.what,
                            "value": line.value,
                            "limit": line.limit,
                            "unit": line.unit,
                            "holds": line.holds,
                        }
                        for line in lines
                    ],
                }
            )
        )
        return 1 if failing else 0
    tiles = len(loaded.data["chain"]["tiles"])
    print(
        f"{loaded.name}, revision {loaded.data['revision']}: {loaded.width} x {loaded.height} squares, "
        f"{tiles} tiles, {loaded.width * loaded.pitch_mm:g} x {loaded.height * loaded.pitch_mm:g} mm"
    )
    width = max(len(line.what) for line in lines)
    for line in lines:
        print(f"{line.what:<{width}}  {'ok' if line.holds else 'NO':<3} {line.text()}")
    if failing:
        print(f"{len(failing)} of {len(lines)} budgets do not hold: {', '.join(line.what for line in failing)}")
    return 1 if failing else 0
