"""`lodeboard convert`: records from and to other programs' formats."""

import json
from pathlib import Path

import click


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(source, target, as_json):
    """Convert SOURCE to TARGET: Callisto of 2009 from and to Pentobi's .blksgf; records are .jsonl.

    What the other format has no place for is said.
    """
    from .. import convert, records
    from ..errors import LodeboardError

    kinds = (source.suffix.lower(), target.suffix.lower())
    if kinds == (".blksgf", ".jsonl"):
        found, notes = convert.read(source)
        text = "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in found)
    elif kinds == (".jsonl", ".blksgf"):
        found = records.read(source)
        text, notes = convert.write(found, source)
    else:
        raise LodeboardError(
            f"From {source.name} to {target.name} there is no way.",
            "Name a .blksgf and a .jsonl file, in the order from and to.",
        )
    try:
        target.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise LodeboardError(f"{target}: {error.strerror}.", "Name a file that can be written.") from error
    if as_json:
        print(json.dumps({"source": str(source), "target": str(target), "games": len(found), "notes": notes}))
        return
    print(f"{target}: {len(found)} {'game' if len(found) == 1 else 'games'}")
    for note in notes:
        print(f"  {note}")
