"""`lodeboard calibrate`: a board measures its sensors."""

import json
import sys

import click

STEPS = {
    "rest": "Take all pieces off the board and the phones away from it.",
    "north": "Set pieces with the north end up on as many squares as you like.",
    "south": "Set pieces with the south end up on as many squares as you like.",
}
ANSWER_S = 10.0  # the board listens for 64 scans, and gives up after 5 s


@click.command()
@click.argument("what", type=click.Choice([*STEPS, "forget"]), required=False)
@click.option("--port", metavar="P", help="The board's port; needed only when there are several.")
@click.option("--manual", is_flag=True, help="Keep this over every automatic calibration.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(what, port, manual, as_json):
    """Measure the sensors at rest, and with pieces of either pole; WHAT is one step, all in turn without it.

    The calibration is kept on the board, with a version, and survives flashing. One that a person made
    (--manual) is replaced only by another. `forget` goes back to the nominal values.
    """
    from ..board import Board
    from ..errors import LodeboardError

    if what is None and not sys.stdin.isatty():
        raise LodeboardError("There is nobody to set pieces.", "Name one step: rest, north, south or forget.")
    answers = {}
    with Board(port) as board:
        for step in [what] if what else STEPS:
            if what is None:
                click.prompt(
                    f"{STEPS[step]} Then press Enter", default="", show_default=False, prompt_suffix=" "
                )
            reply = board.command("calibrate", timeout=ANSWER_S, what=step, manual=manual)
            answers[step] = reply.get("text") or "done"
            if not as_json:
                print(f"{step}: {answers[step]}")
    if as_json:
        print(json.dumps({"calibrated": answers, "manual": manual}))
    return 0
