"""Parts of the catalogue (hardware/boards/parts.toml) as SKiDL parts."""

import functools
from pathlib import Path

import skidl
import tomllib

CATALOGUE = Path(__file__).parents[1] / "boards" / "parts.toml"


@functools.cache
def catalogue():
    """{name: entry} of every part, whatever its role; an entry has "role" and "name" besides its keys."""
    found = {}
    for role, parts in tomllib.loads(CATALOGUE.read_text(encoding="utf-8")).items():
        for name, entry in parts.items():
            found[name] = {**entry, "role": role, "name": name}
    return found


def pin_table(entry):
    """[(number, name, type)] from an entry's `pins`."""
    return [tuple(item.split()) for item in entry["pins"].replace("\n", " ").split(",") if item.strip()]


@functools.cache
def _types():
    types = skidl.Pin.types
    return {
        "power_in": types.PWRIN,
        "power_out": types.PWROUT,
        "input": types.INPUT,
        "output": types.OUTPUT,
        "passive": types.PASSIVE,
        "tristate": types.TRISTATE,
        "none": types.NOCONNECT,
    }


def place(circuit, name, ref, connect=None, note=""):
    """A part of the catalogue in the circuit: `connect` is {pin name or number: net}. Returns the Part.

    A value of None marks a pin that is left open on purpose. KeyError: no such part or pin.
    """
    entry = catalogue()[name]
    pins = [skidl.Pin(num=number, name=pin, func=_types()[kind]) for number, pin, kind in pin_table(entry)]
    part = skidl.Part(
        name=name,
        ref=ref,
        tag=ref,
        value=name,
        footprint=entry["footprint"],
        ref_prefix=entry["reference"],
        tool=skidl.SKIDL,
        dest=skidl.NETLIST,
        pins=pins,
        circuit=circuit,
    )
    part.note = note
    names = {}
    for pin in part.pins:
        names.setdefault(pin.name, []).append(pin)
        names.setdefault(pin.num, []).append(pin)
    for key, net in (connect or {}).items():
        for pin in dict.fromkeys(names[str(key)]):
            if net is None:
                pin += circuit.NC
            else:
                pin += net
    return part
