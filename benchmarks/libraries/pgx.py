"""Pgx on the CPU: its games on JAX, vectorised and compiled, at the best of several batch sizes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

from libraries.common import LEDUC, Row, row, seconds, timed

LIBRARY = "Pgx"
LEDUC_PLIES = 8  # no game is longer
SCAN = 64  # steps in one compiled call; at least one game for those that do not reset by themselves
GAMES = {
    "leduc_holdem": (LEDUC, (1024, 4096, 16384, 65536)),
    "backgammon": ("Backgammon", (64, 256, 1024)),
    "sparrow_mahjong": ("Sparrow mahjong, 3 players", (64, 256, 1024)),
    "animal_shogi": ("Animal shogi", (64, 256, 1024)),
}

HOW = """\
`jit` of a `lax.scan` over `vmap`ped steps, on the CPU and all cores. Pgx is made for accelerators; a CPU is not where
it is at its best. Observation and mask are part of its state and computed in each step; the action is the k-th legal
one, k drawn by JAX's default generator. *Auto resetting*: `auto_reset`, the usual way; it makes a deal for every game
in every step. *By the game*, for Leduc, where no game has more than eight steps: all games are dealt anew after eight,
and only the steps of unfinished ones count. Each way is shown at the best of several batch sizes. Its Leduc opens with
a random seat, and its observation holds chips in place of the betting history."""


def measure(quick: bool) -> Iterator[Row]:
    for name, (title, batches) in GAMES.items():
        ways = (auto_resetting, by_the_game) if name == "leduc_holdem" else (auto_resetting,)
        yield from best_of_each(name, title, batches[:1] if quick else batches, ways, quick)


def best_of_each(name: str, title: str, batches: tuple, ways: tuple, quick: bool) -> Iterator[Row]:
    tried = f"batches {', '.join(map(str, batches))}"
    for way in ways:
        rows = [of_batch(way, name, title, batch, quick) for batch in batches]
        yield max(rows, key=lambda row: row.median)._replace(best_of=tried)


def of_batch(way: Callable, name: str, title: str, batch: int, quick: bool) -> Row:
    play = way(name, batch)
    compiled = seconds(lambda: play(1))
    form = f"{way.__name__.replace('_', ' ')}, batch of {batch}"
    cores = os.cpu_count() or 1
    return row(LIBRARY, title, form, cores, timed(play, quick), compile_seconds=compiled)


def kth_legal(key: Any, mask: Any) -> Any:
    """A uniformly random legal action for each row of masks [B, A]."""
    import jax
    import jax.numpy as jnp

    count = mask.sum(axis=-1)
    k = jnp.floor(jax.random.uniform(key, count.shape) * count).astype(jnp.int32)
    k = jnp.minimum(k, count - 1)
    return jnp.argmax(jnp.cumsum(mask, axis=-1) > k[:, None], axis=-1)


def auto_resetting(name: str, batch: int) -> Callable[[int], int]:
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, draw, deal = jax.random.split(key, 3)
        return (step(state, kth_legal(draw, state.legal_action_mask), jax.random.split(deal, batch)), key), None

    @jax.jit
    def scan(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, (state, key), None, length=SCAN)[0]

    carry = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch)), jax.random.PRNGKey(1)]

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            carry[:] = scan(*carry)
            done += SCAN * batch
        jax.block_until_ready(carry)
        return done

    return play


def by_the_game(name: str, batch: int) -> Callable[[int], int]:
    import jax
    import pgx

    env = pgx.make(name)
    deal, step = jax.vmap(env.init), jax.vmap(env.step)

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, draw, chance = jax.random.split(key, 3)
        moved = step(state, kth_legal(draw, state.legal_action_mask), jax.random.split(chance, batch))
        return (moved, key), (~state.terminated).sum()

    def game(carry: Any, _: Any) -> Any:
        key, dealt = jax.random.split(carry[1])
        return jax.lax.scan(one, (deal(jax.random.split(dealt, batch)), key), None, length=LEDUC_PLIES)

    @jax.jit
    def scan(state: Any, key: Any) -> Any:
        carry, live = jax.lax.scan(game, (state, key), None, length=SCAN // LEDUC_PLIES)
        return *carry, live.sum()

    carry = [jax.jit(deal)(jax.random.split(jax.random.PRNGKey(0), batch)), jax.random.PRNGKey(1)]

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            state, key, live = scan(*carry)
            carry[:] = state, key
            done += int(live)
        return done

    return play
