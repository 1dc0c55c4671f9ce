"""Fafaru: who knows which card of the ma'a (K50). This changes no card; the rules call it when cards are seen or moved.

Play number p of a round lays its card on position p of the ma'a, so at first a position *is* a play:

    position   0 … p … maa_size − 1
    maa[p]     the card that lies there now           placed[p]   seats that know it: bit `seat`
    played[p]  the card that play p brought           told[p]     seats that know it
    zone[p]    0: nobody has moved it, and so maa[p] is played[p]; else the number of its zone

A pig moves the topmost cards, a rooster all of them (K12, K13). Positions whose cards may have been mixed with each
other form a *zone*; zones that touch the same card become one. Within a zone a seat keeps what it knew as a multiset:

    mixed[seat, z − 1, kind]   cards of zone z that the seat knows to be there and not where

Which seats know a position or a play, and which positions form a zone, is public; the cards are not.
"""

import numpy as np

from boardgames_env.fafaru.cards import SALADIER_KINDS
from boardgames_env.jit import jit


@jit
def knows(mask, seat):
    return (int(mask) >> seat) & 1 == 1


@jit
def look(s, seat, first):  # K12: the seat sees the cards from position `first` up
    for p in range(first, np.int64(s.maa_size)):
        if not knows(s.placed[p], seat):
            s.placed[p] = int(s.placed[p]) | (1 << seat)
            z, kind = int(s.zone[p]), int(s.maa[p])
            if z == 0:
                s.told[p] = int(s.told[p]) | (1 << seat)
            elif s.mixed[seat, z - 1, kind] > 0:  # for all the seat knows, it is the card it remembers
                s.mixed[seat, z - 1, kind] -= 1


@jit
def scramble(s, first, mover):
    """The cards from position `first` up are about to be moved, out of sight of all but `mover` (−1: of everybody)."""
    z = zone_for(s, first)
    for p in range(first, np.int64(s.maa_size)):
        s.zone[p] = z
        for seat in range(np.int64(s.num_players)):
            if seat != mover and knows(s.placed[p], seat):
                s.mixed[seat, z - 1, s.maa[p]] += 1
        s.placed[p] = 0 if mover < 0 else int(s.placed[p]) & (1 << mover)


@jit
def zone_for(s, first):
    """The number of the zone that the positions from `first` up shall belong to."""
    if first == 0:
        merge_zones(s)
        s.zones = 1
    elif first > top_of_zones(s):
        s.zones += 1
    return np.int64(s.zones)


@jit
def top_of_zones(s):
    """The highest position that lies in a zone; −1 if none does."""
    p = np.int64(s.maa_size) - 1
    while p >= 0 and s.zone[p] == 0:
        p -= 1
    return p


@jit
def merge_zones(s):  # all become zone 1
    for seat in range(np.int64(s.num_players)):
        for z in range(1, np.int64(s.zones)):
            for kind in range(SALADIER_KINDS):
                s.mixed[seat, 0, kind] += s.mixed[seat, z, kind]
                s.mixed[seat, z, kind] = 0


@jit
def known_in_maa(s, seat, kind):
    """Cards of a kind in the ma'a that the seat can prove."""
    count = 0
    for p in range(np.int64(s.maa_size)):
        count += knows(s.placed[p], seat) and s.maa[p] == kind
    for z in range(np.int64(s.zones)):
        count += int(s.mixed[seat, z, kind])
    return count


@jit
def bury(s):
    """The ma'a is cleared away uncounted (K22): a seat goes on knowing the cards it knew, as a multiset."""
    for p in range(np.int64(s.maa_size)):
        s.hidden[s.author[p], s.played[p]] += 1
    for seat in range(np.int64(s.num_players)):
        for kind in range(SALADIER_KINDS):
            s.extra[seat, kind] += known_in_maa(s, seat, kind)
    for p in range(np.int64(s.maa_size)):
        s.extra[s.author[p], s.played[p]] -= 1


@jit
def forget_maa(s):
    """Clear the ma'a and all that was known of it."""
    for p in range(np.int64(s.maa_size)):
        s.maa[p] = s.played[p] = s.author[p] = s.claim[p] = s.zone[p] = 0
        s.placed[p] = s.told[p] = 0
    for z in range(np.int64(s.zones)):
        for seat in range(np.int64(s.num_players)):
            for kind in range(SALADIER_KINDS):
                s.mixed[seat, z, kind] = 0
    s.maa_size = s.zones = 0
