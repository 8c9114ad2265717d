"""Electrical rules: SKiDL's own check, and one of ours that does not trust it."""

import contextlib
import io

import skidl

from hardware.circuits.parts import catalogue, pin_table


def nets(circuit):
    """{net name: sorted [(reference, pin number)]} of every net that joins pins; open pins are left out."""
    found = {}
    for net in circuit.get_nets():
        if net.pins:
            found.setdefault(net.name, []).extend((pin.part.ref, pin.num) for pin in net.pins)
    return {name: sorted(pins) for name, pins in sorted(found.items())}


def parts(circuit):
    """{reference: catalogue entry}, sorted by reference."""
    return {part.ref: catalogue()[part.name] for part in sorted(circuit.parts, key=lambda p: p.ref)}


def skidl_faults(circuit):
    """[message] of SKiDL's check of electrical rules: errors and warnings."""
    log = skidl.erc_logger
    log.error.reset()
    log.warning.reset()
    with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(io.StringIO()):
        circuit.ERC()
    count = log.error.count + log.warning.count
    lines = [line for line in said.getvalue().splitlines() if line.startswith(("ERROR", "WARNING"))]
    return lines if len(lines) == count else [*lines, f"SKiDL counts {count} faults and prints {len(lines)}"]


def faults(circuit):
    """[message]: a pin in no net or in two, a net with one pin, an input that nothing drives, two drivers.

    Supplies of connectors are marked in the circuit (net.drive); passive pins drive logic inputs only when a
    connector, resistor or the Pico is behind them, which is what passive means here.
    """
    said = []
    kinds = {(ref, number): kind for ref, entry in parts(circuit).items() for number, _, kind in pin_table(entry)}
    joined = {}
    marked = {net.name for net in circuit.get_nets() if net.drive >= skidl.POWER}
    for name, pins in nets(circuit).items():
        if len(pins) < 2:
            said.append(f"{name} joins only {pins[0][0]}.{pins[0][1]}")
        for pin in pins:
            if pin in joined:
                said.append(f"{pin[0]}.{pin[1]} is in {joined[pin]} and in {name}")
            joined[pin] = name
        here = [kinds[pin] for pin in pins]
        drivers = [p for p in pins if kinds[p] in ("output", "power_out")]
        if len(drivers) > 1:
            said.append(f"{name} has {len(drivers)} drivers: {', '.join(f'{r}.{n}' for r, n in drivers)}")
        if "power_in" in here and "power_out" not in here and name not in marked:
            said.append(f"{name} supplies parts and nothing supplies it")
        if "input" in here and not set(here) & {"output", "power_out", "tristate", "passive"} and name not in marked:
            said.append(f"nothing drives {name}")
    open_pins = {
        (pin.part.ref, pin.num) for part in circuit.parts for pin in part.pins if isinstance(pin.net, skidl.net.NCNet)
    }
    for pin in kinds:
        if pin not in joined and pin not in open_pins:
            said.append(f"{pin[0]}.{pin[1]} is connected to nothing")
    return said
