"""Tree Society, greedy: sell for most coins, then buy and raise what gains most for each coin.

A card in progress is worth the points printed on its level, and those still to come times the chance that it will be
completed, which falls with the coins that are missing and rises with the turns that are left. Banners and effects
count as points. How long the game will last is guessed from the most banners that anybody has. All numbers were
found by trying; they are not tuned to any opponent.
"""

import numpy as np

from boardgames_env.jit import jit
from boardgames_env.tree_society.cards import (
    EFFECT_NAMES,
    END,
    ENDS,
    FRUIT_TABLE,
    FRUITS,
    GUILDS,
    KINDS,
    LASTING,
    LEVELS,
    MARKET,
    WRITERS,
)
from boardgames_env.tree_society.rules import (
    ADVANCE,
    BANNERS_TO_END,
    BUILDING,
    BUY,
    CLEAR,
    DECLINE,
    DONE,
    END_BUILD,
    MARKERS,
    RAISE,
    SCRAP,
    SELL,
    TAKE,
    USE,
)

COIN = 0.6  # points that a coin buys
COINS_A_TURN = 5.5
SHARE = 0.6  # of the coins to come, for one card
BANNER = 1.5  # points, for a banner on a completed card
TURNS_A_BANNER = 1.6
TURNS_A_CARD = 2.0  # to complete one

# Worth of an effect when its level is reached, in coins for each n: at once, and for every turn to come.
#             effect     once  a turn
EFFECT_WORTH = {
    "P":       (1.0, 0.0),
    "C":       (1.0, 0.0),
    "D":       (0.8, 0.0),
    "HALF":    (3.0, 0.0),
    "T":       (2.3, 0.0),
    "F":       (1.0, 0.0),
    "S":       (2.5, 0.0),
    "RF":      (0.2, 0.0),
    "ADV":     (0.7, 0.0),
    "X":       (0.1, 0.0),
    "L1":      (0.0, 0.3),
    "B1":      (0.0, 0.7),
    "KEEP":    (0.0, 0.2),
    "SALE":    (0.0, 1.0),
}  # fmt: skip
ONCE, A_TURN = np.array([EFFECT_WORTH[name] for name in EFFECT_NAMES[: END - 1]]).T.copy()
LEVEL_TURNS = np.array([2.5, 2.5, 99.0])  # how long a marker stays on levels 1 and 2; what level 3 brings stays

# Worth in coins of the action of a fruit, beside what the fruit itself sells for.
ACTION_WORTH = {"apple": 1.8, "cherry": 1.5, "grape": 1.5, "blueberry": 1.0, "orange": 0.2}
ACTION = np.array([ACTION_WORTH[name] for name, _ in FRUIT_TABLE])
ORANGE = [name for name, _ in FRUIT_TABLE].index("orange")
GRAPE = [name for name, _ in FRUIT_TABLE].index("grape")


@jit
def choose(obs, mask):
    table = obs.public
    turns = turns_left(table)
    if table.phase[BUILDING]:
        return build(obs, mask, turns)
    if mask[DONE]:
        return clear(obs, mask)
    best, best_gain = -1, -1e9
    for action in range(len(mask)):
        if mask[action]:
            gain = gain_of_choice(obs, action, turns)
            if gain > best_gain:
                best, best_gain = action, gain
    return best


@jit
def gain_of_choice(obs, action, turns):
    table = obs.public
    if action < BUY:
        return gain_of_sale(obs, action - SELL, turns)
    if TAKE <= action < DECLINE:
        return gain_of_fruit(table, action - TAKE)
    if ADVANCE <= action < SCRAP:
        return gain_of_raise(table, action - ADVANCE, turns)
    if action >= SCRAP:
        return COIN * table.choice_n * min(1.0, turns) - worth_at(table, action - SCRAP, 0, turns)
    return 0.0  # decline


@jit
def turns_left(table):
    """Own turns after this one."""
    if table.last_round:
        return 0.0
    most = 0
    for i in range(len(table.banners)):
        most = max(most, int(table.banners[i]))
    by_banners = TURNS_A_BANNER * max(0, BANNERS_TO_END - most) + 0.5
    return min(by_banners, 1.0 + table.fruit_left / len(table.banners))


# --- Fruit --------------------------------------------------------------------------------------------------


@jit
def gain_of_sale(obs, fruit, turns):
    """In coins; a sale by an effect (not in phase 1) may be declined, which is worth 0."""
    gain = obs.private.income[fruit] * 1.0
    if obs.public.phase[0]:
        return gain + ACTION[fruit // 2]
    return gain - (1.0 if turns > 1.0 else 0.0)


@jit
def gain_of_fruit(table, fruit):
    """In coins: what it will sell for."""
    gain = fruit % 2 + ACTION[fruit // 2]
    for i in range(len(table.purse)):
        gain += int(table.fruits[i, fruit - fruit % 2]) + int(table.fruits[i, fruit - fruit % 2 + 1])
    return gain


# --- Cards --------------------------------------------------------------------------------------------------


@jit
def build(obs, mask, turns):
    """The fruit action first where it helps, then the best level for the coins, as long as one gains anything."""
    best, best_rate, best_price = END_BUILD, 0.0, 0
    for place in range(MARKET):
        if mask[BUY + place]:
            price = int(obs.private.buy_price[place])
            rate = rate_of(gain_of_buy(obs.public, place, turns), price)
            if rate > best_rate:
                best, best_rate, best_price = BUY + place, rate, price
    for slot in range(MARKERS):
        if mask[RAISE + slot]:
            price = int(obs.private.raise_price[slot])
            rate = rate_of(gain_of_raise(obs.public, slot, turns), price)
            if rate > best_rate:
                best, best_rate, best_price = RAISE + slot, rate, price
    if mask[USE] and use_now(obs, turns, best, best_price):
        return USE
    return best


@jit
def rate_of(gain, price):
    return gain / (price + 1.0)


@jit
def use_now(obs, turns, best, best_price):
    """Grapes wait for a level that costs enough, oranges until nothing can be built, the others for nothing."""
    action = 0
    for kind in range(KINDS):
        if obs.public.fruit_action[kind]:
            action = kind
    if action == ORANGE:
        return best == END_BUILD and wants_card(obs.public)
    if action == GRAPE:
        return best == END_BUILD or best_price >= 2
    return True


@jit
def wants_card(table):
    """A marker is free and there are coins that would be lost."""
    free = 0
    for slot in range(MARKERS):
        free += 1 - int(table.level[0, slot, 0]) - int(table.level[0, slot, 1])
    return free > 0 and table.purse[0] > 2


@jit
def clear(obs, mask):
    """Clear the cards that cost too much, if a cheaper one could be bought."""
    if wants_card(obs.public):
        for place in range(MARKET):
            if mask[CLEAR + place] and obs.private.buy_price[place] > obs.public.purse[0]:
                return CLEAR + place
    return DONE


@jit
def gain_of_buy(table, place, turns):
    """Level 1 as its part of the whole card, by cost; late in the game what it is worth by itself."""
    effects, costs = table.market_effects[place], table.market_costs[place]
    gain = effects_worth(effects, 1, turns)
    if turns <= TURNS_A_CARD:
        return gain + worth_in_market(table, place, 1, turns)
    gain += effects_worth(effects, 2, turns) + worth_in_market(table, place, LEVELS, turns)
    return gain * costs[0] / (0.1 + costs[0] + costs[1] + costs[2])


@jit
def worth_in_market(table, place, level, turns):
    """Points of a card in the market, if it stood on a level in front of the player."""
    return worth(
        table,
        table.market_guild[place],
        table.market_banners[place],
        table.market_costs[place],
        table.market_points[place],
        table.market_effects[place],
        level,
        turns,
    )


@jit
def gain_of_raise(table, slot, turns):
    level = level_of(table, slot) + 1
    gain = worth_at(table, slot, 1, turns) - worth_at(table, slot, 0, turns)
    return gain + effects_worth(table.progress_effects[0, slot], level, turns)


@jit
def level_of(table, slot):
    return 2 if table.level[0, slot, 1] else 1


@jit
def worth_at(table, slot, more, turns):
    """Points of an own card in progress, if it stood `more` levels higher."""
    return worth(
        table,
        table.progress_guild[0, slot],
        table.progress_banners[0, slot],
        table.progress_costs[0, slot],
        table.progress_points[0, slot],
        table.progress_effects[0, slot],
        level_of(table, slot) + more,
        turns,
    )


@jit
def worth(table, guild, banners, costs, points, effects, level, turns):
    """Points of a card on a level: those that it has, and those to come times the chance that they do."""
    now = points[level - 1] * 1.0
    full = points[LEVELS - 1] + BANNER * banners
    for end in range(ENDS):
        if effects[LEVELS - 1, END - 1 + end]:
            full += end_worth(table, guild, end, turns)
    if level == LEVELS:
        return full
    missing = 0.0
    for higher in range(level, LEVELS):
        missing += costs[higher]
    coins = SHARE * COINS_A_TURN * turns + 0.5 * int(table.purse[0])
    return now + max(0.0, full - now) * min(0.95, coins / (missing + 1.0)) if turns > 0.0 else now


@jit
def effects_worth(effects, level, turns):
    """Points for the effects of a level that is reached now."""
    coins = 0.0
    for effect in range(LASTING - 1):
        coins += effects[level - 1, effect] * ONCE[effect]
    for effect in range(LASTING - 1, END - 1):
        coins += effects[level - 1, effect] * A_TURN[effect] * min(turns, LEVEL_TURNS[level - 1])
    return COIN * coins * min(1.0, 0.3 + turns)


@jit
def end_worth(table, guild, end, turns):
    """Points that an effect at the end of the game will bring, if nothing much changes."""
    done = 1.0
    guilds = 0.0
    for i in range(len(GUILDS)):
        done += table.done[0, i]
        guilds += 1.0 if table.done[0, i] or guild[i] else 0.0
    more = 0.3 * turns  # cards that may still be completed
    sold = turns
    fruits = 0.0
    for fruit in range(FRUITS):
        sold += table.sold[0, fruit]
        fruits += table.fruits[0, fruit]
    writers = int(table.done[0, WRITERS]) + int(guild[WRITERS])
    values = (done + more, 2.0, 2.0 * writers + 0.5 * more, min(4.0, guilds + 0.6 * more), sold / 4.0, min(4.0, fruits))
    return values[end]
