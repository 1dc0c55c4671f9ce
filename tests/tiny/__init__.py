"""A game of two cards a player, as small as a game can be, for tests of the frame and of caching.

Both get a card 1 … 5 and choose in turn to hold or to bid one more; the first to reach 3 bids ends it. The higher
card wins, by its bids if the cards are equal.
"""

from typing import Any

from boardgames_env import aec
from boardgames_env.game import Game, Option, game_maker, observation_layout, pay_win, state_dtype
from boardgames_env.jit import jit, scratch
from boardgames_env.rng import next64, randint
from tests.tiny.values import worth

PLAYERS = range(2, 4)
OPTIONS = {"reward": Option("win", ("win",), "the win"), "bids": Option(3, range(1, 6), "bids that end the game")}
STATE = state_dtype(OPTIONS, [("card", "i1", 3), ("made", "i1", 3)])
OBSERVATION, HIGH = observation_layout([("card", (), 5)], [("made", (3,), 10), ("acting", (), 1)])
HOLD, BID = 0, 1


@jit
def deal(s):
    for seat in range(s.num_players):
        s.card[seat] = 1 + randint(s, 5)


@jit
def legal(s, mask):
    mask[BID] = 1
    mask[HOLD] = s.ply < 6


@jit
def step(s, action):
    s.ply += 1
    if action == BID:
        s.made[s.player] += 1
        if s.made[s.player] == s.bids:
            finish(s)
    s.player = (s.player + 1) % s.num_players


@jit
def finish(s):
    s.over = True
    best = 0
    for seat in range(s.num_players):
        best = max(best, worth(s, seat))
    won = scratch(3)
    for seat in range(s.num_players):
        won[seat] = worth(s, seat) == best
    pay_win(s, won)


@jit
def observe(s, seat, obs):
    obs.private.card = s.card[seat]
    for i in range(s.num_players):
        obs.public.made[i] = s.made[(seat + i) % s.num_players]
    obs.public.acting = not s.over and s.player == seat


@jit
def determinize(s, seat):
    for other in range(s.num_players):
        if other != seat:
            s.card[other] = 1 + randint(s, 5)
    s.rng = next64(s)


def action_name(action: int) -> str:
    return ("hold", "bid")[action]


def text(s, seat=None) -> str:
    cards = [str(card) if seat in (owner, None) else "?" for owner, card in enumerate(s.card[: s.num_players])]
    return f"cards {' '.join(cards)}, bids {s.made[: s.num_players].tolist()}"


def scores(states: Any) -> Any:
    return states["made"][:, : states["num_players"][0]]


def build(num_players: int, options: Any) -> Game:
    if options.bids == 5 and num_players == 3:
        raise ValueError("tiny: three players can make 4 bids at most")
    return Game(
        name="tiny",
        version=1,
        num_players=num_players,
        num_actions=2,
        max_plies=6 + 5 * num_players,
        options=options,
        state=STATE,
        observation=OBSERVATION,
        high=HIGH,
        deal=deal,
        legal=legal,
        step=step,
        observe=observe,
        determinize=determinize,
        action_name=action_name,
        text=text,
        scores=scores,
    )


make = game_maker(PLAYERS, OPTIONS, build)
env, raw_env = aec.makers(make)
