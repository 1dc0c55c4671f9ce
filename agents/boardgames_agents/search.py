"""Search in games with hidden information: `ismcts`, a tree over information sets, and `monte_carlo`, without a tree.

Every simulation starts from a new determinization: a state that fits what the searching seat knows, drawn by the
game's own `determinize`. One tree is shared by all of them (single-observer information-set tree search, Cowling,
Powley and Whitehouse 2012): a node stands for the actions that lead to it, and counts how often it was *available*,
because which actions are legal for the others depends on what is hidden. Each node is valued for the seat that moves
into it, so any number of players, each for itself, is searched alike (max^n).

With `playout="random"` that is all. With `playout="greedy"` the game's heuristic (greedy/) helps in up to three ways:
it plays the simulations out; its action is tried first in every node and preferred by `guide`; and where it can tell
how *plausible* a determinization is, given what the others did, many are drawn before the search, and each simulation
takes one of these in proportion to that (importance sampling).

What is simplified: nodes tell actions apart and not the cards that chance turns up after them, which are averaged
over; and the tree assumes that the others, too, may act on anything in the determinization.
"""

from __future__ import annotations

import functools
import hashlib
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, NamedTuple

import numpy as np

from boardgames_agents import greedy
from boardgames_env import Game, Turns
from boardgames_env.batch import check_seed
from boardgames_env.game import game_module
from boardgames_env.jit import bind, jit, kernel, records, unbound
from boardgames_env.kernels import STREAM
from boardgames_env.rng import next64, sample_legal, unit

NODE = np.dtype(
    [
        ("action", "i2"),  # that leads here, and
        ("seat", "i2"),  # who takes it
        ("child", "i4"),  # the newest of the children, 0 if there is none
        ("sibling", "i4"),  # the next older child of the same parent, 0 for the last
        ("visits", "i4"),
        ("available", "i4"),  # how often it could be chosen
        ("unused", "i4"),
        ("value", "f8"),  # sum of what simulations were worth to `seat`, 0 … 1 each
    ]
)
ROOT = 0
MOST_NODES = 1 << 18  # of a search limited by time alone
SLICE = 32  # simulations between two looks at the clock
LEAD = 2.0  # how sharply a lead in score turns into a value


class How(NamedTuple):
    """Settings of a search, as the compiled code takes them."""

    c: float  # exploration; values are in 0 … 1
    guide: float  # how much the heuristic's action is preferred
    depth: int  # actions after which the tree ends; 1 searches the root only
    horizon: int  # decisions after which a simulation ends
    by_lead: bool  # value is the lead in score, not the share of the win
    particles: int  # determinizations among which simulations choose; 1: each has its own
    until_settled: bool = False  # end when no other action can be visited as often any more


class Memory(NamedTuple):
    """What a search works in; one thread needs one."""

    nodes: np.ndarray  # NODE[N]
    path: np.ndarray  # int32[max_plies]
    state: np.ndarray  # [1]
    mask: np.ndarray  # int8[A]
    obs: np.ndarray  # [1] of game.observation, and
    obs_bytes: np.ndarray  # the same memory, uint8[1, O]
    seeds: np.ndarray  # uint64[particles]: of the determinizations, and
    shares: np.ndarray  # float64[particles]: the sums of their probabilities so far


legal = step = observe = determinize = plausibility = choose = unbound
restore = gather = imagine = playout_move = hint = unbound


# --- The tree, compiled -------------------------------------------------------------------------------------


@jit
def select(nodes, parent, seat, mask, how, hinted):
    """The best known child that is legal here by UCT, 0 if there is none. Takes all known children off the mask."""
    best, best_bound = 0, -1.0
    child = nodes[parent].child
    while child != 0:
        node = nodes[child]
        if node.seat == seat and mask[node.action]:
            mask[node.action] = 0
            node.available += 1
            bound = node.value / node.visits + how.c * np.sqrt(np.log(node.available) / node.visits)
            if node.action == hinted:
                bound += how.guide / np.sqrt(node.visits)
            if bound > best_bound:
                best, best_bound = child, bound
        child = node.sibling
    return best


@jit
def add_child(nodes, parent, child, action, seat):
    node = nodes[child]
    node.action, node.seat = action, seat
    node.child, node.visits, node.value = 0, 0, 0.0
    node.available = 1
    node.sibling = nodes[parent].child
    nodes[parent].child = child


@jit
def is_settled(nodes, left):
    """Whether no action can catch up with the one that is visited most, in so many simulations."""
    most, second = 0, 0
    child = nodes[ROOT].child
    while child != 0:
        visits = int(nodes[child].visits)
        if visits > most:
            most, second = visits, most
        elif visits > second:
            second = visits
        child = nodes[child].sibling
    return most - second > left


@jit
def back_up(s, nodes, path, length, by_lead):
    """Credit every node of the path with what the end is worth to the seat that moved into it."""
    players = int(s.num_players)
    for i in range(length):
        node = nodes[path[i]]
        node.visits += 1
        if by_lead:
            node.value += 0.5 + 0.5 * np.tanh(LEAD * s.returns[node.seat])
        else:
            node.value += (s.returns[node.seat] * (players - 1) + 1.0) / players


def search_rows(roots, streams, used, sims, how, memory, visits, values):
    """Grow a tree for each root by `sims` simulations; ends early where no node is left.

    Args:
        roots: states [B], each searched for its seat to act.
        streams: STREAM[B]; used: int64[B], nodes in use, 0 for a tree that is to be started. Only a batch of one can
            be gone on with, since all roots use the same nodes.
        visits, values: int64[B, A], float64[B, A] for the root's actions; those that were tried are written.
    """
    nodes, path, mask = memory.nodes, memory.path, memory.mask
    s = memory.state[0]
    for i in range(len(roots)):
        seat, stream = int(roots[i].player), streams[i]
        if used[i] == 0:
            nodes[ROOT].child = 0
            used[i] = 1
            gather(memory, roots[i : i + 1], seat, stream)
        for done in range(sims):
            if used[i] == len(nodes) or (how.until_settled and is_settled(nodes, sims - done)):
                break
            imagine(memory, roots[i : i + 1], seat, stream)
            parent, length, in_tree = ROOT, 0, True
            end = int(s.ply) + how.horizon
            while not s.over and s.ply < end:
                mask[:] = 0
                legal(s, mask)
                player = int(s.player)
                if in_tree:
                    hinted = hint(s, player, stream, mask, memory.obs, memory.obs_bytes)
                    node = select(nodes, parent, player, mask, how, hinted)
                    action = sample_legal(stream, mask)  # of those not tried yet
                    if action >= 0:
                        if hinted >= 0 and mask[hinted]:
                            action = hinted
                        node = used[i]
                        add_child(nodes, parent, node, action, player)
                        used[i] += 1
                        in_tree = False
                    action = int(nodes[node].action)
                    path[length] = node
                    length += 1
                    in_tree = in_tree and length < how.depth
                    parent = node
                else:
                    action = playout_move(s, player, stream, mask, memory.obs, memory.obs_bytes)
                step(s, action)
            back_up(s, nodes, path, length, how.by_lead)
        child = nodes[ROOT].child
        while child != 0:
            action = nodes[child].action
            visits[i, action] = nodes[child].visits
            mean = nodes[child].value / nodes[child].visits
            values[i, action] = min(1.0, max(0.0, mean))  # returns are rounded
            child = nodes[child].sibling


# --- What is bound to the game and the kind of playout ------------------------------------------------------


@jit
def gather_nothing(memory, root, seat, stream):
    return 0


def gather_plausible(memory, root, seat, stream):
    """Draw the determinizations of a search, each as likely to be used as it is plausible."""
    seeds, shares = memory.seeds, memory.shares
    most = -np.inf
    for k in range(len(seeds)):
        seeds[k] = next64(stream)
        restore(memory.state, root, seat, seeds[k])
        shares[k] = plausibility(memory.state[0], seat)
        most = max(most, shares[k])
    total = 0.0
    for k in range(len(seeds)):
        total += np.exp(shares[k] - most)
        shares[k] = total
    return 0


def any_state(memory, root, seat, stream):
    """A determinization of the root."""
    restore(memory.state, root, seat, next64(stream))


def plausible_state(memory, root, seat, stream):
    """One of those gathered."""
    shares = memory.shares
    chosen = np.searchsorted(shares, unit(stream) * shares[len(shares) - 1], side="right")
    restore(memory.state, root, seat, memory.seeds[min(chosen, len(shares) - 1)])


def determinized(state, root, seat, seed):
    state[0] = root[0]
    state[0].rng = seed
    determinize(state[0], seat)


@jit
def no_move(s, player, stream, mask, obs, obs_bytes):
    return -1


@jit
def random_move(s, player, stream, mask, obs, obs_bytes):
    return sample_legal(stream, mask)


def greedy_move(s, player, stream, mask, obs, obs_bytes):
    obs_bytes[0, :] = 0
    observe(s, player, obs[0])
    return choose(obs[0], mask)


PLAYOUTS = ("random", "greedy")


@functools.cache
def _kernel(name: str, playout: str, weighed: bool, legal: Any, step: Any, observe: Any, determinize: Any) -> Any:
    """`search_rows` for a game and a kind of playout."""
    move, hint, gather = random_move, no_move, gather_nothing
    restore = bind(determinized, determinize=determinize)
    imagine = bind(any_state, restore=restore)
    if playout == "greedy":
        helper = greedy.heuristic(name)
        move = hint = bind(greedy_move, observe=observe, choose=helper.choose)
        if weighed:
            gather = bind(gather_plausible, restore=restore, plausibility=helper.plausibility)
            imagine = bind(plausible_state, restore=restore)
    bound = {"legal": legal, "step": step, "gather": gather, "imagine": imagine, "playout_move": move, "hint": hint}
    return kernel(search_rows, f"{name}-{playout}{'-weighed' if weighed else ''}", allocates=False, **bound)


# --- The agents ---------------------------------------------------------------------------------------------


class Searched(NamedTuple):
    """What a search found out about B decisions; all 0 for actions that were not tried.

    Attributes:
        visits: int64[B, A], simulations that began with the action.
        values: float64[B, A], what they were worth on average to the seat to act, 0 … 1: its share of the win, or
            its lead in score, where 0.5 is none.
    """

    visits: np.ndarray
    values: np.ndarray


class SearchAgent:
    """`ismcts`: chooses by simulations from determinizations; the action visited most is played.

    What it plays depends on its seed and on what the seat sees, and on nothing else: not on the batch around a
    decision, nor on the number of threads. (A limit of time makes it depend on the machine.)

    Args:
        sims: simulations a decision, at most; default 400, or no limit if there is one of time.
        time_ms: milliseconds a decision; the clock is looked at every `SLICE` simulations.
        c: exploration.
        playout: "random", or "greedy", the default where the game has a heuristic; see the top of this file.
        guide: with greedy playouts, how much the heuristic's action is preferred.
        horizon: decisions after which a simulation ends and the lead in score is its value; 0 plays to the end, for
            the share of the win.
        particles: with greedy playouts, where the heuristic can tell how plausible a determinization is: how many are
            drawn at first, of which each simulation takes one, the plausible ones more often. 1: each has its own.
        nodes: of the tree; a search ends when it has used them all. Default: enough for `sims`.
        threads: the decisions of a batch are shared out among so many.
        seed: None draws one.

    Defaults of `c`, `guide`, `horizon` and `particles` with greedy playouts are the heuristic's `search_settings`,
    where it has such. Raises ValueError for values out of range, for greedy playouts of a game without heuristic, and
    for a horizon in a game that does not pay by score.
    """

    depth = 0  # of the tree; 0: no limit
    by_visits = True  # is how `choose` chooses
    defaults: ClassVar[dict[str, Any]] = {"c": 0.7, "guide": 0.3, "horizon": 0, "particles": 1}

    def __init__(
        self,
        game: Game,
        sims: int | None = None,
        time_ms: float | None = None,
        playout: str | None = None,
        nodes: int | None = None,
        threads: int = 1,
        seed: int | None = None,
        **settings: Any,
    ):
        playout = playout or ("greedy" if greedy.exists(game.name) else "random")
        if playout not in PLAYOUTS:
            raise ValueError(f"playout must be {' or '.join(PLAYOUTS)}, got {playout!r}")
        for name, value in {"sims": sims, "time_ms": time_ms, "nodes": nodes, "threads": threads}.items():
            if value is not None and not value > 0:
                raise ValueError(f"{name} must be greater than 0, got {value!r}")
        self.game, self.playout, self.threads, self.time_ms = game, playout, threads, time_ms
        self.sims = 400 if sims is None and time_ms is None else sims
        self.nodes = nodes or min(MOST_NODES, (self.sims or MOST_NODES) + 1)
        self.how = self._how(settings)
        weighed = self.how.particles > 1
        self._search = _kernel(game.name, playout, weighed, game.legal, game.step, game.observe, game.determinize)
        self.reseed(seed)

    def _how(self, settings: dict[str, Any]) -> How:
        known = self.defaults
        for name, value in settings.items():
            if name not in known:
                raise ValueError(f"unknown setting {name!r}; the settings are: {', '.join(known)}")
            if not value >= 0:
                raise ValueError(f"{name} must be at least 0, got {value!r}")
        helper: Any = greedy.heuristic(self.game.name) if self.playout == "greedy" else None
        own = helper.search_settings(self.game.num_players) if hasattr(helper, "search_settings") else {}
        chosen = known | {name: value for name, value in own.items() if name in known} | settings
        weighs = hasattr(helper, "plausibility")
        paid_by_score = getattr(self.game.options, "reward", "win") == "score"
        if chosen["horizon"] and not paid_by_score and not self.game.score_scale:
            raise ValueError(f"{self.game.name}: a horizon needs a game that can pay by score")
        return How(
            c=float(chosen["c"]),
            guide=float(chosen["guide"]),
            depth=self.depth or self.game.max_plies,
            horizon=int(chosen["horizon"]) or self.game.max_plies,
            by_lead=bool(chosen["horizon"]) or paid_by_score,
            particles=int(chosen["particles"]) if weighs else 1,
        )

    def reseed(self, seed: int | None) -> None:
        self.seed = int(np.random.default_rng().integers(2**63)) if seed is None else check_seed(seed)

    def act(self, turns: Turns) -> np.ndarray:
        """Actions int64[B]; turns with one legal action are not searched."""
        actions = turns.mask.argmax(axis=1)
        open_turns = np.flatnonzero(turns.mask.sum(axis=1) > 1)
        if len(open_turns):
            actions[open_turns] = self.choose(self.search(turns, open_turns, self.time_ms is None))
        return actions

    def choose(self, found: Searched) -> np.ndarray:
        """The actions visited most, int64[B]; of equals the one with the highest value."""
        return (found.visits + np.minimum(found.values, 0.999)).argmax(axis=1)

    def search(self, turns: Turns, rows: np.ndarray | None = None, until_settled: bool = False) -> Searched:
        """Search the turns `rows` (indices; default all).

        `until_settled` saves the simulations that cannot change any more which action is visited most.
        """
        rows = np.arange(len(turns.mask)) if rows is None else rows
        seeds = np.array([self._seed_of(seen) for seen in turns.matrix], np.uint64)
        roots = records(self._valued(turns.sample(1, seeds)[rows]))
        streams = np.zeros(len(rows), STREAM)
        streams["rng"] = seeds[rows]
        shape = len(rows), self.game.num_actions
        found = Searched(np.zeros(shape, np.int64), np.zeros(shape))
        how = self.how._replace(until_settled=until_settled and self.by_visits)
        work = functools.partial(self._search_rows, roots, records(streams), how, found)
        parts = [np.arange(first, len(rows), self.threads) for first in range(min(self.threads, len(rows)))]
        if len(parts) == 1:
            work(parts[0])
        else:
            with ThreadPoolExecutor(len(parts)) as pool:
                list(pool.map(work, parts))
        return found

    def _seed_of(self, seen: np.ndarray) -> int:
        """From the agent's seed and the observation alone."""
        digest = hashlib.blake2b(seen.tobytes(), digest_size=8, key=self.seed.to_bytes(8, "little"))
        return int.from_bytes(digest.digest(), "little")

    def _valued(self, states: np.recarray) -> np.recarray:
        """The same states; if a lead is to be valued, as the game has them with reward="score"."""
        game = self.game
        if self.how.by_lead and game.options.reward != "score":
            players = game.num_players
            scores = np.asarray(game.scores(states), float)
            others = (scores.sum(axis=1, keepdims=True) - scores) / (players - 1)
            states["reward"] = game_module(game.name).OPTIONS["reward"].code("score")
            states["returns"][:, :players] = game.score_scale * (scores - others)
        return states

    def _search_rows(self, roots: np.ndarray, streams: np.ndarray, how: How, found: Searched, rows: np.ndarray) -> None:
        """Search some rows one after the other, all in the same memory."""
        memory = self._memory()
        for row in rows:
            one = slice(row, row + 1)
            used = np.zeros(1, np.int64)
            for sims in self._slices():
                self._search(roots[one], streams[one], used, sims, how, memory, found.visits[one], found.values[one])
                if used[0] == self.nodes:
                    break

    def _slices(self) -> Iterator[int]:
        """Numbers of simulations to run in turn, until simulations or time are spent."""
        if self.time_ms is None:
            yield self.sims or 0
            return
        left = self.sims or 1 << 62
        end = time.perf_counter() + self.time_ms / 1000
        while left > 0 and time.perf_counter() < end:
            yield min(left, SLICE)
            left -= SLICE

    def _memory(self) -> Memory:
        game = self.game
        obs = np.zeros((1, game.observation.itemsize), np.uint8)
        return Memory(
            nodes=records(np.zeros(self.nodes, NODE)),
            path=np.zeros(game.max_plies, np.int32),
            state=records(np.zeros(1, game.state)),
            mask=np.zeros(game.num_actions, np.int8),
            obs=records(obs.view(game.observation).reshape(1)),
            obs_bytes=obs,
            seeds=np.zeros(self.how.particles, np.uint64),
            shares=np.zeros(self.how.particles),
        )


class MonteCarloAgent(SearchAgent):
    """`monte_carlo`: simulations spread evenly over the legal actions, without a tree; the best mean is played."""

    depth = 1
    by_visits = False
    defaults: ClassVar[dict[str, Any]] = SearchAgent.defaults | {"c": 1e6, "guide": 0.0}

    def choose(self, found: Searched) -> np.ndarray:
        """The actions with the highest value, int64[B]."""
        return np.where(found.visits > 0, found.values, -1.0).argmax(axis=1)
