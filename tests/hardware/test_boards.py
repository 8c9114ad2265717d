"""The boards as data: what they say, and how a wrong file is refused."""

import json

import pytest
from lodeboard import boards
from lodeboard.errors import LodeboardError
from lodeboard.sim import field

LODE8 = (boards._FILES / "lode8.toml").read_text(encoding="utf-8")
LODE20 = (boards._FILES / "lode20.toml").read_text(encoding="utf-8")


@pytest.fixture(params=boards.names())
def board(request):
    return boards.load(request.param)


def test_the_boards_that_come_with_lodeboard():
    assert boards.names() == ["lode8", "lode16", "lode20"]
    assert [boards.load(n).squares for n in boards.names()] == [64, 256, 400]


def test_squares_are_named_from_the_bottom_left():
    board = boards.load("lode8")
    assert board.square("a1") == 56 and board.square("h8") == 7 and board.square("c3") == 42
    assert all(board.square(board.square_name(sq)) == sq for sq in range(board.squares))
    assert board.centre_mm(board.square("a8")) == (10, 10)
    with pytest.raises(ValueError):
        board.square("i1")


def test_the_firmwares_config_is_whole_and_plain_json(board):
    config = boards.firmware_config(board)
    assert json.loads(json.dumps(config)) == config
    squares = list(range(board.squares))
    assert sorted(config["chain"]) == squares and sorted(config["leds"]) == squares
    assert config["tiles"] * 16 == board.squares
    assert config["zero"] == 2048 and config["counts_per_mt"] == pytest.approx(37.236, abs=1e-3)
    assert set(config["games"]) == set(config["layouts"]) and config["default"] in config["games"]
    assert config["limits"]["led_ma"] == [20, 20, 20]


def test_the_chain_goes_tile_by_tile():
    config = boards.firmware_config(boards.load("lode8"))
    assert config["chain"][:8] == [0, 1, 2, 3, 8, 9, 10, 11]
    assert config["chain"][16] == 4 and config["chain"][32] == 36  # back along the lower row
    assert config["leds"][:8] == [0, 1, 2, 3, 11, 10, 9, 8]  # the data line snakes


def test_the_kernel_is_the_magnets_nominal_field(board):
    kernel = boards.firmware_config(board)["kernel"]
    scale = boards.counts_per_mt(board)
    assert kernel[0][0] / scale == pytest.approx(32.55, abs=0.02)  # 6x3 N35 at 6 mm
    assert kernel[0][1] / scale == pytest.approx(-0.523, abs=0.002)
    assert kernel[1][1] / scale == pytest.approx(-0.261, abs=0.002)
    assert all(kernel[y][x] == kernel[x][y] for x in range(6) for y in range(6))


def test_tau_lies_on_every_board_with_rank_one_at_player_one(board):
    layout = boards.firmware_config(board)["layouts"]["tau"]
    holes, racks, width = layout["holes"], layout["racks"], board.width
    assert len(set(holes + racks[0] + racks[1])) == 35
    b1, c1, d1, a2 = holes[:4]
    assert (c1 - b1, d1 - b1) == (1, 2) and a2 == b1 - width - 1
    assert min(racks[0]) // width > max(holes) // width and max(racks[1]) // width < min(holes) // width


def test_callisto_lies_centred():
    expected = {
        "lode16": {"2014-2": 10, "2014-3": 12, "2014-4": 14, "2009-2": 16},
        "lode20": {"2014-2": 10, "2014-3": 12, "2014-4": 14, "2009-2": 16, "2009-3": 20, "2009-4": 20},
    }
    for name, sizes in expected.items():
        board = boards.load(name)
        found = boards.firmware_config(board)["layouts"]["callisto"]["boards"]
        assert {key: size for key, (_, size) in found.items()} == sizes
        for origin, size in found.values():
            margin = (board.width - size) // 2
            assert divmod(origin, board.width) == (margin, margin)


def test_castellers_has_twelve_bases_and_four_racks():
    for name in ("lode16", "lode20"):
        layout = boards.firmware_config(boards.load(name))["layouts"]["castellers"]
        assert len(layout["bases"]) == 12 and len(layout["racks"]) == 4 and layout["field"] == 4


WRONG = {
    "a misspelt key": ("width = 8", "widht = 8", "widht: unknown key", "Did you mean width?"),
    "a misspelt table": ("[limits]", "[limit]", "limit: unknown key", "Did you mean limits?"),
    "a missing pin": ("clock = 7", "# clock", "pins.clock: missing pin", "Add it"),
    "a pin used twice": ("ok = 11", "ok = 10", "pins.ok: GP10 is already pins.buzzer", "pin of its own"),
    "a pin of the module's own": ("ok = 11", "ok = 24", "pins.ok: 24 is not free", "GP22"),
    "analog on a pin without ADC": ("analog = 26", "analog = 16", "pins.analog: 16 is not one of", ""),
    "two holes on one square": ('"c7"', '"c3"', "tau.holes[18]: overlaps layouts.tau.holes[0] on c3", ""),
    "a rack on a hole": ('"a1", ', '"c3", ', "overlaps layouts.tau.holes[0] on c3", ""),
    "a hole beside the board": ('"c7"', '"c9"', "tau.holes[18]: c9 is not on a board of 8 x 8", "Move"),
    "a hole too few": ('"c7", ', "", "layouts.tau.holes: 20 entries, at least 21", ""),
    "a square's name that is none": ('"c7"', '"7c"', "layouts.tau.holes[18]", ""),
    "a tile twice": ("[1, 1]", "[0, 1]", "chain.tiles[3]: tile [0, 1] is there twice", "every tile once"),
    "a tile beside the board": ("[1, 1]", "[2, 1]", "chain.tiles[2]: tile [2, 1] lies outside", ""),
    "a tile too few": ("[1, 1], ", "", "chain.tiles: tile [1, 1] is missing", ""),
    "a select line twice": ("select = [0, 1,", "select = [0, 0,", "tile.select: an entry is there twice", ""),
    "an unknown part": ('"DRV5055A2"', '"DRV5055A9"', "parts.sensor: unknown part DRV5055A9", "Did you mean"),
    "a magnet without a table": ('"6x3"', '"9x9"', "magnet.disc: no field table", "field_table.py"),
    "a supply too small": ("usb_ma = 450", "usb_ma = 150", "usb_ma: 150 mA, but the board draws 168", ""),
    "a game without a layout": ('["tau"]', '["tau", "callisto"]', "games[1]: callisto has no layout", ""),
    "a game that is none": ('["tau"]', '["go"]', 'games[0]: "go" is not one of', ""),
    "a default that is not there": ('default = "tau"', 'default = "callisto"', "default: callisto is", ""),
    "no hysteresis": ("off = 7.0", "off = 12.0", "thresholds_mt: off (12) is not below on (10)", ""),
    "text for a number": ("gap_mm = 6.0", 'gap_mm = "6"', 'magnet.gap_mm: "6" is not of type number', ""),
    "a board of half a tile": ("width = 8", "width = 10", "width: 10 is not a multiple of 4", ""),
    "a newer format": ("format = 1", "format = 2", "format: 2 should be 1", ""),
    "no number": ("pitch_mm = 20.0", "pitch_mm = nan", "tile.pitch_mm: nan is no number", "Give a number."),
    "no number in a list of values": ("on = 10.0", "on = nan", "thresholds_mt.on: nan is no number", ""),
    "a date": ("usb_ma = 450", "usb_ma = 2026-01-01", 'usb_ma: "2026-01-01" is not of type integer', ""),
    "no TOML": ("width = 8", "width = ", "not TOML", "Mend"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_file_is_refused_with_key_reason_and_cure(fault):
    old, new, what, do = WRONG[fault]
    assert old in LODE8
    with pytest.raises(LodeboardError) as caught:
        boards.parse(LODE8.replace(old, new, 1), "mine.toml")
    assert str(caught.value).startswith("mine.toml: ")
    assert what in caught.value.what and do in caught.value.do
    assert caught.value.code == 2 and caught.value.do


def test_long_and_deep_values_stay_one_sentence():
    for value in ('"' + "x" * 5000 + '"', "[" * 300 + "]" * 300):
        with pytest.raises(LodeboardError) as caught:
            boards.parse(LODE8.replace('revision = "A"', "revision = " + value), "mine.toml")
        assert len(str(caught.value)) < 300
    with pytest.raises(LodeboardError, match="nested too deep"):
        boards.parse("a=" + "[" * 5000, "mine.toml")


def test_pins_that_are_not_i2c_are_refused():
    text = LODE8.replace("sda = 8", "sda = 1").replace("scl = 9", "scl = 8")
    with pytest.raises(LodeboardError, match="not pins of I2C0"):
        boards.parse(text, "mine.toml")


def test_fields_of_castellers_that_overlap_are_refused():
    with pytest.raises(LodeboardError, match=r"bases\[1\]: overlaps layouts.castellers.bases\[0\]"):
        boards.parse(LODE20.replace('"a20", "q20",', '"a20", "d20",'), "mine.toml")


def test_a_layout_that_reaches_beyond_the_board_is_refused():
    with pytest.raises(LodeboardError, match="reach beyond the board"):
        boards.parse(LODE20.replace('size = 20, origin = "a20"', 'size = 20, origin = "b20"'), "mine.toml")


def test_unknown_names_and_files(tmp_path):
    with pytest.raises(LodeboardError, match="Did you mean lode8"):
        boards.load("lode9")
    with pytest.raises(LodeboardError, match="No such file"):
        boards.load(tmp_path / "none.toml")
    (tmp_path / "raw.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(LodeboardError, match="not text"):
        boards.load(tmp_path / "raw.toml")


def test_a_board_of_ones_own_loads_from_a_path(tmp_path):
    path = tmp_path / "mine.toml"
    for encoding in ("utf-8", "utf-8-sig"):  # some editors put a byte order mark in front
        path.write_text(LODE8.replace('name = "lode8"', 'name = "mine"'), encoding=encoding)
        assert boards.load(path).name == "mine"


def test_the_committed_field_table_is_what_magpylib_gives():
    magpylib = pytest.importorskip("magpylib")
    disc = magpylib.magnet.Cylinder(polarization=(0, 0, 1.2), dimension=(6e-3, 3e-3), position=(0, 0, 1.5e-3))
    table = field.load("6x3", "N35")
    for r in (0, 1.1, 2.35, 5.03, 7.77, 10, 15.5, 20, 28.28, 31, 45, 70):
        for gap in (4, 5.9, 6.03, 7.1, 9.9, 13.3, 22, 38, 41, 60):
            exact = disc.getB((r * 1e-3, 0, -gap * 1e-3))[2] * 1e3
            assert table.mt(r, gap) == pytest.approx(exact, abs=max(0.02, 0.003 * abs(exact)))
