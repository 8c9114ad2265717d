"""A review as words on a terminal (rich)."""

from datetime import datetime

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from . import facts
from .draw import drawer
from .matches import matches


def overview(console, path, log, games):
    """What the log is, which games are in it, what was lost."""
    for hello in log.hellos:
        kind = "simulated board" if hello.get("sim") else "board"
        words = (
            f"{path}: {kind} {hello.get('board')}, serial {hello.get('serial')}, firmware {hello.get('fw')}"
        )
        console.print(Text(words))
    count = "no game" if not games else "one game" if len(games) == 1 else f"{len(games)} games"
    extra = f"; {log.console} lines of console text" if log.console else ""
    extra += f"; {log.duplicates} events came twice" if log.duplicates else ""
    console.print(Text(f"{path}: {count}{extra}"))
    for loss in log.losses:
        console.print(Text("lost: " + loss["text"], "yellow"))


def game_title(number, game):
    name = "Calypso" if game.name == "tau" and game.options.get("open") is True else game.name.capitalize()
    title = f"Game {number}: {name}"
    if game.number:
        title += f", game {game.number}" + (f" of {game.match}" if game.match else "") + " in its match"
    return title + when(game.h)


def when(h):
    """The host's clock for people, ", 2026-11-29 22:50", or nothing."""
    try:
        return datetime.fromtimestamp(h).strftime(", %Y-%m-%d %H:%M")
    except (TypeError, ValueError, OverflowError, OSError):
        return ""


def seconds(ms, at_least=False):
    if ms is None:
        return "?"
    text = f"{ms / 1000:.1f} s" if ms < 60000 else f"{ms // 60000}:{ms // 1000 % 60:02d} min"
    return ("at least " if at_least else "") + text


def squares(names):
    return ", ".join(str(name) for name in names) if isinstance(names, list) else str(names)


def happening(entry):
    """One entry of a timeline that is no move, as a sentence; None when a reader needs no line for it."""
    kind = entry["kind"]
    if kind == "undo":
        how = " (its event is lost)" if entry.get("inferred") else ""
        return f"seat {entry['seat']} takes back {entry['move']}{how}"
    if kind == "illegal":
        where = f" ({squares(entry['squares'])})" if entry.get("squares") else ""
        move = f" {entry['move']}" if entry.get("move") else ""
        return f"illegal try{move}: {entry['why']}{where}"
    if kind == "desync":
        asked = [
            f"{verb} {squares(entry[key])}"
            for key, verb in (("take", "take away"), ("put", "put back"), ("turn", "turn over"))
            if entry[key]
        ]
        mended = entry["mended_ms"]
        end = "not mended here" if mended is None else f"mended after {seconds(mended)}"
        return f"board and game differ: {'; '.join(asked)}; {end}"
    if kind == "power":
        return "the power failed"
    if kind == "note":
        return {"resume": "the game is resumed", "abandon": "the game is abandoned"}.get(
            entry["what"], entry["what"]
        )
    if kind == "missing":
        return f"lost: numbers {entry['from']} to {entry['to']} of the journal"
    if kind == "error":
        return f"the board reports: {entry['what']}"
    if kind == "port":
        return "the connection was lost" if entry["what"] == "lost" else "the connection is back"
    return None


def outcome(game):
    """How a game ended, as a sentence."""
    result = game.result
    if result is None:
        return "no result in this log"
    if result.get("by") == "abandon":
        return "abandoned"
    ranking = result.get("ranking") or []
    if ranking and isinstance(ranking[0], int):
        words = f"seat {ranking[0]} wins"
    elif ranking:
        words = "seats " + " and ".join(str(seat) for seat in ranking[0]) + " share the first place"
    else:
        words = "no ranking"
    by = {"win": "", "end": "", "draw": " by a draw", "resign": " by resignation"}.get(
        result.get("by"), f" ({result.get('by')})"
    )
    if isinstance(result.get("scores"), list):
        words += ", scores " + ", ".join(str(score) for score in result["scores"])
    return words + by


def thinking(game):
    """For each seat (number, total ms, longest ms, moves) of the moves whose time is known."""
    seats = {}
    for entry in game.moves:
        if entry["think_ms"] is not None:
            seats.setdefault(entry["seat"], []).append(entry["think_ms"])
    return [(seat, sum(times), max(times), len(times)) for seat, times in sorted(seats.items())]


def game_table(console, number, game):
    """Title, moves with thinking times and everything that happened in between, result."""
    console.print(Text(game_title(number, game), "bold"))
    options = ", ".join(f"{key} {value}" for key, value in game.options.items())
    console.print(Text(("assumed, the setup is lost: " if game.assumed else "") + options, "dim"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, justify in (
        ("ply", "right"),
        ("seat", "right"),
        ("move", "left"),
        ("time", "right"),
        ("", "left"),
    ):
        table.add_column(heading, justify=justify, overflow="fold")
    for entry in game.timeline:
        if entry["kind"] == "move":
            legal = "" if entry["legal"] is None else f"of {entry['legal']}"
            time = seconds(entry["think_ms"], entry["at_least"])
            table.add_row(
                str(entry["ply"]), str(entry["seat"]), Text(entry["move"]), time, Text(legal, "dim")
            )
        else:
            words = happening(entry)
            if words:
                table.add_row("", "", "", "", Text(words, "cyan"))
    console.print(table)
    for seat, total, longest, moves in thinking(game):
        console.print(f"seat {seat}: {moves} moves, {seconds(total)} in all, longest {seconds(longest)}")
    for line in facts.lines(game):
        console.print(Text(line))
    console.print(Text("Result: " + outcome(game), "bold"))
    if game.broken:
        console.print(Text(game.broken, "yellow"))
    if game.fault:
        console.print(Text(fault(number, game), "bold red"))
    console.print()


def standings(console, games):
    """How each match of more than one game stands."""
    for match in matches(games):
        if len(match["games"]) < 2:
            continue
        numbers = match["games"]
        words = ", ".join(f"seat {seat} {won}" for seat, won in enumerate(match["wins"], 1))
        words = f"Match of games {numbers[0]} to {numbers[-1]}: won by {words}"
        if match["scores"]:
            words += "; points " + ", ".join(str(score) for score in match["scores"])
        console.print(Text(words, "bold"))


def fault(number, game):
    """Where a game's log breaks the rules, as a sentence."""
    where = f"game {number}, line {game.fault['line']}"
    if game.fault["ply"]:
        where += f", ply {game.fault['ply']}"
    move = f", {game.fault['move']}" if game.fault["move"] else ""
    return f"Against the rules: {where}{move}: {game.fault['why']}."


def position(console, game, ply, hidden=False):
    """The board after a ply; the contract's words where a game has no drawer."""
    rules = game.position(ply)
    last = rules.history[-1][1] if rules.history else None
    draw = drawer(game.name)
    if draw is not None:
        console.print(draw.text(rules, hidden, last))
    else:
        console.print(escape(str(rules.seen_by(None if hidden else rules.turn))))
