"""Order files of a board: Gerbers, drill, pick-and-place, parts list, the interactive parts list,
pictures."""

import csv
import io
import os
import re
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import pcbnew

from hardware.circuits import rules
from hardware.pcb.draw import ORIGIN
from hardware.pcb.layout import RELEASED

_DATES = (
    (re.compile(r"(CreationDate,)[^*\n]+"), rf"\g<1>{RELEASED}T00:00:00+00:00"),
    (re.compile(r"(Created by KiCad \(PCBNEW [^)]*\)) date [^*\n]*"), rf"\1 date {RELEASED} 00:00:00"),
    (re.compile(r"(DRILL file \{[^}]*\}) date [^\n]*"), rf"\1 date {RELEASED}"),
    (re.compile(r'("CreationDate": )"[^"]*"'), rf'\1"{RELEASED}T00:00:00+00:00"'),
)


def _settle_dates(folder):
    for path in sorted(folder.iterdir()):
        text = path.read_text(encoding="utf-8")
        for pattern, new in _DATES:
            text = pattern.sub(new, text)
        path.write_text(text, encoding="utf-8")


def gerbers(board_path, folder):
    """Writes Gerber X2 and Excellon files into `folder`, and <folder>.zip as services take it."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    board = pcbnew.LoadBoard(str(board_path))
    plot = pcbnew.PLOT_CONTROLLER(board)
    options = plot.GetPlotOptions()
    options.SetOutputDirectory(str(folder.resolve()))
    options.SetUseGerberX2format(True)
    options.SetIncludeGerberNetlistInfo(True)
    options.SetUseGerberProtelExtensions(False)
    options.SetSubtractMaskFromSilk(True)
    options.SetPlotReference(True)
    options.SetPlotValue(False)
    options.SetUseAuxOrigin(False)
    options.SetCreateGerberJobFile(True)
    job = pcbnew.GERBER_JOBFILE_WRITER(board)
    layers = [("F_Cu", pcbnew.F_Cu)]
    layers += [(f"In{i}_Cu", board.GetLayerID(f"In{i}.Cu")) for i in range(1, board.GetCopperLayerCount() - 1)]
    layers += [
        ("B_Cu", pcbnew.B_Cu),
        ("F_Mask", pcbnew.F_Mask),
        ("B_Mask", pcbnew.B_Mask),
        ("F_Paste", pcbnew.F_Paste),
        ("B_Paste", pcbnew.B_Paste),
        ("F_Silkscreen", pcbnew.F_SilkS),
        ("B_Silkscreen", pcbnew.B_SilkS),
        ("Edge_Cuts", pcbnew.Edge_Cuts),
    ]
    for name, layer in layers:
        plot.SetLayer(layer)
        plot.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        job.AddGbrFile(layer, os.path.basename(plot.GetPlotFileName()))
        plot.PlotLayer()
    plot.ClosePlot()
    job.CreateJobFile(str(folder.resolve() / f"{Path(board_path).stem}-job.gbrjob"))
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetFormat(True, pcbnew.EXCELLON_WRITER.DECIMAL_FORMAT, 3, 3)
    drill.SetOptions(False, False, pcbnew.wxPoint(0, 0), False)
    drill.CreateDrillandMapFilesSet(str(folder.resolve()), True, False)
    _settle_dates(folder)
    with zipfile.ZipFile(folder.with_suffix(".zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            archive.writestr(zipfile.ZipInfo(path.name), path.read_bytes(), zipfile.ZIP_DEFLATED)


def _table(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _order(ref):
    return re.sub(r"\d+", "", ref), int(re.sub(r"\D+", "", ref) or 0)


def parts_list(circuit):
    """The BOM as CSV: a row a kind of part."""
    kinds = {}
    for ref, entry in rules.parts(circuit).items():
        if entry["mpn"]:
            kinds.setdefault(entry["name"], (entry, []))[1].append(ref)
    rows = [("Comment", "Designator", "Footprint", "Quantity", "Manufacturer", "MPN", "Data sheet")]
    for _, (entry, refs) in sorted(kinds.items(), key=lambda kind: _order(min(kind[1][1], key=_order))):
        refs = sorted(refs, key=_order)
        rows.append(
            (
                entry["name"],
                ",".join(refs),
                entry["footprint"].split(":")[1],
                len(refs),
                entry["manufacturer"],
                entry["mpn"],
                entry["source"],
            )
        )
    return _table(rows)


def placements(board_path):
    """Pick-and-place as CSV: mm from the board's bottom left corner, y up, of surface-mounted parts."""
    board = pcbnew.LoadBoard(str(board_path))
    height = board.GetBoardEdgesBoundingBox().GetHeight() / 1e6 - 0.1
    rows = [("Designator", "Val", "Package", "Mid X", "Mid Y", "Rotation", "Layer")]
    for part in sorted(board.GetFootprints(), key=lambda p: _order(p.GetReference())):
        if not part.GetAttributes() & pcbnew.FP_SMD:
            continue
        place = part.GetPosition()
        rows.append(
            (
                part.GetReference(),
                part.GetValue(),
                str(part.GetFPID().GetLibItemName()),
                f"{place.x / 1e6 - ORIGIN[0]:.3f}",
                f"{height + ORIGIN[1] - place.y / 1e6:.3f}",
                f"{part.GetOrientationDegrees() % 360:.0f}",
                "bottom" if part.IsFlipped() else "top",
            )
        )
    return _table(rows)


def interactive(board_path, folder):
    """Writes <name>-ibom.html; the page shows a builder where each part goes."""
    name = Path(board_path).stem
    environment = {**os.environ, "INTERACTIVE_HTML_BOM_NO_DISPLAY": "1"}
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "InteractiveHtmlBom.generate_interactive_bom",
            "--no-browser",
            "--dark-mode",
            "--include-tracks",
            "--dest-dir",
            str(Path(folder).resolve()),
            "--name-format",
            f"{name}-ibom",
            str(Path(board_path).resolve()),
        ],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    page = Path(folder) / f"{name}-ibom.html"
    if run.returncode or not page.exists():
        raise RuntimeError(f"the interactive parts list of {name} failed: {run.stderr.strip()[-400:]}")
    return page


def pictures(gerber_folder, folder, name, width=900):
    """Renders top and bottom from the Gerbers themselves: <name>-top.png and <name>-bottom.png."""
    from gerbonara import LayerStack

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        stack = LayerStack.open(str(gerber_folder))
        for side in ("top", "bottom"):
            svg = Path(folder) / f"{name}-{side}.svg"
            svg.write_text(str(stack.to_pretty_svg(side=side)), encoding="utf-8")
            subprocess.run(["rsvg-convert", "-w", str(width), "-o", str(svg.with_suffix(".png")), str(svg)], check=True)
            svg.unlink()
