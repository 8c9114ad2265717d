"""`lodeboard build`: the firmware for the chip."""

import json
from pathlib import Path

import click


@click.command()
@click.option("--out", type=click.Path(file_okay=False), metavar="FOLDER", help="Write the files there too.")
@click.option("--heap", is_flag=True, help="Measure on the emulated chip what each module takes of the heap.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(out, heap, as_json):
    """Trim and compile rules and firmware, and show the sizes.

    The same sources give the same bytes. `lodeboard flash` builds by itself.
    """
    from ..flash import build

    built = build.build()
    needs = {}
    if heap:
        from ..bench.heap import heap_of_modules

        needs = heap_of_modules(built)
    if out:
        for path, data in {**built.files, "main.py": built.main}.items():
            target = Path(out) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    rows = [
        {"file": path, "source": source, "trimmed": trimmed, "flash": flash, "heap": needs.get(path)}
        for path, (source, trimmed, flash) in built.sizes.items()
    ]
    if as_json:
        manifest = {key: built.manifest[key] for key in ("version", "git", "hash", "mpy", "main", "files")}
        print(json.dumps({**manifest, "sizes": rows, "flash_bytes": sum(map(len, built.files.values()))}))
        return 0
    head = f"{'':34}{'source':>9}{'trimmed':>9}{'flash':>9}" + (f"{'heap':>9}" if heap else "")
    print(head)
    for row in rows:
        line = f"{row['file']:34}{row['source']:9}{row['trimmed']:9}{row['flash']:9}"
        print(line + (f"{row['heap'] or 0:9}" if heap else ""))
    totals = [sum(row[key] or 0 for row in rows) for key in ("source", "trimmed", "flash", "heap")]
    print(f"{'all':34}" + "".join(f"{n:9}" for n in (totals if heap else totals[:3])))
    git = f", commit {built.manifest['git']}" if built.manifest["git"] else ""
    print(f"firmware {built.manifest['version']}, hash {built.hash}{git}")
    return 0
