"""`lodeboard firmware`: MicroPython's images."""

import json

import click


@click.group()
def command():
    """Fetch and list MicroPython firmware for the Pico."""


@command.command()
@click.option("--version", default=None, metavar="V", help="Another version than the pinned one.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def get(version, as_json):
    """Download the official image into the cache and check it."""
    from ..flash import cache, progress

    version = version or cache.PINNED
    with progress.bar(as_json) as show:
        path = cache.get(version, lambda done, total: show("downloading", done, total or None))
    _print(path, version, as_json)


@command.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def list_(as_json):
    """List the images in the cache."""
    from ..flash import cache

    found = sorted(cache.folder().glob("*.uf2")) if cache.folder().is_dir() else []
    if as_json:
        print(json.dumps({"pinned": cache.PINNED, "images": [str(path) for path in found]}))
        return 0
    for path in found:
        print(path)
    if not found:
        print(f"The cache {cache.folder()} is empty. Run: lodeboard firmware get")
    return 0


def _print(path, version, as_json):
    if as_json:
        print(json.dumps({"version": version, "path": str(path)}))
    else:
        print(f"MicroPython {version}: {path}")
