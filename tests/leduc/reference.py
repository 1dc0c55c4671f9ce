"""Leduc hold'em from its RULES.md in plain, slow Python: a game is the list of actions of each round, nothing else."""

RANKS = "jack", "queen", "king"
CARDS = [f"{rank} of {suit}" for rank in RANKS for suit in ("spades", "hearts")]
ACTIONS = "fold", "call", "raise"


class Reference:
    def __init__(self, hands, board, reward):
        self.hands, self.board, self.reward = hands, board, reward
        self.rounds = [[]]
        self.over = False

    def player(self):
        return len(self.rounds[-1]) % 2

    def stakes(self):
        stakes = [1, 1]
        for size, actions in zip((2, 4), self.rounds):
            for turn, action in enumerate(actions):
                seat = turn % 2
                if action != "fold":
                    stakes[seat] = stakes[1 - seat] + size * (action == "raise")
        return stakes

    def legal_actions(self):
        if self.over:
            return []
        raises = self.rounds[-1].count("raise")
        return ["call"] + ["fold"] * (raises > 0) + ["raise"] * (raises < 2)

    def apply(self, action):
        assert action in self.legal_actions()
        actions = self.rounds[-1]
        actions.append(action)
        called = action == "call" and (len(actions) > 1)
        if action == "fold" or (called and len(self.rounds) == 2):
            self.over = True
        elif called:
            self.rounds.append([])

    def folded(self):
        return self.rounds[-1][-1:] == ["fold"]

    def winner(self):
        """None if the pot is shared."""
        if self.folded():
            return len(self.rounds[-1]) % 2  # whose turn it would be
        ranks = [card.split()[0] for card in [*self.hands, self.board]]
        values = [10 if rank == ranks[2] else RANKS.index(rank) for rank in ranks[:2]]
        return None if values[0] == values[1] else values.index(max(values))

    def chips(self):
        winner = self.winner() if self.over else None
        if winner is None:
            return [0, 0]
        lost = min(self.stakes())
        return [lost if seat == winner else -lost for seat in range(2)]

    def returns(self):
        return self.chips() if self.reward == "score" else [(c > 0) - (c < 0) for c in self.chips()]

    def observation(self, seat):
        stakes = self.stakes()
        showdown = self.over and not self.folded()
        rounds = [*self.rounds, []][:2]
        return {
            "card": one_hot(CARDS, self.hands[seat]),
            "board": one_hot(CARDS, self.board if len(self.rounds) == 2 else None),
            "shown": one_hot(CARDS, self.hands[1 - seat] if showdown else None),
            "history": [[one_hot(ACTIONS, a) for a in (actions + [None] * 4)[:4]] for actions in rounds],
            "stake": [stakes[seat], stakes[1 - seat]],
            "first": int(seat == 0),
            "acting": int(not self.over and self.player() == seat),
        }


def one_hot(names, name):
    return [int(name == other) for other in names]
