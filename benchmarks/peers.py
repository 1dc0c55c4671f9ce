"""boardgames-env beside OpenSpiel, Pgx, RLCard and PettingZoo's classic games: one run, one machine.

    make bench                                   # sets up .venv-bench with all of them, then runs this and the rest
    python benchmarks/peers.py [--only NAME …] [--quick] [--into FOLDER]

Leduc hold'em in every library, then each library's own games of a complexity like ours. A step everywhere includes the
observation of the seat to act, the mask of legal actions, a uniformly random legal action and the start of the next
game. Medians of five with the spread; compile time is apart. How each library does the work is said in
benchmarks/libraries/ and in the result. Each runs in a process of its own: one that is missing, fails or crashes is
reported, and the others go on.

Writes RESULTS.md, peers.json and peers.png into the folder, benchmarks/ by default; with --quick or --only only where
--into is given. Exit status 0 if at least one library was measured.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import importlib.util
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from libraries.common import Row
from machine import Measured, describe

BENCHMARKS = Path(__file__).resolve().parent
REQUIREMENTS = BENCHMARKS / "requirements-peers.txt"
TIMEOUT = 1800  # seconds for one library
IDLE_LOAD = 1.5  # an installation just before leaves about 1


class Peer(NamedTuple):
    module: str  # with `LIBRARY`, `HOW` and `measure(quick)`
    needs: tuple[str, ...]  # distributions, whose versions are printed


PEERS = {
    "ours": Peer("libraries.ours", ("numpy", "numba", "pettingzoo")),
    "openspiel": Peer("libraries.openspiel", ("open_spiel",)),
    "pgx": Peer("libraries.pgx", ("pgx", "jax")),
    "rlcard": Peer("libraries.rlcard", ("rlcard",)),
    "pettingzoo": Peer("libraries.pettingzoo", ("pettingzoo", "rlcard", "pygame-ce", "shimmy", "open_spiel")),
}


class Target(NamedTuple):
    """How many times faster Leduc should be in our `ours` form than in the best of a library's `theirs`."""

    library: str
    theirs: str  # what its form begins with; "" for the fastest
    ours: str
    all_cores: bool
    times: float | None  # None: no target, for information


TARGETS = [
    Target("Pgx", "", "fused batch", True, 10),
    Target("Pgx", "auto resetting", "fused batch", True, None),
    Target("OpenSpiel", "Python", "fused batch", False, 50),
    Target("OpenSpiel", "recorded", "fused batch", False, None),
    Target("RLCard", "step", "fused batch", False, 200),
    Target("PettingZoo classic", "env", "env", False, None),
    Target("PettingZoo classic", "raw_env", "raw_env", False, None),
]


class Outcome(NamedTuple):
    """What came of one library."""

    name: str
    rows: list[Row]
    versions: str
    load: float  # of the machine before it began
    problem: str = ""  # why it was skipped or failed; rows measured before that are kept

    @property
    def title(self) -> str:
        return self.rows[0].library if self.rows else self.name


# --- Measuring, each library in its own process -------------------------------------------------------------


def run(name: str, peer: Peer, quick: bool) -> Outcome:
    """Measure one library; never raises for what goes wrong within it."""
    load = os.getloadavg()[0]
    missing = [package for package in peer.needs if not installed(package)]
    if missing:
        how = f"pip install -r benchmarks/{REQUIREMENTS.name}"
        return Outcome(name, [], "", load, f"skipped: {', '.join(missing)} not installed ({how})")
    versions = ", ".join(f"{package} {importlib.metadata.version(package)}" for package in peer.needs)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "rows.jsonl"
        out.touch()
        problem = in_process(peer.module, out, quick)
        lines = [json.loads(line) for line in out.read_text().splitlines()]
    errors = [line["error"] for line in lines if "error" in line]
    rows = [Row(**line) for line in lines if "error" not in line]
    return Outcome(name, rows, versions, load, f"failed: {errors[0] if errors else problem}" if problem else "")


def installed(package: str) -> bool:
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def in_process(module: str, out: Path, quick: bool) -> str:
    """Let a process of its own write rows to `out`. Returns how it ended, "" if well."""
    command = [sys.executable, __file__, "--worker", module, "--out", str(out)] + ["--quick"] * quick
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT} s"
    if done.returncode < 0:
        return f"killed by {signal.Signals(-done.returncode).name}"
    return f"exit status {done.returncode}" if done.returncode else ""


def work(module: str, out: Path, quick: bool) -> None:
    """In the process of one library: append each row as soon as it is measured, and the error that ends it."""
    with out.open("a", buffering=1) as file:
        try:
            for row in importlib.import_module(module).measure(quick):
                file.write(json.dumps(row._asdict()) + "\n")
        except BaseException as error:
            file.write(json.dumps({"error": f"{type(error).__name__}: {error}"}) + "\n")
            raise


# --- The result ---------------------------------------------------------------------------------------------


def rate_text(row: Row) -> str:
    return str(Measured(row.median, row.least, row.greatest))


def table(rows: Iterable[Row]) -> list[str]:
    lines = [
        "| library | game | form | cores | steps/s: median (least–greatest) | compiled in |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        compiled = f"{row.compile_seconds:.1f} s" if row.compile_seconds >= 0.05 else ""
        form = f"{row.form} (best of {row.best_of})" if row.best_of else row.form
        cells = (row.library, row.game, form, row.cores, rate_text(row), compiled)
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


def fastest(rows: Iterable[Row]) -> Row | None:
    return max(rows, key=lambda row: row.median, default=None)


def ratios(rows: list[Row]) -> list[str]:
    """The table of ratios in Leduc against the targets."""
    lines = ["| beside | theirs | ours | ratio | target |", "|---|---|---|---|---|"]
    leduc = [row for row in rows if row.is_leduc]
    cores = os.cpu_count() or 1
    for target in TARGETS:
        theirs = fastest(r for r in leduc if r.library == target.library and r.form.startswith(target.theirs))
        wanted = cores if target.all_cores else 1
        ours = fastest(
            r for r in leduc if r.library == "boardgames-env" and r.form == target.ours and r.cores == wanted
        )
        if theirs is None or ours is None:
            continue
        ratio = ours.median / theirs.median
        goal = "" if target.times is None else f"≥ {target.times:g}: {'met' if ratio >= target.times else 'MISSED'}"
        lines.append(
            f"| {theirs.library}, {theirs.form}, {counted(theirs.cores)} | {rate_text(theirs)} "
            f"| {ours.form}, {counted(ours.cores)}: {rate_text(ours)} | {ratio:.1f} | {goal} |"
        )
    return lines


def counted(cores: int) -> str:
    return f"{cores} core{'s' if cores > 1 else ''}"


def idleness(load: float) -> str:
    """A warning if the machine had other work: libraries are measured one after another, so it distorts the ratios."""
    if load < IDLE_LOAD:
        return ""
    return f"The machine was not idle (load {load:.1f} before the run): rates and ratios are not to be relied on."


def leduc_agreement() -> str:
    try:
        import leduc_agreement

        return leduc_agreement.agreement()
    except Exception as error:
        return f"Leduc was not compared with OpenSpiel's: {type(error).__name__}: {error}"


def markdown(machine: str, agreed: str, outcomes: list[Outcome]) -> str:
    rows = [row for outcome in outcomes for row in outcome.rows]
    versions = [f"{o.title}: {o.versions} (load {o.load:.1f})" for o in outcomes if o.versions]
    lines = [
        "# Beside other libraries",
        "",
        "Written by `make bench` (`benchmarks/peers.py`). " + machine + ".",
        "",
        "Versions, and the load of the machine before each library began:",
        "",
        *[f"* {version}" for version in versions],
        "",
        "A step everywhere includes the observation of the seat to act, the mask of legal actions, a uniformly random",
        "legal action and the start of the next game. Medians of five with the spread; compile time is apart.",
        "",
        *[f"**{warning}**\n" for warning in [idleness(outcomes[0].load)] if warning],
        *[f"**{outcome.title}** {outcome.problem}\n" for outcome in outcomes if outcome.problem],
        "![steps a second, logarithmic](peers.png)",
        "",
        "## Leduc hold'em in every library",
        "",
        agreed + ". Where the others differ a little is said below.",
        "",
        *ratios(rows),
        "",
        *table(row for row in rows if row.is_leduc),
        "",
        "## Each library's own games",
        "",
        "Other games, so these compare orders of magnitude only.",
        "",
        *table(row for row in rows if not row.is_leduc),
        "",
        "## How each library does the work",
        "",
    ]
    for outcome in outcomes:
        if outcome.rows:
            lines += [f"**{outcome.rows[0].library}.** {how(outcome.name)}", ""]
    return "\n".join(lines)


def how(name: str) -> str:
    return importlib.import_module(PEERS[name].module).HOW


def as_json(machine: str, agreed: str, outcomes: list[Outcome]) -> str:
    listed = [o._asdict() | {"rows": [row._asdict() for row in o.rows]} for o in outcomes]
    return json.dumps({"machine": machine, "leduc": agreed, "libraries": listed}, indent=1) + "\n"


def chart(rows: list[Row], file: Path) -> None:
    """Bars on a logarithmic axis: Leduc above, the libraries' own games below."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    groups = [
        ("Leduc hold'em in every library", [row for row in rows if row.is_leduc]),
        ("Each library's own games", drawn(row for row in rows if not row.is_leduc)),
    ]
    groups = [(title, sorted(group, key=lambda row: row.median)) for title, group in groups if group]
    libraries = list(dict.fromkeys(row.library for row in rows))
    colours = {library: f"C{number}" for number, library in enumerate(libraries)}
    sizes = [len(group) for _, group in groups]
    figure, axes = plt.subplots(
        len(groups), 1, figsize=(11, 1.6 + 0.27 * sum(sizes)), height_ratios=sizes, sharex=True, squeeze=False
    )
    for axis, (title, group) in zip(axes[:, 0], groups):
        bars(axis, group, colours)
        axis.set_title(title, loc="left", fontsize=11)
    axes[-1, 0].set_xlim(left=10 ** math.floor(math.log10(min(row.median for row in rows))))
    axes[-1, 0].set_xlabel("steps a second: observation, mask, random legal action, next game (logarithmic)")
    handles = [plt.Rectangle((0, 0), 1, 1, color=colours[library]) for library in libraries]
    axes[0, 0].legend(handles, libraries, loc="lower right", fontsize=9)
    figure.tight_layout()
    figure.savefig(file, dpi=110)
    plt.close(figure)


def drawn(rows: Iterable[Row]) -> list[Row]:
    """Of each library and game the fastest form for single games and the fastest for batches."""
    best: dict[tuple, Row] = {}
    for row in sorted(rows, key=lambda row: row.median):
        best[row.library, row.game, "batch" in row.form] = row
    return list(best.values())


def bars(axis, group: list[Row], colours: dict[str, str]) -> None:
    labels = [f"{row.game}: {row.form}, {counted(row.cores)}" for row in group]
    if group[0].is_leduc:
        labels = [f"{row.library}: {row.form}, {counted(row.cores)}" for row in group]
    places = range(len(group))
    axis.barh(places, [row.median for row in group], color=[colours[row.library] for row in group])
    for place, row in zip(places, group):
        axis.text(row.median * 1.08, place, rate_text(row).split(" (")[0], va="center", fontsize=8)
    axis.set_yticks(places, labels, fontsize=8)
    axis.set_xscale("log")
    axis.set_ylim(-0.6, len(group) - 0.4)
    axis.margins(x=0.12)
    axis.spines[["top", "right"]].set_visible(False)


# --- Command line -------------------------------------------------------------------------------------------


def compare(peers: dict[str, Peer], quick: bool) -> list[Outcome]:
    outcomes = []
    for name, peer in peers.items():
        outcome = run(name, peer, quick)
        outcomes.append(outcome)
        print(f"\n{name} {outcome.versions} (load {outcome.load:.1f})", flush=True)
        for row in outcome.rows:
            print(f"  {row.game:28} {row.form:44} {counted(row.cores):8} {rate_text(row)} steps/s", flush=True)
        if outcome.problem:
            print(f"  {outcome.problem}", flush=True)
    return outcomes


def write(folder: Path, machine: str, agreed: str, outcomes: list[Outcome]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "RESULTS.md").write_text(markdown(machine, agreed, outcomes))
    (folder / "peers.json").write_text(as_json(machine, agreed, outcomes))
    if importlib.util.find_spec("matplotlib"):
        chart([row for outcome in outcomes for row in outcome.rows], folder / "peers.png")
    else:
        print("no chart: matplotlib is not installed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(PEERS), metavar="NAME", help=f"of {', '.join(PEERS)}")
    parser.add_argument("--quick", action="store_true", help="short repeats: a trial of the script, not a measurement")
    parser.add_argument("--into", type=Path, help="folder of the results")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        work(arguments.worker, arguments.out, arguments.quick)
        return 0
    machine = describe()
    print(machine)
    wanted = {name: peer for name, peer in PEERS.items() if name in (arguments.only or PEERS)}
    outcomes = compare(wanted, arguments.quick)
    print("\n" + idleness(outcomes[0].load))
    agreed = leduc_agreement()
    print(f"\n{agreed}\n")
    rows = [row for outcome in outcomes for row in outcome.rows]
    print("\n".join(ratios(rows)))
    folder = arguments.into or (None if arguments.quick or arguments.only else BENCHMARKS)
    if folder and rows:
        write(folder, machine, agreed, outcomes)
        print(f"\nwritten to {folder}: RESULTS.md, peers.json, peers.png")
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
