"""`lodeboard bench`: measure the firmware against its budgets."""

import importlib
import json

import click

# Modules of lodeboard.bench with rows(): dicts with what, measured, bound, unit, ok.
SUBJECTS = ("callisto",)


@click.command()
@click.argument("subject", type=click.Choice(SUBJECTS), required=False)
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(subject, as_json):
    """Measure SUBJECT (all by default) on the emulated RP2040 at 125 MHz, in its own time.

    Exit status 1 when a bound is exceeded.
    """
    table = []
    for name in [subject] if subject else SUBJECTS:
        for row in importlib.import_module("lodeboard.bench." + name).rows():
            table.append({"subject": name, **row})
            if not as_json:
                verdict = "ok" if row["ok"] else "EXCEEDED"
                figures = f"{row['measured']:>9,} of {row['bound']:>9,} {row['unit']:5}"
                print(f"{name:10} {row['what']:58} {figures} {verdict}", flush=True)
    if as_json:
        print(json.dumps({"rows": table}))
    return 0 if all(row["ok"] for row in table) else 1
