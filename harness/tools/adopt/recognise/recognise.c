// SPDX-License-Identifier: Apache-2.0
#include "recognise.h"

#include "dims.h"
#include "../../../../reference/operator.h"
#include "../../../../reference/table.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

enum { FITS = 24, LEAST_DISTINCT = 8, MOST_MISSING = 2, ALSO = 3 };

// An operator that explains all recordings so far.
struct candidate {
    struct fit fits[RECORDINGS];
    uint64_t words[OPERATOR_DIMS]; // they hold the dims in all recordings so far
    bool dropped;
    struct evidence evidence;
    bool varies[OPERATOR_OPERANDS]; // the operand has several values, in one recording or in several
    double value[OPERATOR_OPERANDS];
};

struct hunt {
    struct arena *arena;
    struct seen *seen;
    int at; // the recording
    struct candidate *candidates;
    int count;
    struct fit fit;
    struct evidence evidence;
    bool reserves;
};

// Returns whether the only output is the only input but for rounding. By its bound it would be the sine of small
// numbers, or a sum with a parameter that vanishes.
static bool is_nearly_copied(const struct hunt *h) {
    const struct fit *fit = &h->fit;
    if (operator_operands(fit->op) != 2 || fit->buffer[0] < 0 || fit->op->operands[1].role != ROLE_OUT) return false;
    const enum dtype from = operand_dtype(&fit->op->operands[0], fit->dtype);
    const int64_t count = fit_elements(fit, 1);
    bool rounded = false;
    if (from != operand_dtype(&fit->op->operands[1], fit->dtype) || count != fit_elements(fit, 0)) return false;
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
    return !is_nearly_copied(h) && fit_holds(h->seen, &h->fit, &h->evidence);
}

// ---- what the data can decide

static double value_at(struct seen *seen, const struct fit *fit, int operand, int64_t i) {
    return dtype_load(
        operand_dtype(&fit->op->operands[operand], fit->dtype), seen->buffers[fit->buffer[operand]].before, i);
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

static void keep(struct hunt *h, struct candidate *c) {
    for (int i = 0; i < h->evidence.count && c->evidence.count < EVIDENCE_VALUES; i++)
        c->evidence.values[c->evidence.count++] = h->evidence.values[i];
    note_values(h->seen, c, &h->fit, h->at == 0);
    c->fits[h->at] = h->fit;
    uint64_t words[OPERATOR_DIMS];
    dims_words(h->seen, &h->fit, words);
    for (int d = 0; d < operator_dims(h->fit.op); d++) c->words[d] = h->at ? c->words[d] & words[d] : words[d];
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
static bool may_hold(const struct hunt *h, int operand, int buffer) {
    const struct operand *o = &h->fit.op->operands[operand];
    const struct seen_buffer *b = &h->seen->buffers[buffer];
    int sharing = 0;
    if (!seen_may_be(b, operand_dtype(o, h->fit.dtype))) return false;
    if ((o->role != ROLE_OUT && !b->read) || (o->role != ROLE_IN && !b->written)) return false;
    for (int i = 0; i < operand; i++) {
        const struct operand *other = &h->fit.op->operands[i];
        if (h->fit.buffer[i] != buffer) continue;
        sharing++;
        if (o->role == other->role || o->role == ROLE_INOUT || other->role == ROLE_INOUT) return false;
        if (!operand_same_shape(o, other) || operand_dtype(o, h->fit.dtype) != operand_dtype(other, h->fit.dtype) ||
            !b->read)
            return false;
    }
    return sharing < 2;
}

static void settle(struct hunt *h) {
    for (int b = 0; b < h->seen->buffer_count; b++)
        if (!is_used(&h->fit, operator_operands(h->fit.op), b)) return;
    // An input that changes must be an output, too.
    for (int i = 0; i < operator_operands(h->fit.op); i++)
        if (h->fit.op->operands[i].role == ROLE_IN && h->fit.buffer[i] >= 0 &&
            h->seen->buffers[h->fit.buffer[i]].changed && !is_shared(&h->fit, i))
            return;
    if (h->count == FITS || !dims_each(h->seen, &h->fit, NULL, h->reserves, is_holding, h)) return;
    h->candidates[h->count] = (struct candidate){0};
    keep(h, &h->candidates[h->count++]);
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

// Looks in the order of plausibility: numbers in words, then other numbers, then missing operands.
static void hunt_first(struct hunt *h) {
    for (int missing = 0; missing <= MOST_MISSING && !h->count; missing++)
        for (int reserves = 0; reserves < (missing ? 1 : 2) && !h->count; reserves++) {
            h->reserves = reserves;
            hunt_all(h, missing);
        }
}

// Holds each candidate to a further recording.
static void hunt_next(struct hunt *h) {
    for (int i = 0; i < h->count; i++) {
        struct candidate *c = &h->candidates[i];
        if (c->dropped) continue;
        c->dropped = true;
        for (int free = 0; free < 3 && c->dropped; free++) { // the words so far, then others, then any numbers
            h->fit = c->fits[0];
            c->dropped = !dims_each(h->seen, &h->fit, free ? NULL : c->words, free > 1, is_holding, h);
        }
        if (!c->dropped) keep(h, c);
    }
}

// ---- one name of several

static int missing_of(const struct fit *fit) {
    int missing = 0;
    for (int i = 0; i < operator_operands(fit->op); i++) missing += fit->buffer[i] < 0;
    return missing;
}

static int rank(const struct candidate *c) {
    const struct op *op = c->fits[0].op;
    return 1000 * missing_of(&c->fits[0]) + 100 * operator_operands(op) + 10 * operator_params(op) + operator_dims(op);
}

static bool has_axis(const struct operand *operand, const char *dim) {
    for (int axis = 0; axis < OPERATOR_RANK && operand->shape[axis]; axis++)
        if (strcmp(operand->shape[axis], dim) == 0) return true;
    return false;
}

// Returns whether every sum, or other reduction over a dim, is of one element: such a fit is a copy with a wide bound.
static bool is_trivial(const struct candidate *c, int recordings) {
    const struct op *op = c->fits[0].op;
    for (int d = 0; d < operator_dims(op); d++) {
        bool in = false, out = false, longer = false;
        for (int i = 0; i < operator_operands(op); i++)
            *(op->operands[i].role == ROLE_IN ? &in : &out) |= has_axis(&op->operands[i], op->dims[d]);
        for (int r = 0; r < recordings; r++) longer |= c->fits[r].dims[d] != 1;
        if (in && !out && !longer) return true;
    }
    return false;
}

static struct candidate *simplest(struct hunt *h, int recordings) {
    struct candidate *best = NULL;
    for (int i = 0; i < h->count; i++) {
        struct candidate *c = &h->candidates[i];
        c->dropped |= is_trivial(c, recordings);
        if (!c->dropped && (!best || rank(c) < rank(best))) best = c;
    }
    return best;
}

// Tells the other candidates from the best one, in one recording. `told` receives the first difference.
static void tell_apart(struct hunt *h, struct candidate *best, const char **told) {
    for (int i = 0; i < h->count; i++) {
        struct candidate *c = &h->candidates[i];
        if (c == best || c->dropped || *told) continue;
        const char *difference = fit_difference(h->arena, h->seen, &best->fits[h->at], &c->fits[h->at]);
        if (difference)
            *told = arena_format(
                h->arena, "%s and %s both fit; %s", best->fits[0].op->name, c->fits[0].op->name, difference);
    }
}

static const char *undecided(struct arena *arena, struct candidate *c) {
    const struct fit *fit = &c->fits[0];
    const int distinct = evidence_distinct(&c->evidence);
    if (distinct < LEAST_DISTINCT)
        return arena_format(arena, "%s fits, but only %d outputs differ by more than its bound, and %d are needed",
            fit->op->name, distinct, LEAST_DISTINCT);
    for (int i = 0; i < operator_operands(fit->op); i++)
        if (fit->buffer[i] >= 0 && fit->op->operands[i].role != ROLE_OUT && !c->varies[i])
            return arena_format(arena, "%s fits, but %s is %.9g everywhere; record other values", fit->op->name,
                fit->op->operands[i].name, c->value[i]);
    return NULL;
}

static void put_also(struct hunt *h, const struct candidate *best, struct recognition *out) {
    int names = 0;
    for (int i = 0; i < h->count; i++) {
        const struct op *op = h->candidates[i].fits[0].op;
        if (h->candidates[i].dropped || op == best->fits[0].op || strstr(out->also, op->name)) continue;
        if (names++ == ALSO) out->also = arena_format(h->arena, "%s and others", out->also);
        if (names > ALSO) break;
        out->also = arena_format(h->arena, "%s%s%s", out->also, *out->also ? ", " : "", op->name);
    }
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

static void keep_words(struct arena *arena, const struct seen *seen, struct sighting *out) {
    struct seen_word *words = arena_alloc(arena, (size_t)seen->word_count + 1, sizeof *words);
    memcpy(words, seen->words, (size_t)seen->word_count * sizeof *words);
    out->words = words;
    out->word_count = seen->word_count;
    memcpy(out->grid, seen->dispatch->grid, sizeof out->grid);
    memcpy(out->group, seen->group, sizeof out->group);
}

static void conclude(struct hunt *h, struct candidate *best, const char *told, struct recognition *out) {
    if (best)
        for (int i = 0; i < out->count; i++) out->recordings[i].fit = best->fits[i];
    if (!out->count) return;
    out->why = best ? told : out->count > 1 && h->count ? "no operator fits every recording" : "no operator fits";
    if (!out->why) out->why = undecided(h->arena, best);
    if (!out->why) put_also(h, best, out);
}

void recognise(struct arena *arena, const char *folder, const struct captured_dispatch *const *dispatches, size_t count,
    const struct reflection *reflection, struct recognition *out) {
    const struct captured_dispatch **sorted = arena_alloc(arena, count + 1, sizeof *sorted), *used[RECORDINGS];
    struct hunt h = {.arena = arena, .candidates = calloc(FITS, sizeof *h.candidates)};
    const char *why = "it was not recorded", *told = NULL;
    struct seen seen;
    *out = (struct recognition){.reflection = reflection, .also = ""};
    if (!h.candidates) return;
    memcpy(sorted, dispatches, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_weight);
    for (size_t i = 0; i < count && out->count < RECORDINGS; i++) {
        const char *reason = seen_open(folder, sorted[i], reflection, &seen);
        h.seen = &seen;
        h.at = out->count;
        if (reason) {
            why = reason;
        } else {
            used[out->count] = sorted[i];
            keep_words(arena, &seen, &out->recordings[out->count++]);
            for (int b = 0; b < seen.buffer_count; b++) out->bindings[b] = seen.buffers[b].shader;
            if (h.at)
                hunt_next(&h);
            else
                hunt_first(&h);
        }
        seen_close(&seen);
    }
    struct candidate *best = simplest(&h, out->count);
    for (int i = 0; i < out->count && best && !told; i++) {
        h.at = i;
        if (!seen_open(folder, used[i], reflection, &seen)) tell_apart(&h, best, &told);
        seen_close(&seen);
    }
    out->why = why;
    conclude(&h, best, told, out);
    free(h.candidates);
}
