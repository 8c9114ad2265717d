"""A schematic drawing of a circuit as SVG (and PDF through rsvg-convert), made from the circuit itself.

Parts stand in sections; a wire ends in the name of its net, and equal names are joined, as on any large
schematic. Nothing here is typed twice: pins, values and nets come from the circuit, so a drawing cannot be
old.
"""

import os
import re
import subprocess
from pathlib import Path
from xml.sax.saxutils import escape

from hardware.circuits.parts import pin_table
from hardware.circuits.rules import nets, parts

PIN, STUB, LABEL = 18, 26, 92  # px: pin pitch, wire, room for a net's name
TWO_PIN = re.compile(r"^(R|C|F|D|BZ|SW)\d+$")
GROUNDS = ("GND", "PGND")
SECTIONS = {
    "tile": [
        ("Bus in and out", ["J1", "J2"]),
        ("Token: held, coming, handed on", ["U3", "U2", "U4", "R1", "C40", "R2", "R3", "R5", "C43"]),
        ("Power of the sensors", ["R6", "Q1", "C39", "C41"]),
        ("Selected sensor to the bus", ["U1", "U5"]),
        ("LED power and data", ["J3", "J4", "F1", "C42", "R4"]),
        ("At the supply pins of U1 to U5", ["C33", "C34", "C35", "C36", "C37"]),
    ],
    "controller": [
        ("Pico", ["U1"]),
        ("5 V from outside", ["J1", "F1", "D1", "D4", "D2", "C5", "J4", "J5", "J6", "J7", "J8"]),
        ("5 V from USB", ["F2", "C2", "U3", "C1", "D3"]),
        ("3.3 V and reference", ["U2", "C3", "C4", "R1", "C6"]),
        ("Supplies as the Pico sees them", ["R2", "R3", "C7", "R4", "R5"]),
        ("Head of the bus", ["J2", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14"]),
        ("LED data", ["U4", "C8", "R15", "R16"]),
        ("Panel", ["J3", "R17", "R18", "C9", "SW1", "SW2", "SW3", "SW4", "SW5", "R19", "BZ1"]),
    ],
}


class Drawing:
    def __init__(self, circuit):
        self.parts = parts(circuit)
        self.net = {pin: name for name, pins in nets(circuit).items() for pin in pins}
        self.notes = {part.ref: part.note for part in circuit.parts}
        self.out = []

    def line(self, x0, y0, x1, y1, width=1.3):
        self.out.append(f'<path d="M{x0} {y0}L{x1} {y1}" stroke-width="{width}"/>')

    def words(self, x, y, text, size=11, anchor="start", kind=""):
        self.out.append(
            f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" class="{kind}">{escape(text)}</text>'
        )

    def label(self, x, y, net, left):
        """The name of a net at the end of a wire that leaves to the left or right; None marks an open pin."""
        if net is None:
            self.out.append(f'<path d="M{x - 4} {y - 4}l8 8m0 -8l-8 8"/>')
            return
        side = -1 if left else 1
        if net in GROUNDS:
            for i, half in enumerate((7, 4.5, 2)):
                self.line(x + side * i * 3, y - half, x + side * i * 3, y + half)
            if net != "GND":
                self.words(x + side * 11, y + 4, net, 9, "end" if left else "start", "net")
            return
        self.words(x + side * 4, y + 4, net, 10, "end" if left else "start", "net")

    def box(self, x, y, ref):
        """A part with a box: pins in two columns. Returns the height used."""
        entry = self.parts[ref]
        table = pin_table(entry)
        half = (len(table) + 1) // 2
        if entry["role"] == "mux":
            left = [p for p in table if p[1].startswith("I")]
            left.sort(key=lambda p: int(p[1][1:]))
            right = [p for p in table if not p[1].startswith("I")]
        elif len(table) <= 6:
            left = [p for p in table if p[2] in ("input", "power_in") or p[1] in ("A", "CT")]
            right = [p for p in table if p not in left] or [left.pop()]
        else:
            left, right = (
                table[:half],
                list(reversed(table[half:])) if entry["role"] == "controller" else table[half:],
            )
        rows = max(len(left), len(right))
        width, height = 128, rows * PIN + 10
        x0, y0 = x + LABEL + STUB, y + 18
        self.words(x0, y0 - 5, f"{ref}  {entry['name']}", 12, kind="ref")
        self.out.append(f'<rect x="{x0}" y="{y0}" width="{width}" height="{height}" class="body"/>')
        for column, pins in ((0, left), (1, right)):
            for i, (number, name, _) in enumerate(pins):
                py = y0 + 14 + i * PIN
                edge, side = (x0, -1) if column == 0 else (x0 + width, 1)
                self.line(edge, py, edge + side * STUB, py)
                self.words(edge - side * 5, py + 4, name if name != number else "", 10, "end" if column else "start")
                self.words(edge + side * 4, py - 3, number, 8, "start" if column else "end", "pin")
                self.label(edge + side * STUB, py, self.net.get((ref, number)), column == 0)
        note = self.notes.get(ref)
        if note:
            self.words(x0, y0 + height + 13, note, 10, kind="note")
        return height + 18 + (24 if note else 12)

    def two(self, x, y, ref):
        """A part with two pins, drawn lying. Returns the height used."""
        entry = self.parts[ref]
        x0, y0, body = x + LABEL + STUB, y + 24, 40
        first, second = (pin[0] for pin in pin_table(entry))
        self.line(x0 - STUB, y0, x0, y0)
        self.line(x0 + body, y0, x0 + body + STUB, y0)
        kind = entry["reference"]
        mid = x0 + body / 2
        if kind == "C":
            self.line(x0, y0, mid - 4, y0)
            self.line(mid + 4, y0, x0 + body, y0)
            self.line(mid - 4, y0 - 10, mid - 4, y0 + 10, 2)
            self.line(mid + 4, y0 - 10, mid + 4, y0 + 10, 2)
        elif kind == "D":
            self.out.append(f'<path d="M{x0} {y0}H{x0 + body}M{mid - 9} {y0}l16 -10v20zM{mid - 9} {y0 - 10}v20"/>')
        elif kind == "SW":
            self.out.append(f'<path d="M{x0} {y0}h8l22 -10M{x0 + body} {y0}h-8"/>')
        else:
            self.out.append(f'<rect x="{x0}" y="{y0 - 7}" width="{body}" height="14" class="body"/>')
            if kind == "F":
                self.line(x0, y0, x0 + body, y0)
        value = re.sub(r"^[rc]_", "", entry["name"])
        self.words(x0, y0 - 12, f"{ref}  {value}", 11, kind="ref")
        note = self.notes.get(ref)
        if note:
            self.words(x0 + body + STUB + LABEL + 6, y0 + 4, note, 10, kind="note")
        self.label(x0 - STUB, y0, self.net.get((ref, first)), True)
        self.label(x0 + body + STUB, y0, self.net.get((ref, second)), False)
        return 44

    def part(self, x, y, ref):
        two = TWO_PIN.match(ref) and len(pin_table(self.parts[ref])) == 2
        return self.two(x, y, ref) if two else self.box(x, y, ref)


def svg(circuit):
    """The drawing of a circuit as SVG text. ValueError: a part that stands in no section."""
    drawing = Drawing(circuit)
    column_width, bottom = 470, 1180
    x, y, right = 40, 90, 0
    shown = set()
    sections = SECTIONS[circuit.name]
    for title, refs in sections:
        first = True
        for ref in refs:
            mark = len(drawing.out)
            height = drawing.part(x, y + (26 if first else 0), ref)
            if y + height > bottom:  # the column is full: draw it again at the head of the next one
                del drawing.out[mark:]
                x, y = x + column_width, 90
                height = drawing.part(x, y + (26 if first else 0), ref)
            if first:
                drawing.words(x, y + 14, title, 14, kind="title")
                y += 26
            first = False
            y += height
            shown.add(ref)
        y += 18
        right = max(right, x + column_width)
    if circuit.name == "tile":
        right = _squares(drawing, right, shown)
    left_out = {ref for ref in drawing.parts if not ref.startswith("H")} - shown
    if left_out:
        raise ValueError(f"the drawing of {circuit.name} leaves out {', '.join(sorted(left_out))}")
    width, height = right + 20, bottom + 60
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}">',
            "<style>text{font-family:DejaVu Sans,Arial,sans-serif;fill:#222;stroke:none}.net{fill:#0a58a8}"
            ".ref{font-weight:bold}.title{font-weight:bold;fill:#7a1f1f}.note{font-style:italic;fill:#555}"
            ".pin{fill:#888}.body{fill:#fffbe6}path,rect{stroke:#222;fill:none}</style>",
            f'<rect width="{width}" height="{height}" style="fill:#fff;stroke:none"/>',
            f'<text x="40" y="50" font-size="24" class="ref">Lodeboard {circuit.name}</text>',
            f'<text x="40" y="70" font-size="11" class="note">made from hardware/circuits/{circuit.name}.py; '
            "equal names are joined; a cross is a pin left open</text>",
            *drawing.out,
            "</svg>",
            "",
        ]
    )


def _squares(drawing, x, shown):
    """The sixteen squares of the tile, sensor and LED with their capacitors. Returns the right border."""
    drawing.words(x, 104, "Squares, as they lie: sensor and LED, each with its capacitor", 14, kind="title")
    for square in range(16):
        row, column = divmod(square, 4)
        left, top = x + column * 400, 112 + row * 258
        for ref in (f"B{square + 1}", f"C{square + 1}", f"D{square + 1}", f"C{square + 17}"):
            top += drawing.part(left, top, ref) - 6
            shown.add(ref)
    return x + 4 * 400


def write(circuit, folder):
    """Writes <name>-schematic.svg and .pdf into `folder`."""
    svg_path = Path(folder) / f"{circuit.name}-schematic.svg"
    svg_path.write_text(svg(circuit), encoding="utf-8")
    subprocess.run(
        ["rsvg-convert", "-f", "pdf", "-o", str(svg_path.with_suffix(".pdf")), str(svg_path)],
        env={**os.environ, "SOURCE_DATE_EPOCH": "0"},
        check=True,
    )  # no date of today in the file
