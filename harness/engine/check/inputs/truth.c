// SPDX-License-Identifier: Apache-2.0
#include "truth.h"

#include "../../../../reference/philox.h"
#include "../../../../reference/table.h"
#include "../../../base/clock.h"
#include "../../../base/memory.h"
#include "../../../base/parallel.h"
#include "../../plan/lines.h"
#include "../../plan/problem.h"
#include "../../../truth/stats/summary.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

// The most checked elements of one output, because each keeps three doubles. Outputs of few operations an element, as
// of maps, moves and rows, are judged whole up to most_of_all elements. Their budget of operations is few_operations
// times as large, because they cost mostly memory.
static const int64_t most_checked = (int64_t)1 << 21, most_of_all = (int64_t)1 << 24;
static const double few_operations = 16;

enum { LEAST_STRETCHES = 4 };

static const int64_t most_bounds = (int64_t)1 << 25; // elements of kept bounds, over all depths of a problem

static int64_t granule_of(const struct problem *problem, int operand) {
    return operand_granule(problem->op, &problem->op->operands[operand], problem->dims);
}

static double operations_per_element(const struct problem *problem, int64_t elements) {
    double flops = operator_flops(problem->op, problem->dims);
    return fmax(1, flops / (double)elements);
}

// Returns the elements of a stretch: at least 64, and whole granules. If each call costs much by itself, a few long
// stretches take the place of many.
static int64_t stretch_of(const struct problem *problem, double operations, double affordable, int64_t granule) {
    const double each_call = problem->op->call_flops ? problem->op->call_flops(problem->dims) : 0;
    const double calls = fmax(LEAST_STRETCHES, few_operations * operations / fmax(1, each_call));
    const int64_t least = (int64_t)fmax(64, each_call > 0 ? affordable / calls : 0);
    return (least + granule - 1) / granule * granule;
}

// Chooses everything if it is affordable. Otherwise it chooses stretches of whole granules: the first, the last, and
// one drawn from each equal part between. So a run of wrong outputs over a whole part is always met.
static void choose_ranges(const struct problem *problem, double operations, struct truth_output *output) {
    const struct operand_data *operand = &problem->operands[output->operand];
    int64_t granule = granule_of(problem, output->operand);
    double affordable = operations / operations_per_element(problem, operand->elements);
    if (affordable > (double)most_checked) affordable = (double)most_checked;
    bool whole = (double)operand->elements <= affordable;
    const double each = operations_per_element(problem, operand->elements), all = each * (double)operand->elements;
    whole |= each <= few_operations && all <= few_operations * operations && operand->elements <= most_of_all;
    const int64_t stretch = stretch_of(problem, operations, affordable, granule);
    int64_t stretches = (operand->elements + stretch - 1) / stretch;
    int64_t wanted = whole ? 1 : (int64_t)(affordable / (double)stretch);
    if (!whole && wanted < LEAST_STRETCHES) wanted = LEAST_STRETCHES;
    if (!whole && wanted > stretches) wanted = stretches;
    output->ranges = memory_alloc((size_t)wanted, sizeof *output->ranges);
    output->offsets = memory_alloc((size_t)wanted, sizeof *output->offsets);
    output->range_count = (size_t)wanted;
    for (int64_t i = 0; i < wanted; i++) {
        int64_t low = (int64_t)((double)stretches * (double)i / (double)wanted);
        int64_t high = (int64_t)((double)stretches * (double)(i + 1) / (double)wanted);
        uint32_t bits = philox(problem->key, (uint64_t)i, 2).v[0];
        int64_t at = low + (int64_t)((uint64_t)bits * (uint64_t)(high - low) >> 32);
        if (i == 0) at = 0;
        if (i == wanted - 1 && i > 0) at = stretches - 1;
        int64_t first = at * stretch, left = operand->elements - first;
        output->ranges[i] = (struct range){first, whole ? operand->elements : left < stretch ? left : stretch};
        output->offsets[i] = output->total;
        output->total += output->ranges[i].count;
    }
}

// Returns the least spread of all inputs.
static double spread_of(const struct problem *problem) {
    double least = 1;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand *operand = &problem->op->operands[i];
        if (operand->role == ROLE_OUT) continue;
        struct line_set lines = lines_of(problem->op, operand, problem->dims, operand_key(problem->key, i));
        lines_rearrange(&lines, i, problem->placement);
        least = fmin(least, lines_spread(&lines));
    }
    return least;
}

static void describe_call(const struct problem *problem, int operand, struct call_f64 *call) {
    *call =
        (struct call_f64){.dims = problem->dims, .params = problem->params, .dtype = problem->dtype, .output = operand};
    for (int i = 0; i < problem->operand_count; i++) {
        call->in[i] = problem->operands[i].as_double;
        if (problem->operands[i].image && !problem->operands[i].as_double) call->ints[i] = problem->operands[i].image;
    }
}

static void describe_baseline(const struct problem *problem, int operand, struct call_f32 *call) {
    *call =
        (struct call_f32){.dims = problem->dims, .params = problem->params, .dtype = problem->dtype, .output = operand};
    for (int i = 0; i < problem->operand_count; i++) {
        call->in[i] = problem->operands[i].as_float;
        if (problem->operands[i].image && !problem->operands[i].as_double) call->ints[i] = problem->operands[i].image;
    }
}

struct evaluation {
    const struct problem *problem;
    struct truth_output *output;
    int64_t granule;
    int64_t depth;
    double spread;
    bool rte;
    bool alone; // one granule, with all cores for itself
    bool known; // values and magnitudes exist already
};

static void evaluate(const struct evaluation *e, int64_t at, int64_t first, int64_t count) {
    struct call_f64 call;
    describe_call(e->problem, e->output->operand, &call);
    call.first = first;
    call.count = count;
    call.out = e->output->want + at;
    call.magnitude = e->output->magnitude + at;
    call.bound = e->output->bound + at;
    call.rte = e->rte;
    call.depth = e->depth;
    call.spread = e->spread;
    call.known = e->known;
    call.on_cores = e->alone ? parallel_for : NULL;
    e->problem->op->f64(&call);
}

static void evaluate_ranges(void *context, int64_t first, int64_t count) {
    const struct evaluation *e = context;
    for (int64_t r = first; r < first + count; r++)
        evaluate(e, e->output->offsets[r], e->output->ranges[r].first, e->output->ranges[r].count);
}

static void evaluate_part(void *context, int64_t first, int64_t count) {
    evaluate(context, first, first, count);
}

static void evaluate_output(struct evaluation *e) {
    struct truth_output *output = e->output;
    e->alone = output->range_count == 1 && output->ranges[0].count <= e->granule;
    // Splits the whole output by granules. (The analyser mistakes these for the ranges of the other case.)
    if (output->range_count == 1)
        parallel_for(output->ranges[0].count, e->granule, evaluate_part, e); // NOLINT(clang-analyzer-unix.Malloc)
    else
        parallel_for((int64_t)output->range_count, 1, evaluate_ranges, e);
}

// Evaluates only the bounds of an output. Its values and magnitudes exist, because they do not depend on depth or
// rounding.
static void evaluate_bounds(struct evaluation *e) {
    struct truth_output *output = e->output;
    e->known = true;
    if (!e->problem->op->even_bound || !output->total) {
        evaluate_output(e);
        return;
    }
    evaluate(e, 0, output->ranges[0].first, e->granule < output->total ? e->granule : output->total);
    for (int64_t i = e->granule; i < output->total; i++) output->bound[i] = output->bound[0];
}

static struct evaluation evaluation_of(
    const struct problem *problem, struct truth_output *output, int64_t depth, bool rte) {
    return (struct evaluation){.problem = problem,
        .output = output,
        .depth = depth,
        .spread = spread_of(problem),
        .rte = rte,
        .granule = granule_of(problem, output->operand)};
}

// ---- the scalar baseline ----

// Returns the elements of a piece: whole granules that take some milliseconds, around ten million operations. It has
// at most 2^16 elements, because an operation may be a libm call or a random draw of some tens of nanoseconds.
static int64_t piece_of(const struct problem *problem, int operand) {
    int64_t elements = problem->operands[operand].elements, granule = granule_of(problem, operand);
    int64_t affordable = (int64_t)fmin(1e7 / operations_per_element(problem, elements), 1 << 16);
    int64_t piece = affordable / granule * granule;
    return piece < granule ? granule : piece > elements ? elements : piece;
}

// Returns whether the baseline can only compute everything at once, as a sum over all of memory.
static bool is_one_granule(const struct problem *problem, const struct truth *truth) {
    const struct truth_output *output = &truth->outputs[0];
    return truth->output_count == 1 && granule_of(problem, output->operand) >= output->total &&
           output->total == problem->operands[output->operand].elements;
}

// Runs the float reference over all outputs in pieces until `seconds` are spent. Returns nanoseconds for all outputs.
static double run_baseline(const struct problem *problem, struct truth *truth, double seconds, float *out) {
    int64_t start = clock_ns();
    double done = 0, all = 0;
    for (int o = 0; o < truth->output_count; o++) all += (double)problem->operands[truth->outputs[o].operand].elements;
    for (int o = 0; o < truth->output_count; o++) {
        int operand = truth->outputs[o].operand;
        int64_t elements = problem->operands[operand].elements, piece = piece_of(problem, operand);
        struct call_f32 call;
        describe_baseline(problem, operand, &call);
        call.out = out;
        for (int64_t first = 0; first < elements; first += piece) {
            call.first = first;
            call.count = elements - first < piece ? elements - first : piece;
            problem->op->f32(&call);
            done += (double)call.count;
            if ((double)(clock_ns() - start) > seconds * 1e9 && done < all) {
                truth->extrapolated = true;
                truth->scale = fmax(truth->scale, all / done);
                return (double)(clock_ns() - start) * all / done;
            }
        }
    }
    return (double)(clock_ns() - start);
}

// Returns the floats of the last piece, for the caller to free.
static float *time_baseline(const struct problem *problem, double seconds, struct truth *truth) {
    enum { MOST = 15 };
    double samples[MOST];
    size_t count = 0;
    int64_t room = 0;
    for (int o = 0; o < truth->output_count; o++) {
        int64_t piece = piece_of(problem, truth->outputs[o].operand);
        if (piece > room) room = piece;
    }
    float *out = memory_alloc((size_t)room, sizeof *out);
    int64_t start = clock_ns();
    truth->scale = 1;
    while (count < MOST) {
        samples[count++] = run_baseline(problem, truth, seconds, out);
        if ((double)(clock_ns() - start) > fmin(seconds, 5e-3) * 1e9) break;
    }
    truth->baseline_ns = summarize(samples, count).median;
    return out;
}

struct baseline_error {
    const struct problem *problem;
    const struct truth_output *output;
    int64_t granule;
    pthread_mutex_t lock;
    double worst;
};

// Returns the largest error of floats whose true values begin at `at`.
static double error_of_floats(const struct truth_output *output, int64_t at, const float *got, int64_t count) {
    double worst = 0;
    for (int64_t i = 0; i < count; i++) {
        double want = output->want[at + i];
        if (!isfinite(want) || !isfinite(got[i])) continue;
        double scale = fmax(fabs(want), output->magnitude[at + i]);
        worst = fmax(worst, fabs((double)got[i] - want) / dtype_ulp(DTYPE_F32, scale));
    }
    return worst;
}

static double range_error(const struct baseline_error *e, int64_t at, int64_t first, int64_t count, float *out) {
    struct call_f32 call;
    describe_baseline(e->problem, e->output->operand, &call);
    call.first = first;
    call.count = count;
    call.out = out;
    e->problem->op->f32(&call);
    return error_of_floats(e->output, at, out, count);
}

// Works on few granules at a time, so the floats stay in the cache.
static void stretch_error(struct baseline_error *e, int64_t at, int64_t first, int64_t count) {
    int64_t most = e->granule >= 16384 ? e->granule : 16384 / e->granule * e->granule;
    float *out = memory_alloc((size_t)(most < count ? most : count), sizeof *out);
    double worst = 0;
    for (int64_t done = 0; done < count; done += most) {
        int64_t some = count - done < most ? count - done : most;
        worst = fmax(worst, range_error(e, at + done, first + done, some, out));
    }
    free(out);
    pthread_mutex_lock(&e->lock);
    e->worst = fmax(e->worst, worst);
    pthread_mutex_unlock(&e->lock);
}

static void error_of_part(void *context, int64_t first, int64_t count) {
    stretch_error(context, first, first, count);
}

static void error_of_ranges(void *context, int64_t first, int64_t count) {
    struct baseline_error *e = context;
    for (int64_t r = first; r < first + count; r++)
        stretch_error(e, e->output->offsets[r], e->output->ranges[r].first, e->output->ranges[r].count);
}

void truth_measure_error(const struct problem *problem, struct truth *truth) {
    if (!isnan(truth->baseline_ulp) || is_one_granule(problem, truth)) return;
    truth->baseline_ulp = 0;
    for (int o = 0; o < truth->output_count; o++) {
        const struct truth_output *output = &truth->outputs[o];
        struct baseline_error e = {
            .problem = problem, .output = output, .granule = granule_of(problem, output->operand)};
        pthread_mutex_init(&e.lock, NULL);
        if (output->range_count == 1)
            parallel_for(output->ranges[0].count, e.granule, error_of_part, &e);
        else
            parallel_for((int64_t)output->range_count, 1, error_of_ranges, &e);
        pthread_mutex_destroy(&e.lock);
        truth->baseline_ulp = fmax(truth->baseline_ulp, e.worst);
    }
}

// ---- making the truth ----

static void choose_outputs(const struct problem *problem, const struct settings *settings, struct truth *truth) {
    *truth = (struct truth){.key = problem->key, .baseline_ns = NAN, .baseline_ulp = NAN};
    for (int i = 0; i < problem->operand_count; i++) truth->output_count += problem->operands[i].role != ROLE_IN;
    struct truth_output *output = truth->outputs;
    for (int i = 0; i < problem->operand_count; i++) {
        if (problem->operands[i].role == ROLE_IN) continue;
        output->operand = i;
        choose_ranges(problem, settings->check_operations / truth->output_count, output);
        output->want = memory_alloc((size_t)output->total, sizeof *output->want);
        output->magnitude = memory_alloc((size_t)output->total, sizeof *output->magnitude);
        output++;
    }
}

// Returns room for the bounds of one more depth. It replaces the oldest if enough are kept.
static struct truth_depth *depth_slot(struct truth *truth) {
    int64_t elements = 1;
    for (int o = 0; o < truth->output_count; o++) elements += truth->outputs[o].total;
    const int64_t most = most_bounds / elements;
    const int kept = most < 1 ? 1 : most > TRUTH_DEPTHS ? TRUTH_DEPTHS : (int)most;
    truth->depth_now = truth->depth_count < kept ? truth->depth_count++ : (truth->depth_now + 1) % kept;
    struct truth_depth *slot = &truth->depths[truth->depth_now];
    for (int o = 0; o < truth->output_count; o++)
        if (!slot->bounds[o]) slot->bounds[o] = memory_alloc((size_t)truth->outputs[o].total, sizeof *slot->bounds[o]);
    return slot;
}

static bool has_depth(struct truth *truth, int64_t depth, bool rte) {
    for (int i = 0; i < truth->depth_count; i++)
        if (truth->depths[i].depth == depth && truth->depths[i].rte == rte) {
            truth->depth_now = i;
            return true;
        }
    return false;
}

static void make_depth(const struct problem *problem, int64_t depth, bool rte, struct truth *truth) {
    const bool known = truth->depth_count > 0;
    struct truth_depth *slot = depth_slot(truth);
    slot->depth = depth;
    slot->rte = rte;
    for (int o = 0; o < truth->output_count; o++) {
        truth->outputs[o].bound = slot->bounds[o];
        struct evaluation evaluation = evaluation_of(problem, &truth->outputs[o], depth, rte);
        if (known)
            evaluate_bounds(&evaluation);
        else
            evaluate_output(&evaluation);
    }
}

void truth_make(const struct problem *problem, const struct settings *settings, int64_t depth, bool rte, bool time,
    struct truth *truth) {
    if (truth->key != problem->key) {
        truth_free(truth);
        if (!problem->op->f64) return; // a recording
        choose_outputs(problem, settings, truth);
    }
    if (!has_depth(truth, depth, rte)) make_depth(problem, depth, rte, truth);
    for (int o = 0; o < truth->output_count; o++) truth->outputs[o].bound = truth->depths[truth->depth_now].bounds[o];
    if (!time || !isnan(truth->baseline_ns)) return;
    float *last = time_baseline(problem, settings->reference_seconds, truth);
    if (is_one_granule(problem, truth))
        truth->baseline_ulp = error_of_floats(&truth->outputs[0], 0, last, truth->outputs[0].total);
    truth_measure_error(problem, truth);
    free(last);
}

void truth_time(const struct problem *problem, const struct settings *settings, struct truth *truth) {
    struct settings nothing = *settings;
    nothing.check_operations = 0;
    truth_free(truth);
    choose_outputs(problem, &nothing, truth);
    free(time_baseline(problem, settings->reference_seconds, truth));
}

void truth_bounds(
    const struct problem *problem, const struct truth_output *output, int64_t depth, bool rte, double *bounds) {
    struct truth_output other = *output; // rewrites the same values and magnitudes
    other.bound = bounds;
    struct evaluation evaluation = evaluation_of(problem, &other, depth, rte);
    evaluate_bounds(&evaluation);
}

void truth_free(struct truth *truth) {
    for (int o = 0; o < truth->output_count; o++) {
        free(truth->outputs[o].ranges);
        free(truth->outputs[o].offsets);
        free(truth->outputs[o].want);
        free(truth->outputs[o].magnitude);
        for (int i = 0; i < truth->depth_count; i++) free(truth->depths[i].bounds[o]);
        truth->outputs[o] = (struct truth_output){0};
    }
    *truth = (struct truth){0};
}
