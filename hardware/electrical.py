"""The figures of docs/hardware/electrical.md, computed from the board files and the parts' figures.

    .venv/bin/python -m hardware.electrical            prints the tables of the page
    .venv/bin/python -m hardware.electrical --write    puts them into the page

What is not a part's figure is a constant here, with its reason. Nothing was measured on a bench.
"""

import argparse
import math
import sys
from pathlib import Path

from lodeboard import board_checks, boards
from lodeboard.hardware import budget

PAGE = Path(__file__).parents[1] / "docs" / "hardware" / "electrical.md"
MARK = ("<!-- made by hardware/electrical.py: do not edit below -->", "<!-- end of what is made -->")

HOP_M, FIRST_M = 0.13, 0.30  # ribbon from tile to tile (90 mm to the right, 170 to the left), and the first
RIBBON_OHM_M, RIBBON_PF_M = 0.213, 60  # AWG 28, one wire between neighbours
RIBBON_NS_M = 6.0
TRACE_PF = 7.0  # about 7 cm of track on a tile, 1 pF a cm
POUR_OHM = 0.005  # of the tile from header to header, 3.3 V and ground, as poured
LEAD_OHM_M, LEAD_M = 0.021, 0.10  # AWG 18, from tile to tile
FEED_M = 0.50  # from controller to the first tile of a row
SPINE_OHM = 0.0055  # 5 V and its return across a tile: 5 to 8 squares of half an ounce
PICO_OHM = 35.0  # output of a pin at 12 mA drive
LVC_V_UP = (1.1, 2.0)  # rising threshold of a 74LVC2G17 at 3.3 V, least and most
LVC_NS = (1.0, 5.5)  # its delay
HALF_COUNT = math.log(2 * 4096)  # time constants until half a count of twelve bits is left
LINE_US = 1.0  # the firmware's least wait between select lines and conversion
CONTROLLER_PF = 12.0
LED_LEAST_V = 3.7  # WS2812B data sheet
TILE_UF = 47 + 16 * 0.1  # across the LED supply of a tile
CT_V_PER_S = 2300 / 10  # TPS22917 with 10 nF: 2.3 mV/us at 1 nF, inversely with the capacitor


def part(name):
    """A part's figures, whatever its role."""
    for parts in board_checks.catalogue().values():
        if name in parts:
            return parts[name]
    raise KeyError(name)


class Figures:
    """Every figure of one board."""

    def __init__(self, name):
        self.board = boards.load(name)
        self.name = name
        self.tiles = len(self.board.data["chain"]["tiles"])
        self.ribbon_m = FIRST_M + HOP_M * (self.tiles - 1)
        self.led_ma = budget.led_white_ma(self.board)

    def line_pf(self, input_pf):
        """Capacitance of a bus wire with an input of input_pf on every tile."""
        return self.tiles * (input_pf + TRACE_PF) + self.ribbon_m * RIBBON_PF_M + CONTROLLER_PF

    def clock(self):
        """(pF, ns time constant, ns flight)"""
        pf = self.line_pf(part("74LVC2G17")["input_pf"])
        return pf, pf * (PICO_OHM + part("r_47")["ohm"]) / 1000, self.ribbon_m * RIBBON_NS_M

    def select(self):
        pf = self.line_pf(part("CD74HC4067")["select_pf"])
        tau = pf * (PICO_OHM + part("r_100")["ohm"]) / 1000
        return pf, tau, tau * math.log(1 / 0.3)  # to 0.7 of the supply

    def token_ns(self):
        """(least, most) delay of a token on its way into a tile, by R1, C40 and U3."""
        rc = (
            (part("r_1k")["ohm"] + part("r_100")["ohm"]) * part("c_100p")["farad"] * 1e9
        )  # R3 of the tile before, and R1
        return tuple(rc * math.log(1 / (1 - v / 3.3)) + d for v, d in zip(LVC_V_UP, LVC_NS, strict=True))

    def skew_ns(self):
        """Most that two neighbouring tiles' clocks can differ."""
        return HOP_M * RIBBON_NS_M + LVC_NS[1] - LVC_NS[0]

    def analog(self):
        """(pF on the line, us time constant, us to half a count, share left after LINE_US)"""
        mux, switch = part("CD74HC4067"), part("74LVC1G66")
        pf = self.line_pf(switch["off_pf"]) + 2 * mux["off_pf"]  # of the tile that is read, and of the next token's
        tau = pf * (mux["on_ohm"] + switch["on_ohm"]) * 1e-6
        return pf, tau, tau * HALF_COUNT, math.exp(-LINE_US / tau)

    def unbuffered_us(self):
        """us to half a count if the multiplexers' outputs were on the line themselves."""
        mux = part("CD74HC4067")
        return self.line_pf(mux["off_pf"]) * mux["on_ohm"] * 1e-6 * HALF_COUNT

    def supply(self):
        """(V lost of 3.3 V at the last tile, mT shift of zero, share lost of sensitivity), typical
        current."""
        contact = part("bus_header")["contact_ohm"]
        amps = budget.sensors_ma(self.board) / 1000
        hop = [(2 * contact + HOP_M * RIBBON_OHM_M) / n + POUR_OHM for n in (3, 4)]  # 3 wires of 3.3 V, 4 of ground
        first = [(2 * contact + FIRST_M * RIBBON_OHM_M) / n for n in (3, 4)]
        up, down = (amps * (f + h * (self.tiles - 1)) for f, h in zip(first, hop, strict=True))
        shift_mv = 1000 * (down - up) / 2
        return up + down, shift_mv / self.board.parts["sensor"]["mv_per_mt"], (up + down) / 3.3

    def chains(self):
        """Tiles on the longest of the controller's LED outlets: a row each."""
        return max(1, self.board.width // self.board.data["tile"]["size"])

    def led_drop(self):
        """V lost, there and back, at the end of a row when the supply's limit lights its last tiles white."""
        contact = part("power_header")["contact_ohm"]
        left = self.board.data["limits"]["external_ma"] / 1000 - self.board.dark_ma() / 1000
        tile = self.board.data["tile"]["size"] ** 2 * self.led_ma / 1000
        count = self.chains()
        draws = [0.0] * count
        for i in reversed(range(count)):
            draws[i] = min(tile, left)
            left -= draws[i]
        volts, onward = 0.0, sum(draws)
        for i in range(count):
            way = FEED_M if i == 0 else LEAD_M
            board = 0 if i == 0 else SPINE_OHM
            volts += onward * 2 * (2 * contact + way * LEAD_OHM_M + board)
            onward -= draws[i]
        return volts, sum(draws)

    def ground_shift_mt(self):
        """mT by which the lights would move every reading if they shared the sensors' ground (they do
        not)."""
        volts, _ = self.led_drop()
        return 1000 * volts / 2 / self.board.parts["sensor"]["mv_per_mt"]

    def led_least_v(self):
        return 5.0 - part("SBR10U45")["drop_v"] - self.led_drop()[0]

    def inrush_usb_a(self):
        return (self.tiles * TILE_UF + 47) * 1e-6 * CT_V_PER_S

    def wake_ma(self):
        """mA that charge the capacitors of one tile's sensors while its switch opens."""
        return (16 * 0.01 + 0.1) * part(self.board.data["parts"]["gate"])["slew_v_per_us"] * 1000


ROWS = (
    ("CLK: load", "pF", lambda f: f"{f.clock()[0]:.0f}"),
    ("CLK: time constant with 47 ohm", "ns", lambda f: f"{f.clock()[1]:.0f}"),
    ("CLK: flight to the last tile", "ns", lambda f: f"{f.clock()[2]:.0f}"),
    ("SEL: load", "pF", lambda f: f"{f.select()[0]:.0f}"),
    ("SEL: to 0.7 of the supply with 100 ohm", "ns", lambda f: f"{f.select()[2]:.0f}"),
    ("ANALOG: load", "pF", lambda f: f"{f.analog()[0]:.0f}"),
    ("ANALOG: time constant", "us", lambda f: f"{f.analog()[1]:.2f}"),
    ("ANALOG: to half a count", "us", lambda f: f"{f.analog()[2]:.2f}"),
    ("ANALOG: share of a step left after 1 us", "%", lambda f: f"{100 * f.analog()[3]:.2f}"),
    ("the same without U5, to half a count", "us", lambda f: f"{f.unbuffered_us():.1f}"),
    ("3.3 V and ground lost at the last tile", "mV", lambda f: f"{1000 * f.supply()[0]:.0f}"),
    ("zero moved by that (constant)", "mT", lambda f: f"{f.supply()[1]:+.2f}"),
    ("sensitivity lost by that", "%", lambda f: f"{100 * f.supply()[2]:.1f}"),
    (
        "LED power lost at a row's end, all there is in its last tiles",
        "V",
        lambda f: f"{f.led_drop()[0]:.2f}",
    ),
    ("current in that row", "A", lambda f: f"{f.led_drop()[1]:.1f}"),
    ("least voltage of an LED (3.7 wanted)", "V", lambda f: f"{f.led_least_v():.2f}"),
    ("readings moved, if lights and sensors shared a ground", "mT", lambda f: f"{f.ground_shift_mt():.1f}"),
    ("inrush on USB with C1 of 10 nF", "A", lambda f: f"{f.inrush_usb_a():.2f}"),
    ("current into one tile's capacitors as it wakes", "mA", lambda f: f"{f.wake_ma():.0f}"),
)


def table():
    figures = [Figures(name) for name in boards.names()]
    lines = [
        "| figure | unit | " + " | ".join(f.name for f in figures) + " |",
        "|---|---|" + "---|" * len(figures),
    ]
    for what, unit, of in ROWS:
        lines.append(f"| {what} | {unit} | " + " | ".join(of(f) for f in figures) + " |")
    least, most = figures[0].token_ns()
    lines += [
        "",
        f"Token into a tile: {least:.0f} to {most:.0f} ns after the clock edge; two neighbours differ "
        f"by {figures[0].skew_ns():.1f} ns at most; the flip-flop holds "
        f"{part('74LVC1G175')['hold_ns']} ns. So every tile takes one step an edge, with "
        f"{least - figures[0].skew_ns() - part('74LVC1G175')['hold_ns']:.0f} ns to spare.",
    ]
    return "\n".join(lines)


def with_table(page):
    """The page's text with the computed table in its place."""
    head, rest = page.split(MARK[0])
    return head + MARK[0] + "\n\n" + table() + "\n\n" + MARK[1] + rest.split(MARK[1])[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        print(f"wrote {PAGE.name}", file=sys.stderr)
        return 0
    print(table())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
