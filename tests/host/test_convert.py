"""`lodeboard convert`: Pentobi's games of Callisto, and everything that can be wrong with such a file."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from lodeboard import convert, records, sgf
from lodeboard.cli.convert import command
from lodeboard.errors import LodeboardError

GOLDEN = Path(__file__).parents[1] / "records" / "callisto2009.jsonl"
# In the way of an opening book: a tree of variations with judgements, nothing but columns.
BOOK = """(
;GM[Callisto]
(
 ;1[g11]TE[1]
 (
  ;2[n10]TE[1]
 )
 (
  ;2[n11]TE[1]
 )
)
(
 ;1[h12]TE[1]
)
)
"""


def read(tmp_path, text):
    """(records, notes) of a file with this text or these bytes."""
    path = tmp_path / "game.blksgf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return convert.read(path)


def complaint(tmp_path, text):
    with pytest.raises(LodeboardError) as caught:
        read(tmp_path, text)
    assert caught.value.code == 2 and caught.value.do
    return caught.value.what


def run(*arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments], catch_exceptions=False)


def test_records_go_to_pentobi_and_come_back_the_same(tmp_path):
    there, back = tmp_path / "games.blksgf", tmp_path / "games.jsonl"
    assert run(GOLDEN, there).exit_code == 0
    answer = run(there, back, "--json")
    assert json.loads(answer.output)["games"] == 6
    assert back.read_bytes() == GOLDEN.read_bytes()
    assert records.verify([back])["difference"] is None


def test_the_main_line_of_a_book_is_read_and_its_variations_are_named(tmp_path):
    found, notes = read(tmp_path, BOOK)
    assert [record["moves"] for record in found] == [["1:g11", "2:n10"]]
    assert found[0]["legal"] == [264, 263] and found[0]["players"] == 4 and "ranking" not in found[0]
    assert notes == [
        "a variation after move 0 is not read: 1[h12] (line 13)",
        "a variation after move 1 is not read: 2[n11] (line 9)",
        "a record has no place for these properties: TE 2 times",
    ]


@pytest.mark.parametrize(
    "game, moves, options",
    [
        ("Callisto Two-Player", ";B[e9];W[l8]", {"players": 2}),
        ("Callisto Two-Player", ";1[e9];2[l8]", {"players": 2}),  # as version 12.0 wrote it
        ("Callisto Three-Player", ";1[g11];2[n10];3[k4]", {"players": 3}),
        ("Callisto", ";BLUE[g11];YELLOW[n10]", {"players": 4}),
        ("Callisto Two-Player Four-Color", ";1[h12];2[g11];3[h8];4[k3]", {"players": 4, "teams": True}),
    ],
)
def test_the_games_names_say_who_plays(tmp_path, game, moves, options):
    found, notes = read(tmp_path, f"(;GM[{game}]CA[UTF-8]{moves})")
    assert notes == [] and len(found[0]["moves"]) == moves.count(";")
    assert {key: found[0].get(key) for key in options} == options and found[0]["edition"] == "2009"
    text, _ = convert.write([(1, found[0])], "again")
    assert read(tmp_path, text)[0] == found


def test_a_move_may_be_in_any_case_and_order_or_a_list_of_values(tmp_path):
    start = "(;GM[Callisto Two-Player];B[h3];W[a8];B[h1];W[a9]"
    for piece in ("h5,H4,i4", "i4,h4,h5"):
        assert read(tmp_path, f"{start};B[{piece}])")[0][0]["moves"][-1] == "1:h4,i4,h5"
    assert read(tmp_path, f"{start};B[h4][i4][h5])")[0][0]["moves"][-1] == "1:h4,i4,h5"


def test_what_a_record_has_no_place_for_is_said(tmp_path):
    found, notes = read(tmp_path, "(;GM[Callisto]PB[Ann]C[hello \\] there]\n;2[g11]C[hm];3[n10])")
    assert found[0]["starter"] == 2 and found[0]["moves"] == ["2:g11", "3:n10"]
    assert notes == ["a record has no place for these properties: PB, C 2 times", "colour 2 begins"]
    text, notes = convert.write([(1, found[0])], "again")
    assert notes == ["line 1: seat 2 begins; Pentobi's own games begin with colour 1"]
    assert read(tmp_path, text)[0] == found


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "iso-8859-1", "cp1252"])
def test_other_encodings_are_read(tmp_path, encoding):
    stated = "" if encoding.startswith("utf") else f"CA[{encoding}]"
    text = f"(;GM[Callisto]{stated}P1[Zoë];1[g11])"
    assert read(tmp_path, text.encode(encoding))[0][0]["moves"] == ["1:g11"]


def test_an_encoding_that_is_not_named_is_guessed_and_said(tmp_path):
    _, notes = read(tmp_path, "(;GM[Callisto]P1[Zoë];1[g11])".encode("iso-8859-1"))
    assert notes[0] == "the file is not UTF-8 and names no encoding: read as ISO-8859-1"


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("", "there is no game in it"),
        ("hello", "'h' where a game, a node or its end was expected"),
        ("(;GM[Callisto]", "line 1: a parenthesis that is never closed"),
        ("(;GM[Callisto]\n;1[g11]))", "line 2: a closing parenthesis too many"),
        ("(;GM[Callisto]\n;1[g11", "line 2: a value that is never closed"),
        ("(;GM[Callisto]\n(1[g11]))", "line 2: a parenthesis without a node behind it"),
        ("((;GM[Callisto]))", "a parenthesis without a node behind it"),
        ("()", "a parenthesis without a node behind it"),
        ("(;GM)", "the property GM has no value"),
        (";GM[Callisto]", "';' where a game"),
        ("(;1[g11])", "line 1: the file does not say which game it is"),
        ("(;GM[Blokus Duo])", "the game is 'Blokus Duo', not one that Lodeboard plays"),
        ("(;GM[callisto])", "the game is 'callisto'"),
        ("(;GM[Callisto];1[g11];\n2[g11])", "line 1: move 2, g11 of colour 2, is against the rules: g11"),
        ("(;GM[Callisto];1[k10])", "no column in the dark centre"),
        ("(;GM[Callisto];1[z99])", "z99 is no square of this board"),
        ("(;GM[Callisto];1[])", "move 1, empty of colour 1, is against the rules"),
        ("(;GM[Callisto];1[g11];3[n10])", "move 2, n10 of colour 3, is out of turn: it is colour 2's"),
        ("(;GM[Callisto Two-Player];B[e9];3[l8])", "the game has no colour 3"),
        ("(;GM[Callisto];B[g11])", "the game has no colour B"),
        ("(;GM[Callisto]A1[g11][h12])", "pieces are set up (A1)"),
        ("(;GM[Callisto];1[g11]2[n10])", "a node with 2 moves"),
        ("(;GM[Callisto]CA[klingon])", "the encoding 'klingon' is unknown"),
        (b"(;GM[Callisto]CA[utf-8]C[\xff])", "the text is not in its encoding, utf-8"),
        ("(;GM[Callisto]CA[rot13])", "rot13"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(tmp_path, text, sentence):
    assert sentence in complaint(tmp_path, text)


def test_a_tree_of_any_depth_is_read(tmp_path):
    deep = "(;" * 20000 + ")" * 20000
    roots = sgf.parse(deep, "deep")
    assert len(roots) == 1
    assert "does not say which game" in complaint(tmp_path, deep)


@pytest.mark.parametrize(
    "record, sentence",
    [
        ({"game": "callisto", "edition": "2014", "moves": []}, "the edition of 2009"),
        ({"game": "callisto", "edition": "2009", "rules": {"pieces": {"2": 1}}, "moves": []}, "own pieces"),
        ({"game": "tau", "moves": []}, "Pentobi does not play tau"),
        ({"game": "callisto", "edition": "2009", "moves": ["1:h8"]}, "move 1, 1:h8, is against the rules"),
        ({"game": "callisto", "edition": "2009", "moves": ["2:h1"]}, "another seat's turn"),
    ],
)
def test_what_pentobi_has_no_form_for_is_refused(record, sentence):
    with pytest.raises(LodeboardError, match=sentence):
        convert.write([(7, record)], "file")


def test_the_command_wants_one_file_of_each_kind(tmp_path):
    for source, target in (("a.jsonl", "b.jsonl"), ("a.blksgf", "b.sgf"), ("a", "b.jsonl")):
        with pytest.raises(LodeboardError, match="there is no way"):
            run(tmp_path / source, tmp_path / target)
    with pytest.raises(LodeboardError, match="No such file"):
        run(tmp_path / "a.blksgf", tmp_path / "b.jsonl")
    (tmp_path / "a.blksgf").write_text(BOOK)
    with pytest.raises(LodeboardError, match="No such file"):
        run(tmp_path / "a.blksgf", tmp_path / "none" / "b.jsonl")


PARTS = ["(", ")", ";", "GM[Callisto]", "1[g11]", "2[n10]", "[", "]", "\\", "1", "A1[b2]", "\n", "C[x]", "é"]


@given(st.lists(st.sampled_from(PARTS)).map("".join) | st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_is_a_tree_or_a_sentence(text):
    try:
        roots = sgf.parse(text, "file")
    except LodeboardError as error:
        assert "\n" not in str(error) and error.code == 2
        return
    assert roots
