// SPDX-License-Identifier: Apache-2.0
#include "search.h"

#include "../../../reference/operator.h"
#include "../../../reference/table.h"

#include <string.h>

enum { MOST_GUESSES = 96, ROUND = 12 };

// The guesses of one kernel.
struct sought {
    size_t at; // its place among the placed
    struct json_object *kernels[MOST_GUESSES];
    struct guess_turn turns[MOST_GUESSES];
    size_t count, tried;
    bool found;
};

struct search {
    struct init *init;
    struct guess_trial *trials;
    size_t from, count;
    struct sought *sought;
};

static const struct placed_kernel *placed_of(const struct search *s, const struct sought *one) {
    return &s->init->placed[s->from + one->at];
}

static struct json_object *build(const struct search *s, const struct sought *one, const struct guess_turn *turn) {
    const char *why;
    return guess_kernel(
        s->init->arena, placed_of(s, one)->reflection, turn, s->init->dictionary, s->init->folder, &why);
}

// Takes the turn's kernel in place of the first guess.
static void take(struct search *s, struct sought *one, const struct guess_turn *turn, const struct guess_trial *trial) {
    struct placed_kernel *placed = &s->init->placed[s->from + one->at];
    struct json_object *kernel = build(s, one, turn);
    const char *name = json_get_string(placed->kernel, "name", ""), *old = strchr(name, '.');
    json_put_string(kernel, "name", arena_format(s->init->arena, "%s%s", operator_name(turn->op), old ? old : ""));
    json_object_put(placed->kernel);
    placed->kernel = kernel;
    const struct op *first = placed->op;
    placed->op = turn->op;
    if (turn->words || turn->grid || turn->whole || turn->op != first) s->trials[one->at] = *trial;
    one->found = true;
}

// Runs trials of these turns of one kernel. Returns NULL if nothing could be run.
static struct guess_trial *try_turns(
    struct search *s, const struct sought *one, const struct guess_turn *turns, size_t count) {
    struct arena *arena = s->init->arena;
    struct guess_trial *trials = arena_alloc(arena, count, sizeof *trials);
    struct json_object *list = json_object_new_array();
    struct error why;
    for (size_t i = 0; i < count; i++) {
        struct json_object *kernel = build(s, one, &turns[i]);
        json_put_string(kernel, "name", arena_format(arena, "%s.guess_%zu", operator_name(turns[i].op), i));
        json_object_array_add(list, kernel);
    }
    const bool ok = trial_run(arena, s->init->options, TRIAL_THOROUGH, list, s->init->folder, trials, &why);
    json_object_put(list);
    s->init->interrupted |= !ok && why.status == STATUS_PARTIAL;
    return ok ? trials : NULL;
}

static bool is_right(const struct guess_trial *trial) {
    return trial->passed && !trial->failed;
}

// Finds the loosest rules: the least tile, and the dims without whole tiles.
static void loosen(struct search *s, struct sought *one, struct guess_turn *turn, struct guess_trial *trial) {
    static const int tiles[] = {4, 8, 16, 32};
    enum { TILES = sizeof tiles / sizeof *tiles };
    struct guess_turn turns[TILES + OPERATOR_DIMS];
    const int dims = operator_dims(turn->op);
    for (int i = 0; i < TILES + dims; i++) {
        turns[i] = *turn;
        if (i < TILES)
            turns[i].whole = tiles[i];
        else
            turns[i].any = 1u << (i - TILES);
    }
    const struct guess_trial *found = try_turns(s, one, turns, (size_t)(TILES + dims));
    if (!found) return;
    struct guess_turn loose = *turn;
    for (int i = TILES; i-- > 0;)
        if (is_right(&found[i])) loose.whole = tiles[i];
    for (int d = 0; d < dims; d++)
        if (is_right(&found[TILES + d])) loose.any |= 1u << d;
    found = try_turns(s, one, &loose, 1);
    if (!found || !is_right(found)) return;
    *turn = loose;
    *trial = *found;
}

// Takes the first turn right at more sizes among those right at one.
static void confirm(struct search *s, struct sought *one, const struct guess_trial *quick, size_t count) {
    struct guess_turn turns[ROUND];
    size_t right = 0;
    for (size_t i = 0; i < count; i++)
        if (is_right(&quick[i])) turns[right++] = one->turns[one->tried + i];
    struct guess_trial *trials = right ? try_turns(s, one, turns, right) : NULL;
    for (size_t i = 0; trials && i < right && !one->found; i++) {
        if (!is_right(&trials[i])) continue;
        if (turns[i].whole) loosen(s, one, &turns[i], &trials[i]);
        take(s, one, &turns[i], &trials[i]);
    }
}

static size_t round_of(const struct sought *one) {
    const size_t left = one->count - one->tried;
    return one->found ? 0 : left < ROUND ? left : ROUND;
}

// Tries the next guesses of each kernel together. Returns false when there are none left.
static bool try_round(struct search *s) {
    struct arena *arena = s->init->arena;
    struct json_object *list = json_object_new_array();
    struct error why;
    for (size_t k = 0; k < s->count; k++)
        for (size_t i = 0, end = round_of(&s->sought[k]); i < end; i++) {
            struct json_object *kernel = s->sought[k].kernels[s->sought[k].tried + i];
            json_put_string(
                kernel, "name", arena_format(arena, "%s.guess_%zu_%zu", json_get_string(kernel, "operator", ""), k, i));
            json_object_array_add(list, json_object_get(kernel));
        }
    const size_t all = json_object_array_length(list);
    struct guess_trial *quick = arena_alloc(arena, all, sizeof *quick);
    const bool ok = all && trial_run(arena, s->init->options, TRIAL_QUICK, list, s->init->folder, quick, &why);
    s->init->interrupted |= all && !ok && why.status == STATUS_PARTIAL;
    for (size_t k = 0, at = 0; k < s->count && ok; k++) {
        const size_t end = round_of(&s->sought[k]);
        confirm(s, &s->sought[k], &quick[at], end);
        s->sought[k].tried += end;
        at += end;
    }
    json_object_put(list);
    return ok;
}

static void say_round(const struct search *s) {
    size_t found = 0, tried = 0;
    for (size_t k = 0; k < s->count; k++) {
        found += s->sought[k].found;
        tried += s->sought[k].tried;
    }
    fprintf(stderr, "vkassay: %zu more guesses tried, %zu of %zu shaders found\n", tried, found, s->count);
}

void search_guesses(struct init *init, struct guess_trial *trials, size_t from, size_t count) {
    struct search s = {.init = init, .trials = trials, .from = from};
    s.sought = arena_alloc(init->arena, count, sizeof *s.sought);
    for (size_t i = 0; i < count; i++) {
        const struct placed_kernel *placed = &init->placed[from + i];
        if (!trials[i].failed || placed->keeps || !placed->op) continue;
        struct sought *one = &s.sought[s.count++];
        one->at = i;
        one->count = guess_many(init->arena, placed->reflection, placed->op, placed->given, init->dictionary,
            init->folder, init->dictionary ? ROUND : MOST_GUESSES, one->kernels, one->turns);
    }
    while (!init->interrupted && try_round(&s)) say_round(&s);
    for (size_t k = 0; k < s.count; k++) {
        if (!s.sought[k].found && s.sought[k].count) trials[s.sought[k].at].others = s.sought[k].count - 1;
        for (size_t i = 0; i < s.sought[k].count; i++) json_object_put(s.sought[k].kernels[i]);
    }
}
