"""`lodeboard perft`: count the positions of a game, ply by ply."""

import json
import time

import click


@click.command()
@click.argument("game")
@click.argument("depth", type=click.IntRange(1, 20))
@click.option("--open", "open_", is_flag=True, help="Tau: Calypso, with both colours known.")
@click.option("--edition", help="Callisto: 2009 or 2014.")
@click.option("--players", type=int, help="Number of players.")
@click.option("--teams", is_flag=True, help="Callisto of 2009: two players with two colours each.")
@click.option("--starter", type=int, help="Seat that acts first, from 1.")
@click.option("--seed", type=int, help="Castellers: seed of the bag.")
@click.option("--rules", metavar="FILE", help="Tables of the owner's box, JSON.")
@click.option("--divide", is_flag=True, help="Count below every first move.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
def command(game, depth, open_, edition, players, teams, starter, seed, rules, divide, as_json):
    """Count the sequences of moves of GAME down to ply DEPTH, and those that end the game.

    Castellers counts a draw as one move, with what the bag of its seed gives.
    """
    from .. import games, records

    position = games.load(
        game,
        open=open_ or None,
        edition=edition,
        players=players,
        teams=teams or None,
        starter=starter,
        seed=seed,
        rules=games.read_rules(rules) if rules else None,
    )
    games.warn_unverified(position)
    if divide:
        counts = list(records.divide(position, depth))
        if as_json:
            moves = {text: {"nodes": nodes, "wins": wins} for text, nodes, wins in counts}
            print(json.dumps({"game": game, "options": position.options, "depth": depth, "moves": moves}))
        else:
            for text, nodes, wins in counts:
                print(f"{text:12} {nodes:>14,} {wins:>10,} wins")
        return
    plies = []
    for ply in range(1, depth + 1):
        start = time.perf_counter()
        nodes, wins = records.perft(position, ply)
        plies.append({"ply": ply, "nodes": nodes, "wins": wins})
        if not as_json:
            seconds = time.perf_counter() - start
            print(f"ply {ply}: {nodes:>16,} nodes {wins:>10,} wins  {seconds:7.2f} s", flush=True)
    if as_json:
        print(json.dumps({"game": game, "options": position.options, "plies": plies}))
