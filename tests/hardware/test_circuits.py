"""The circuits keep the electrical rules, and say what the design says."""

import importlib.util

import pytest

if importlib.util.find_spec("skidl") is None:
    pytest.skip("pip install -e '.[hardware]' brings SKiDL", allow_module_level=True)

from lodeboard import boards  # noqa: E402

from hardware.circuits import bus, netlist, rules, symbols  # noqa: E402
from hardware.circuits.controller import controller  # noqa: E402
from hardware.circuits.parts import catalogue, pin_table, place, skidl  # noqa: E402
from hardware.circuits.tile import tile  # noqa: E402


@pytest.fixture(scope="module", params=["lode8", "lode16", "lode20"])
def board(request):
    return boards.load(request.param)


@pytest.mark.parametrize("make", [tile, controller])
def test_no_fault_by_either_check(board, make):
    circuit = make(board)
    assert rules.faults(circuit) == []
    assert rules.skidl_faults(circuit) == []


def wires(circuit):
    """{(ref, pin name): net name}"""
    names = {(ref, number): name for ref, entry in rules.parts(circuit).items() for number, name, _ in pin_table(entry)}
    return {(ref, names[ref, number]): net for net, pins in rules.nets(circuit).items() for ref, number in pins}


def test_tile_sensors_and_lights_follow_the_board_file(board):
    at = wires(tile(board))
    for setting, square in enumerate(board.data["tile"]["select"]):
        assert at["U1", f"I{setting}"] == at[f"B{square + 1}", "OUT"]
    line = at["J1", str(bus.CONTACTS.index("LED") + 1)]
    for square in board.data["tile"]["leds"]:
        assert at[f"D{square + 1}", "DIN"] == line
        line = at[f"D{square + 1}", "DOUT"]


def test_next_tile_wakes_and_only_the_last_token_speaks(board):
    at = wires(tile(board))
    held, coming = at["U2", "Q"], at["U2", "D"]
    assert {at["U4", "A"], at["U4", "B"]} == {held, coming}
    assert {at["R6", "1"], at["R6", "2"]} == {at["U4", "Y"], at["Q1", "G"]}  # NOR: low, so on, for either
    assert at["U5", "C"] == held and at["U1", "/E"] == coming
    assert {at["U5", "A"], at["U5", "B"]} == {at["U1", "COM"], "ANALOG"}
    assert at["B1", "VCC"] == at["Q1", "D"] != at["U1", "VCC"] == at["Q1", "S"]


def test_light_current_never_flows_in_the_ground_of_the_sensors(board):
    at = wires(tile(board))
    assert {at[f"D{i}", "VSS"] for i in range(1, 17)} == {"PGND"}
    assert not [pin for pin, net in at.items() if net == "PGND" and pin[0][0] not in "DCJ"]
    assert at["J3", "GND"] == at["J4", "GND"] == "PGND"


def test_bus_header_of_both_boards_agree(board):
    here, there = wires(tile(board)), wires(controller(board))
    for i, name in enumerate(bus.CONTACTS, 1):
        assert there["J2", str(i)] == name
        expected = {"TOKEN": "TOKEN_IN", "LED": "LED_IN"}.get(name, name)
        assert here["J1", str(i)] == expected
        assert here["J2", str(i)] == expected.replace("_IN", "_OUT")


def test_controller_uses_the_pins_of_the_board_file(board):
    at = wires(controller(board))
    for name, pin in board.data["pins"].items():
        for i, number in enumerate(pin if isinstance(pin, list) else [pin]):
            assert at["U1", f"GP{number}"] == (f"P_SEL{i}" if name == "select" else f"P_{name.upper()}")
    free = set(range(23)) - {n for p in board.data["pins"].values() for n in (p if isinstance(p, list) else [p])}
    assert not [n for n in free if ("U1", f"GP{n}") in at]


def test_netlist_is_the_same_every_time(board):
    assert netlist.text(tile(board)) == netlist.text(tile(board))


def broken(kind):
    circuit = tile(boards.load("lode8"))
    net = {each.name: each for each in circuit.get_nets()}
    supplied = {"VCC": net["3V3"], "GND": net["GND"]}
    if kind == "pin left open":
        place(circuit, "74LVC1G02", "U99", {"A": net["CLK"], **supplied})
    elif kind == "two drivers":
        place(circuit, "74LVC1G02", "U99", {"A": net["CLK"], "B": net["CLK"], "Y": net["TOKEN_Q"], **supplied})
    elif kind == "supply without source":
        lost = skidl.Net("LOST", circuit=circuit)
        place(
            circuit,
            "74LVC1G02",
            "U99",
            {"A": net["CLK"], "B": net["CLK"], "Y": None, "VCC": lost, "GND": net["GND"]},
        )
        place(circuit, "c_100n", "C99", {"1": lost, "2": net["GND"]})
    return circuit


@pytest.mark.parametrize("kind", ["pin left open", "two drivers", "supply without source"])
def test_faults_are_seen_by_both_checks(kind):
    circuit = broken(kind)
    assert rules.faults(circuit)
    assert rules.skidl_faults(circuit)


def test_every_part_can_be_ordered():
    for name, entry in catalogue().items():
        if name == "hole":
            continue
        assert entry["mpn"] and entry["manufacturer"] and entry["source"].startswith("https://"), name
        numbers = [number for number, _, _ in pin_table(entry)]
        assert len(numbers) == len(set(numbers)), name


@pytest.mark.skipif(not symbols.FOLDER.exists(), reason="apt-get install kicad-symbols brings them")
def test_pins_are_those_of_kicads_symbols(monkeypatch):
    assert symbols.differences() == []
    entry = catalogue()["WS2812B"]
    swapped = entry["pins"].replace("1 VDD power_in", "1 DOUT output").replace("2 DOUT output", "2 VDD power_in")
    monkeypatch.setitem(entry, "pins", swapped)
    assert len(symbols.differences()) >= 2
