// SPDX-License-Identifier: Apache-2.0
#include "recognise.h"

#include "choose.h"
#include "dims.h"
#include "../../../base/memory.h"
#include "../../../../reference/operator.h"
#include "../../../../reference/table.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

enum { FITS = 64, MOST_MISSING = 2, SOLUTIONS = 3, NAMES = 4 };

struct hunt {
    struct arena *arena;
    const char *folder;
    const struct captured_dispatch *used[RECORDINGS];
    int used_count;
    struct seen *seen;
    int at; // the recording
    struct candidate *candidates;
    int count;
    struct fit fit;
    struct evidence evidence;
    enum dims_level level;
    bool parts; // operands that are both inputs and outputs may be unread: the kernel writes parts of them
    int first;  // candidate of the operands in these buffers
};

// Returns whether the only output is the only input but for rounding. By its bound it would be the sine of small
// numbers, or a sum with a vanishing parameter.
static bool is_nearly_copied(const struct hunt *h) {
    const struct fit *fit = &h->fit;
    if (operator_operands(fit->op) != 2 || fit->buffer[0] < 0 || fit->op->operands[1].role != ROLE_OUT) return false;
    const enum dtype from = fit_dtype(fit, 0);
    const int64_t count = fit_elements(fit, 1);
    bool rounded = false;
    if (!dtype_info(from)->is_float || from != fit_dtype(fit, 1) || count != fit_elements(fit, 0)) return false;
    for (int64_t i = 0; i < count; i++) {
        const double x = dtype_load(from, h->seen->buffers[fit->buffer[0]].before, i);
        const double y = dtype_load(from, h->seen->buffers[fit->buffer[1]].after, i);
        if (!(fabs(y - x) <= 4 * dtype_ulp(from, x))) return false;
        rounded |= x != y;
    }
    return rounded;
}

static bool is_holding(void *context) {
    struct hunt *h = context;
    h->evidence.count = 0;
    h->evidence.judged = 0;
    return !is_nearly_copied(h) && fit_holds(h->seen, &h->fit, &h->evidence) && (h->at || h->evidence.judged > 0);
}

// ---- what the data can decide

static double value_at(struct seen *seen, const struct fit *fit, int operand, int64_t i) {
    return dtype_load(fit_dtype(fit, operand), seen->buffers[fit->buffer[operand]].before, i);
}

static void note_values(struct seen *seen, struct candidate *c, const struct fit *fit, bool first) {
    for (int i = 0; i < operator_operands(fit->op); i++) {
        if (fit->buffer[i] < 0 || fit->op->operands[i].role == ROLE_OUT) continue;
        const int64_t count = fit_elements(fit, i);
        const double value = value_at(seen, fit, i, 0);
        if (first) c->value[i] = value;
        c->varies[i] |= c->value[i] != value;
        for (int64_t k = 1; k < count && !c->varies[i]; k++) c->varies[i] = value_at(seen, fit, i, k) != value;
        // A single number is no constant, unless it is neutral in sums or products.
        c->varies[i] |= count == 1 && value != 0 && value != 1 && value != -1;
    }
}

// Returns whether an output ends behind its last changed element.
static bool is_longer(const struct hunt *h) {
    for (int i = 0; i < operator_operands(h->fit.op); i++) {
        const struct operand *o = &h->fit.op->operands[i];
        const uint64_t bytes = (uint64_t)dtype_info(fit_dtype(&h->fit, i))->bytes;
        if (o->role == ROLE_OUT &&
            (uint64_t)fit_elements(&h->fit, i) * bytes >= h->seen->buffers[h->fit.buffer[i]].changed + bytes)
            return true;
    }
    return false;
}

static void keep(struct hunt *h, struct candidate *c) {
    c->loose += is_longer(h);
    for (int i = 0; i < h->evidence.count && c->evidence.count < EVIDENCE_VALUES; i++)
        c->evidence.values[c->evidence.count++] = h->evidence.values[i];
    note_values(h->seen, c, &h->fit, h->at == 0);
    c->fits[h->at] = h->fit;
    uint64_t words[2 * OPERATOR_DIMS];
    dims_words(h->seen, &h->fit, words);
    for (int d = 0; d < operator_dims(h->fit.op) + operator_derived(h->fit.op); d++)
        c->words[d] = h->at ? c->words[d] & words[d] : words[d];
}

// ---- operands and buffers

static bool is_used(const struct fit *fit, int operands, int buffer) {
    for (int i = 0; i < operands; i++)
        if (fit->buffer[i] == buffer) return true;
    return false;
}

static bool is_shared(const struct fit *fit, int operand) {
    for (int i = 0; i < operator_operands(fit->op); i++)
        if (i != operand && fit->buffer[i] == fit->buffer[operand]) return true;
    return false;
}

// Returns whether an operand may be in a buffer, beside the operands before it.
// Chooses the type of its elements.
static bool may_hold(struct hunt *h, int operand, int buffer) {
    const struct operand *o = &h->fit.op->operands[operand];
    const struct seen_buffer *b = &h->seen->buffers[buffer];
    int sharing = 0;
    h->fit.types[operand] = seen_type(b, o, h->fit.dtype);
    if (!seen_may_be(b, fit_dtype(&h->fit, operand))) return false;
    const bool reads = o->role == ROLE_IN || (o->role == ROLE_INOUT && !h->parts);
    if ((reads && !b->read) || (o->role != ROLE_IN && !b->written)) return false;
    for (int i = 0; i < operand; i++) {
        const struct operand *other = &h->fit.op->operands[i];
        if (h->fit.buffer[i] != buffer) continue;
        sharing++;
        if (o->role == other->role || o->role == ROLE_INOUT || other->role == ROLE_INOUT) return false;
        if (!operand_same_shape(o, other) || fit_dtype(&h->fit, operand) != fit_dtype(&h->fit, i) || !b->read)
            return false;
    }
    return sharing < 2;
}

// Keeps a fit as a candidate. Returns whether there are enough of them.
static bool take(void *context) {
    struct hunt *h = context;
    if (!is_holding(h)) return false;
    for (int i = h->first; i < h->count; i++)
        if (memcmp(h->candidates[i].fits[0].dims, h->fit.dims, sizeof h->fit.dims) == 0) return false;
    h->candidates[h->count] = (struct candidate){0};
    keep(h, &h->candidates[h->count++]);
    return h->count == FITS || h->count - h->first == SOLUTIONS;
}

// Returns whether the operands of the case's type are all stored in another one.
static bool is_other_case(const struct fit *fit) {
    int own = 0, other = 0;
    for (int i = 0; i < operator_operands(fit->op); i++)
        if (fit->op->operands[i].dtype == DTYPE_CASE && fit->buffer[i] >= 0)
            ++*(fit->types[i] == DTYPE_CASE ? &own : &other);
    return other && !own;
}

static void settle(struct hunt *h) {
    if (is_other_case(&h->fit)) return;
    for (int b = 0; b < h->seen->buffer_count; b++)
        if (!is_used(&h->fit, operator_operands(h->fit.op), b)) return;
    // A changing input must be an output, too.
    for (int i = 0; i < operator_operands(h->fit.op); i++)
        if (h->fit.op->operands[i].role == ROLE_IN && h->fit.buffer[i] >= 0 &&
            h->seen->buffers[h->fit.buffer[i]].changed && !is_shared(&h->fit, i))
            return;
    h->first = h->count;
    if (h->count < FITS) dims_each(h->seen, &h->fit, NULL, h->level, take, h);
}

// Returns whether shaders may leave an input out. *as receives its neutral value.
static bool may_miss(const struct op *op, int operand, double *as) {
    static const struct {
        const char *name;
        double value;
    } parts[] = {{"bias", 0}, {"beta", 0}, {"gamma", 1}, {"w", 1}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strcmp(op->operands[operand].name, parts[i].name) != 0) continue;
        *as = parts[i].value;
        return parts[i].value == 0 || strcmp(op->family, "normalisation") == 0;
    }
    return false;
}

static void place_operand(struct hunt *h, int operand, int missing) {
    if (operand == operator_operands(h->fit.op)) {
        settle(h);
        return;
    }
    for (int b = 0; b < h->seen->buffer_count; b++) {
        if (!may_hold(h, operand, b)) continue;
        h->fit.buffer[operand] = (int8_t)b;
        place_operand(h, operand + 1, missing);
    }
    h->fit.buffer[operand] = -1;
    if (!missing || !may_miss(h->fit.op, operand, &h->fit.fixed[operand])) return;
    place_operand(h, operand + 1, missing - 1);
}

static bool has_case_dtype(const struct op *op) {
    for (int i = 0; i < operator_operands(op); i++)
        if (op->operands[i].dtype == DTYPE_CASE) return true;
    return false;
}

static bool is_wanted(const struct hunt *h, const struct op *op, int missing) {
    const int operands = operator_operands(op), buffers = h->seen->buffer_count;
    int inputs = 0;
    for (int i = 0; i < operands; i++) inputs += op->operands[i].role == ROLE_IN;
    // Every operand has a buffer, but outputs may be in those of inputs.
    if (strcmp(op->family, "peak") == 0 || operands - missing < buffers) return false;
    return missing ? inputs > missing : operands <= 2 * buffers;
}

static void hunt_all(struct hunt *h, int missing) {
    static const enum dtype dtypes[] = {DTYPE_F32, DTYPE_F16, DTYPE_BF16};
    const struct op *op;
    for (size_t i = 0; (op = operator_at(i)); i++)
        for (size_t t = 0; t < sizeof dtypes / sizeof *dtypes && is_wanted(h, op, missing); t++) {
            if (t && !has_case_dtype(op)) continue;
            h->fit = (struct fit){.op = op, .dtype = dtypes[t]};
            memset(h->fit.buffer, -1, sizeof h->fit.buffer);
            place_operand(h, 0, missing);
        }
}

// Holds each candidate to a further recording.
static void hunt_next(struct hunt *h) {
    static const struct {
        enum dims_level level;
        bool words; // those of the recordings so far
    } ways[] = {{DIMS_TIGHT, true}, {DIMS_EXACT, true}, {DIMS_ANY, true}, {DIMS_EXACT, false}, {DIMS_ANY, false},
        {DIMS_DIVISORS, false}};
    enum { WAYS = sizeof ways / sizeof *ways };
    for (int i = 0; i < h->count; i++) {
        struct candidate *c = &h->candidates[i];
        int way = 0;
        if (c->dropped) continue;
        for (; way < WAYS; way++) {
            h->fit = c->fits[0];
            if (dims_each(h->seen, &h->fit, ways[way].words ? c->words : NULL, ways[way].level, is_holding, h)) break;
        }
        c->dropped = way == WAYS;
        if (c->dropped) continue;
        c->loose += !ways[way].words;
        keep(h, c);
    }
}

static bool has_candidates(const struct hunt *h) {
    for (int i = 0; i < h->count; i++)
        if (!h->candidates[i].dropped) return true;
    return false;
}

// ----

static uint64_t bytes_of(const struct captured_dispatch *dispatch) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < dispatch->operand_count; i++) bytes += dispatch->operands[i].bytes;
    return bytes;
}

// Orders larger dispatches first, but those beyond 32 MiB last.
static int by_weight(const void *a, const void *b) {
    const uint64_t x = bytes_of(*(const struct captured_dispatch *const *)a),
                   y = bytes_of(*(const struct captured_dispatch *const *)b), most = (uint64_t)1 << 25;
    if ((x > most) != (y > most)) return x > most ? 1 : -1;
    return x > y ? -1 : x < y;
}

static bool same_words(const struct captured_dispatch *a, const struct captured_dispatch *b) {
    if (strcmp(a->push, b->push) != 0 || a->operand_count != b->operand_count) return false;
    for (size_t i = 0; i < a->operand_count; i++)
        if (strcmp(a->operands[i].type, "uniform") == 0 &&
            (!a->operands[i].before || !b->operands[i].before ||
                strcmp(a->operands[i].before, b->operands[i].before) != 0))
            return false;
    return true;
}

// Orders dispatches by weight. The smallest buffers of a problem come first, because they say most of the dims.
static void sort(const struct captured_dispatch **dispatches, size_t count) {
    qsort(dispatches, count, sizeof *dispatches, by_weight);
    for (size_t i = 0; i < count && i < RECORDINGS; i++)
        for (size_t k = i + 1; k < count; k++) {
            const struct captured_dispatch *larger = dispatches[i];
            if (!same_words(larger, dispatches[k])) continue;
            dispatches[i] = dispatches[k];
            dispatches[k] = larger;
        }
}

static void keep_words(struct arena *arena, const struct seen *seen, struct sighting *out) {
    struct seen_word *words = arena_alloc(arena, (size_t)seen->word_count + 1, sizeof *words);
    memcpy(words, seen->words, (size_t)seen->word_count * sizeof *words);
    out->words = words;
    out->word_count = seen->word_count;
    memcpy(out->grid, seen->dispatch->grid, sizeof out->grid);
    memcpy(out->group, seen->group, sizeof out->group);
}

static void take_fits(const struct candidate *from, struct recognition *out) {
    for (int i = 0; i < out->count; i++) out->recordings[i].fit = from->fits[i];
}

// Lists other candidates, simple ones first, for a trial to decide.
static void list_others(struct hunt *h, struct candidate *best, struct recognition *first) {
    struct recognition *last = first;
    struct candidate *c = best;
    for (int i = 1; i < NAMES; i++) {
        c->dropped = true;
        c = choose_simplest(h->candidates, h->count, first->count);
        if (!c || c->loose > best->loose) return;
        struct recognition *other = arena_alloc(h->arena, 1, sizeof *other);
        *other = *first;
        other->other = NULL;
        take_fits(c, other);
        last->other = other;
        last = other;
    }
}

static void conclude(struct hunt *h, struct candidate *best, const char *told, struct recognition *out) {
    if (!out->count) return;
    if (best) take_fits(best, out);
    if (!best) {
        out->why = out->count > 1 && h->count ? "no operator fits every recording" : "no operator fits";
        return;
    }
    out->doubt = told ? told : choose_undecided(h->arena, best);
    out->also = out->doubt ? "" : choose_also(h->arena, h->candidates, h->count, best);
    if (out->doubt) list_others(h, best, out);
}

// Opens recordings, large ones first, up to one with many different outputs, and moves it to the front of `used`.
// Leaves it open in `out`. Returns NULL, or why there is none.
static const char *open_first(struct hunt *h, const struct captured_dispatch *const *sorted, size_t count,
    const struct reflection *reflection, struct seen *out) {
    const char *why = "it was not recorded";
    int most = -1;
    for (size_t i = 0; i < count && h->used_count < RECORDINGS; i++) {
        struct seen seen;
        int variety = -1;
        if (most < SEEN_VARIETY) {
            const char *reason = seen_open(h->folder, sorted[i], reflection, &seen);
            if (!reason) variety = seen_variety(&seen);
            if (reason && most < 0) why = reason;
            if (variety > most && most >= 0) seen_close(out);
            if (variety > most)
                *out = seen;
            else
                seen_close(&seen);
            if (reason) continue;
        }
        h->used[h->used_count++] = sorted[i];
        if (variety <= most) continue;
        most = variety;
        h->used[h->used_count - 1] = h->used[0];
        h->used[0] = sorted[i];
    }
    return most < 0 ? why : NULL;
}

// Looks for candidates in the first recording, and holds them to the others.
static void hunt_level(struct hunt *h, struct seen *first, int missing, struct recognition *out) {
    h->seen = first;
    h->count = h->at = 0;
    hunt_all(h, missing);
    for (h->at = 1; h->at < h->used_count && has_candidates(h);) {
        struct seen seen;
        h->seen = &seen;
        if (seen_open(h->folder, h->used[h->at], out->reflection, &seen)) {
            h->used[h->at] = h->used[--h->used_count];
        } else {
            keep_words(h->arena, &seen, &out->recordings[h->at]);
            hunt_next(h);
            h->at++;
        }
        seen_close(&seen);
    }
}

void recognise(struct arena *arena, const char *folder, const struct captured_dispatch *const *dispatches, size_t count,
    const struct reflection *reflection, struct recognition *out) {
    const struct captured_dispatch **sorted = arena_alloc(arena, count + 1, sizeof *sorted);
    struct hunt h = {.arena = arena, .folder = folder, .candidates = memory_alloc(FITS, sizeof *h.candidates)};
    const char *told = NULL;
    struct seen seen;
    *out = (struct recognition){.reflection = reflection, .also = ""};
    memcpy(sorted, dispatches, count * sizeof *sorted);
    sort(sorted, count);
    out->why = open_first(&h, sorted, count, reflection, &seen);
    if (!out->why) {
        keep_words(arena, &seen, &out->recordings[0]);
        for (int b = 0; b < seen.buffer_count; b++) out->bindings[b] = seen.buffers[b].shader;
        out->atomic_sums = seen.atomic_sums;
        for (int pass = 0; pass < MOST_MISSING + 2; pass++) {
            const int missing = pass > 1 ? pass - 1 : 0;
            h.parts = pass == 1;
            for (h.level = 0; h.level < (missing ? DIMS_DIVISORS : DIMS_LEVELS) && !has_candidates(&h); h.level++)
                hunt_level(&h, &seen, missing, out);
        }
        seen_close(&seen);
        out->count = h.used_count;
    }
    struct candidate *best = choose_simplest(h.candidates, h.count, out->count);
    for (int i = 0; i < out->count && best && !told; i++) {
        if (!seen_open(folder, h.used[i], reflection, &seen))
            told = choose_difference(arena, &seen, h.candidates, h.count, best, i);
        seen_close(&seen);
    }
    conclude(&h, best, told, out);
    free(h.candidates);
}
