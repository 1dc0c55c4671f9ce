"""An agent of one's own, measured against those of the library.

    python examples/custom_agent.py

An agent is any object with `act(turns) -> actions`. `turns` holds many decisions at once: observations with named
fields, action masks, and a way to draw states that fit what each seat knows, but never a true state.
"""

import numpy as np

import boardgames_env
from boardgames_agents import make_agent
from boardgames_agents.tournament import play_pairing


class EarlyCaller:
    """Fafaru: plays as `greedy`, but calls Tama'a as soon as it may once five cards lie in the ma'a."""

    def __init__(self, game, cards=5):
        self.greedy = make_agent(game, "greedy")
        self.call = next(a for a in range(game.num_actions) if game.action_name(a) == "call Tama'a")
        self.cards = cards

    def act(self, turns):
        may_call = (turns.mask[:, self.call] == 1) & (turns.obs.public.maa_size >= self.cards)
        return np.where(may_call, self.call, self.greedy.act(turns))


def main() -> None:
    game = boardgames_env.make("fafaru", 5)
    pairing = play_pairing(game, ("mine", "greedy"), 400, agents=[EarlyCaller(game), make_agent(game, "greedy")])
    print(f"alone against four greedy it wins {pairing.share}; a fair share is 20 %")
    print(f"mean score {pairing.score:.2f}, the others {pairing.other_score:.2f}")


if __name__ == "__main__":
    main()
