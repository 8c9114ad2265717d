"""From circuit and layout to a routed KiCad board. Runs where pcbnew is (KiCad 6, /usr/bin/python3)."""

import os
from pathlib import Path

import numpy as np
import pcbnew

from hardware.circuits import rules as circuit_rules
from hardware.pcb import labels, stamps
from hardware.pcb.layout import MIN_EDGE, RELEASED, RULES, SCREW_KEEP_OFF
from hardware.pcb.project import write_project
from hardware.pcb.router import Router

FOOTPRINTS = Path(os.environ.get("KICAD6_FOOTPRINT_DIR", "/usr/share/kicad/footprints"))
OWN_FOOTPRINTS = Path(__file__).parent
ORIGIN = (50.0, 50.0)  # of the board's top left corner on the sheet, mm


def _at(x, y):
    return pcbnew.wxPointMM(ORIGIN[0] + x, ORIGIN[1] + y)


def _mm(value):
    return value / 1e6


class Drawing:
    """One board being made: `circuit` and `layout` in, a saved .kicad_pcb out."""

    def __init__(self, circuit, layout, revision):
        self.layout = layout
        self.nets = circuit_rules.nets(circuit)
        self.parts = circuit_rules.parts(circuit)
        self.numbers = {name: i for i, name in enumerate(sorted(self.nets), 1)}
        self.board = pcbnew.BOARD()
        self.board.SetCopperLayerCount(layout.layers)
        self.revision = revision
        self.items = {}
        self._title()
        self._add_nets()
        self._add_parts()
        self._add_outline()
        self.unlabelled = labels.place(self.board)

    def _title(self):
        block = self.board.GetTitleBlock()
        block.SetTitle(f"Lodeboard {self.layout.name}")
        block.SetRevision(self.revision)
        block.SetDate(RELEASED)
        self.board.SetTitleBlock(block)

    def _add_nets(self):
        for name in sorted(self.nets):
            self.items[name] = pcbnew.NETINFO_ITEM(self.board, name)
            self.board.Add(self.items[name])

    def _add_parts(self):
        wired = {pin: name for name, pins in self.nets.items() for pin in pins}
        missing = set(self.parts) ^ set(self.layout.places)
        if missing:
            raise ValueError(f"{self.layout.name}: circuit and layout differ in {', '.join(sorted(missing))}")
        for ref, entry in self.parts.items():
            library, name = entry["footprint"].split(":")
            folder = (OWN_FOOTPRINTS if library == "lodeboard" else FOOTPRINTS) / f"{library}.pretty"
            part = pcbnew.FootprintLoad(str(folder), name)
            part.SetReference(ref)
            part.SetValue(entry["name"])
            part.SetFPID(pcbnew.LIB_ID(library, name))
            self.board.Add(part)  # before it is flipped: that asks the board for its layers
            x, y, degrees, side = self.layout.places[ref]
            part.SetPosition(_at(x, y))
            if side == "back":
                part.Flip(part.GetPosition(), True)
            part.SetOrientationDegrees(degrees)
            self._label(part, entry)
            for pad in part.Pads():
                net = wired.get((ref, pad.GetNumber()))
                if net:
                    pad.SetNet(self.items[net])

    def _label(self, part, entry):
        """Names go to the drawing layers; labels.place puts designators on the silk where there is room."""
        back = part.IsFlipped()
        for text in (part.Reference(), part.Value()):
            text.SetLayer(pcbnew.B_Fab if back else pcbnew.F_Fab)
            text.SetTextSize(pcbnew.wxSizeMM(0.8, 0.8))
            text.SetTextThickness(pcbnew.FromMM(0.12))
        part.Value().SetVisible(False)
        for item in part.GraphicalItems():
            if isinstance(item, pcbnew.FP_TEXT) and item.GetLayer() == pcbnew.F_SilkS:
                item.SetLayer(pcbnew.F_Fab)  # a pin's number beside a LED: its outline marks pin 1 as well
        if entry["name"] == "hole":
            part.SetAttributes(part.GetAttributes() | pcbnew.FP_EXCLUDE_FROM_BOM | pcbnew.FP_EXCLUDE_FROM_POS_FILES)

    def _add_outline(self):
        w, h = self.layout.width, self.layout.height
        corners = [(0, 0), (w, 0), (w, h), (0, h), (0, 0)]
        for a, b in zip(corners[:-1], corners[1:], strict=True):
            line = pcbnew.PCB_SHAPE(self.board)
            line.SetShape(pcbnew.SHAPE_T_SEGMENT)
            line.SetLayer(pcbnew.Edge_Cuts)
            line.SetWidth(pcbnew.FromMM(0.1))
            line.SetStart(_at(*a))
            line.SetEnd(_at(*b))
            self.board.Add(line)
        for words, x, y, size, *back in self.layout.texts:
            text = pcbnew.PCB_TEXT(self.board)
            text.SetText(words.format(revision=self.revision))
            text.SetLayer(pcbnew.B_SilkS if back else pcbnew.F_SilkS)
            text.SetMirrored(bool(back))
            text.SetPosition(_at(x, y))
            text.SetTextSize(pcbnew.wxSizeMM(size, size))
            text.SetTextThickness(pcbnew.FromMM(size * 0.15))
            self.board.Add(text)

    # ---- routing ----------------------------------------------------------------------------------

    def _pads(self):
        """[(net number or -1, layers, x, y, w, h, round, hole)] of every pad, in a fixed order."""
        found = []
        for part in self.board.GetFootprints():
            for pad in part.Pads():
                place, size = pad.GetPosition(), pad.GetSize()
                w, h = _mm(size.x), _mm(size.y)
                if round(pad.GetOrientationDegrees()) % 180 == 90:
                    w, h = h, w
                hole = _mm(pad.GetDrillSize().x)
                if pad.GetAttribute() in (pcbnew.PAD_ATTRIB_PTH, pcbnew.PAD_ATTRIB_NPTH):
                    layers = (0, 1)
                else:
                    layers = (1,) if part.IsFlipped() else (0,)
                found.append(
                    (
                        self.numbers.get(pad.GetNetname(), -1),
                        layers,
                        round(_mm(place.x) - ORIGIN[0], 4),
                        round(_mm(place.y) - ORIGIN[1], 4),
                        w,
                        h,
                        pad.GetShape() in (pcbnew.PAD_SHAPE_CIRCLE, pcbnew.PAD_SHAPE_OVAL),
                        hole,
                        pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH,
                    )
                )
        return sorted(found)

    def route(self, say=None):
        """Routes every net that is not poured; ValueError when it cannot."""
        layout = self.layout
        router = Router(layout.width, layout.height, RULES, MIN_EDGE)
        terminals = {}
        for number, layers, x, y, w, h, round_, hole, bare in self._pads():
            if bare:
                router.hole(x, y, hole, SCREW_KEEP_OFF if hole > 3 else 0.3)
                continue
            router.copper(number, layers, x, y, w, h, round_, pad=True)
            if hole:
                router.hole(x, y, hole)
            inside = 0.66 if round_ else 1.0  # the square within a round pad
            terminals.setdefault(number, []).append((layers, x, y, inside * w, inside * h, bool(hole)))
        for net, layer, x0, y0, x1, y1 in layout.reserved:
            router.copper(self.numbers[net], (layer,), (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)
        power = RULES["power"]
        for net, x, y in layout.vias:
            router.copper(self.numbers[net], (0, 1), x, y, power.via, power.via, round_=True)
            router.hole(x, y, power.drill)
        self._plan(router, terminals)
        router.solve(say=say)
        for net in sorted(router.nets):
            self._tracks(router, net)
        for net, x, y in layout.vias:
            self._via(net, x, y, power)

    def _plan(self, router, terminals):
        through = self.layout.layers == 4
        for name, number in self.numbers.items():
            if name in self.layout.poured:
                continue
            plane, mine = None, terminals[number]
            if name in self.layout.planes:
                plane = np.zeros((router.ny, router.nx), np.bool_)
                margin = RULES["power"].via / 2
                for x0, y0, x1, y1 in self.layout.planes[name][1]:
                    plane |= (
                        (router.x[None, :] >= x0 + margin)
                        & (router.x[None, :] <= x1 - margin)
                        & (router.y[:, None] >= y0 + margin)
                        & (router.y[:, None] <= y1 - margin)
                    )
                if through:  # a pin through the board meets an inner plane by itself
                    mine = [t for t in mine if not t[5]]
            if mine and (plane is not None or len(mine) > 1):
                kind = "power" if name in self.layout.power else "signal"
                router.net(number, kind, [t[:5] for t in mine], plane)

    def _tracks(self, router, number):
        net = sorted(self.nets)[number - 1]
        rules = RULES[router.nets[number][0]]
        lines, vias = router.segments(number)
        for layer, x0, y0, x1, y1 in lines:
            track = pcbnew.PCB_TRACK(self.board)
            track.SetLayer(pcbnew.B_Cu if layer else pcbnew.F_Cu)
            track.SetStart(_at(x0, y0))
            track.SetEnd(_at(x1, y1))
            track.SetWidth(pcbnew.FromMM(rules.track))
            track.SetNet(self.items[net])
            self.board.Add(track)
        for x, y in vias:
            self._via(net, x, y, rules)

    def _via(self, net, x, y, rules):
        via = pcbnew.PCB_VIA(self.board)
        via.SetPosition(_at(x, y))
        via.SetWidth(pcbnew.FromMM(rules.via))
        via.SetDrill(pcbnew.FromMM(rules.drill))
        via.SetNet(self.items[net])
        self.board.Add(via)

    # ---- zones and file ---------------------------------------------------------------------------

    def pour(self):
        for zone in self.layout.zones:
            area = pcbnew.ZONE(self.board)
            area.SetLayer(self.board.GetLayerID(zone.layer))
            area.SetNet(self.items[zone.net])
            outline = area.Outline()
            outline.NewOutline()
            for x, y in zone.outline:
                outline.Append(pcbnew.FromMM(ORIGIN[0] + x), pcbnew.FromMM(ORIGIN[1] + y))
            area.SetLocalClearance(pcbnew.FromMM(0.25))
            area.SetMinThickness(pcbnew.FromMM(0.25))
            area.SetThermalReliefGap(pcbnew.FromMM(0.3))
            area.SetThermalReliefSpokeWidth(pcbnew.FromMM(0.5))
            area.SetPadConnection(pcbnew.ZONE_CONNECTION_FULL if zone.solid else pcbnew.ZONE_CONNECTION_THERMAL)
            area.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
            area.SetPriority(zone.rank)
            self.board.Add(area)

    def save(self, path):
        """Writes board and project; fills the zones; the same circuit and layout give the same bytes."""
        path = Path(path)
        write_project(path, self.layout, sorted(self.nets))
        pcbnew.SaveBoard(str(path), self.board)
        stamps.settle(path)
        board = pcbnew.LoadBoard(str(path))
        pcbnew.ZONE_FILLER(board).Fill(board.Zones())
        pcbnew.SaveBoard(str(path), board)
        stamps.settle(path)
        write_project(path, self.layout, sorted(self.nets))  # KiCad wrote its own defaults beside the board
