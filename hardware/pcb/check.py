"""Is a board file right? KiCad's design rules, and what they cannot see: that it is the board of the
circuit."""

import re
from pathlib import Path

import pcbnew

from hardware.circuits import rules

_TRACK = re.compile(
    r"^  \(segment \(start (\S+) (\S+)\) \(end (\S+) (\S+)\) \(width (\S+)\) \(layer \S+\) \(net (\d+)\)"
)
_ENTRY = re.compile(r"^\[(\w+)\]: (.*)\n\s+(.*)$", re.MULTILINE)


def drc(board_path):
    """{"errors": [text], "warnings": [text], "unconnected": [text]} of KiCad's check of a board file.

    The report is written beside the board as <name>.drc.txt.
    """
    path = Path(board_path)
    report = path.with_suffix(".drc.txt")
    board = pcbnew.LoadBoard(str(path))
    if not pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True):
        raise RuntimeError(f"KiCad could not check {path}")
    text = re.sub(r"^\*\* Created on .*$", "** Created on", report.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = text.replace(str(path.parent) + "/", "")
    report.write_text(text, encoding="utf-8")
    found = {"errors": [], "warnings": [], "unconnected": []}
    for kind, what, severity in _ENTRY.findall(text):
        if kind == "unconnected_items":
            found["unconnected"].append(what)
        else:
            found["warnings" if "Severity: warning" in severity else "errors"].append(f"{kind}: {what}")
    return found


def pad_nets(board):
    """{net name: sorted [(reference, pad number)]} as the pads of a board have them."""
    found = {}
    for part in board.GetFootprints():
        for pad in part.Pads():
            if pad.GetNetname():
                found.setdefault(pad.GetNetname(), set()).add((part.GetReference(), pad.GetNumber()))
    return {name: sorted(pins) for name, pins in sorted(found.items())}


def differences(board_path, circuit, layout):
    """[text]: where the board is not the circuit's: parts, footprints, nets of pads, nets without copper.

    An empty board also has nothing unconnected, so copper is asked for net by net. Nets of tracks are never
    trusted: a pad's net is compared, and DRC says whether copper joins the pads.
    """
    board = pcbnew.LoadBoard(str(board_path))
    said = []
    wanted, there = rules.parts(circuit), {p.GetReference(): p for p in board.GetFootprints()}
    for ref in sorted(set(wanted) ^ set(there)):
        said.append(f"part {ref} is {'missing' if ref in wanted else 'not in the circuit'}")
    for ref in sorted(set(wanted) & set(there)):
        name = there[ref].GetFPID().GetUniStringLibId()
        if str(name) != wanted[ref]["footprint"]:
            said.append(f"part {ref} has footprint {name}, wanted {wanted[ref]['footprint']}")
    nets, found = rules.nets(circuit), pad_nets(board)
    for name in sorted(set(nets) | set(found)):
        if nets.get(name, []) != found.get(name, []):
            said.append(f"net {name} joins {found.get(name, [])}, wanted {nets.get(name, [])}")
    copper = {item.GetNetname() for item in board.GetTracks()}
    copper |= {zone.GetNetname() for zone in board.Zones() if zone.IsFilled() and zone.GetFilledArea() > 0}
    for name in sorted(set(nets) - copper):
        said.append(f"net {name} has no copper")
    if board.GetCopperLayerCount() != layout.layers:
        said.append(f"{board.GetCopperLayerCount()} copper layers, wanted {layout.layers}")
    box = board.GetBoardEdgesBoundingBox()
    size = (round(box.GetWidth() / 1e6 - 0.1, 2), round(box.GetHeight() / 1e6 - 0.1, 2))
    if size != (layout.width, layout.height):
        said.append(f"the outline is {size[0]} x {size[1]} mm, wanted {layout.width} x {layout.height}")
    return said


def counts(board_path):
    """{"parts", "nets", "pads", "tracks", "vias", "zones", "track_mm"} of a board file."""
    board = pcbnew.LoadBoard(str(board_path))
    tracks = [t for t in board.GetTracks() if not isinstance(t, pcbnew.PCB_VIA)]
    return {
        "parts": len(board.GetFootprints()),
        "nets": len(pad_nets(board)),
        "pads": len(board.GetPads()),
        "tracks": len(tracks),
        "vias": len(board.GetTracks()) - len(tracks),
        "zones": len(board.Zones()),
        "track_mm": round(sum(t.GetLength() for t in tracks) / 1e6),
    }


def _longest_track(lines, board_text, net):
    number = re.search(rf'^  \(net (\d+) "{net}"\)$', board_text, re.MULTILINE).group(1)
    found = []
    for line in lines:
        track = _TRACK.match(line)
        if track and track.group(6) == number:
            x0, y0, x1, y1 = (float(track.group(i)) for i in (1, 2, 3, 4))
            found.append((abs(x1 - x0) + abs(y1 - y0), line))
    return max(found)[1]


def _spoil(text, kind):
    """A board file's text with one thing wrong. Done on the text: pcbnew does not survive removing items."""
    lines = text.splitlines()
    track = _longest_track(lines, text, "ANALOG")
    if kind == "track deleted":
        lines.remove(track)
    elif kind == "track moved":
        at = lines.index(track)
        lines[at] = re.sub(
            r"\((start|end) (\S+) (\S+)\)",
            lambda m: f"({m[1]} {float(m[2]) + 0.5:g} {float(m[3]) + 0.5:g})",
            track,
        )
    elif kind == "foreign track":
        ground = re.search(r'^  \(net (\d+) "GND"\)$', text, re.MULTILINE).group(1)
        across = re.sub(r"\(start \S+ \S+\)", "(start 52 52)", track)
        lines.insert(lines.index(track), re.sub(r"\(net \d+\)", f"(net {ground})", across))
    elif kind == "pads swapped":
        pads = [i for i, line in enumerate(lines) if line.startswith('    (pad "')]
        first = next(i for i in pads if '"ANALOG")' in lines[i] + lines[i + 1])
        second = next(i for i in pads if '"CLK")' in lines[i] + lines[i + 1])
        for at, old, new in ((first, "ANALOG", "CLK"), (second, "CLK", "ANALOG")):
            number = re.search(rf'^  \(net (\d+) "{new}"\)$', text, re.MULTILINE).group(1)
            for row in (at, at + 1):
                lines[row] = re.sub(rf'\(net \d+ "{old}"\)', f'(net {number} "{new}")', lines[row])
    elif kind == "nothing routed":
        kept, inside = [], False
        for line in lines:
            if line.startswith("  ("):
                inside = line.startswith(("  (segment", "  (via", "  (zone"))
            if not inside or line == ")":
                kept.append(line)
        lines = kept
    return "\n".join(lines) + "\n"


WRONG = ("track deleted", "track moved", "foreign track", "pads swapped", "nothing routed")


def gates_hold(board_path, circuit, layout, scratch):
    """[text]: the wrong boards, made from a good one on purpose, that the gates above let pass.

    scratch: a directory for them. An empty answer says that the gates work.
    """
    path, missed = Path(board_path), []
    text = path.read_text(encoding="utf-8")
    project = path.with_suffix(".kicad_pro").read_text(encoding="utf-8")
    for kind in WRONG:
        copy = Path(scratch) / f"{path.stem}-{kind.replace(' ', '-')}.kicad_pcb"
        spoilt = _spoil(text, kind)
        if spoilt == text:
            missed.append(f"{kind} (nothing was changed)")
            continue
        copy.write_text(spoilt, encoding="utf-8")
        copy.with_suffix(".kicad_pro").write_text(project, encoding="utf-8")
        found = drc(copy)
        if not (found["errors"] or found["unconnected"] or differences(copy, circuit, layout)):
            missed.append(kind)
    return missed
