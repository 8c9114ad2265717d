"""`lodeboard bench`: measure the firmware against its budgets."""

import importlib
import json

import click

# Modules of lodeboard.bench with rows(): dicts with what, measured, bound, unit, ok; `at_least` turns the
# bound round. Those in ON_A_BOARD take the board's name.
SUBJECTS = ("board", "callisto")
ON_A_BOARD = ("board",)
# A million simulated squares and ten thousand builds of castells take minutes: only where they are asked for.
BY_NAME = ("squares", "castellers")


@click.command()
@click.argument("subject", type=click.Choice(SUBJECTS + BY_NAME), required=False)
@click.option("--engine", type=click.Choice(["rp2040"]), default="rp2040", show_default=True,
              help="What the firmware runs on.")
@click.option("--board", "board_name", default="lode20", show_default=True, help="Board file to measure on.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output, with versions and hashes.")
def command(subject, engine, board_name, as_json):
    """Measure SUBJECT (all that is quick by default) on the emulated RP2040 at 125 MHz, in its own time.

    The same firmware gives the same figures on every computer. Exit status 1 when a bound is exceeded.
    """
    from ..bench import origin

    table = []
    for name in [subject] if subject else SUBJECTS:
        module = importlib.import_module("lodeboard.bench." + name)
        for row in module.rows(board_name) if name in ON_A_BOARD else module.rows():
            table.append({"subject": name, **row})
            if not as_json:
                print(line(name, row), flush=True)
    if as_json:
        print(json.dumps({**origin.of(engine, board_name), "rows": table}))
    return 0 if all(row["ok"] for row in table) else 1


def line(subject, row):
    """A row for a person."""
    than = "at least" if row.get("at_least") else "of"
    figures = f"{row['measured']:>9,} {than} {row['bound']:>9,} {row['unit']:5}"
    note = f"  ({row['note']})" if row.get("note") and not row["ok"] else ""
    return f"{subject:10} {row['what']:62} {figures} {'ok' if row['ok'] else 'EXCEEDED'}{note}"
