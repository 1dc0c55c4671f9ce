"""What may import what, and what an installation puts where."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import boardgames_env

REPOSITORY = Path(__file__).resolve().parent.parent


def python(code, *flags):
    done = subprocess.run([sys.executable, *flags, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_core_imports_no_torch_no_renderer_and_no_agents():
    loaded = python(
        "import boardgames_env, boardgames_env.gym, sys\n"
        "for name in boardgames_env.GAMES: boardgames_env.make(name)\n"
        "print(' '.join(sys.modules))",
        "-W",
        "error",
    ).split()
    for name in ("torch", "stable_baselines3", "pygame", "matplotlib", "boardgames_agents", "rich", "typer"):
        assert name not in loaded, f"boardgames_env imports {name}"


def test_agents_and_command_line_import_no_torch():
    loaded = python("import boardgames_agents.cli, boardgames_agents.policy, sys; print(' '.join(sys.modules))").split()
    assert "torch" not in loaded and "matplotlib" not in loaded


def test_boardgames_env_never_imports_boardgames_agents():
    for file in (REPOSITORY / "boardgames_env").rglob("*.py"):
        for line in file.read_text().splitlines():
            assert not line.strip().startswith(("import boardgames_agents", "from boardgames_agents")), file


def test_agents_folder_is_a_source_root_not_a_package():
    """The import name `agents` belongs to another distribution, whose files an agents/__init__.py would overwrite."""
    assert not (REPOSITORY / "agents" / "__init__.py").exists()


def test_wheel_holds_the_two_packages_and_nothing_else(tmp_path):
    builder = "import hatchling.build, sys; hatchling.build.build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", builder, tmp_path], cwd=REPOSITORY, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {
        "boardgames_env",
        "boardgames_agents",
        f"boardgames_env-{boardgames_env.__version__}.dist-info",
    }
    assert {"boardgames_env/fungi/RULES.md", "boardgames_agents/cli.py", "boardgames_env/py.typed"} <= set(names)


def test_versions_agree():
    assert f'version = "{boardgames_env.__version__}"' in (REPOSITORY / "pyproject.toml").read_text()
    assert f"## {boardgames_env.__version__}" in (REPOSITORY / "CHANGELOG.md").read_text()


def test_an_older_pettingzoo_without_registry_will_do():
    """PettingZoo 1.25 and 1.26 have no `register`."""
    code = "import pettingzoo\ndel pettingzoo.register\nimport boardgames_env; print(boardgames_env.env('fungi'))"
    assert "fungi_v0" in python(code)


def test_constraints_pin_every_dependency():
    import re
    import tomllib

    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + [d for extra in project["optional-dependencies"].values() for d in extra]
    pinned = {
        line.split("==")[0].lower().replace("_", "-")
        for line in (REPOSITORY / "constraints.txt").read_text().splitlines()
    }
    for dependency in wanted:
        name = re.match(r"[A-Za-z0-9_.-]+", dependency).group().lower().replace("_", "-")
        assert name in pinned or name == "boardgames-env", f"{name} is not pinned in constraints.txt"
    assert "torch==2.13.0\n" in (REPOSITORY / "constraints.txt").read_text()


@pytest.mark.parametrize("name", [n for n, m in boardgames_env.GAMES.items() if m.startswith("boardgames_env.")])
def test_rules_know_no_framework(name):
    """rules.py is pure: NumPy, jit, rng, the standard library and its own tables."""
    for line in (REPOSITORY / "boardgames_env" / name / "rules.py").read_text().splitlines():
        if line.startswith(("import ", "from ")):
            module = line.split()[1]
            top = module.split(".")[0]
            assert top in ("numpy", "boardgames_env") or top in sys.stdlib_module_names, line
            assert module not in ("boardgames_env.aec", "boardgames_env.batch", "boardgames_env.gym"), line
