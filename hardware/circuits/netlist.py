"""The circuit as a KiCad netlist: the same text for the same circuit, to the byte."""

from hardware.circuits.parts import pin_table
from hardware.circuits.rules import nets, parts


def _quote(text):
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def text(circuit):
    """The netlist in the format that KiCad's board editor imports."""
    lines = ['(export (version "E")', f"  (design (source {_quote(circuit.name)}))", "  (components"]
    for ref, entry in parts(circuit).items():
        lines += [
            f"    (comp (ref {_quote(ref)})",
            f"      (value {_quote(entry['name'])})",
            f"      (footprint {_quote(entry['footprint'])})",
            f"      (datasheet {_quote(entry['source'])})",
            f'      (fields (field (name "MPN") {_quote(entry["mpn"])})'
            f' (field (name "Manufacturer") {_quote(entry["manufacturer"])})))',
        ]
    lines += ["  )", "  (nets"]
    names = {ref: {number: name for number, name, _ in pin_table(entry)} for ref, entry in parts(circuit).items()}
    for code, (name, pins) in enumerate(nets(circuit).items(), 1):
        lines.append(f"    (net (code {code}) (name {_quote(name)})")
        lines += [
            f"      (node (ref {_quote(ref)}) (pin {_quote(pin)}) (pinfunction {_quote(names[ref][pin])}))"
            for ref, pin in pins
        ]
        lines[-1] += ")"
    return "\n".join([*lines, "  ))", ""])
