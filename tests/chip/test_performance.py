"""No figure of docs/performance.md grows by a tenth. Minutes: run by `make test-chip`."""

import json
from pathlib import Path

import pytest
from lodeboard.bench import board

pytestmark = pytest.mark.slow

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "performance.json").read_text())


@pytest.mark.parametrize("name", sorted(RECORDED["boards"]))
def test_no_figure_grows_by_a_tenth(image, name):
    recorded = RECORDED["boards"][name]
    worse = {}
    for row in board.rows(name):
        was = recorded[row["what"]]
        shrank = row["at_least"] and row["measured"] < was * 0.9
        if shrank or (not row["at_least"] and row["measured"] > was * 1.1):
            worse[row["what"]] = (was, row["measured"])
    assert not worse, f"recorded, now: {worse}"
