// SPDX-License-Identifier: Apache-2.0
#include "fit.h"

#include "../../../../reference/operator.h"
#include "../../../../reference/table.h"
#include "../../../base/memory.h"
#include "../../../truth/judge/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Operations of a first look, and of the whole judgement.
static const double few_operations = 2e7, most_operations = 5e8;
enum { MOST_STRETCHES = 256, LEAST_ELEMENTS = 64, WHOLE_COUNTS = 32, MOST_FIXED = 1 << 18 };
static const int64_t most_elements = (int64_t)1 << 22;

enum dtype fit_dtype(const struct fit *fit, int operand) {
    const enum dtype own = fit->types[operand];
    return own != DTYPE_CASE ? own : operand_dtype(&fit->op->operands[operand], fit->dtype);
}

int64_t fit_elements(const struct fit *fit, int operand) {
    return operand_elements(fit->op, &fit->op->operands[operand], fit->dims);
}

const char *fit_dims(struct arena *arena, const struct fit *fit) {
    const char *out = "";
    for (int i = 0; i < operator_dims(fit->op); i++)
        out = arena_format(arena, "%s%s%s=%lld", out, i ? "," : "", fit->op->dims[i], (long long)fit->dims[i]);
    return out;
}

// ---- the call

// The inputs of a fit.
struct inputs {
    struct call_f64 call;
    double *fixed[OPERATOR_OPERANDS]; // owned
};

static void inputs_close(struct inputs *in) {
    for (int i = 0; i < OPERATOR_OPERANDS; i++) free(in->fixed[i]);
}

static bool put_fixed(const struct fit *fit, int operand, struct inputs *in) {
    const int64_t count = fit_elements(fit, operand);
    if (count > MOST_FIXED) return false;
    in->fixed[operand] = memory_alloc((size_t)count, sizeof(double));
    for (int64_t i = 0; i < count; i++) in->fixed[operand][i] = fit->fixed[operand];
    in->call.in[operand] = in->fixed[operand];
    return true;
}

// Returns whether integers are in the range that a reference relies on.
static bool are_legal(const struct fit *fit, int operand, const int32_t *values) {
    const struct operand *o = &fit->op->operands[operand];
    const int64_t count = fit_elements(fit, operand);
    if (o->fill != FILL_INDEX && o->fill != FILL_PERMUTATION) return true;
    const int64_t below = o->fill == FILL_INDEX && o->below ? fit->dims[operator_dim_index(fit->op, o->below)] : count;
    for (int64_t i = 0; i < count; i++)
        if (values[i] < 0 || values[i] >= below) return false;
    return true;
}

// `drawn` (or NULL) has other numbers for the buffers of floats.
static bool inputs_open(struct seen *seen, const struct fit *fit, double *const *drawn, struct inputs *in) {
    *in = (struct inputs){.call = {.dims = fit->dims, .params = fit->params, .dtype = fit->dtype}};
    for (int i = 0; i < operator_operands(fit->op); i++) {
        const enum dtype dtype = fit_dtype(fit, i);
        const int buffer = fit->buffer[i];
        if (fit->op->operands[i].role == ROLE_OUT) continue;
        if (buffer < 0 && !put_fixed(fit, i, in)) return false;
        if (buffer < 0) continue;
        if (dtype_info(operand_dtype(&fit->op->operands[i], fit->dtype))->whole)
            in->call.ints[i] = seen->buffers[buffer].before;
        else
            in->call.in[i] = drawn && drawn[buffer] ? drawn[buffer] : seen_doubles(seen, buffer, dtype);
        if (in->call.ints[i] ? !are_legal(fit, i, in->call.ints[i]) : !in->call.in[i]) return false;
    }
    return true;
}

// ---- stretches of an output

struct stretch {
    int64_t first, count;
};

// Chooses whole granules for about so many operations: the first, the last and some between.
static int choose(const struct fit *fit, int operand, double operations, int most, struct stretch out[MOST_STRETCHES]) {
    const int64_t total = fit_elements(fit, operand);
    const int64_t granule = operand_granule(fit->op, &fit->op->operands[operand], fit->dims);
    const double each = fmax(1, operator_flops(fit->op, fit->dims) / (double)(total > 0 ? total : 1));
    const double calls = fit->op->call_flops ? fit->op->call_flops(fit->dims) : 0;
    if (total < 1 || granule < 1 || calls * 2 > operations) return 0;
    const double affordable = fmin(operations / each, (double)most_elements);
    if ((double)granule > affordable) return 0;
    if ((double)total <= affordable && most == MOST_STRETCHES) {
        out[0] = (struct stretch){0, total};
        return 1;
    }
    const int64_t least = most > 1 ? (LEAST_ELEMENTS + granule - 1) / granule : 1,
                  granules = (total + granule - 1) / granule;
    int64_t count = (granules + least - 1) / least;
    if (count > most) count = most;
    if ((double)count * (double)(least * granule) > affordable)
        count = (int64_t)(affordable / (double)(least * granule));
    if (calls > 0 && (double)count * calls > operations) count = (int64_t)(operations / calls);
    if (count < 1) count = 1;
    for (int64_t i = 0; i < count; i++) {
        const int64_t last = granules > least ? granules - least : 0;
        const int64_t first = count > 1 ? (int64_t)((double)last * (double)i / (double)(count - 1)) : 0;
        out[i] = (struct stretch){first * granule, least * granule};
        if (out[i].first + out[i].count > total) out[i].count = total - out[i].first;
    }
    return (int)count;
}

// Returns about how many operations these stretches take.
static double operations_of(const struct fit *fit, int operand, const struct stretch *stretches, int count) {
    double elements = 0;
    for (int s = 0; s < count; s++) elements += (double)stretches[s].count;
    const double each = fmax(1, operator_flops(fit->op, fit->dims) / fmax(1, (double)fit_elements(fit, operand)));
    return elements * each + count * (fit->op->call_flops ? fit->op->call_flops(fit->dims) : 0);
}

struct outputs {
    double *want, *magnitude, *bound; // `count` each, in one block
};

static struct outputs outputs_open(int64_t count) {
    double *block = memory_alloc((size_t)count * 3, sizeof *block);
    return (struct outputs){block, block + count, block + 2 * count};
}

static void evaluate(
    const struct op *op, struct call_f64 call, int operand, struct stretch stretch, const struct outputs *out) {
    call.output = operand;
    call.first = stretch.first;
    call.count = stretch.count;
    call.out = out->want;
    call.magnitude = out->magnitude;
    call.bound = out->bound;
    if (stretch.count) op->f64(&call);
}

// ---- judging

// Keeps evenly spread values.
static void keep_evidence(const struct judge_input *judged, struct evidence *evidence) {
    const int64_t step = judged->count / (EVIDENCE_VALUES / 4) + 1;
    for (int64_t i = 0; evidence && i < judged->count && evidence->count < EVIDENCE_VALUES; i += step) {
        const double got = dtype_load(judged->dtype, judged->got, judged->first + i);
        const double size = fmax(fabs(judged->want[i]), judged->magnitude[i]);
        if (!isfinite(got) || !isfinite(size) || !isfinite(judged->bound[i])) continue;
        const double bound = judge_bound(judged->dtype, judged->arithmetic, false, judged->bound[i]);
        evidence->values[evidence->count++] = (struct evidence_value){got, bound * dtype_ulp(judged->dtype, size)};
    }
}

// Returns the special values among the inputs of an output of an elementwise operator: 1 NaN or Inf, 2 subnormal.
static uint8_t touched_by(const struct seen *seen, const struct fit *fit, int64_t at) {
    uint8_t touched = 0;
    for (int i = 0; i < operator_operands(fit->op); i++) {
        const struct operand *o = &fit->op->operands[i];
        const enum dtype dtype = fit_dtype(fit, i);
        if (!o->specials || o->role == ROLE_OUT || fit->buffer[i] < 0 || fit_elements(fit, i) <= at) continue;
        const enum number_class c = classify(dtype, dtype_load(dtype, seen->buffers[fit->buffer[i]].before, at));
        touched |= c == CLASS_NAN || c == CLASS_INFINITE ? 1 : c == CLASS_SUBNORMAL ? 2 : 0;
    }
    return touched;
}

static bool judge_stretch(const struct seen *seen, const struct fit *fit, const struct call_f64 *call, int operand,
    struct stretch stretch, struct evidence *evidence, struct judgement *judgement) {
    const struct operand *o = &fit->op->operands[operand];
    struct outputs out = outputs_open(stretch.count);
    uint8_t *touched = memory_alloc((size_t)stretch.count, 1);
    for (int64_t i = 0; i < stretch.count; i++) touched[i] = touched_by(seen, fit, stretch.first + i);
    const struct judge_input judged = {.dtype = fit_dtype(fit, operand),
        .arithmetic = DTYPE_F32,
        .policy = {.specials = seen->specials},
        .moved = o->preserves == PRESERVES_BITS,
        .want = out.want,
        .magnitude = out.magnitude,
        .bound = out.bound,
        .got = seen->buffers[fit->buffer[operand]].after,
        .first = stretch.first,
        .count = stretch.count,
        .touched = touched};
    evaluate(fit->op, *call, operand, stretch, &out);
    judge_add(judgement, &judged);
    if (!judgement->failures) keep_evidence(&judged, evidence);
    free(out.want);
    free(touched);
    return !judgement->failures;
}

bool fit_holds(struct seen *seen, const struct fit *fit, struct evidence *evidence) {
    static const int most[] = {1, 3, MOST_STRETCHES}; // a granule, a few, all that are affordable
    struct stretch stretches[MOST_STRETCHES];
    struct inputs in;
    bool holds = inputs_open(seen, fit, NULL, &in);
    for (size_t look = 0; look < sizeof most / sizeof *most; look++)
        for (int i = 0; i < operator_operands(fit->op) && holds; i++) {
            const bool whole = most[look] == MOST_STRETCHES;
            struct judgement judgement;
            if (fit->op->operands[i].role == ROLE_IN) continue;
            const int count = choose(fit, i, whole ? most_operations : few_operations, most[look], stretches);
            seen->spent += operations_of(fit, i, stretches, count) / (whole ? WHOLE_COUNTS : 1);
            judge_start(&judgement, fit_elements(fit, i));
            holds = count > 0;
            for (int s = 0; s < count && holds; s++)
                holds = judge_stretch(seen, fit, &in.call, i, stretches[s], whole ? evidence : NULL, &judgement);
            evidence->judged += whole ? judgement.checked - judgement.excluded : 0;
        }
    inputs_close(&in);
    return holds;
}

// ---- evidence

static int by_end(const void *a, const void *b) {
    const struct evidence_value *v = a, *w = b;
    const double x = v->got + v->tolerance, y = w->got + w->tolerance;
    return (x > y) - (x < y);
}

int evidence_apart(struct evidence *evidence) {
    int class = 0, largest = 0;
    double end = -INFINITY;
    qsort(evidence->values, (size_t)evidence->count, sizeof *evidence->values, by_end);
    for (int i = 0; i < evidence->count; i++) {
        const struct evidence_value *v = &evidence->values[i];
        class = i && v->got - v->tolerance <= end ? class + 1 : 1;
        if (class == 1) end = v->got + v->tolerance;
        if (class > largest) largest = class;
    }
    return evidence->count - largest;
}

// ---- two fits

static uint64_t mixed(uint64_t state) {
    state = (state ^ state >> 31) * 0x9fb21c651e98df25u;
    return (state ^ state >> 29) * 0xd6e8feb86659fd93u;
}

// Returns a number of either sign. One in eight is large. One in eight is of few whole numbers, for ties: half of
// them are alike in all buffers.
static double drawn_value(int buffer, int64_t i) {
    const uint64_t own = mixed(((uint64_t)buffer << 40) + (uint64_t)i + 1), all = mixed((uint64_t)i + 1);
    const uint64_t state = all % 16 == 1 ? all : own;
    const double uniform = (double)(state >> 40) * 0x1p-24 - 0.5;
    if (state % 16 == 1) return round(uniform * 4);
    return (double)(float)(uniform * (state % 8 ? 4 : 100));
}

// Returns numbers for a buffer of floats; NULL: it has integers, which stay as recorded.
static double *draw(const struct seen *seen, int buffer) {
    const struct shader_binding *b = seen->buffers[buffer].shader;
    if (b->element == ELEMENT_INT && b->bits != 16 && !seen->buffers[buffer].floats) return NULL;
    const int64_t count = seen_elements(seen->buffers[buffer].bytes, DTYPE_F16); // of the narrowest floats
    double *out = memory_large((size_t)count * sizeof *out + 8);
    for (int64_t i = 0; out && i < count; i++) out[i] = drawn_value(buffer, i);
    return out;
}

static bool alike(double a, double b, double size) {
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * size;
}

static const char *compare_stretch(struct arena *arena, const struct fit *const fits[2],
    const struct call_f64 *const calls[2], const int operands[2], struct stretch stretch) {
    struct outputs x = outputs_open(stretch.count), y = outputs_open(stretch.count);
    const char *why = NULL;
    evaluate(fits[0]->op, *calls[0], operands[0], stretch, &x);
    evaluate(fits[1]->op, *calls[1], operands[1], stretch, &y);
    for (int64_t i = 0; i < stretch.count && !why; i++)
        if (!alike(x.want[i], y.want[i], fmax(fabs(x.magnitude[i]), fabs(y.magnitude[i]))))
            why = arena_format(arena, "with inputs drawn again, output %lld would be %.9g as %s and %.9g as %s",
                (long long)(stretch.first + i), x.want[i], fits[0]->op->name, y.want[i], fits[1]->op->name);
    free(x.want);
    free(y.want);
    return why;
}

// Compares the outputs in one buffer: some stretches, or all of them if the two have other granules.
static const char *compare_output(struct arena *arena, const struct fit *const fits[2],
    const struct call_f64 *const calls[2], const int operands[2]) {
    struct stretch stretches[MOST_STRETCHES];
    const struct fit *a = fits[0], *b = fits[1];
    const int64_t granule = operand_granule(b->op, &b->op->operands[operands[1]], b->dims);
    const int64_t other = operand_granule(a->op, &a->op->operands[operands[0]], a->dims);
    const bool some = granule > 0 && other % granule == 0;
    const int count =
        choose(a, operands[0], some ? few_operations : most_operations, some ? 8 : MOST_STRETCHES, stretches);
    if (fit_elements(a, operands[0]) != fit_elements(b, operands[1])) return "they have outputs of different sizes";
    if (!count || (!some && count > 1)) return "they cannot be compared at these sizes";
    const char *why = NULL;
    for (int s = 0; s < count && !why; s++) why = compare_stretch(arena, fits, calls, operands, stretches[s]);
    return why;
}

static const char *compare(
    struct arena *arena, const struct fit *a, const struct fit *b, const struct call_f64 *const calls[2]) {
    const char *why = NULL;
    for (int i = 0; i < operator_operands(a->op) && !why; i++)
        for (int k = 0; k < operator_operands(b->op) && !why; k++)
            if (a->op->operands[i].role != ROLE_IN && b->op->operands[k].role != ROLE_IN &&
                a->buffer[i] == b->buffer[k])
                why = compare_output(arena, (const struct fit *const[]){a, b}, calls, (const int[]){i, k});
    return why;
}

const char *fit_difference(struct arena *arena, struct seen *seen, const struct fit *a, const struct fit *b) {
    double *drawn[OPERATOR_OPERANDS] = {0};
    struct inputs in[2];
    const char *why = "they cannot be compared";
    for (int i = 0; i < seen->buffer_count; i++) drawn[i] = draw(seen, i);
    const bool open[] = {inputs_open(seen, a, drawn, &in[0]), inputs_open(seen, b, drawn, &in[1])};
    if (open[0] && open[1]) why = compare(arena, a, b, (const struct call_f64 *const[]){&in[0].call, &in[1].call});
    for (int i = 0; i < 2; i++) inputs_close(&in[i]);
    for (int i = 0; i < seen->buffer_count; i++) free(drawn[i]);
    return why;
}
