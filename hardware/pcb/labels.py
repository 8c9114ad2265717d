"""Designators on the silk, each beside its part, where it covers no pad, no other part and no other word."""

import pcbnew

SIZE_MM, LINE_MM = 0.8, 0.12
GAP_MM, EDGE_MM = 0.2, 0.6


class _Box:
    """A rectangle in KiCad's units."""

    def __init__(self, box, grow_mm=0.0):
        grow = pcbnew.FromMM(grow_mm)
        self.x0, self.y0 = box.GetLeft() - grow, box.GetTop() - grow
        self.x1, self.y1 = box.GetRight() + grow, box.GetBottom() + grow

    def meets(self, other):
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1


def _courtyard(part):
    """The part's courtyard, or what is drawn of it where the library has none."""
    layer = pcbnew.B_CrtYd if part.IsFlipped() else pcbnew.F_CrtYd
    boxes = [item.GetBoundingBox() for item in part.GraphicalItems() if item.GetLayer() == layer]
    if not boxes:
        return part.GetBoundingBox(False, False)
    whole = boxes[0]
    for box in boxes[1:]:
        whole.Merge(box)
    return whole


def _spots(box, width, height):
    """Centres for a word around a part's box, nearest to the middle of a side first: above, below, beside."""
    gap = pcbnew.FromMM(GAP_MM)
    cx, cy = (box.x0 + box.x1) // 2, (box.y0 + box.y1) // 2
    for shift in (0.0, 0.5, -0.5, 1.0, -1.0):
        dx, dy = int(shift * (box.x1 - box.x0) / 2), int(shift * (box.y1 - box.y0) / 2)
        yield cx + dx, box.y0 - gap - height // 2
        yield cx + dx, box.y1 + gap + height // 2
        yield box.x0 - gap - width // 2, cy + dy
        yield box.x1 + gap + width // 2, cy + dy


def place(board):
    """Puts every part's designator on the silk of its side; returns those without room (they stay on Fab)."""
    parts = sorted(board.GetFootprints(), key=lambda p: p.GetReference())
    sides = {False: [], True: []}  # what is taken, front and back
    edge = _Box(board.GetBoardEdgesBoundingBox(), -EDGE_MM)
    for part in parts:
        sides[part.IsFlipped()].append(_Box(_courtyard(part)))
        for pad in part.Pads():
            if pad.GetAttribute() in (pcbnew.PAD_ATTRIB_PTH, pcbnew.PAD_ATTRIB_NPTH):
                for taken in sides.values():
                    taken.append(_Box(pad.GetBoundingBox(), GAP_MM))
    for item in board.GetDrawings():
        if item.GetLayer() in (pcbnew.F_SilkS, pcbnew.B_SilkS):
            sides[item.GetLayer() == pcbnew.B_SilkS].append(_Box(item.GetBoundingBox(), GAP_MM))
    left = []
    for part in parts:
        if part.GetValue() == "hole":
            continue
        taken = sides[part.IsFlipped()]
        text = part.Reference()
        text.SetTextSize(pcbnew.wxSizeMM(SIZE_MM, SIZE_MM))
        text.SetTextThickness(pcbnew.FromMM(LINE_MM))
        text.SetKeepUpright(True)
        box = text.GetBoundingBox()
        for x, y in _spots(_Box(_courtyard(part)), box.GetWidth(), box.GetHeight()):
            text.SetPosition(pcbnew.wxPoint(x, y))
            here = _Box(text.GetBoundingBox())
            inside = edge.x0 < here.x0 and here.x1 < edge.x1 and edge.y0 < here.y0 and here.y1 < edge.y1
            if inside and not any(here.meets(other) for other in taken):
                text.SetLayer(pcbnew.B_SilkS if part.IsFlipped() else pcbnew.F_SilkS)
                taken.append(here)
                break
        else:
            text.SetPosition(part.GetPosition())
            left.append(part.GetReference())
    return left
