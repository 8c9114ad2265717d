"""`lodeboard ports`: which ports there are, and which have a Lodeboard behind them."""

import json

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
@click.option("--all", "every", is_flag=True, help="Name serial ports of other devices too.")
def command(as_json, every):
    """List the ports that may have a Lodeboard, and ask each that is free who it is.

    A port that another program holds is named and left alone. Exit status: 0, 1 when there is no Lodeboard.
    """
    from .. import ports

    found = [survey(port) for port in ports.candidates(every)]
    if as_json:
        print(json.dumps(found))
    else:
        report(found)
    return 0 if any(entry["lodeboard"] for entry in found) else 1


def survey(port):
    """What is known of a port: plain JSON values. `lodeboard` is None where it could not be asked."""
    from .. import ports
    from ..errors import LodeboardError

    entry = {"port": port.name, "kind": port.kind, "usb_serial": port.serial, "about": port.about}
    entry.update(lodeboard=None, hello=None, problem=None)
    if port.kind == "serial":
        return entry  # some other device: writing to it may do harm
    try:
        entry["hello"] = ports.greet(port.name)
        entry["lodeboard"] = True
    except LodeboardError as error:
        entry["problem"] = str(error)
        entry["lodeboard"] = None if isinstance(error, ports.Busy) else False
    return entry


def report(found):
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if not found:
        print("There is no board. Plug one in, or start `lodeboard sim tau`.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("port", "what", "who"):
        table.add_column(heading, overflow="fold")
    for entry in found:
        hello = entry["hello"]
        who = entry["problem"] or ""
        if hello:
            sim = "simulated " if hello.get("sim") else ""
            who = f"{sim}{hello.get('board')}, serial {hello.get('serial')}, firmware {hello.get('fw')}, "
            who += str(hello.get("state"))
        table.add_row(Text(entry["port"]), Text(entry["about"]), Text(who))
    Console(highlight=False).print(table)
