"""Each character of Fafaru keeps to its habit in every decision of many games, and the rest of its play is greedy's."""

import numpy as np
import pytest

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.match import play
from boardgames_agents.personalities import personalities
from boardgames_agents.registry import agents_of, describe_agents
from boardgames_agents.tournament import play_pairing
from boardgames_env.batch import Batch
from boardgames_env.fafaru.cards import BOX, FRESH, ICE, NUMBERS, SALADIER_KINDS
from boardgames_env.fafaru.rules import ACCUSE, DRAW, MAA, TAMAA, fold, follow

PLAYERS = 5
OPTIONS = [
    {"claims": False},
    {"simultaneous_bets": True, "same_accuser_twice": False},
    {"mode": "beginner", "soyu": "never"},
]
NAMES = ["honest", "liar", "parrot", "accuser", "silent", "bayes"]


class Watched:
    """An agent whose decisions are kept: observations, masks, actions."""

    def __init__(self, agent):
        self.agent, self.seen = agent, []

    def act(self, turns):
        actions = self.agent.act(turns)
        self.seen.append((turns.obs.copy(), turns.mask.copy(), actions))
        return actions

    def decisions(self):
        return [np.concatenate(parts) for parts in zip(*self.seen)]


def decisions(name, games=60, against="greedy", **options):
    """(observations, masks, actions) of every decision of an agent in one seat of each game."""
    game = boardgames_env.make("fafaru", PLAYERS, **options)
    watched = Watched(make_agent(game, name))
    seats = np.ones((games, PLAYERS), int)
    seats[np.arange(games), np.arange(games) % PLAYERS] = 0
    play(Batch(game, games, seed=4), [watched, make_agent(game, against, seed=1)], seats)
    return watched.decisions()


def plays(obs, mask, actions):
    """The plays among decisions: (observations, masks, cards, claims)."""
    chosen = (actions >= MAA) & (actions < ACCUSE)
    assert chosen.sum() > 200
    return obs[chosen], mask[chosen], *np.divmod(actions[chosen] - MAA, SALADIER_KINDS)


def test_the_table_of_characters():
    assert list(personalities("fafaru")) == NAMES and personalities("fungi") == {}
    assert set(NAMES) <= set(agents_of("fafaru")) and not set(NAMES) & set(agents_of("fungi"))
    assert all(entry.help for entry in agents_of("fafaru").values())
    assert "liar" in describe_agents("fafaru")
    with pytest.raises(
        ValueError, match=r"unknown agent 'liar'; the agents are: random, .*\('liar' plays fafaru only\)"
    ):
        make_agent(boardgames_env.make("fungi"), "liar")


def test_honest_never_lies():
    _, _, cards, claims = plays(*decisions("honest"))
    assert (cards == claims).all()


def test_liar_always_lies():
    _, _, cards, claims = plays(*decisions("liar"))
    assert (cards != claims).all() and len(set(claims)) > 3


def test_parrot_claims_for_its_camp_whatever_it_plays():
    obs, _, cards, claims = plays(*decisions("parrot"))
    fresh = obs["private"]["role"][:, FRESH] == 1
    for side, mine in ((1, fresh), (-1, ~fresh)):
        assert (side * NUMBERS[claims[mine]] >= side * NUMBERS[cards[mine]]).all()
        assert (side * NUMBERS[claims[mine]]).mean() > 0.4 + (side * NUMBERS[cards[mine]]).mean()
    claimed = obs["public"]["claims_round"].sum(axis=1).astype(int) + obs["public"]["out"][:, :SALADIER_KINDS]
    invented = cards != claims
    assert (claimed < BOX[:SALADIER_KINDS])[np.arange(len(obs)), claims][invented].all(), "there may be such a card"
    assert (claims[fresh] >= ICE).mean() > 0.8


def test_accuser_accuses_whenever_it_may():
    _, mask, actions = decisions("accuser")
    may = mask[:, ACCUSE : ACCUSE + PLAYERS - 1].any(axis=1)
    accuses = (actions >= ACCUSE) & (actions < ACCUSE + PLAYERS - 1)
    assert may.sum() > 50 and (accuses == may).all()


def test_silent_never_calls_and_never_follows():
    _, mask, actions = decisions("silent")
    asked, may_call = mask[:, follow(PLAYERS)] == 1, mask[:, TAMAA] == 1
    assert asked.sum() > 20 and (actions[asked] == fold(PLAYERS)).all()
    assert may_call.sum() > 20 and (actions[may_call] == DRAW).all()


@pytest.mark.parametrize("name", ["honest", "liar", "parrot"])
def test_a_habit_of_claiming_changes_nothing_else(name):
    """Without claims these three are greedy; with them they play the same cards as greedy would."""
    game = boardgames_env.make("fafaru", PLAYERS)
    obs, mask, actions = decisions(name)
    greedy = make_agent(game, "greedy").act(
        boardgames_env.Turns(game, np.zeros(len(obs), int), obs.view(np.recarray), mask, None)
    )
    put = (actions >= MAA) & (actions < ACCUSE)
    assert (((actions - MAA) // SALADIER_KINDS)[put] == ((greedy - MAA) // SALADIER_KINDS)[put]).all()
    assert (actions == greedy)[~put].all()
    for mine, theirs in zip(decisions(name, 20, claims=False), decisions("greedy", 20, claims=False)):
        assert (mine == theirs).all()


@pytest.mark.parametrize("players", [3, 5, 8])
def test_bayes_beats_random_tables(players):
    """Over 2,000 deals it wins 83.2, 47.6 and 25.1 %: 2 to 2.5 fair shares."""
    game = boardgames_env.make("fafaru", players)
    assert play_pairing(game, ("bayes", "random"), 100, seed=3).share.low > 1.7 / players


def test_bayes_knows_camps_better_than_chance():
    """Its accusations hit the other camp more often than a random one would."""
    game = boardgames_env.make("fafaru", PLAYERS)
    batch, games = Batch(game, 300, seed=8), 300
    hits = []

    def watch(actions):
        for row in np.flatnonzero((actions >= ACCUSE) & (actions < ACCUSE + PLAYERS - 1) & ~batch.over):
            s = batch.states[row]
            accused = (s.player + 1 + actions[row] - ACCUSE) % PLAYERS
            hits.append((s.role[s.player] == FRESH) != (s.role[accused] == FRESH))

    play(batch, [make_agent(game, "bayes")], np.zeros((games, PLAYERS), int), watch)
    chance = (3 * 2 / 4 + 2 * 3 / 4) / PLAYERS  # a random seat among the four others, three fresh and two fermented
    assert len(hits) > 300 and np.mean(hits) > chance + 0.1


@pytest.mark.parametrize(
    "options",
    [
        {"claims": False},
        {"simultaneous_bets": True, "same_accuser_twice": False},
        {"mode": "beginner", "soyu": "never"},
    ],
)
def test_every_option_and_the_largest_table(options):
    game = boardgames_env.make("fafaru", 10, **options)
    batch = Batch(game, 60)
    seats = (np.arange(60)[:, None] + np.arange(10)) % len(NAMES)
    play(batch, [make_agent(game, name) for name in NAMES], seats)
    assert batch.over.all()
