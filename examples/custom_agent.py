"""An agent of one's own, measured against those of the library.

    python examples/custom_agent.py

An agent is any object with `act(turns) -> actions`. `turns` holds many decisions at once: observations with named
fields, action masks, and a way to draw states that fit what each seat knows, but never a true state.

One that is a compiled function of one decision is much faster as an opponent of a learner: see `compiled` below.
"""

import numpy as np

import boardgames_env
from boardgames_agents import greedy, make_agent
from boardgames_agents.tournament import play_pairing
from boardgames_env import CompiledAgent
from boardgames_env.jit import jit

CARDS = 5
as_greedy = greedy.heuristic("fafaru").choose


class EarlyCaller:
    """Fafaru: plays as `greedy`, but calls Tama'a as soon as it may once five cards lie in the ma'a."""

    def __init__(self, game):
        self.greedy = make_agent(game, "greedy")
        self.call = boardgames_env.action_id(game, "call Tama'a")

    def act(self, turns):
        may_call = (turns.mask[:, self.call] == 1) & (turns.obs.public.maa_size >= CARDS)
        return np.where(may_call, self.call, self.greedy.act(turns))


@jit
def call_early(obs, mask, call):
    """The same for one decision: one observation record, one mask, and arrays of the agent's own."""
    return call[0] if mask[call[0]] and obs.public.maa_size >= CARDS else as_greedy(obs, mask)


def compiled(game):
    return CompiledAgent(call_early, "early-caller", np.array([boardgames_env.action_id(game, "call Tama'a")]))


def main() -> None:
    game = boardgames_env.make("fafaru", 5)
    batch = boardgames_env.Batch(game, 1000)
    for _ in range(20):
        batch.step(batch.sample())
    turns = batch.turns()
    assert (EarlyCaller(game).act(turns) == compiled(game).act(turns)).all()
    pairing = play_pairing(game, ("mine", "greedy"), 400, agents=[compiled(game), make_agent(game, "greedy")])
    print(f"alone against four greedy it wins {pairing.share}; a fair share is 20 %")
    print(f"mean score {pairing.score:.2f}, the others {pairing.other_score:.2f}")


if __name__ == "__main__":
    main()
