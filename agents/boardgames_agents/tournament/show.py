"""The results of a tournament as tables on the screen, as files, and as a picture."""

from __future__ import annotations

import csv
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from boardgames_agents.measure import Share
from boardgames_agents.tournament.folder import Settings, replace
from boardgames_agents.tournament.standings import RATINGS_EXTRA, Results, Standing

NEEDS = {"openskill": "ratings", "matplotlib": "the plot"}


def missing_parts() -> list[str]:
    """What is left out for want of a library, each with the extra that brings it."""
    return [
        f"{what} left out: {library} is not installed; {RATINGS_EXTRA}"
        for library, what in NEEDS.items()
        if importlib.util.find_spec(library) is None
    ]


# --- On the screen ------------------------------------------------------------------------------------------


def tables(results: Results) -> list[Table]:
    """Standings, shares by seat and by camp, and the cross table; agents' names fold where they are too long."""
    rows = results.standings()
    shown = [_standings(results, rows), _by(rows, "seat", {str(s): _seat(s) for s in range(results.plan.players)})]
    if results.camp_names:
        camps = {camp: lambda row, camp=camp: row.camps[camp] for camp in sorted(results.camp_names)}
        shown.append(_by(rows, "camp at the end", camps))
    return [*shown, _cross(results, rows)]


def _standings(results: Results, rows: Sequence[Standing]) -> Table:
    plan = results.plan
    table = Table(title=f"{plan.games:,} games, every table from every seat", title_justify="left")
    table.add_column("agent", overflow="fold")
    for heading in ("games", "wins (95 %)", "rating", "score", "decisions/s"):
        table.add_column(heading, justify="right", no_wrap=heading != "decisions/s", overflow="fold")
    speed = dict(zip(results.task.agents, results.speeds))
    for row in rows:
        decisions, seconds = speed[row.agent]
        table.add_row(
            row.agent,
            f"{row.games:,}",
            str(row.share),
            f"{row.rating.mu:.1f} ± {row.rating.sigma:.1f}" if row.rating else "–",
            f"{row.score:.1f}",
            f"{decisions / seconds:,.0f}" if seconds else "–",
        )
    table.caption = f"a fair share of wins is {100 / plan.players:.1f} %"
    return table


def _seat(seat: int) -> Any:
    return lambda row: row.seats[seat]


def _by(rows: Sequence[Standing], what: str, columns: dict[str, Any]) -> Table:
    """Shares of wins in % by agent and column; columns are functions of a standing."""
    table = Table(title=f"Wins in % by {what}", title_justify="left")
    table.add_column("agent", overflow="fold")
    for heading in columns:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(row.agent, *(_percent(share_of(row)) for share_of in columns.values()))
    return table


def _cross(results: Results, rows: Sequence[Standing]) -> Table:
    alone = not results.plan.counted.all()
    title = "wins of one against the rest" if alone else "comes in before"
    table = Table(title=f"Cross table: row {title} column, %", title_justify="left")
    table.add_column("agent", overflow="fold")
    for number in range(1, len(rows) + 1):
        table.add_column(str(number), justify="right", no_wrap=True)
    cross = results.cross()
    for number, row in enumerate(rows, start=1):
        cells = [cross.get((row.agent, column.agent)) for column in rows]
        table.add_row(f"{number} {row.agent}", *(_percent(cell) if cell else "·" for cell in cells))
    return table


def _percent(share: Share) -> str:
    return f"{100 * share.mean:.1f}" if share.mean == share.mean else "–"  # not a number: no games


# --- Files --------------------------------------------------------------------------------------------------


def write_files(folder: Path, settings: Settings, results: Results) -> None:
    """table.csv, cross.csv, table.json and, if matplotlib is installed, plot.png."""
    rows = results.standings()
    write_csv(folder / "table.csv", rows)
    write_cross(folder / "cross.csv", results)
    record = {
        "settings": settings._asdict(),
        "standings": [_record(row) for row in rows],
        "cross": [{"row": a, "column": b, **_numbers(share)} for (a, b), share in results.cross().items()],
    }
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    replace(folder / "table.json", lambda part: part.write_text(text, encoding="utf-8"))
    if importlib.util.find_spec("matplotlib"):
        replace(folder / "plot.png", lambda part: plot(part, rows))


def write_csv(path: Path, rows: Sequence[Standing]) -> None:
    """One row an agent: games, share of wins with its interval, score, rating, shares by seat and by camp."""

    flat = [_flat(row) for row in rows]
    _write_rows(path, [list(flat[0]), *(list(row.values()) for row in flat)])


def write_cross(path: Path, results: Results) -> None:
    """The cross table, agents in the order of the standings."""
    names, cross = [row.agent for row in results.standings()], results.cross()
    cells = [[_short(cross[a, b].mean) if (a, b) in cross else None for b in names] for a in names]
    _write_rows(path, [["row against column", *names], *([name, *row] for name, row in zip(names, cells))])


def _write_rows(path: Path, rows: Sequence[Sequence]) -> None:
    def write(part: Path) -> None:
        with open(part, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)

    replace(path, write)


def _flat(row: Standing) -> dict[str, Any]:
    cells: dict[str, Any] = {"agent": row.agent, "games": row.games, **_numbers(row.share), "score": _short(row.score)}
    cells |= {"rating": _short(row.rating.mu), "rating_sd": _short(row.rating.sigma)} if row.rating else {}
    cells |= {f"seat {seat}": _short(share.mean) for seat, share in enumerate(row.seats)}
    return cells | {f"camp {camp}": _short(share.mean) for camp, share in row.camps.items()}


def _record(row: Standing) -> dict[str, Any]:
    return {
        "agent": row.agent,
        "games": row.games,
        **_numbers(row.share),
        "score": _short(row.score),
        "rating": {part: _short(value) for part, value in row.rating._asdict().items()} if row.rating else None,
        "seats": [_numbers(share) for share in row.seats],
        "camps": {camp: _numbers(share) for camp, share in row.camps.items()},
    }


def _numbers(share: Share) -> dict[str, float | None]:
    mean, low, high = map(_short, share)
    return {"share": mean, "low": low, "high": high}


def _short(number: float) -> float | None:
    """Six digits after the point; None for what has not been counted: JSON knows no NaN."""
    return round(float(number), 6) if number == number else None


def plot(path: Path, rows: Sequence[Standing]) -> None:
    """Shares of wins and, if there are, ratings, both with 95 % intervals, the best on top. PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rated = rows[0].rating is not None
    figure = Figure(figsize=(9 if rated else 5, 1.2 + 0.35 * len(rows)), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, 1 + rated, sharey=True, squeeze=False)[0]
    places = list(range(len(rows)))
    shares = [100 * row.share.mean for row in rows]
    spans = [[100 * (r.share.mean - r.share.low) for r in rows], [100 * (r.share.high - r.share.mean) for r in rows]]
    panels[0].errorbar(shares, places, xerr=spans, fmt="o", capsize=3)
    panels[0].axvline(100 / len(rows[0].seats), color="grey", linestyle=":")
    panels[0].set(xlabel="share of wins, % (dotted: a fair share)", yticks=places)
    panels[0].set_yticklabels([row.agent for row in rows])
    panels[0].invert_yaxis()
    if rated:
        ratings = [row.rating for row in rows if row.rating]
        panels[1].errorbar([r.mu for r in ratings], places, xerr=[1.96 * r.sigma for r in ratings], fmt="s", capsize=3)
        panels[1].set(xlabel="rating")
    for panel in panels:
        panel.grid(alpha=0.3)
    figure.savefig(path, dpi=120, format="png")
