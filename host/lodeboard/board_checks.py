"""What can be wrong with a board file: each check raises LodeboardError with file, key, reason and cure."""

import difflib
import functools
import importlib.resources
import json
import math
import sys

from lodeboard.errors import LodeboardError
from lodeboard.sim import field

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

VALUE_MAX = 80  # characters of a value that are shown
_FILES = importlib.resources.files("lodeboard.boardfiles")


def _fault(file, key, reason, do):
    return LodeboardError(f"{file}: {key}: {reason}.", do)


@functools.cache
def _schema():
    return json.loads((_FILES / "board.schema.json").read_text(encoding="utf-8"))


@functools.cache
def catalogue():
    return tomllib.loads((_FILES / "parts.toml").read_text(encoding="utf-8"))


def _key(path):
    """A path into the file as a person writes it: layouts.tau.holes[3]."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text or "the file"


def schema(data, file):
    """LodeboardError on the first fault: a key that is unknown, missing, or of the wrong kind."""
    import jsonschema

    for path, value in _leaves(data):
        if isinstance(value, float) and math.isnan(value):
            raise _fault(file, _key(path), "nan is no number", "Give a number.")  # it passes any bound
    faults = list(jsonschema.Draft202012Validator(_schema()).iter_errors(data))
    if not faults:
        return
    # a misspelt key shows as one unknown and one missing: the unknown one tells more
    fault = min(faults, key=lambda f: (f.validator != "additionalProperties", len(f.absolute_path)))
    key = _key(fault.absolute_path)
    if fault.validator == "additionalProperties":
        known = fault.schema["properties"]
        unknown = sorted(set(fault.instance) - set(known))[0]
        near = difflib.get_close_matches(unknown, [k for k in known if k not in fault.instance] or known, 1)
        do = f"Did you mean {near[0]}?" if near else f"Known here: {', '.join(known)}."
        raise _fault(file, _key([*fault.absolute_path, unknown]), "unknown key", do)
    if fault.validator == "required":
        missing = [k for k in fault.schema["required"] if k not in fault.instance][0]
        about = fault.schema["properties"][missing].get("description", "")
        reason = "missing pin" if key == "pins" else "missing"
        do = f"Add it: {about}." if about else "Add it."
        raise _fault(file, _key([*fault.absolute_path, missing]), reason, do)
    about = fault.schema.get("description", "")
    raise _fault(file, key, _reason(fault), f"It is: {about}." if about else "Correct the value.")


def _leaves(value, path=()):
    """Yield (path, value) of all that is no table and no list."""
    if isinstance(value, dict):
        steps = value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
    else:
        yield path, value
        return
    for step, inner in steps:
        yield from _leaves(inner, (*path, step))


def _reason(fault):
    """One clause about a value that the schema refuses."""
    value, rule = json.dumps(fault.instance, default=str), fault.validator_value
    value = value if len(value) <= VALUE_MAX else value[:VALUE_MAX] + "..."
    count = len(fault.instance) if isinstance(fault.instance, list) else 0
    return {
        "type": f"{value} is not of type {rule}",
        "enum": f"{value} is not one of {rule}",
        "const": f"{value} should be {rule}",
        "minimum": f"{value} is less than {rule}",
        "maximum": f"{value} is more than {rule}",
        "multipleOf": f"{value} is not a multiple of {rule}",
        "minItems": f"{count} entries, at least {rule} wanted",
        "maxItems": f"{count} entries, at most {rule} allowed",
        "uniqueItems": "an entry is there twice",
        "not": f"{value} is not free for use",
        "pattern": f"{value} is not written as it should be",
    }.get(fault.validator, fault.message)


def parts(data, file):
    """The figures of the parts that the file names, by role."""
    known_parts = catalogue()
    found = {}
    for role, name in data["parts"].items():
        known = known_parts[role]
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            do = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(known)}; parts.toml lists them."
            raise _fault(file, f"parts.{role}", f"unknown part {name}", do)
        found[role] = known[name]
    return found


def board(board, file):
    """What a schema cannot say: chain, pins, magnet, limits and layouts of a Board."""
    for check in (_chain, _pins, _magnet, _limits, _layouts):
        check(board, file)


def _chain(board, file):
    size = board.data["tile"]["size"]
    columns, rows = board.width // size, board.height // size
    seen = []
    for i, tile in enumerate(board.data["chain"]["tiles"]):
        key = f"chain.tiles[{i}]"
        if tile[0] >= columns or tile[1] >= rows:
            raise _fault(file, key, f"tile {tile} lies outside the board of {columns} x {rows} tiles",
                         "Give column and row from 0.")
        if tile in seen:
            raise _fault(file, key, f"tile {tile} is there twice", "List every tile once.")
        seen.append(tile)
    for y in range(rows):
        for x in range(columns):
            if [x, y] not in seen:
                raise _fault(file, "chain.tiles", f"tile [{x}, {y}] is missing", "List every tile once.")


def _pins(board, file):
    used = {}
    for name, value in board.data["pins"].items():
        for number in value if isinstance(value, list) else [value]:
            if number in used:
                raise _fault(file, f"pins.{name}", f"GP{number} is already pins.{used[number]}",
                             "Give every signal a pin of its own.")
            used[number] = name
    pins = board.data["pins"]
    if pins["sda"] % 4 or pins["scl"] % 4 != 1:
        raise _fault(file, "pins.sda", f"GP{pins['sda']} and GP{pins['scl']} are not pins of I2C0",
                     "Take GP0/4/8/12/16/20 for sda and GP1/5/9/13/17/21 for scl.")


def _magnet(board, file):
    magnet = board.data["magnet"]
    try:
        field.load(magnet["disc"], magnet["grade"])
    except FileNotFoundError:
        raise _fault(file, "magnet.disc", f"no field table of a {magnet['disc']} disc of {magnet['grade']}",
                     "Take 6x3 and N35, or make a table with hardware/magnets/field_table.py.") from None


def _limits(board, file):
    dark = math.ceil(board.dark_ma())
    for key in ("usb_ma", "external_ma"):
        limit = board.data["limits"][key]
        if limit < dark:
            raise _fault(file, f"limits.{key}",
                         f"{limit} mA, but the board draws {dark} mA with every light dark",
                         "Raise the supply or take a smaller board.")


def _layouts(board, file):
    layouts = board.data["layouts"]
    for i, game in enumerate(board.data["games"]):
        if game not in layouts:
            raise _fault(file, f"games[{i}]", f"{game} has no layout",
                         f"Add [layouts.{game}] or drop the game.")
    for game in layouts:
        if game not in board.data["games"]:
            raise _fault(file, f"layouts.{game}", "a layout of a game that the board does not list",
                         f"Add {game} to games or drop the layout.")
        for places in _layout_places(board, file, game, layouts[game]):
            _overlap(board, file, places)
        on, off = (layouts[game]["thresholds_mt"][k] for k in ("on", "off"))
        if off >= on:
            raise _fault(file, f"layouts.{game}.thresholds_mt", f"off ({off:g}) is not below on ({on:g})",
                         "Leave a gap between them: it is the hysteresis.")
    if board.data["default"] not in board.data["games"]:
        raise _fault(file, "default", f"{board.data['default']} is not among games",
                     "Name a game of the board.")


def _layout_places(board, file, game, layout):
    """Yields lists of (key, squares): the places that share the board at one time."""
    def area(key, name, size):
        try:
            corner = board.square(name)
        except ValueError as error:
            raise _fault(file, key, str(error), "Move the layout onto the board.") from None
        y, x = divmod(corner, board.width)
        if x + size > board.width or y + size > board.height:
            raise _fault(file, key, f"{size} x {size} squares from {name} reach beyond the board",
                         "Move the layout onto the board.")
        return key, [corner + dy * board.width + dx for dy in range(size) for dx in range(size)]

    path = f"layouts.{game}"
    if game == "callisto":
        seen = set()
        for i, entry in enumerate(layout["boards"]):
            key = f"{path}.boards[{i}]"
            which = (entry["edition"], entry["players"])
            if which in seen:
                raise _fault(file, key, f"edition {which[0]} for {which[1]} is there twice",
                             "Keep one of them.")
            seen.add(which)
            yield [area(f"{key}.origin", entry["origin"], entry["size"])]
        return
    size = layout.get("field", 1)
    own = layout["holes" if game == "tau" else "bases"]
    own_key = f"{path}.{'holes' if game == 'tau' else 'bases'}"
    places = [area(f"{own_key}[{i}]", name, size) for i, name in enumerate(own)]
    for seat, rack in enumerate(layout["racks"]):
        places += [area(f"{path}.racks[{seat}][{i}]", name, size) for i, name in enumerate(rack)]
    yield places


def _overlap(board, file, places):
    taken = {}
    for key, squares in places:
        for square in squares:
            if square in taken:
                raise _fault(file, key, f"overlaps {taken[square]} on {board.square_name(square)}",
                             "Give every place a square of its own.")
            taken[square] = key


