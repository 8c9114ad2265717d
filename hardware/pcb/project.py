"""The .kicad_pro beside a board: KiCad 6 reads rules and net classes from there and nowhere else."""

import json
from pathlib import Path

from hardware.pcb.layout import MIN_EDGE, RULES


def _class(name, rules, nets):
    return {
        "name": name,
        "nets": nets,
        "clearance": rules.clearance,
        "track_width": rules.track,
        "via_diameter": rules.via,
        "via_drill": rules.drill,
        "microvia_diameter": 0.3,
        "microvia_drill": 0.1,
        "diff_pair_gap": 0.25,
        "diff_pair_via_gap": 0.25,
        "diff_pair_width": 0.2,
        "bus_width": 12.0,
        "line_style": 0,
        "pcb_color": "rgba(0, 0, 0, 0.000)",
        "schematic_color": "rgba(0, 0, 0, 0.000)",
        "wire_width": 6.0,
    }


def write_project(board_path, layout, nets):
    """Writes the project of a board file: the design rules that its check uses."""
    path = Path(board_path).with_suffix(".kicad_pro")
    power = [net for net in nets if net in layout.power or net in layout.poured]
    project = {
        "board": {
            "design_settings": {
                "defaults": {"board_outline_line_width": 0.1},
                "rules": {
                    "allow_blind_buried_vias": False,
                    "allow_microvias": False,
                    "min_clearance": 0.2,
                    "min_copper_edge_clearance": MIN_EDGE - 0.05,
                    "min_hole_clearance": 0.25,
                    "min_hole_to_hole": 0.25,
                    "min_silk_clearance": 0.0,
                    "min_through_hole_diameter": 0.3,
                    "min_track_width": 0.2,
                    "min_via_annular_width": 0.13,
                    "min_via_diameter": 0.5,
                    "solder_mask_clearance": 0.0,
                    "solder_mask_min_width": 0.0,
                    "max_error": 0.005,
                },
                "rule_severities": {"lib_footprint_issues": "ignore"},
                "zones_allow_external_fillets": False,
                "zones_use_no_outline": True,
            },
        },
        "meta": {"filename": path.name, "version": 1},
        "net_settings": {
            "classes": [_class("Default", RULES["signal"], []), _class("power", RULES["power"], power)],
            "meta": {"version": 2},
        },
        "pcbnew": {"last_paths": {}},
        "sheets": [],
        "text_variables": {},
    }
    path.write_text(json.dumps(project, indent=2) + "\n", encoding="utf-8")
