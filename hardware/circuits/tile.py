"""The tile: sixteen Hall sensors and LEDs, a multiplexer, and the walking token.

The flip-flop U2 holds the token (Q). The sensors are powered by Q1 while the token is here or about to come (Q
or its input D: U4, a NOR, since a P-channel gate is on when low), so that a tile wakes while the ones before are
read. The multiplexer is on the shared line while the token is here and none follows (Q and not D): U5 opens by
Q, U1 is enabled by D low; so two tokens may walk together (docs/hardware/token.md). U3 gives clock and token
clean, steep edges. C40, with R1 and the R3 of the tile before, delays the token against the clock, so that no
tile ever takes two steps on one edge. R5 with C43 clears the flip-flop while power comes.
"""

import skidl

from hardware.circuits import bus
from hardware.circuits.parts import place

SIDE = 4
SQUARES = SIDE * SIDE


def tile(board):
    """The circuit of a tile of `board` (lodeboard.boards.Board): its parts and the order of its chains."""
    circuit = skidl.Circuit(name="tile")
    chosen = board.data["parts"]
    select, leds = board.data["tile"]["select"], board.data["tile"]["leds"]

    def net(name):
        return skidl.Net(name, circuit=circuit)

    v3, gnd, vs = net("3V3"), net("GND"), net("3V3_SENSE")
    v5, v5l, pgnd = net("5V"), net("5V_LED"), net("PGND")
    clock, clock_here = net("CLK"), net("CLK_HERE")
    token, token_slow, token_d = net("TOKEN_IN"), net("TOKEN_SLOW"), net("TOKEN_D")
    held, token_out, asleep, slope = net("TOKEN_Q"), net("TOKEN_OUT"), net("ASLEEP"), net("GATE")
    analog, mux_out, clear = net("ANALOG"), net("MUX_OUT"), net("CLEAR")
    selects = [net(f"SEL{i}") for i in range(4)]
    back = net("RETURN")
    data = [net("LED_IN")] + [net(f"LED_{i + 1}") for i in range(SQUARES)]
    led_out = net("LED_OUT")
    sensed = [net(f"HALL_{square}") for square in range(SQUARES)]
    for supply in (v3, gnd, v5, v5l, pgnd, vs):
        supply.drive = skidl.POWER  # through connectors, a fuse and Q1, which drive nothing themselves

    shared = {
        "3V3": v3,
        "GND": gnd,
        "ANALOG": analog,
        "CLK": clock,
        "RETURN": back,
        **{f"SEL{i}": selects[i] for i in range(4)},
    }
    place(circuit, "bus_header", "J1", bus.contacts({**shared, "TOKEN": token, "LED": data[0]}), "bus in")
    place(circuit, "bus_header", "J2", bus.contacts({**shared, "TOKEN": token_out, "LED": led_out}), "bus out")
    for ref in ("J3", "J4"):
        place(circuit, "power_header", ref, {"5V": v5, "2": pgnd}, "LED power in and on")
    place(circuit, "ptc_1A1", "F1", {"1": v5, "2": v5l}, "a shorted LED takes down its own tile only")

    mux = place(
        circuit,
        chosen["mux"],
        "U1",
        {
            "COM": mux_out,
            "VCC": v3,
            "GND": gnd,
            "/E": token_d,
            **{f"S{i}": selects[i] for i in range(4)},
        },
        "off while another token follows",
    )
    place(
        circuit,
        chosen["token"],
        "U2",
        {"D": token_d, "CLK": clock_here, "Q": held, "/CLR": clear, "VCC": v3, "GND": gnd},
        "holds the token",
    )
    place(circuit, "r_100k", "R5", {"1": v3, "2": clear}, "10 ms: no token while power comes")
    place(circuit, "c_100n", "C43", {"1": clear, "2": gnd})
    place(
        circuit,
        "74LVC2G17",
        "U3",
        {"1A": clock, "1Y": clock_here, "2A": token_slow, "2Y": token_d, "VCC": v3, "GND": gnd},
    )
    place(
        circuit,
        "74LVC1G02",
        "U4",
        {"A": held, "B": token_d, "Y": asleep, "VCC": v3, "GND": gnd},
        "neither read nor soon to be",
    )
    place(circuit, "74LVC1G66", "U5", {"A": mux_out, "B": analog, "C": held, "VCC": v3, "GND": gnd})
    place(circuit, "r_33k", "R6", {"1": asleep, "2": slope}, "opens within 17 us, and not at once")
    place(circuit, chosen["gate"], "Q1", {"G": slope, "S": v3, "D": vs}, "power of the sensors")

    place(circuit, "r_100", "R1", {"1": token, "2": token_slow}, "hold time of the token")
    place(circuit, "c_100p", "C40", {"1": token_slow, "2": gnd})
    place(circuit, "r_100k", "R2", {"1": token, "2": gnd}, "no token while nothing is plugged in")
    place(circuit, "r_1k", "R3", {"1": held, "2": token_out}, "short circuits and swapped cables")
    place(circuit, "r_100", "R4", {"1": data[SQUARES], "2": led_out}, "ends reflections on the LED line")

    for setting, square in enumerate(select):
        place(circuit, chosen["sensor"], f"B{square + 1}", {"VCC": vs, "GND": gnd, "OUT": sensed[square]})
        place(circuit, "c_10n", f"C{square + 1}", {"1": vs, "2": gnd})
        mux[f"I{setting}"] += sensed[square]
    for place_in_line, square in enumerate(leds):
        place(
            circuit,
            chosen["led"],
            f"D{square + 1}",
            {"VDD": v5l, "VSS": pgnd, "DIN": data[place_in_line], "DOUT": data[place_in_line + 1]},
        )
        place(circuit, "c_100n", f"C{square + 17}", {"1": v5l, "2": pgnd})
    for i in range(5):
        supply = {"1": v3, "2": gnd}
        place(circuit, "c_100n", f"C{33 + i}", supply, f"at U{i + 1}")
    place(circuit, "c_100n", "C39", {"1": vs, "2": gnd})
    place(circuit, "c_10u", "C41", {"1": v3, "2": gnd}, "gives what the sensors take while they start")
    place(circuit, "c_47u", "C42", {"1": v5l, "2": pgnd})
    for i in range(4):
        place(circuit, "hole", f"H{i + 1}")
    return circuit
