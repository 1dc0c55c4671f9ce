"""The command line, as a user runs it."""

import builtins
import json
import re

import pytest
from typer.testing import CliRunner

import boardgames_env
from boardgames_agents import cli
from boardgames_env import replay

RUNNER = CliRunner()


def run(*arguments, inputs=None):
    """(exit code, output) of a command; errors as `main` prints them."""
    result = RUNNER.invoke(cli.app, list(arguments), input=inputs)
    if result.exception and not isinstance(result.exception, SystemExit):
        return 1, f"error: {result.exception}"
    return result.exit_code, result.output


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setattr(cli.console, "_width", 200)


def test_games():
    code, output = run("games")
    assert code == 0
    for word in (
        "fungi",
        "221",
        "night_doubles_set",
        "random",
        "greedy",
        "policy:PATH",
        "parrot",
        "Policies ship for: fungi",
    ):
        assert word in output
    assert all(name in output for name in boardgames_env.GAMES)


def test_simulate():
    code, output = run("simulate", "fungi", "--games", "300", "--seed", "4")
    assert code == 0 and "300 games of make('fungi'" in output and "decisions a second" in output
    assert re.search(r"│\s+0 │ random │\s+\d+\.\d % \(\d+\.\d–\d+\.\d\)", output) and "cook" in output
    code, output = run("simulate", "fungi", "--games", "20", "--agents", "greedy", "--set", "night_doubles_set=true")
    assert code == 0 and "night_doubles_set=True" in output and "played by greedy" in output


def test_tournament_with_files(tmp_path):
    folder = tmp_path / "run"
    games, wanted = folder / "games.jsonl", ("tournament", "fungi", "random", "greedy", "--folder", str(folder))
    code, output = run(*wanted, "--deals", "5")
    assert code == 0 and "Cross table" in output and "10 games, every table from every seat" in output
    assert len(list(replay.read(games))) == 10 and (folder / "plot.png").stat().st_size > 1000
    assert (folder / "table.csv").read_text().startswith("agent,games,share,low,high,score,rating,rating_sd,seat 0")
    assert (folder / "cross.csv").read_text().startswith("row against column,greedy,random\ngreedy,,")
    code, output = run(*wanted, "--deals", "5")
    assert code == 1 and "holds a tournament already: go on with --resume" in output
    code, output = run(*wanted, "--deals", "6", "--resume")
    assert code == 1 and "deals there is 5, here 6" in output
    code, output = run(*wanted, "--deals", "5", "--resume")
    assert code == 0 and "10 games" in output
    code, output = run("replay", str(games), "--game", "3", "--seat", "1")
    assert code == 0 and "10 games, all of them legal; game 3" in output and "You are player 1" in output
    code, output = run("replay", str(games), "--no-boards")
    assert code == 0 and output.count("draw pile") + output.count("Draw pile") <= 3
    games.write_text(games.read_text() + "{}\n")
    code, output = run("replay", str(games))
    assert code == 1 and "games.jsonl, line 11: a replay needs 'game'" in output


def test_tournaments_of_personalities():
    code, output = run("tournament", "fafaru", "liar", "honest", "--players", "4", "--deals", "4", "--style", "mixed")
    assert code == 0 and "Wins in % by camp at the end" in output and "fermented" in output


def test_play_a_whole_game_with_wrong_inputs(tmp_path):
    inputs = "?\nxyz\n9999\n0\ntake\nplace pan\n\na\n" + "1\n" * 60
    file = tmp_path / "game.jsonl"
    code, output = run("play", "fungi", "--seed", "3", "--against", "greedy", "--replay", str(file), inputs=inputs)
    assert code == 0
    assert "'xyz' is no action" in output and "type a number in 1.." in output
    assert "'take' may mean: take position 1" in output and "'place pan' is not legal now" in output
    assert "You lose." in output or "You win." in output or "A draw." in output
    (one,) = replay.read(file)
    assert one.agents == ["human", "greedy"] and one.seed == 3


@pytest.mark.parametrize("inputs", ["q\n", ""])
def test_leaving_a_game(inputs):
    code, output = run("play", "fungi", "--seed", "3", inputs=inputs)
    assert code == 130 and "you left the game" in output


def test_ctrl_c_leaves_cleanly(monkeypatch):
    def interrupt(prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupt)
    code, output = run("play", "fungi", "--seed", "3")
    assert code == 130 and "you left the game" in output


def test_train_resume_and_play_the_policy(tmp_path):
    folder = tmp_path / "run"
    few = ("envs=8", "rollout=4", "minibatch=32", "hidden=8,8", "imitate=", "evaluation_deals=2", "slow_deals=1")
    small = [f"--with={setting}" for setting in few]
    code, output = run("train", "fungi", "--folder", str(folder), "--steps", "64", *small)
    assert code == 0 and "policy.safetensors" in output and (folder / "curve.png").exists()
    code, output = run("train", "fungi", "--folder", str(folder), "--resume")
    assert code == 0 and json.loads((folder / "settings.json").read_text())["steps"] == 64  # as it was, so it is done
    code, output = run("train", "fungi", "--folder", str(folder), "--steps", "128", "--resume")
    assert code == 0 and json.loads((folder / "settings.json").read_text())["steps"] == 128
    code, output = run("train", "fungi", "--folder", str(folder), "--resume", "--with", "epochs=3")
    assert code == 1 and "a run goes on under its own settings: with --resume give --steps and --minutes" in output
    code, output = run("train", "fungi", "--folder", str(folder))
    assert code == 1 and "already holds a run" in output
    code, output = run("tournament", "fungi", f"policy:{folder / 'policy.safetensors'}", "random", "--deals", "3")
    assert code == 0


WRONG = [
    (("simulate", "chess"), "unknown game 'chess'; the games are: "),
    (("simulate", "fungi", "--players", "3"), "--players must be within 2, got '3'"),
    (("simulate", "fungi", "--players", "x..y"), "--players must be within"),
    (("simulate", "fungi", "--agents", "gredy"), "unknown agent 'gredy'; the agents are: random, greedy"),
    (("simulate", "fungi", "--set", "x=1"), "unknown option 'x'; the options are: reward"),
    (("simulate", "fungi", "--set", "reward=gold"), "option reward must be 'win' or 'score', got 'gold'"),
    (("simulate", "fungi", "--set", "reward"), "--set takes NAME=VALUE"),
    (("simulate", "fungi", "--set", "reward=score"), "needs reward='win'"),
    (("simulate", "fungi", "--seed", "-1"), "seed must be an integer in"),
    (("tournament", "fungi", "random"), "at least two agents"),
    (("tournament", "fungi", "random", "random"), "named once only"),
    (("tournament", "fungi", "random", "honest"), "the agents are: random, greedy, .*('honest' plays fafaru only)"),
    (
        ("tournament", "fafaru", "random", "honest:x=1"),
        "agent 'honest:x=1': unknown parameter 'x=1'; the parameters are: none",
    ),
    (("tournament", "fafaru", "random", "lier"), "unknown agent 'lier'; the agents are: .*, honest, liar, parrot"),
    (
        ("tournament", "fungi", "random", "greedy", "--folder", "/nowhere", "--resume"),
        "/nowhere holds no tournament.json to resume",
    ),
    (("tournament", "fungi", "random", "policy:/nowhere"), "there is no policy file /nowhere"),
    (("play", "fungi", "--seat", "2"), r"your seat must be 0..1, got 2"),
    (("train", "fungi", "--with", "epoch=3"), "unknown training setting 'epoch=3'; the settings are: convolutions"),
    (("train", "fungi", "--with", "epochs=many"), "training setting epochs must be like 2, got 'many'"),
    (("replay", "/nowhere.jsonl"), "No such file"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=lambda value: " ".join(value) if value else None)
def test_errors_say_what_is_valid(arguments, message):
    code, output = run(*arguments)
    assert code == 1 and re.search(message.replace("(", r"\(").replace(")", r"\)"), output), output


def test_main_prints_errors_without_traceback(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["boardgames", "simulate", "chess"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 1
    printed = capsys.readouterr().err
    assert "error: unknown game 'chess'" in printed and "Traceback" not in printed


def test_cards(tmp_path):
    code, output = run("cards", "tree-society", "--export", str(tmp_path / "cards.toml"))
    assert code == 0 and "architects" in output and "E:guilds" in output
    code, output = run("simulate", "tree-society", "--games", "3", "--set", f"card_set={tmp_path / 'cards.toml'}")
    assert code == 0 and "card_set='built-in'" in output, "what was exported loads again unchanged"
    code, output = run("cards", "fungi")
    assert code == 1 and "fungi has no table of cards; games that have one: tree_society" in output
    code, output = run("simulate", "tree-society", "--set", "start_coins=many")
    assert code == 1 and "option start_coins must be 0.." in output


def test_several_player_counts():
    code, output = run("simulate", "tree-society", "--games", "3", "--players", "2..3")
    assert code == 0 and "num_players=2" in output and "num_players=3" in output
