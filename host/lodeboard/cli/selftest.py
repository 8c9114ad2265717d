"""`lodeboard selftest`: a board tests itself."""

import json

import click


@click.command()
@click.option("--port", metavar="P", help="The board's port; needed only when there are several.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(port, as_json):
    """Let a board count its tiles, look at its sensors, its memory and its journal.

    Exit status: 0 all is fine, 1 something is not, 3 no board.
    """
    from ..board import Board

    with Board(port) as board:
        answer = board.command("selftest")
        hello = board.hello
    answer = {key: value for key, value in answer.items() if key not in ("re", "ok")}
    if as_json:
        print(json.dumps({"board": hello.get("board"), "serial": hello.get("serial"), **answer}))
        return 0 if answer.get("fine") else 1
    sim = " (simulated)" if hello.get("sim") else ""
    print(f"{hello.get('board')} {hello.get('serial')}{sim}, firmware {hello.get('fw')} {hello.get('hash')}")
    print(f"{answer.get('tiles')} tiles, {answer.get('mem', 0) // 1024} KiB of memory free, "
          f"noise {answer.get('noise', 0):.3f} mT")  # fmt: skip
    for code, sentence in zip(answer.get("codes", []), answer.get("text", []), strict=False):
        print(f"{code}: {sentence}")
    if answer.get("fine"):
        print("All is fine.")
        return 0
    return 1
