"""The command line: quick, lazy, and never a traceback for what comes from outside."""

import os
import subprocess
import sys

import click
import pytest
from lodeboard.cli import main
from lodeboard.errors import LodeboardError


def lodeboard(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-c", "from lodeboard.cli.main import main; main()", *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        **options,
    )


def test_help_is_there_within_0_3_s():
    times = []
    for _ in range(3):
        before = os.times()  # of the processor: other work on this computer is not ours
        run = lodeboard("--help")
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        times.append(spent)
        assert run.returncode == 0 and all(name in run.stdout for name in main.COMMANDS)
    assert 0 < min(times) < 0.3


def test_help_imports_no_command():
    code = """
import sys
from lodeboard.cli import main
assert main.run(["--help"]) == 0
heavy = {"serial", "rich", "textual", "shared_rules", "platformdirs"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
commands = {"lodeboard.cli." + name for name in main.COMMANDS}
assert not commands & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("name", main.COMMANDS)
def test_every_command_explains_itself(name, capsys):
    assert main.run([name, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: lodeboard {name}")


def test_unknown_commands_and_options(capsys):
    for arguments, words in (
        (["reveiw"], "Did you mean `lodeboard review`?"),
        (["xyzzy"], "`lodeboard --help` lists them all."),
        (["--foo"], "See `lodeboard --help`."),
        (["review"], "Missing argument 'LOG'. See `lodeboard review --help`."),
        (["review", "--plie", "3", "x"], "No such option '--plie'"),
        (["play", "--player", "random"], "--player needs --seat"),
        (["play", "--seat", "9"], "9 is not in the range"),
    ):
        assert main.run(arguments) == 2
        said = capsys.readouterr()
        assert words in said.err and said.err.count("\n") == 1 and said.out == ""


def answer(monkeypatch, function):
    """The exit status of a command that does `function`."""
    command = click.Command("log", callback=function)
    monkeypatch.setattr(main.LazyGroup, "get_command", lambda self, context, name: command)
    return main.run(["log"])


def raising(error):
    def function():
        raise error

    return function


def test_exit_statuses(monkeypatch, capsys):
    assert answer(monkeypatch, lambda: None) == 0
    assert answer(monkeypatch, lambda: 1) == 1
    assert answer(monkeypatch, raising(LodeboardError("It broke.", "Mend it.", 3))) == 3
    assert capsys.readouterr().err == "lodeboard: It broke. Mend it.\n"
    assert answer(monkeypatch, raising(KeyboardInterrupt())) == 130
    assert answer(monkeypatch, raising(click.UsageError("two\nlines"))) == 2
    assert capsys.readouterr().err.strip().count("\n") == 0
    assert answer(monkeypatch, raising(FileNotFoundError(2, "No such file or directory", "x.toml"))) == 2
    assert capsys.readouterr().err.startswith("lodeboard: x.toml: No such file")


def test_a_fault_of_ours_is_not_hidden(monkeypatch):
    with pytest.raises(ZeroDivisionError):
        answer(monkeypatch, lambda: 1 / 0)


def test_a_reader_that_goes_away_is_no_fault(tmp_path):
    from logs import Story, record

    log = Story().game(record()).save(tmp_path / "t.jsonl")
    command = f"{sys.executable} -c 'from lodeboard.cli.main import main; main()' review {log} --json"
    run = subprocess.run(["sh", "-c", f"({command}; echo $? >&2) | true"], capture_output=True, text=True)
    assert run.stderr == "0\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
@pytest.mark.parametrize("arguments", (["--help"], ["review", "--help"], ["perft", "tau", "1", "--json"]))
def test_output_that_cannot_be_written_is_one_sentence(arguments):
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-c", "from lodeboard.cli.main import main; main()", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=30,
        )
    assert run.returncode == 2 and run.stderr.count("\n") == 1
    assert run.stderr.startswith("lodeboard: The output cannot be written: No space left on device.")


def test_what_a_terminal_cannot_show_is_shown_as_an_escape(tmp_path):
    log = tmp_path / "t.jsonl"
    log.write_text('{"h":1,"t":"hello","board":"\\ud800 \\u00e9"}\n{"h":1,"t":"error","what":"\\udfff"}\n')
    run = lodeboard("review", str(log), env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert run.returncode == 0 and run.stderr == ""
    assert "\\ud800 \\xe9" in run.stdout


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="a device of Unix")
def test_a_device_is_no_file():
    for arguments in (["review"], ["verify"], ["perft", "castellers", "1", "--rules"], ["review", "--json"]):
        run = lodeboard(*arguments, "/dev/zero")
        assert run.returncode == 2 and run.stderr.startswith("lodeboard: /dev/zero is a device, not a file.")
        assert run.stderr.count("\n") == 1
