/* Fungi in C by hand: what a rollout costs when nothing stands between the rules and the machine.

   The same states, byte for byte, as Batch.rollout (benchmarks/c_kernel.py checks that before it times anything). The
   structs `state`, `observation` and `stream`, the tables and the constants come from the Python sources in a header
   that is written at build time; the rules are written out here. Rule numbers are those of boardgames_env/fungi/RULES.md. */

#include <stdint.h>
#include <string.h>

#include "fungi.h"

_Static_assert(sizeof(state) == STATE_BYTES, "state is packed");
_Static_assert(sizeof(observation) == OBSERVATION_BYTES, "observation is packed");
_Static_assert(sizeof(stream) == STREAM_BYTES, "stream is packed");

/* --- Random numbers: splitmix64 ------------------------------------------------------------------------------- */

static inline uint64_t scramble(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static inline uint64_t next64(uint64_t *rng) {
    return scramble(*rng += 0x9E3779B97F4A7C15u);
}

static inline uint32_t randint(uint64_t *rng, uint32_t n) {
    uint64_t product = (next64(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t rejected = -n % n;
        while ((uint32_t)product < rejected) product = (next64(rng) >> 32) * n;
    }
    return product >> 32;
}

static void shuffle(uint64_t *rng, int8_t *cards, int n) {
    for (int i = n - 1; i > 0; i--) {
        int j = randint(rng, i + 1);
        int8_t card = cards[i];
        cards[i] = cards[j];
        cards[j] = card;
    }
}

/* --- Set-up ---------------------------------------------------------------------------------------------------- */

static inline int draw(state *s) {
    int kind = s->deck[--s->deck_left];
    s->deck[s->deck_left] = 0;
    return kind;
}

static inline int draw_night(state *s) {
    int kind = s->night[--s->night_left];
    s->night[s->night_left] = 0;
    return kind;
}

static inline void refill(state *s) { /* F16 (3) */
    while (s->forest_left < ROW && s->deck_left > 0) s->forest[s->forest_left++] = draw(s);
}

static void deal(state *s) { /* F4, F5, F6 */
    uint64_t rng = s->rng;
    for (int kind = 0; kind < KINDS; kind++) {
        int cards = BOX[kind] - (kind == PAN ? PANS_DEALT : 0);
        if (kind >= NIGHT && kind < NIGHT + NIGHTS) {
            memset(s->night + s->night_left, kind, cards);
            s->night_left += cards;
        } else {
            memset(s->deck + s->deck_left, kind, cards);
            s->deck_left += cards;
        }
    }
    shuffle(&rng, s->deck, s->deck_left);
    shuffle(&rng, s->night, s->night_left);
    refill(s);
    for (int seat = 0; seat < 2; seat++) {
        s->pans[seat] = 1;
        for (int i = 0; i < 3; i++) {
            int kind = draw(s);
            if (kind == BASKET) {
                s->baskets[seat]++;
            } else if (kind == MOON) {
                s->out[MOON]++;
                s->hand[seat][draw_night(s)]++;
            } else if (kind == FLY_AGARIC) {
                s->out[FLY_AGARIC]++;
            } else {
                s->hand[seat][kind]++;
            }
        }
    }
    s->player = randint(&rng, 2);
    s->rng = rng;
}

/* --- What a seat has ------------------------------------------------------------------------------------------- */

static inline int hand_size(const state *s, int seat) {
    int size = 0;
    for (int kind = 0; kind < HAND_KINDS; kind++) size += s->hand[seat][kind];
    return size;
}

static inline int hand_limit(const state *s, int seat) { /* F7, F14 */
    int poisoned = s->fly_agarics[seat][NEW] + s->fly_agarics[seat][OLD] > 0;
    return (poisoned ? 4 : 8) + 2 * s->baskets[seat];
}

static inline int mushrooms(const state *s, int seat, int kind) { /* F2 */
    return s->hand[seat][kind] + (kind < NIGHTS ? 2 * s->hand[seat][NIGHT + kind] : 0);
}

/* --- Legal actions --------------------------------------------------------------------------------------------- */

static inline int price(int i) { /* F8 */
    return i < AT_THE_FEET ? 0 : i + 1 - AT_THE_FEET;
}

static inline int can_take(const state *s, int seat, int i, int free) { /* F8 */
    int kind = s->forest[i];
    return s->sticks[seat] >= price(i) && (free > 0 || kind == BASKET || kind == FLY_AGARIC);
}

static inline int can_take_decay(const state *s, int free) { /* F9 */
    int reach_hand = 0;
    for (int i = 0; i < s->decay_left; i++) {
        int kind = s->decay[i];
        if (kind == BASKET) free += 2;
        else if (kind != FLY_AGARIC) reach_hand++;
    }
    return s->decay_left > 0 && reach_hand <= free;
}

static void legal(const state *s, int8_t *restrict mask) {
    int seat = s->player;
    const int8_t *hand = s->hand[seat];
    int free = hand_limit(s, seat) - hand_size(s, seat);
    if (free < 0) { /* F13 */
        for (int kind = 0; kind < HAND_KINDS; kind++) mask[DISCARD + kind] = hand[kind] > 0;
        return;
    }
    for (int i = 0; i < s->forest_left; i++) mask[TAKE + i] = can_take(s, seat, i, free);
    mask[TAKE_DECAY] = can_take_decay(s, free);
    int pan = s->pans[seat] + hand[PAN] > 0;
    for (int kind = 0; kind < MUSHROOMS; kind++) {
        int size = mushrooms(s, seat, kind);
        if (size < 2) continue;
        memset(mask + SELL + FIRST_SALE[kind], 1, size - 1); /* F11: sizes 2 ... size */
        if (!pan) continue;
        for (int row = FIRST_COOK[kind]; row < FIRST_COOK[kind + 1] && COOK_SETS[row][1] <= size; row++) /* F10 */
            mask[COOK + row] = COOK_SETS[row][2] <= hand[BUTTER] && COOK_SETS[row][3] <= hand[CIDER];
    }
    mask[PLACE_PAN] = hand[PAN] > 0; /* F12 */
}

static int can_act(const state *s, int seat) { /* F15 */
    int free = hand_limit(s, seat) - hand_size(s, seat);
    if (free > 0) return 1;
    for (int i = 0; i < s->forest_left; i++)
        if (can_take(s, seat, i, free)) return 1;
    for (int kind = 0; kind < MUSHROOMS; kind++)
        if (mushrooms(s, seat, kind) >= 2) return 1;
    return s->hand[seat][PAN] > 0 || can_take_decay(s, free);
}

/* A uniformly random action among those with mask 1, of which there is one at least. */
#define EACH 0x0101010101010101u
#define TOPS 0x8080808080808080u

static inline uint64_t eight(const int8_t *mask) { /* little-endian, as the header checks */
    uint64_t word;
    memcpy(&word, mask, 8);
    return word;
}

static int sample_legal(uint64_t *rng, const int8_t *mask) {
    enum { WHOLE = NUM_ACTIONS / 8 * 8 };
    int count = 0;
    for (int i = 0; i < WHOLE; i += 8) count += eight(mask + i) * EACH >> 56;
    for (int i = WHOLE; i < NUM_ACTIONS; i++) count += mask[i];
    int left = randint(rng, count);
    for (int i = 0; i < WHOLE; i += 8) {
        uint64_t sums = eight(mask + i) * EACH;
        int inside = sums >> 56;
        if (left < inside) return i + (((((left * EACH | TOPS) - sums) & TOPS) >> 7) * EACH >> 56);
        left -= inside;
    }
    for (int i = WHOLE;; i++)
        if (mask[i] && left-- == 0) return i;
}

/* --- A turn ---------------------------------------------------------------------------------------------------- */

static inline void leave_hand(state *s, int seat, int kind, int count) { /* F20 */
    int known = s->known[seat][kind] - count;
    s->hand[seat][kind] -= count;
    s->known[seat][kind] = known > 0 ? known : 0;
    s->out[kind] += count;
}

static inline int use_mushrooms(state *s, int seat, int kind, int size) { /* day cards first; returns the cards */
    if (size <= s->hand[seat][kind]) {
        leave_hand(s, seat, kind, size);
        return size;
    }
    leave_hand(s, seat, NIGHT + kind, 1);
    leave_hand(s, seat, kind, size - 2);
    return size - 1;
}

static void take_card(state *s, int seat, int kind) { /* F8, F20 */
    if (kind == BASKET) {
        s->baskets[seat]++;
    } else if (kind == FLY_AGARIC) {
        s->fly_agarics[seat][NEW]++;
    } else if (kind == MOON) {
        s->out[MOON]++;
        s->hand[seat][draw_night(s)]++;
    } else {
        s->hand[seat][kind]++;
        s->known[seat][kind]++;
    }
}

static inline void close_gap(state *s, int i) { /* the card at i has left the forest */
    s->forest_left--;
    memmove(s->forest + i, s->forest + i + 1, s->forest_left - i);
    s->forest[s->forest_left] = 0;
}

static void pay_score(state *s) {
    for (int seat = 0; seat < 2; seat++) s->returns[seat] = SCORE_SCALE * (s->score[seat] - s->score[1 - seat]);
}

static void finish(state *s) { /* F18, F19 */
    s->over = 1;
    if (s->reward == 1) {
        pay_score(s);
        return;
    }
    int lead = s->score[0] - s->score[1];
    if (lead == 0)
        for (int kind = 0; kind < MUSHROOMS; kind++) lead += s->cooked[0][kind] - s->cooked[1][kind];
    s->returns[0] = (lead > 0) - (lead < 0);
    s->returns[1] = -s->returns[0];
}

static void cook(state *s, int seat, int row) { /* F10 */
    int kind = COOK_SETS[row][0], size = COOK_SETS[row][1], butter = COOK_SETS[row][2], cider = COOK_SETS[row][3];
    int cards = use_mushrooms(s, seat, kind, size);
    int flavour = (s->night_doubles_set && cards < size ? 2 * cards : size) * FLAVOUR[kind]; /* F2 */
    s->score[seat] += flavour + BUTTER_FLAVOUR * butter + CIDER_FLAVOUR * cider;
    s->cooked[seat][kind] += size;
    leave_hand(s, seat, BUTTER, butter);
    leave_hand(s, seat, CIDER, cider);
    if (s->pans[seat] > 0) {
        s->pans[seat]--;
        s->out[PAN]++;
    } else {
        leave_hand(s, seat, PAN, 1);
    }
    if (s->reward == 1) pay_score(s);
}

static void forest_moves(state *s) { /* F16 */
    if (s->decay_left == DECAY) {
        for (int i = 0; i < DECAY; i++) s->out[s->decay[i]]++;
        memset(s->decay, 0, DECAY);
        s->decay_left = 0;
    }
    s->decay[s->decay_left++] = s->forest[0];
    close_gap(s, 0);
    if (s->forest_left == 0) finish(s); /* F17 */
    else refill(s);
}

static void end_turn(state *s, int seat) {
    s->out[FLY_AGARIC] += s->fly_agarics[seat][OLD]; /* F13, F14 */
    s->fly_agarics[seat][OLD] = s->fly_agarics[seat][NEW];
    s->fly_agarics[seat][NEW] = 0;
    forest_moves(s);
    while (!s->over) { /* F15 */
        if (can_act(s, 1 - seat)) {
            s->player = 1 - seat;
            return;
        }
        if (can_act(s, seat)) {
            s->player = seat;
            return;
        }
        forest_moves(s);
    }
}

static void step(state *s, int action) {
    int seat = s->player;
    s->ply++;
    if (action < TAKE_DECAY) { /* F8 */
        int i = action - TAKE;
        s->sticks[seat] -= price(i);
        take_card(s, seat, s->forest[i]);
        close_gap(s, i);
    } else if (action < COOK) { /* F9 */
        for (int i = 0; i < s->decay_left; i++) take_card(s, seat, s->decay[i]);
        memset(s->decay, 0, DECAY);
        s->decay_left = 0;
    } else if (action < SELL) {
        cook(s, seat, action - COOK);
    } else if (action < PLACE_PAN) { /* F11 */
        const int8_t *sale = SALES[action - SELL];
        use_mushrooms(s, seat, sale[0], sale[1]);
        s->sticks[seat] += sale[1] * STICKS[sale[0]];
    } else if (action < DISCARD) { /* F12 */
        s->hand[seat][PAN]--;
        s->known[seat][PAN] -= s->known[seat][PAN] > 0;
        s->pans[seat]++;
    } else { /* F13 */
        leave_hand(s, seat, action - DISCARD, 1);
    }
    if (s->forest_left == 0) finish(s); /* F17 */
    else if (hand_size(s, seat) <= hand_limit(s, seat)) end_turn(s, seat);
}

/* --- What a seat sees (F20) ------------------------------------------------------------------------------------ */

static inline int column(int kind) {
    return kind < NIGHT ? kind : kind - NIGHTS;
}

static void observe(const state *s, int seat, observation *restrict obs) {
    for (int i = 0; i < s->forest_left; i++) obs->public.forest[i][column(s->forest[i])] = 1;
    for (int i = 0; i < s->decay_left; i++) obs->public.decay[column(s->decay[i])]++;
    memcpy(obs->public.out, s->out, KINDS);
    obs->public.deck_left = s->deck_left;
    obs->public.night_left = s->night_left;
    for (int i = 0; i < 2; i++) {
        int owner = i == 0 ? seat : 1 - seat;
        memcpy(obs->public.known[i], s->known[owner], NIGHT);
        memcpy(obs->public.known[i] + NIGHT, s->known[owner] + NIGHT + NIGHTS, HAND_KINDS - NIGHT - NIGHTS);
        int nights = 0;
        for (int kind = NIGHT; kind < NIGHT + NIGHTS; kind++) nights += s->hand[owner][kind];
        obs->public.night_cards[i] = nights;
        obs->public.hand_size[i] = hand_size(s, owner);
        obs->public.hand_limit[i] = hand_limit(s, owner);
        obs->public.sticks[i] = s->sticks[owner];
        obs->public.pans[i] = s->pans[owner];
        obs->public.baskets[i] = s->baskets[owner];
        memcpy(obs->public.fly_agarics[i], s->fly_agarics[owner], 2);
        memcpy(obs->public.cooked[i], s->cooked[owner], MUSHROOMS);
        obs->public.score[i] = s->score[owner] > 255 ? 255 : s->score[owner];
    }
    memcpy(obs->private.hand, s->hand[seat], HAND_KINDS);
    if (!s->over) {
        int acting = s->player;
        obs->public.acting = acting == seat;
        obs->public.discarding = hand_size(s, acting) > hand_limit(s, acting);
    }
}

/* --- The loop: boardgames_env/kernels.py, rollout_rows ----------------------------------------------------------- */

int64_t rollout(state *states, int64_t rows, const state *template, uint64_t *seeds, stream *streams, observation *obs,
                int8_t *masks, int64_t steps) {
    int64_t ended = 0;
    for (int64_t row = 0; row < rows; row++) {
        state *s = states + row;
        int8_t *mask = masks + row * NUM_ACTIONS;
        uint64_t rng = streams[row].rng;
        for (int64_t i = 0; i < steps; i++) {
            if (s->over) {
                ended++;
                uint64_t last = s->rng;
                seeds[row] = next64(&last) >> 11;
                *s = *template;
                s->rng = scramble(seeds[row]);
                deal(s);
            }
            memset(obs + row, 0, sizeof *obs);
            observe(s, s->player, obs + row);
            memset(mask, 0, NUM_ACTIONS);
            legal(s, mask);
            step(s, sample_legal(&rng, mask));
        }
        streams[row].rng = rng;
    }
    return ended;
}
