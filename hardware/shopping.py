"""What to buy, print and cut for a board: counted from the board files and the circuits.

.venv/bin/python -m hardware.shopping               prints the tables
.venv/bin/python -m hardware.shopping --write       puts them into docs/building.md
"""

import argparse
from pathlib import Path

from lodeboard import boards

from hardware.circuits.controller import controller
from hardware.circuits.rules import parts
from hardware.circuits.tile import tile
from shared_rules.callisto import COLUMNS, PIECES
from shared_rules.polyomino import SHAPES

PAGE = Path(__file__).parents[1] / "docs" / "building.md"
MARK = ("<!-- made by hardware/shopping.py: do not edit below -->", "<!-- end of what is made -->")
RIGHT_MM, LEFT_MM, DOWN_MM, FIRST_MM = 90, 170, 130, 300  # ribbons, from plug to plug
COLOURS, STICKS, CASTELLERS, BASES = 4, 14, 66, 12


def ribbons(board):
    """{length in mm: number} of the bus's ribbons, the controller's included."""
    found = {FIRST_MM: 1}
    tiles = board.data["chain"]["tiles"]
    for (x0, y0), (x1, y1) in zip(tiles[:-1], tiles[1:], strict=True):
        length = DOWN_MM if y0 != y1 else RIGHT_MM if x1 > x0 else LEFT_MM
        found[length] = found.get(length, 0) + 1
    return found


def order(board):
    """[(manufacturer, number, name, count)] of every part on the circuit boards of a board."""
    count = {}
    for circuit, times in ((tile(board), len(board.data["chain"]["tiles"])), (controller(board), 1)):
        for entry in parts(circuit).values():
            if entry["mpn"]:
                key = (entry["manufacturer"], entry["mpn"], entry["name"])
                count[key] = count.get(key, 0) + times
    return [(*key, number) for key, number in sorted(count.items())]


def magnets(board):
    """{game: magnets of its pieces} for the games of a board."""
    found = {}
    if "tau" in board.data["games"]:
        found["Tau"] = 2 * STICKS
    if "callisto" in board.data["games"]:
        for edition in sorted({entry["edition"] for entry in board.data["layouts"]["callisto"]["boards"]}):
            squares = sum(len(SHAPES[name]) * n for name, n in PIECES[edition]) + COLUMNS
            found[f"Callisto {edition}, four colours"] = COLOURS * squares
    if "castellers" in board.data["games"]:
        found["Castellers"] = CASTELLERS
    return found


def tables():
    found = [boards.load(name) for name in boards.names()]
    head = "| " + " | ".join(["", *(b.name for b in found)]) + " |\n|---|" + "---|" * len(found)
    rows = [
        ("size of the field, mm", [f"{b.width * b.pitch_mm:g} x {b.height * b.pitch_mm:g}" for b in found]),
        ("tiles", [len(b.data["chain"]["tiles"]) for b in found]),
        ("supply, 5 V, A", [f"{b.data['limits']['external_ma'] / 1000:g}" for b in found]),
    ]
    for length in (FIRST_MM, RIGHT_MM, LEFT_MM, DOWN_MM):
        rows.append((f"16-wire ribbon with two sockets, {length} mm", [ribbons(b).get(length, 0) for b in found]))
    per_row = [b.width // b.data["tile"]["size"] for b in found]
    count = [b.height // b.data["tile"]["size"] for b in found]
    rows += [
        ("LED lead, controller to a row, 500 mm", count),
        ("LED lead, tile to tile, 100 mm", [c * (p - 1) for c, p in zip(count, per_row, strict=True)]),
    ]
    games = list(dict.fromkeys(game for b in found for game in magnets(b)))
    rows += [(f"6x3 N35 magnets: {game}", [magnets(b).get(game, "") for b in found]) for game in games]
    rows += [
        ("frame-rail, two tiles long", [4 * (n // 2) for n in per_row]),
        ("frame-rail-1, one tile long", [4 * (n % 2) for n in per_row]),
        ("frame-corner", [4] * len(found)),
        ("panel-tray, panel-lid, four panel-button", [1] * len(found)),
        ("frame-standoff", [4 * len(b.data["chain"]["tiles"]) for b in found]),
    ]
    lines = [head, *("| " + " | ".join([what, *map(str, values)]) + " |" for what, values in rows)]
    lines += [
        "",
        "Parts on the circuit boards:",
        "",
        "| part | number | " + " | ".join(b.name for b in found) + " |",
        "|---|---|" + "---|" * len(found),
    ]
    orders = [{row[:3]: row[3] for row in order(b)} for b in found]
    for key in sorted(orders[-1]):
        lines.append(
            f"| {key[0]} {key[2].replace('_', ' ')} | {key[1]} | "
            + " | ".join(str(o.get(key, "")) for o in orders)
            + " |"
        )
    lines += [
        "",
        "Pieces to print:",
        "",
        "| piece | edition 2009, a colour | edition 2014, a colour |",
        "|---|---|---|",
    ]
    for name in SHAPES:
        numbers = [dict(PIECES[edition]).get(name, 0) for edition in ("2009", "2014")]
        lines.append(f"| callisto-{name} | {numbers[0]} | {numbers[1]} |")
    lines.append(f"| callisto-column | {COLUMNS} | {COLUMNS} |")
    lines += [
        "",
        f"Tau: {STICKS} sticks with {2 * STICKS} caps, two racks. Castellers: {CASTELLERS} castellers (how "
        f"many of each number: docs/castellers-box.md), {BASES} bases. A plug for every pocket.",
    ]
    return "\n".join(lines)


def with_tables(page):
    """The page's text with the tables in their place."""
    head, rest = page.split(MARK[0])
    return f"{head}{MARK[0]}\n\n{tables()}\n\n{MARK[1]}{rest.split(MARK[1])[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(tables())


if __name__ == "__main__":
    main()
