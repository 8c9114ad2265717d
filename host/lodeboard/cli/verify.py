"""`lodeboard verify`: replay records against the rules."""

import json

import click


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--engine", default="python", show_default=True, help="python, or micropython: the real one.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(files, engine, as_json):
    """Replay records and stop at the first difference from the rules.

    A record is a line of JSON with a game, its options, moves and results. Exit status: 0 all agree,
    1 one differs, 2 a file cannot be read as records.
    """
    from .. import records

    outcome = records.verify(files, engine)
    difference = outcome["difference"]
    if as_json:
        print(json.dumps({"ok": difference is None, **outcome}))
        return 0 if difference is None else 1
    for entry in outcome["files"]:
        if entry["games"]:
            print(f"{entry['file']}: {entry['games']} games, {entry['plies']} moves agree")
    if difference is None:
        return 0
    print(
        "{file}:{line}: {game}, ply {ply}, {what}: expected {e}, found {f}".format(
            e=json.dumps(difference["expected"]), f=json.dumps(difference["found"]), **difference
        )
    )
    return 1
