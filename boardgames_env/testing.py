"""`check_game`: the identities of the Game contract as a property suite, for our games and for yours.

    from boardgames_env.testing import check_game
    check_game(make("fungi"))

It plays random games and raises AssertionError, with game, row, ply and seat, at the first identity that fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boardgames_env.batch import Batch
from boardgames_env.game import HEADER, Game, action_names

_OTHER_STREAM = 1 << 40  # seeds for determinization, far from those of the games


def check_game(
    game: Game,
    games: int = 32,
    seed: int = 0,
    conserved: Callable[[np.recarray], np.ndarray] | None = None,
    policy: Callable[[Batch, np.ndarray], np.ndarray] | None = None,
) -> None:
    """Check every identity of the contract on `games` games.

    Args:
        conserved: conserved(states) -> array [B, …] that must not change while a game lasts (cards, say).
        policy: policy(batch, masks) -> legal actions [B], to reach what random play does not; default random.
    """
    check_layout(game)
    batch = Batch(game, games, seed)
    check_deal(batch)
    start = conserved(batch.states) if conserved else None
    hidden_moved = np.zeros(game.num_players, bool)
    for ply in range(game.max_plies + 1):
        masks = batch.legal()
        _check_position(batch, masks, ply)
        hidden_moved |= _check_secrets(batch, masks, ply)
        if conserved:
            _require(game, (conserved(batch.states) == start).all(), ply, "what should be conserved has changed")
        if batch.over.all():
            break
        actions = policy(batch, masks) if policy else batch.sample(masks)
        _check_step(batch, actions, ply)
    assert batch.over.all(), f"{game.name}: a game is not over after max_plies = {game.max_plies} decisions"
    _check_camps(batch)
    _check_score_scale(batch)
    assert hidden_moved.all(), f"{game.name}: determinize changed nothing for seats {np.flatnonzero(~hidden_moved)}"
    check_rows_are_independent(game, min(games, 16), seed)


def _check_camps(batch: Batch) -> None:
    game = batch.game
    if game.camps:
        names, camps = game.camps(batch.states)
        shaped = camps.dtype == np.int8 and camps.shape == (len(batch), game.num_players)
        assert shaped, f"{game.name}: camps must be int8[B, P], got {camps.dtype} {camps.shape}"
        assert camps.min() >= 0 and camps.max() < len(names), f"{game.name}: camps are 0..{len(names) - 1}"


def _check_score_scale(batch: Batch) -> None:
    """Paid by score, a finished game has returned its lead."""
    game = batch.game
    if game.score_scale and getattr(game.options, "reward", "win") == "score":
        scores = np.asarray(game.scores(batch.states), float)
        lead = scores - (scores.sum(axis=1, keepdims=True) - scores) / (game.num_players - 1)
        right = np.allclose(batch.returns, game.score_scale * lead, atol=1e-4)
        assert right, (
            f"{game.name}: with reward='score', returns must be score_scale × lead over the mean of the others"
        )


def _require(game: Game, truth: Any, ply: int, what: str) -> None:
    assert truth, f"{game.name}, {game.num_players} players, ply {ply}: {what}"


def check_layout(game: Game) -> None:
    """dtypes are packed and as the contract says; action names are distinct strings."""
    fields = game.state.names or ()
    assert fields[: len(HEADER)] == tuple(row[0] for row in HEADER), "the state must begin with HEADER"
    after = fields[len(HEADER) :][: len(game.options)]
    assert after == game.options._fields, f"the options {game.options._fields} must follow HEADER, got {after}"
    for dtype in (game.state, game.observation):
        assert dtype.itemsize == sum(size for _, size in _leaves(dtype)), "dtypes must be packed"
    assert game.observation.names == ("private", "public")
    kinds = {kind for kind, _ in _leaves(game.observation)}
    assert kinds == {np.dtype("u1")}, f"every leaf of an observation must be uint8, got {kinds}"
    assert game.high.shape == (game.observation.itemsize,) and game.high.dtype == np.uint8
    assert game.high.all(), "a feature that is always 0 says nothing: its largest value must be at least 1"
    names = action_names(game)
    assert len(names) == game.num_actions, "action names must be distinct"
    assert all(isinstance(name, str) and name == name.strip() for name in names)


def _leaves(dtype: np.dtype) -> list[tuple[np.dtype, int]]:
    """(base dtype, bytes) of every leaf field."""
    if dtype.subdtype:
        base, shape = dtype.subdtype
        return [(kind, size * int(np.prod(shape))) for kind, size in _leaves(base)]
    if dtype.names:
        return [leaf for name in dtype.names for leaf in _leaves(dtype[name])]
    return [(dtype, dtype.itemsize)]


def check_deal(batch: Batch) -> None:
    """A deal depends on the seed alone and keeps what was set."""
    game, blank = batch.game, batch.game.template
    twin = Batch(game, batch.size, batch.seeds)
    assert twin.states.tobytes() == batch.states.tobytes(), f"{game.name}: equal seeds must give equal deals"
    for name in ("num_players", *game.options._fields):
        assert (batch.states[name] == blank[name]).all(), f"{game.name}: deal must not change {name}"
    assert (batch.states.ply == 0).all() and (batch.returns == 0).all()
    if batch.size > 1:
        different = len({state.tobytes() for state in _without_rng(batch)})
        assert different > 1, f"{game.name}: all deals are the same"


def _check_position(batch: Batch, masks: np.ndarray, ply: int) -> None:
    game, states = batch.game, batch.states
    before = states.tobytes()
    _require(game, np.isin(masks, (0, 1)).all(), ply, "a mask holds something other than 0 and 1")
    can_act = masks.any(axis=1)
    _require(game, (can_act ^ batch.over).all(), ply, "neither over nor a legal action, in some row")
    _require(game, ((batch.player >= 0) & (batch.player < game.num_players)).all(), ply, "player out of range")
    _require(game, np.abs(batch.returns.sum(axis=1)).max() < 1e-4, ply, "returns are not zero-sum")
    for seat in range(game.num_players):
        obs = batch.observe(seat)
        if (obs > game.high).any():
            _require(game, False, ply, f"seat {seat}: {_above(batch, obs)} is above its largest value")
    _require(game, states.tobytes() == before, ply, "legal or observe changed a state")


def _above(batch: Batch, obs: np.ndarray) -> str:
    """The name of a field that exceeds its bound, with the value."""
    row, byte = np.argwhere(obs > batch.game.high)[0]
    start = 0
    for part in batch.game.observation.names or ():
        for name in batch.game.observation[part].names or ():
            size = batch.game.observation[part][name].itemsize
            if start <= byte < start + size:
                return f"{part}.{name}[{byte - start}] = {obs[row, byte]}"
            start += size
    return f"byte {byte}"


def _check_secrets(batch: Batch, masks: np.ndarray, ply: int) -> np.ndarray:
    """Nothing that a seat sees depends on what it cannot know. Returns bool[P]: something hidden was resampled."""
    game = batch.game
    moved = np.zeros(game.num_players, bool)
    for seat in range(game.num_players):
        first = _determinized(batch, seat, _OTHER_STREAM)
        second = _determinized(first, seat, 2 * _OTHER_STREAM)
        again = _determinized(second, seat, _OTHER_STREAM)
        _require(
            game,
            again.states.tobytes() == first.states.tobytes(),
            ply,
            f"seat {seat}: determinize depends on something that the seat cannot know",
        )
        own = batch.player == seat
        for other in (first, second):
            same = (other.observe(seat) == batch.observe(seat)).all()
            _require(game, same, ply, f"seat {seat}: the observation shows something that the seat cannot know")
            same = (other.legal()[own] == masks[own]).all()
            _require(game, same, ply, f"seat {seat}: the mask shows something that the seat cannot know")
            for name in ("ply", "num_players", "player", "over", "returns", *game.options._fields):
                _require(game, (other.states[name] == batch.states[name]).all(), ply, f"determinize changed {name}")
        for row in range(min(batch.size, 3)):
            same = game.text(first.states[row], seat) == game.text(batch.states[row], seat)
            _require(game, same, ply, f"seat {seat}: the text shows something that the seat cannot know")
        moved[seat] = _without_rng(first).tobytes() != _without_rng(batch).tobytes()
    return moved


def _determinized(batch: Batch, seat: int, seed: int) -> Batch:
    other = batch.copy()
    seats = np.full(batch.size, seat, np.int64)
    seeds = np.arange(batch.size, dtype=np.uint64) + np.uint64(seed)
    other._kernels.determinize_rows(other._records, seats, seeds)
    return other


def _without_rng(batch: Batch) -> np.recarray:
    states = batch.states.copy()
    states["rng"] = 0
    return states


def _check_step(batch: Batch, actions: np.ndarray, ply: int) -> None:
    """Play, and check that the step depends on state and action alone, and counts the ply."""
    game, twin, before = batch.game, batch.copy(), batch.states.copy()
    rewards = batch.step(actions)
    twin.step(actions)
    _require(game, twin.states.tobytes() == batch.states.tobytes(), ply, "equal states and actions went apart")
    over = before["over"]
    _require(game, before[over].tobytes() == batch.states[over].tobytes(), ply, "a finished game has changed")
    _require(game, (batch.states.ply[~over] == before["ply"][~over] + 1).all(), ply, "step must add 1 to ply")
    gain = batch.returns - before["returns"][:, : game.num_players]
    _require(game, np.allclose(rewards, gain, atol=1e-5), ply, "rewards are not the difference of returns")


def check_rows_are_independent(game: Game, games: int, seed: int) -> None:
    """A row of a batch is the single game of its seed, byte for byte, and the order of rows does not matter."""
    together = Batch(game, games, seed)
    singles = [Batch(game, 1, seed + row) for row in range(games)]
    order = np.random.default_rng(seed).permutation(games)
    permuted = Batch(game, games, together.seeds[order])
    while not together.over.all():
        actions = together.sample()
        together.step(actions)
        permuted.step(actions[order])
        for row, single in enumerate(singles):
            single.step(actions[row : row + 1])
            assert single.states.tobytes() == together.states[row : row + 1].tobytes(), (
                f"{game.name}: row {row} differs from the single game of its seed"
            )
        assert permuted.states.tobytes() == together.states[order].tobytes(), f"{game.name}: rows are not independent"
