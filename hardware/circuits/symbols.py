"""Our pin tables against KiCad's symbols: a second source for every chip's pins."""

import re
from pathlib import Path

from hardware.circuits.parts import catalogue, pin_table

FOLDER = Path("/usr/share/kicad/symbols")
#: part of the catalogue: KiCad's library and symbol
SYMBOLS = {
    "DRV5055A2": ("Sensor_Magnetic", "DRV5055A2xDBZxQ1"),
    "WS2812B": ("LED", "WS2812B"),
    "CD74HC4067": ("74xx", "CD74HC4067M"),
    "74LVC1G175": ("74xGxx", "74LVC1G175"),
    "TPS22917": ("Power_Management", "TPS22917DBV"),
    "74AHCT1G125": ("74xGxx", "74AHCT1G125"),
    "74LVC2G17": ("74xGxx", "74LVC2G17"),
    "74LVC1G02": ("74xGxx", "74LVC1G02"),
    "74LVC1G66": ("74xGxx", "74LVC1G66"),
    "TLV1117LV33": ("Regulator_Linear", "TLV1117-33"),
}
#: KiCad's type: what we may call it; "~" and names that only differ in style are not compared
TYPES = {
    "power_in": {"power_in"},
    "power_out": {"power_out"},
    "input": {"input"},
    "output": {"output", "passive"},
    "tri_state": {"tristate"},
    "passive": {"passive"},
    "bidirectional": {"passive"},
    "open_collector": {"passive"},
}
GROUNDS = {"GND", "VSS"}


def pins(library, symbol):
    """{number: (name, type)} of a KiCad symbol. KeyError: KiCad has none of that name."""
    text = (FOLDER / f"{library}.kicad_sym").read_text(encoding="utf-8")
    start = text.find(f'\n  (symbol "{symbol}" ')
    if start < 0:
        raise KeyError(f"{library}:{symbol}")
    end = text.find("\n  (symbol ", start + 1)
    block = text[start : end if end > 0 else len(text)]
    parent = re.search(r'\(extends "([^"]+)"', block)
    if parent:
        return pins(library, parent.group(1))
    found = re.findall(r'\(pin (\w+) \w+.*?\(name "([^"]*)".*?\(number "([^"]*)"', block, re.DOTALL)
    return {number: (name, kind) for kind, name, number in found}


def differences():
    """[text]: where a pin's number, type or supply role differs from KiCad's symbol."""
    said = []
    for part, (library, symbol) in SYMBOLS.items():
        theirs = pins(library, symbol)
        ours = {number: (name, kind) for number, name, kind in pin_table(catalogue()[part])}
        if set(ours) != set(theirs):
            said.append(f"{part}: pins {sorted(ours)}, KiCad has {sorted(theirs)}")
            continue
        for number, (name, kind) in ours.items():
            their_name, their_kind = theirs[number]
            plain = their_name.replace("~{", "/").replace("}", "")
            if kind not in TYPES[their_kind]:
                said.append(f"{part}.{number} is {kind}, KiCad has {their_kind}")
            if (name in GROUNDS) != (plain in GROUNDS):
                said.append(f"{part}.{number} is {name}, KiCad has {plain}")
            if len(plain) > 1 and plain not in (name, name[:1]) and plain[:1] not in (name[:1], "V"):
                said.append(f"{part}.{number} is {name}, KiCad has {plain}")
    return said
