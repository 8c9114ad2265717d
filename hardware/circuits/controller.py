"""The controller: a Pico, the supplies, the display, buttons and buzzer, and the head of the bus.

5 V comes from the screw terminal (fuse F1, diodes D1 and D4) or from USB (resettable F2, switch U3, which
ramps slowly and never conducts backwards). U2 makes the 3.3 V of the tiles, which is also the reference of
the ADC: the sensors are ratiometric. U4 lifts the LED data to 5 V.
"""

import skidl

from hardware.circuits import bus
from hardware.circuits.parts import catalogue, pin_table, place

OUTLETS = 5  # LED power leads, one for each row of tiles of the largest board


def controller(board):
    """The circuit of the controller of `board` (lodeboard.boards.Board), with its pins."""
    circuit = skidl.Circuit(name="controller")
    chosen, pins = board.data["parts"], board.data["pins"]

    def net(name):
        return skidl.Net(name, circuit=circuit)

    gnd, v3, v5, vsys, vbus = net("GND"), net("3V3"), net("5V"), net("VSYS"), net("VBUS")
    ext_in, ext, usb = net("EXT_IN"), net("EXT"), net("USB_5V")
    for supply in (gnd, v5, vsys, usb):
        supply.drive = skidl.POWER  # through connectors, diodes and fuses, which drive nothing themselves

    # supplies
    place(circuit, "terminal", "J1", {"+": ext_in, "-": gnd}, "5 V from outside")
    place(circuit, "fuse_8A", "F1", {"1": ext_in, "2": ext})
    for ref in ("D1", "D4"):  # two share the heat
        place(circuit, "SBR10U45", ref, {"A": ext, "K": v5}, "reversed polarity, and no way back")
    place(circuit, "SMBJ5.0A", "D2", {"K": v5, "A": gnd}, "too much voltage")
    place(circuit, "ptc_0A5", "F2", {"1": vbus, "2": usb})
    slope = net("USB_SLOPE")
    place(
        circuit,
        "TPS22917",
        "U3",
        {"VIN": usb, "ON": usb, "GND": gnd, "VOUT": v5, "CT": slope, "QOD": None},
        "slow start on USB",
    )
    place(circuit, "c_10n", "C1", {"1": usb, "2": slope}, "sets the slope")
    place(circuit, "c_1u", "C2", {"1": usb, "2": gnd})
    place(circuit, "SS14", "D3", {"A": v5, "K": vsys})
    place(circuit, "TLV1117LV33", "U2", {"IN": v5, "OUT": v3, "GND": gnd})
    place(circuit, "c_10u", "C3", {"1": v5, "2": gnd})
    place(circuit, "c_10u", "C4", {"1": v3, "2": gnd})
    place(circuit, "c_47u", "C5", {"1": v5, "2": gnd})

    # the Pico: a net for every signal of the board file
    reference, run = net("ADC_REF"), net("RUN")
    signal = {name: net(f"P_{name.upper()}") for name in pins if name != "select"}
    selects = [net(f"P_SEL{i}") for i in range(4)]
    used = {f"GP{number}": signal[name] for name, number in pins.items() if name != "select"}
    used |= {f"GP{number}": selects[i] for i, number in enumerate(pins["select"])}
    free = {
        name: None
        for _, name, kind in pin_table(catalogue()[chosen["controller"]])
        if name.startswith("GP") and name not in used
    }
    place(
        circuit,
        chosen["controller"],
        "U1",
        {
            **used,
            **free,
            "GND": gnd,
            "AGND": gnd,
            "VSYS": vsys,
            "VBUS": vbus,
            "RUN": run,
            "ADC_VREF": reference,
            "3V3": None,
            "3V3_EN": None,
        },
    )
    place(circuit, "r_10", "R1", {"1": v3, "2": reference}, "the sensors' supply is the ADC's reference")
    place(circuit, "c_1u", "C6", {"1": reference, "2": gnd})
    place(circuit, "r_10k", "R2", {"1": v5, "2": signal["supply"]})
    place(circuit, "r_10k", "R3", {"1": signal["supply"], "2": gnd})
    place(circuit, "c_100n", "C7", {"1": signal["supply"], "2": gnd})
    place(circuit, "r_10k", "R4", {"1": ext, "2": signal["external"]})
    place(circuit, "r_10k", "R5", {"1": signal["external"], "2": gnd})

    # the head of the bus
    lines = {name: net(name) for name in ("TOKEN", "CLK", "ANALOG", "RETURN", "LED", "SEL0", "SEL1", "SEL2", "SEL3")}
    place(circuit, "bus_header", "J2", bus.contacts({**lines, "3V3": v3, "GND": gnd}), "to the first tile")
    for i in range(4):
        place(circuit, "r_100", f"R{6 + i}", {"1": selects[i], "2": lines[f"SEL{i}"]})
    place(circuit, "r_47", "R10", {"1": signal["clock"], "2": lines["CLK"]}, "ends reflections")
    place(circuit, "r_100", "R11", {"1": signal["token"], "2": lines["TOKEN"]})
    place(circuit, "r_100", "R12", {"1": lines["ANALOG"], "2": signal["analog"]})
    place(circuit, "r_1k", "R13", {"1": lines["RETURN"], "2": signal["token_back"]})
    place(circuit, "r_100k", "R14", {"1": lines["RETURN"], "2": gnd}, "no last tile, no token")
    lifted = net("LED_5V")
    place(circuit, chosen["shifter"], "U4", {"/OE": gnd, "A": signal["led"], "Y": lifted, "VCC": v5, "GND": gnd})
    place(circuit, "c_100n", "C8", {"1": v5, "2": gnd}, "at U4")
    place(circuit, "r_100k", "R15", {"1": signal["led"], "2": gnd}, "quiet until the firmware runs")
    place(circuit, "r_100", "R16", {"1": lifted, "2": lines["LED"]})
    for i in range(OUTLETS):
        place(circuit, "power_header", f"J{4 + i}", {"5V": v5, "2": gnd}, "LED power of the tiles")

    # the panel
    place(
        circuit,
        chosen["display"],
        "J3",
        {"GND": gnd, "VCC": v3, "SCL": signal["scl"], "SDA": signal["sda"]},
        "the display",
    )
    place(circuit, "r_4k7", "R17", {"1": v3, "2": signal["scl"]})
    place(circuit, "r_4k7", "R18", {"1": v3, "2": signal["sda"]})
    place(circuit, "c_100n", "C9", {"1": v3, "2": gnd}, "at the display")
    for i, name in enumerate(("ok", "undo", "hint", "menu")):
        place(circuit, "button", f"SW{i + 1}", {"1": signal[name], "2": gnd}, name)
    place(circuit, "button", "SW5", {"1": run, "2": gnd}, "reset")
    tone = net("TONE")
    place(circuit, "r_100", "R19", {"1": signal["buzzer"], "2": tone})
    place(circuit, "buzzer", "BZ1", {"1": tone, "2": gnd})
    for i in range(4):
        place(circuit, "hole", f"H{i + 1}")
    return circuit
