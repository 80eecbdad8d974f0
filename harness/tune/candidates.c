// SPDX-License-Identifier: Apache-2.0
#include "board.h"

#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_PAIRS = 8, INTERVAL_SAMPLES = 6 };
static const double noise_unknown = 0.05;
// The median of n normal samples has 1.2533 times the spread of their mean; 1.96 of these are 95 %.
static const double interval_widths = 1.96 * 1.2533;

bool board_open(struct board *board, const struct space *space, const struct search_options *options,
    struct arena *arena, struct error *err) {
    *board = (struct board){.space = space, .options = *options, .arena = arena,
        .random = options->seed * 2 + 1,
        .heard = arena_alloc(arena, space->count + 1, sizeof *board->heard)};
    if (!board->options.least) board->options.least = SEARCH_LEAST;
    return board->heard || error_set(err, STATUS_FAULT, "out of memory for %zu shapes", space->count);
}

// ---- asking

static bool append(struct board *board, double **values, size_t count, size_t *capacity, double value) {
    double *grown = arena_grow(board->arena, *values, count, capacity, sizeof **values);
    if (!grown) {
        board->out_of_memory = board->stopped = true;
        return false;
    }
    *values = grown;
    grown[count] = value;
    return true;
}

static bool take(struct board *board, struct heard *heard, double ns) {
    if (!append(board, &heard->samples, heard->count, &heard->capacity, ns)) return false;
    heard->count++;
    board->samples++;
    if (heard->state == FRESH) heard->state = ALIVE;
    if (heard->count < 2) return true;
    double pair = fabs(log(ns / heard->samples[heard->count - 2]));
    if (!append(board, &board->pairs, board->pair_count, &board->pair_capacity, pair)) return false;
    board->pair_count++;
    return true;
}

bool board_ask(struct board *board, size_t shape) {
    struct heard *heard = &board->heard[shape];
    double ns = 0;
    if (board->stopped || heard->state == BARRED) return !board->stopped;
    size_t most = board->options.most_samples;
    enum answer answer =
        most && board->samples >= most ? ANSWER_STOP : board->space->ask(board->space->user, shape, &ns);
    if (answer == ANSWER_STOP) {
        board->stopped = true;
        return false;
    }
    if (answer == ANSWER_WRONG || !(ns > 0 && isfinite(ns))) {
        heard->state = BARRED;
        return true;
    }
    return take(board, heard, ns);
}

// ---- reading

double board_noise(const struct board *board, double otherwise) {
    if (board->pair_count < LEAST_PAIRS) return otherwise;
    struct summary pairs = summarize(board->pairs, board->pair_count);
    return pairs.samples ? fmax(pairs.median / 0.954, 1e-4) : otherwise;
}

// The lower of the two in the middle: what disturbs a time makes it longer, and of two samples one
// that met a hiccup should not count by half.
static double lower_median(const struct heard *heard) {
    double sorted[INTERVAL_SAMPLES];
    for (size_t i = 0; i < heard->count; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > heard->samples[i]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = heard->samples[i];
    }
    return sorted[(heard->count - 1) / 2];
}

struct summary board_time(const struct board *board, size_t shape) {
    const struct heard *heard = &board->heard[shape];
    struct summary time = summarize(heard->samples, heard->count);
    if (heard->count == 0 || heard->count >= INTERVAL_SAMPLES) return time;
    double half = interval_widths * board_noise(board, noise_unknown) / sqrt((double)heard->count);
    time.median = lower_median(heard);
    time.lo = time.median * fmax(1 - half, 0);
    time.hi = time.median * (1 + half);
    return time;
}

int board_leader(const struct board *board, enum state state) {
    int leader = NOT_FOUND;
    double least = INFINITY;
    for (size_t i = 0; i < board->space->count; i++) {
        if (board->heard[i].state != state || !board->heard[i].count) continue;
        double median = board_time(board, i).median;
        if (!(median < least)) continue;
        least = median;
        leader = (int)i;
    }
    return leader;
}

int space_distance(const struct space *space, size_t a, size_t b) {
    int distance = 0;
    for (int axis = 0; axis < space->axes; axis++)
        distance += abs(space->places[a].step[axis] - space->places[b].step[axis]);
    return distance;
}

// ---- chance

void board_shuffle(struct board *board, size_t *items, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t other = random_below(&board->random, i), kept = items[i - 1];
        items[i - 1] = items[other];
        items[other] = kept;
    }
}

// ---- the end

static void count_shapes(const struct board *board, struct finding *out) {
    for (size_t i = 0; i < board->space->count; i++) {
        out->times[i] = board_time(board, i);
        out->heard[i] = board->heard[i].samples;
        out->wrong[i] = board->heard[i].state == BARRED;
        out->barred += out->wrong[i];
        out->tried += board->heard[i].state != FRESH;
    }
}

bool board_close(struct board *board, struct finding *out, struct error *err) {
    size_t count = board->space->count;
    *out = (struct finding){.samples = board->samples,
        .stopped = board->stopped,
        .times = arena_alloc(board->arena, count + 1, sizeof *out->times),
        .wrong = arena_alloc(board->arena, count + 1, sizeof *out->wrong),
        .heard = arena_alloc(board->arena, count + 1, sizeof *out->heard)};
    if (board->out_of_memory || !out->times || !out->wrong || !out->heard)
        return error_set(err, STATUS_FAULT, "out of memory for the times of %zu shapes", count);
    count_shapes(board, out);
    finding_choose(out, count, board->options.least);
    return true;
}
