"""The command line `boardgames`: each command is a thin layer over a function that can be called from Python."""

from __future__ import annotations

import dataclasses
import functools
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from boardgames_agents.policy import shipped_players
from boardgames_agents.registry import AGENTS, agents_of, make_agent, usage_of
from boardgames_agents.simulation import Simulation, simulate
from boardgames_agents.tournament import STYLES, Results, play_tournament, show
from boardgames_agents.tournament.folder import GAMES as GAMES_FILE
from boardgames_env import GAMES, ActionError, Batch, Game, make
from boardgames_env import replay as replays
from boardgames_env.game import Option, action_names, game_module

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="Board games as reinforcement-learning environments: simulate, train, compare, play.",
)
console = Console()

GameName = Annotated[str, typer.Argument(help="A game, as `boardgames games` lists them.")]
Players = Annotated[str, typer.Option(help="Number of players, or a range such as 2..4.")]
Settings = Annotated[list[str], typer.Option("--set", help="An option of the game, NAME=VALUE; may be repeated.")]
Seed = Annotated[int, typer.Option(help="Seed of the first game; the others follow.")]


def main() -> None:
    """The entry point: errors that a user can act on are printed without a traceback."""
    try:
        app()
    except (ValueError, OSError, _training_error()) as error:
        Console(stderr=True).print(f"[red]error:[/red] {escape(str(error))}", soft_wrap=True)
        sys.exit(1)


def _training_error() -> type[Exception]:
    """TrainingError, if training was imported at all: torch is not needed for the other commands."""
    training = sys.modules.get("boardgames_agents.training")
    return training.TrainingError if training else ValueError


# --- games --------------------------------------------------------------------------------------------------


@app.command()
def games() -> None:
    """List the games with players, actions and options, and the agents."""
    table = Table(title="Games", title_justify="left")
    for heading in ("game", "players", "actions", "observation", "state", "longest game"):
        table.add_column(heading, justify="left" if heading == "game" else "right")
    for name in GAMES:
        module = game_module(name)
        low, high = (make(name, n) for n in (module.PLAYERS[0], module.PLAYERS[-1]))
        table.add_row(
            name,
            _span(low.num_players, high.num_players),
            _span(low.num_actions, high.num_actions),
            _span(low.observation.itemsize, high.observation.itemsize) + " bytes",
            _span(low.state.itemsize, high.state.itemsize) + " bytes",
            _span(low.max_plies, high.max_plies) + " decisions",
        )
    console.print(table)
    for name in GAMES:
        table = Table(title=f"Options of {name}", title_justify="left")
        for heading in ("option", "values", "default", "meaning"):
            table.add_column(heading)
        for option, spec in game_module(name).OPTIONS.items():
            table.add_row(option, spec.describe(), repr(spec.default), spec.help)
        console.print(table)
    table = Table(title="Agents", title_justify="left")
    for heading in ("agent", "games", "what it is"):
        table.add_column(heading, overflow="fold")
    for name, entry in AGENTS.items():
        table.add_row(usage_of(name, entry), "all", entry.help)
    for game in GAMES:
        for name, entry in agents_of(game).items():
            if name not in AGENTS:
                table.add_row(usage_of(name, entry), game, entry.help)
    console.print(table)
    shipped = {name: ", ".join(map(str, shipped_players(name))) for name in GAMES}
    console.print("Policies ship for: " + "; ".join(f"{name} with {n} players" for name, n in shipped.items() if n))


def _span(low: int, high: int) -> str:
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


@app.command()
def cards(
    game: GameName,
    export: Annotated[Path | None, typer.Option(help="Write the cards to this .toml or .json file.")] = None,
    settings: Settings = [],
) -> None:
    """Print the cards of a game whose cards are data, and export them as a file that loads again."""
    module = game_module(game)
    if not hasattr(module, "card_table"):
        having = [name for name in GAMES if hasattr(game_module(name), "card_table")]
        raise ValueError(f"{game} has no table of cards; games that have one: {', '.join(having) or 'none'}")
    rules = _game(game, module.PLAYERS[0], settings)
    columns, rows = module.card_table(rules)
    table = Table(*columns, title=f"Cards of {rules.name}", title_justify="left")
    for row in rows:
        table.add_row(*map(str, row))
    console.print(table)
    if export:
        module.export_cards(rules, export)
        console.print(f"written to {export}")


# --- simulate -----------------------------------------------------------------------------------------------


@app.command(name="simulate")
def simulate_command(
    game: GameName,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 10_000,
    players: Players = "",
    agents: Annotated[list[str], typer.Option(help="An agent; several fill the seats in turn.")] = ["random"],
    seed: Seed = 0,
    settings: Settings = [],
    threads: Annotated[int, typer.Option(min=1, help="Threads of the batch.")] = 1,
) -> None:
    """Play many games and print speed, lengths, scores, and wins by seat with 95 % intervals."""
    for count in _player_counts(game, players):
        rules = _game(game, count, settings)
        with _progress() as progress:
            task = progress.add_task(f"{rules.name}, {count} players", total=games)
            report = functools.partial(_report_done, progress, task)
            result = simulate(rules, agents, games, seed, threads, report)
        _print_simulation(result)


def _report_done(progress: Progress, task: Any, done: int) -> None:
    progress.update(task, completed=done)


def _print_simulation(result: Simulation) -> None:
    game = result.game
    console.print(
        f"[bold]{result.games:,} games of {escape(repr(game))}[/bold], played by {escape(', '.join(result.agents))}"
    )
    console.print(
        f"{result.games / result.seconds:,.0f} games and {result.plies.sum() / result.seconds:,.0f} decisions "
        f"a second; {result.plies.mean():.1f} decisions a game ({result.plies.min()}–{result.plies.max()})"
    )
    table = Table(title="By seat", title_justify="left")
    for heading in ("seat", "agent", "wins (95 %)", "alone", "score ± sd", "range"):
        table.add_column(heading, justify="left" if heading == "agent" else "right", no_wrap=heading != "agent")
    for seat in range(game.num_players):
        scores = result.scores[:, seat]
        table.add_row(
            str(seat),
            result.agents[seat % len(result.agents)],
            str(result.wins(seat)),
            f"{100 * result.sole_wins(seat).mean:.1f} %",
            f"{scores.mean():.2f} ± {scores.std():.2f}",
            f"{scores.min():g}–{scores.max():g}",
        )
    console.print(table)
    table = Table(title="Actions a game", title_justify="left")
    table.add_column("action")
    table.add_column("times", justify="right")
    for verb, count in result.verbs.items():
        table.add_row(verb, f"{count / result.games:.3f}" if count else "never")
    console.print(table)
    for heading in dict.fromkeys(row[0] for row in result.rows):
        table = Table(title=heading, title_justify="left", show_header=False)
        for row in result.rows:
            if row[0] == heading:
                table.add_row(*row[1:])
        console.print(table)


# --- train --------------------------------------------------------------------------------------------------


@app.command()
def train(
    game: GameName,
    folder: Annotated[Path | None, typer.Option(help="Of the run; default runs/GAME-PLAYERS.")] = None,
    players: Players = "",
    steps: Annotated[int | None, typer.Option(min=1, help="Decisions of the learner.")] = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="Stop after so long in any case; 0: no limit.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in the folder.")] = False,
    seed: Seed = 0,
    settings: Settings = [],
    change: Annotated[list[str], typer.Option("--with", help="A training setting, NAME=VALUE, e.g. epochs=8.")] = [],
) -> None:
    """Train a policy in self-play with MaskablePPO against a league of past versions and scripted agents.

    Every setting has a default for the game (boardgames_agents/training/settings.py) and is written into the folder.
    """
    training = _training_module()
    (count,) = _player_counts(game, players, single=True)
    rules = _game(game, count, settings)
    folder = folder or Path("runs") / f"{rules.name}-{count}"
    length = {key: value for key, value in (("steps", steps), ("minutes", minutes)) if value is not None}
    if resume:
        if settings or change or seed:
            raise ValueError("a run goes on under its own settings: with --resume give --steps and --minutes only")
        wanted = dataclasses.replace(training.stored_settings(folder), game=rules.name, **length)
    else:
        wanted = training.changed(training.settings_for(rules, seed=seed, **length), change)
    policy = run_training(wanted, folder, resume)
    console.print(f"policy: [bold]{policy}[/bold]   curve: {folder / training.PICTURE}")
    console.print(f"compare it with: boardgames tournament {game} policy:{policy} greedy random")


def run_training(settings: Any, folder: Path, resume: bool = False) -> Path:
    """Train with a progress bar; after an interrupt, say how to go on and exit with 130."""
    training = _training_module()
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[news]}"), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("training", total=1.0, news="")

        def report(now: Any) -> None:
            wins = ", ".join(f"{100 * share.mean:.0f} % against {name}" for name, share in now.shares.items())
            news = f"{now.steps:,} steps, {now.steps_per_second:,.0f}/s" + (f"; wins {wins}" if wins else "")
            progress.update(task, description=now.doing, completed=now.fraction, news=news)

        try:
            policy = training.train(settings, folder, resume, report)
        except KeyboardInterrupt:
            progress.stop()
            console.print(f"stopped; go on with --resume (the run is in {folder})")
            raise typer.Exit(130) from None
    training.plot_curve(folder / training.CURVE, folder / training.PICTURE)
    return policy


def _training_module() -> Any:
    try:
        from boardgames_agents import training
    except ImportError as error:
        raise ValueError(f"training needs the extra 'train': pip install 'boardgames-env[train]' ({error})") from None
    return training


# --- tournament ---------------------------------------------------------------------------------------------


@app.command()
def tournament(
    game: GameName,
    agents: Annotated[list[str], typer.Argument(help="Two or more agents, as `boardgames games` lists them.")],
    deals: Annotated[int, typer.Option(min=1, help="Two players: deals a pair. More: tables; see --style.")] = 500,
    players: Players = "",
    seed: Seed = 0,
    settings: Settings = [],
    style: Annotated[str, typer.Option(help=f"With more than two players: {' or '.join(STYLES)}.")] = "mixed",
    jobs: Annotated[int, typer.Option(min=1, help="Processes. Results do not depend on it.")] = 1,
    folder: Annotated[Path | None, typer.Option(help="Keep games, tables and plot here; default: nowhere.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the tournament in the folder.")] = False,
) -> None:
    """Let agents play each other: the same deals from every seat, ratings and shares of wins with intervals.

    Two players: all pairs. More: tables of random company, everybody equally often, or one against the rest.
    """
    (count,) = _player_counts(game, players, single=True)
    rules = _game(game, count, settings)
    run_tournament(rules, agents, deals, seed, style=style, jobs=jobs, folder=folder, resume=resume)
    if folder:
        console.print(f"games, tables and plot: {folder}   one game: boardgames replay {folder / GAMES_FILE} --game 1")


def run_tournament(
    game: Game, agents: Sequence[str], deals: int, seed: int = 0, folder: Path | None = None, **how: Any
) -> Results:
    """Play with a progress bar and print the tables; after an interrupt, say how to go on and exit with 130."""
    with _progress() as progress:
        task = progress.add_task(f"{game.name}, {game.num_players} players", total=None)

        def report(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        try:
            results = play_tournament(game, agents, deals, seed, folder=folder, report=report, **how)
        except KeyboardInterrupt:
            progress.stop()
            kept = f"go on with --resume (the games are in {folder})" if folder else "nothing is kept without --folder"
            console.print(f"stopped; {kept}", soft_wrap=True)
            raise typer.Exit(130) from None
    for table in show.tables(results):
        console.print(table)
    for note in show.missing_parts():
        console.print(f"[yellow]{escape(note)}[/yellow]", soft_wrap=True)
    return results


# --- play ---------------------------------------------------------------------------------------------------

HELP = """Type the number of an action or its name, or a part of the name that only one action has.
  ?  this help        a  all legal actions again        q or ctrl-c  leave"""


@app.command()
def play(
    game: GameName,
    against: Annotated[str, typer.Option(help="The agent in all other seats.")] = "greedy",
    seat: Annotated[int, typer.Option(min=0, help="Your seat.")] = 0,
    players: Players = "",
    seed: Annotated[int | None, typer.Option(help="Of the deal; default: a random one.")] = None,
    settings: Settings = [],
    replay: Annotated[Path | None, typer.Option(help="Append the finished game to this file.")] = None,
) -> None:
    """Play in the terminal against an agent."""
    (count,) = _player_counts(game, players, single=True)
    rules = _game(game, count, settings)
    if seat >= count:
        raise ValueError(f"{rules.name}: your seat must be 0..{count - 1}, got {seat}")
    agent = make_agent(rules, against, seed)
    batch = Batch(rules, 1, seed if seed is not None else int(np.random.default_rng().integers(2**53)))
    actions: list[np.ndarray] = []
    console.print(HELP)
    try:
        while not batch.over[0]:
            mine = batch.player[0] == seat
            action = _ask(batch, seat) if mine else int(agent.act(batch.turns())[0])
            if not mine:
                console.print(f"[cyan]player {batch.player[0]} ({against}): {escape(rules.action_name(action))}[/cyan]")
            actions.append(np.array([action]))
            batch.step(actions[-1])
    except (KeyboardInterrupt, EOFError):
        console.print("\nyou left the game")
        raise typer.Exit(130) from None
    console.print(escape(rules.text(batch.states[0], seat)))
    won = batch.returns[0, seat]
    console.print("[bold]" + ("You win." if won > 0 else "You lose." if won < 0 else "A draw.") + "[/bold]")
    if replay:
        names = ["human" if s == seat else against for s in range(count)]
        replays.write(replay, replays.record(batch, actions, [names]))


def _ask(batch: Batch, seat: int) -> int:
    """The action that the human chooses; asks until it is one."""
    game = batch.game
    console.print()
    console.print(escape(game.text(batch.states[0], seat)), highlight=False)
    names = {game.action_name(int(action)): int(action) for action in np.flatnonzero(batch.legal()[0])}
    _list_actions(names)
    while True:
        answer = input("> ").strip().lower()
        if answer == "?":
            console.print(HELP)
        elif answer == "a":
            _list_actions(names)
        elif answer in ("q", "quit", "exit"):
            raise EOFError
        else:
            try:
                return _chosen(game, names, answer)
            except ActionError as error:
                console.print(f"[red]{escape(str(error))}[/red]")


def _list_actions(names: dict[str, int]) -> None:
    for number, name in enumerate(names, start=1):
        console.print(f"  {number:3}  {escape(name)}", highlight=False)


def _chosen(game: Game, names: dict[str, int], answer: str) -> int:
    """The action meant by a number, a name or a part of one. Raises ActionError with what to type."""
    if answer.isdecimal():
        if 1 <= int(answer) <= len(names):
            return list(names.values())[int(answer) - 1]
        raise ActionError(f"type a number in 1..{len(names)}, or ? for help")
    if answer in names:
        return names[answer]
    matches = [name for name in names if answer and answer in name.lower()]
    if len(matches) == 1:
        return names[matches[0]]
    if matches:
        raise ActionError(f"{answer!r} may mean: {', '.join(matches[:6])}; type more of it, or the number")
    if answer in action_names(game):
        raise ActionError(f"{answer!r} is not legal now; a lists what is")
    raise ActionError(f"{answer!r} is no action; type a number in 1..{len(names)}, or ? for help")


# --- replay -------------------------------------------------------------------------------------------------


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A file of replays, one JSON line each.")],
    number: Annotated[int, typer.Option("--game", min=1, help="Which line to show.")] = 1,
    seat: Annotated[int | None, typer.Option(min=0, help="Show what this seat knows; default: everything.")] = None,
    boards: Annotated[bool, typer.Option(help="Show the board before every action.")] = True,
) -> None:
    """Check every game of a file and show one of them, action by action."""
    shown = None
    total = 0
    for total, one in enumerate(replays.read(file), start=1):
        if total == number:
            shown = one
    if shown is None:
        raise ValueError(f"{file} has {total} games, there is no game {number}")
    game = shown.game
    if seat is not None and seat >= game.num_players:
        raise ValueError(f"{game.name}: seats are 0..{game.num_players - 1}, got {seat}")
    console.print(f"{file}: {total} games, all of them legal; game {number}: {escape(repr(game))}, seed {shown.seed}")
    console.print("played by " + escape(", ".join(f"player {s}: {name}" for s, name in enumerate(shown.agents))))
    for state, action in zip(shown.states(), [*shown.actions, None]):
        if boards or action is None:
            console.print()
            console.print(escape(game.text(state, seat)), highlight=False)
        if action is not None:
            console.print(f"[cyan]player {state.player}: {escape(game.action_name(action))}[/cyan]")
    console.print(f"returns: {shown.returns}")


# --- What the commands share --------------------------------------------------------------------------------


def _game(name: str, players: int, settings: Sequence[str]) -> Game:
    options = {}
    specs = game_module(name).OPTIONS
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals:
            raise ValueError(f"--set takes NAME=VALUE, got {setting!r}")
        if key not in specs:
            raise ValueError(f"{name}: unknown option {key!r}; the options are: {', '.join(specs)}")
        options[key] = _parsed(name, key, specs[key], text)
    return make(name, players, **options)


def _parsed(name: str, key: str, spec: Any, text: str) -> Any:
    """The value of an option from text; options of a game's own kind take JSON or plain text."""
    if isinstance(spec, Option):
        try:
            return spec.parse(text)
        except ValueError as error:
            raise ValueError(f"{name}: option {key} {error}") from None
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _player_counts(name: str, text: str, single: bool = False) -> list[int]:
    """The numbers of players that `3` or `2..4` means; the least by default."""
    allowed = game_module(name).PLAYERS
    if not text:
        return [allowed[0]]
    low, dots, high = text.partition("..")
    try:
        counts = list(range(int(low), int(high if dots else low) + 1))
    except ValueError:
        counts = []
    if not counts or (single and len(counts) > 1) or any(count not in allowed for count in counts):
        span = f"{allowed[0]}..{allowed[-1]}" if len(allowed) > 1 else str(allowed[0])
        raise ValueError(f"{name}: --players must be {'one number' if single else 'within'} {span}, got {text!r}")
    return counts


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
