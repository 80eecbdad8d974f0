// SPDX-License-Identifier: Apache-2.0
// The columns of all tables of cases. A row is a case (a kernel, a dtype and dims), represented by its best shape.
#include "case_columns.h"
#include "../../device/profile.h"

#include "../render/highlights.h"

#include "../render/format.h"
#include "../render/outcomes.h"
#include "../../record/figures.h"
#include "../../record/record.h"
#include "../../record/peers.h"
#include "../../record/result.h"
#include "../../device/device_info.h"
#include "../render/choice.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { TIES_NAMED = 2 };

static void put_size(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct record *record = row->c->records[0];
    put_dims(out, record, row->plain_dims);
    cell->sort = 1;
    for (int i = 0; i < record->dim_count; i++)
        if (record->dims[i].value > 0) cell->sort *= record->dims[i].value;
}

static void put_size_named(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    put_size(out, of, cell);
    text_free(out);
    put_size_words(out, row->c->records[0]);
}

// Appends the footnotes of a figure.
static void put_signs_of(
    struct text *out, const struct row *row, const struct record *record, enum footnote_of what, enum figure figure) {
    put_symbols(out, &(struct shown_figure){row->result, record, what, figure}, row->seen);
}

// "256 (=128,64)": the best shape, then the shapes tied with it.
static void put_best(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct view_case *c = row->c;
    if (!c->best) return;
    cell->sort = (double)record_invocations(c->best);
    put_shape(out, c->best);
    if (!c->tie_count) return;
    int named = 0;
    text_append(out, " (=");
    for (size_t i = 0; i < c->count && named < TIES_NAMED; i++) {
        if (!case_ties(c->best, c->records[i])) continue;
        if (named++) text_append(out, ", ");
        put_shape(out, c->records[i]);
    }
    if (c->tie_count > named) text_format(out, ", %d more", c->tie_count - named);
    text_append(out, ")");
}

// "64: 1.21x TF"; "best TF" if the worst system shape is the best shape.
static void put_system_shape(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct record *slowest = worst_of_systems(row->c);
    if (!slowest) return;
    cell->sort = loss_of(row->c, slowest);
    if (slowest == row->c->best) {
        text_append(out, "best");
    } else if (measured(cell->sort)) {
        put_shape(out, slowest);
        text_append(out, ": ");
        put_factor(out, cell->sort);
    } else {
        put_shape(out, slowest);
        text_format(out, ": %s", slowest->status == RECORD_PASS ? NOT_MEASURED : record_status_name(slowest->status));
    }
    text_append(out, " ");
    for (const char *name = slowest->systems; *name;) {
        size_t length = strcspn(name, ",");
        put_system(out, name, length);
        name += length;
        if (*name) text_append_n(out, name++, 1);
    }
}

// Returns NaN if the best record lacks the figure.
static double best_figure(const struct row *row, int figure) {
    return row->c->best ? figure_value(row->result, row->c->best, figure) : NAN;
}

// Shows the column's figure of the best record: a time or a share. A time of its own has footnotes.
static void put_figure(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const int figure = (int)cell->column->index;
    cell->sort = best_figure(row, figure);
    if (strcmp(figure_table[figure].unit, "share") == 0)
        put_share(out, cell->sort);
    else
        put_time(out, cell->sort);
    if (figure < FIGURE_COUNT) put_signs_of(out, row, row->c->best, FOOTNOTE_OF_TIME, (enum figure)figure);
}

static void put_precision(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    static const struct summary none = {0};
    const struct summary *time = row->c->best ? &row->c->best->time[FIGURE_COMPUTE] : &none;
    if (time->samples > 1) cell->sort = (time->hi - time->lo) / time->median;
    if (cell->sort * 100 > 2 * WIDE_PERCENT) cell->class = "noisy";
    put_interval(out, time);
}

static struct rate best_rate(const struct row *row) {
    if (row->c->best) return rate_of(row->result, row->c->best);
    return (struct rate){.value = NAN, .unit = "", .share = NAN};
}

static void put_best_rate(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    struct rate rate = best_rate(row);
    cell->sort = rate.value;
    put_rate(out, rate.value, rate.unit);
}

static void put_roof(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const char *roof = best_rate(row).roof;
    (void)cell;
    if (roof) text_append(out, roof_words(roof));
}

// "PyTorch 0.64x": another program's time over that of the best shape.
static void put_peers(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct peers *peers = row->result->peers;
    for (size_t p = 0; peers && row->c->best && p < peers->count; p++) {
        double factor = peer_ns(peers, p, row->c->best) / compute_ns(row->c->best);
        if (!measured(factor)) continue;
        text_format(out, "%s%s ", out->length ? ", " : "", peers->items[p].name);
        put_factor(out, factor);
        cell->sort = fmin(cell->sort, factor);
    }
}

// Shows the reference's time over the column's figure.
static void put_speed_up(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    cell->sort = reference_ns(row->c) / best_figure(row, (int)cell->column->index);
    put_factor(out, cell->sort);
    if (measured(cell->sort)) put_signs_of(out, row, reference_of(row->c), FOOTNOTE_OF_REFERENCE, FIGURE_COUNT);
}

// Shows error and bound of the element nearest to its bound, over all shapes. If the bound differs by element, this
// need not be the largest error; the page has a separate column for that.
static void put_error(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct record *worst = row->c->worst;
    if (!worst) return;
    cell->sort = worst->check.worst_ratio;
    put_error_of_bound(out, worst);
    put_signs_of(out, row, worst, FOOTNOTE_OF_ERROR, FIGURE_COUNT);
}

// "65.5k/16.8M": the outputs checked and all outputs, if only a part was checked.
static void put_sample(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct record *worst = row->c->worst;
    if (!worst || worst->check.checked + worst->check.excluded >= worst->check.elements) return;
    cell->sort = (double)worst->check.checked / (double)worst->check.elements;
    put_thousands(out, (double)worst->check.checked);
    text_append(out, "/");
    put_thousands(out, (double)worst->check.elements);
}

static void put_leaves(struct text *out, const void *of, struct cell *cell) {
    const struct record *worst = ((const struct row *)of)->c->worst;
    (void)cell;
    if (worst && worst->leaves) text_append(out, worst->leaves);
}

// Shows the peak memory of the best shape.
static void put_memory(struct text *out, const void *of, struct cell *cell) {
    const struct record *best = ((const struct row *)of)->c->best;
    if (!best || !best->memory_peak) return;
    cell->sort = (double)best->memory_peak;
    put_bytes(out, cell->sort);
}

// Shows the energy of the best shape in millijoules.
static void put_energy(struct text *out, const void *of, struct cell *cell) {
    const struct record *best = ((const struct row *)of)->c->best;
    if (!best || (!best->energy.source && !best->energy.why)) return;
    cell->sort = best->energy.joules;
    if (best->energy.joules > 0)
        text_format(out, "%.3g mJ", best->energy.joules * 1e3);
    else
        text_append(out, "not measurable here");
}

static void put_max_ulp(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    for (size_t i = 0; i < row->c->count; i++)
        if (row->c->records[i]->check.checked > 0) cell->sort = fmax(cell->sort, row->c->records[i]->check.max_ulp);
    put_ulp(out, cell->sort);
}

static size_t broken_of(const struct view_case *c) {
    size_t broken = 0;
    for (size_t i = 0; i < c->count; i++) broken += is_broken(c->records[i]);
    return broken;
}

// "5/7": passed shapes, of the judged ones.
static void put_passed(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const size_t judged = row->c->ran - broken_of(row->c);
    size_t passed = 0;
    for (size_t i = 0; i < row->c->count; i++) passed += row->c->records[i]->status == RECORD_PASS;
    cell->sort = (double)passed;
    if (judged) text_format(out, "%zu/%zu", passed, judged);
}

// Counts shapes without anything to judge.
static void put_broken(struct text *out, const void *of, struct cell *cell) {
    const size_t broken = broken_of(((const struct row *)of)->c);
    cell->sort = (double)broken;
    if (broken) text_format(out, "%zu", broken);
}

// Leaves the cell empty if the case was timed and all shapes passed, because terminal space is scarce.
static void put_passed_briefly(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    put_passed(out, of, cell);
    if (row->c->best && cell->sort == (double)(row->c->ran - broken_of(row->c))) text_free(out);
}

// ---- gains of a case's best shape

static void put_bucket(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    cell->sort = record_bucket(row->c->records[0]);
    text_format(out, "2^%.0f", cell->sort);
}

// "1.21x"; "=1.00x" if no difference was shown; "fail" if the record did not pass. Empty if there is no other shape
// to compare with.
static void put_over(struct text *out, const struct row *row, const struct record *record, struct cell *cell) {
    if (!record || !has_choice(row->c)) return;
    cell->sort = loss_of(row->c, record);
    if (isnan(cell->sort) && record->status != RECORD_PASS)
        text_append(out, record_status_name(record->status));
    else {
        if (row->c->best && (record == row->c->best || case_ties(row->c->best, record))) text_append(out, "=");
        put_factor(out, cell->sort);
    }
}

// Shows the gain over the pick of the column's rule.
static void put_over_heuristic(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    enum heuristic heuristic = (enum heuristic)cell->column->index;
    const struct record *record = heuristic_record(row->c, heuristic);
    if (heuristic == HEURISTIC_LARGEST && record && has_choice(row->c))
        text_format(out, "%" PRIu64 ": ", record_invocations(record));
    put_over(out, row, record, cell);
}

static void put_over_pick(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct record *pick = row->choice ? row->choice->shape : NULL;
    put_over(out, row, pick ? with_shape(row->c, pick) : NULL, cell);
}

// ---- a kernel's portable pick, and the cost of each heuristic

// "256 (=128)", "256 (=128, 2 more)"
static void put_pick(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct choice *choice = row->choice;
    if (!choice->shape) return;
    cell->sort = (double)record_invocations(choice->shape);
    put_shape(out, choice->shape);
    if (!choice->ties) return;
    text_append(out, " (=");
    put_shape(out, choice->tie);
    if (choice->ties > 1) text_format(out, ", %zu more", choice->ties - 1);
    text_append(out, ")");
}

static void put_pick_regret(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    cell->sort = row->choice->regret.worst;
    put_factor(out, cell->sort);
}

// "128 ITEMS=2: 1.01x"
static void put_pick_within(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct record *shape = row->choice->within[cell->column->index].shape;
    cell->sort = row->choice->within[cell->column->index].regret.worst;
    if (!shape) return;
    put_shape(out, shape);
    text_append(out, ": ");
    put_factor(out, cell->sort);
}

// Lists the built-in profiles that the record fits; "all" or "none".
static void put_profiles(struct text *out, const struct record *record, struct cell *cell) {
    if (!record) return;
    int kept = 0;
    for (int p = 0; p < PROFILES; p++) {
        if (!record_keeps_to(record, &profiles[p].profile)) continue;
        text_format(out, "%s%s", kept++ ? ", " : "", profiles[p].profile.name);
    }
    cell->sort = kept;
    if (kept == PROFILES) text_free(out);
    if (kept == PROFILES || !kept) text_append(out, kept ? "all" : "none");
}

static void put_fits(struct text *out, const void *of, struct cell *cell) {
    put_profiles(out, ((const struct row *)of)->c->best, cell);
}

// Marks a best shape beyond WebGPU's default limits with ^, because terminal space is scarce.
static void put_best_signed(struct text *out, const void *of, struct cell *cell) {
    const struct record *best = ((const struct row *)of)->c->best;
    put_best(out, of, cell);
    if (best && !record_keeps_to(best, &profiles[PROFILE_WEBGPU].profile)) text_append(out, "^");
}

static void put_pick_fits(struct text *out, const void *of, struct cell *cell) {
    put_profiles(out, ((const struct row *)of)->choice->shape, cell);
}

static void put_pick_at(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct view_case *at = row->choice->regret.at;
    if (!at || !(row->choice->regret.worst > 1)) return; // there is no loss at any size
    put_size_words(out, at->records[0]);
    cell->sort = record_bucket(at->records[0]);
}

static void put_pick_sizes(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    size_t sizes = 0;
    for (size_t i = 0; i < row->kernel->count; i++) sizes += has_choice(&row->kernel->cases[i]);
    cell->sort = (double)sizes;
    text_format(out, "%zu", sizes);
}

static void put_pick_shapes(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    cell->sort = (double)row->choice->shapes;
    text_format(out, "%zu", row->choice->shapes);
}

// The column's rule at the size where it loses most: "1.21x"; "1.21x (2/3)" if it was timed at two of three sizes;
// "1.21x, wrong" if it failed at some size.
static void put_regret(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    enum heuristic heuristic = (enum heuristic)cell->column->index;
    struct regret regret = row->choice->heuristics[heuristic].regret;
    cell->sort = regret.worst;
    if (heuristic == HEURISTIC_LARGEST && regret.timed)
        text_format(out, "%" PRIu64 ": ", record_invocations(row->choice->heuristics[heuristic].shape));
    if (regret.timed || !regret.wrong) put_factor(out, regret.worst);
    if (regret.timed && regret.timed < regret.sizes) text_format(out, " (%zu/%zu)", regret.timed, regret.sizes);
    if (regret.wrong) text_append(out, regret.timed ? ", wrong" : "wrong");
}

// ---- machine code

// "168", "255, 64 spilled, 36 KiB": registers, spills, shared memory. Unknown figures are omitted.
static void put_code(struct text *out, const void *of, struct cell *cell) {
    const struct record *r = ((const struct row *)of)->c->best;
    if (!r) return;
    const double spills = code_figure(r, CODE_SPILLS), shared = code_figure(r, CODE_SHARED);
    cell->sort = code_figure(r, CODE_REGISTERS);
    if (!isnan(cell->sort)) text_format(out, "%.0f", cell->sort);
    if (spills > 0) text_format(out, "%s%.0f spilled", out->length ? ", " : "", spills);
    if (shared > 0) text_format(out, "%s%.3g KiB", out->length ? ", " : "", shared / 1024);
}

static void put_occupancy(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct record *r = row->c->best;
    if (!r) return;
    const double registers = code_figure(r, CODE_REGISTERS);
    cell->sort = occupancy_most(row->result->device->vendor_id, registers, record_invocations(r));
    if (!isnan(cell->sort)) text_format(out, "%.0f%%", 100 * cell->sort);
}

// A page hides the columns beyond TABLE_BRIEF until a click, so the first are those that most readers need.
const struct column case_columns[] = {
    {"kernel", "kernel", ON_TERMINAL | ON_PAGE, TEXT_THROUGH(struct row, kernel, struct view_kernel, variant)},
    {"kernel", "kernel", ON_HEADLINE | ON_CHOICE, TEXT_THROUGH(struct row, kernel, struct view_kernel, name)},
    {"type", "element type of the operands", ON_TERMINAL | ON_PAGE | ON_HEADLINE | ON_CHOICE,
        TEXT_THROUGH(struct row, kernel, struct view_kernel, dtype)},
    {"size", "dims in the heading's order; by name if more than three, omitting those of 1", ON_TERMINAL | ON_PAGE,
        .wraps = true, .put = put_size},
    {"size", "dims", ON_HEADLINE, .wraps = true, .put = put_size_named},
    {"best shape", "the fastest passing shape; after = the shapes tied with it", ON_PAGE | ON_HEADLINE, .wraps = true,
        .sparse = true, .dash = true, .put = put_best},
    {"best shape", "the same; ^ beyond WebGPU's default limits", ON_TERMINAL, .wraps = true, .sparse = true,
        .dash = true, .put = put_best_signed},
    {"error", "error / bound in ULP, at the element nearest to its bound, over all shapes", ON_PAGE, .right = true,
        .sparse = true, .dash = true, .put = put_error},
    {"system shape", "shape hard-coded by a system, its slowdown against the best, and the system",
        ON_TERMINAL | ON_HEADLINE, .wraps = true, .spare = 3, .sparse = true, .dash = true, .put = put_system_shape},
    {"over pick", "gain of the best shape over the one portable pick: its regret at this size; = a tie", ON_HEADLINE,
        .right = true, .dash = true, .put = put_over_pick},
    {"over 64", "gain over the fastest of 64 invocations", ON_HEADLINE, .right = true, .index = HEURISTIC_64,
        .dash = true, .put = put_over_heuristic},
    {"over 256", "gain over the fastest of 256 invocations", ON_HEADLINE, .right = true, .index = HEURISTIC_256,
        .dash = true, .put = put_over_heuristic},
    {"portable pick", "the shape with the smallest worst-case loss over all sizes; after = ties", ON_CHOICE,
        .wraps = true, .dash = true, .put = put_pick},
    {"regret", "largest slowdown of the pick against the best shape of a size", ON_CHOICE, .right = true,
        .put = put_pick_regret},
    {"at size", "size with the largest loss of the pick", ON_CHOICE, .wraps = true, .dash = true, .put = put_pick_at},
    {"sizes", "sizes at which two or more shapes were right and timed", ON_CHOICE, .right = true,
        .put = put_pick_sizes},
    {"shapes", "candidate shapes: passing wherever they ran, and timed at each of these sizes", ON_CHOICE,
        .right = true, .put = put_pick_shapes},
    {"systems", "largest slowdown of the systems' shape; 2/3: timed at two of three sizes", ON_CHOICE, .right = true,
        .index = HEURISTIC_SYSTEMS, .put = put_regret},
    {"default", "the same for the kernel's default shape", ON_CHOICE, .right = true, .index = HEURISTIC_DEFAULT,
        .put = put_regret},
    {"in webgpu", "the pick among the shapes within WebGPU's default limits, and its regret", ON_CHOICE, .right = true,
        .index = PROFILE_WEBGPU, .dash = true, .put = put_pick_within},
    {"64", "largest slowdown of the best single shape of 64 invocations", ON_CHOICE, .right = true,
        .index = HEURISTIC_64, .put = put_regret},
    {"256", "the same for 256 invocations", ON_CHOICE, .right = true, .index = HEURISTIC_256, .put = put_regret},
    {"largest", "the same for one of the largest workgroups, with its invocations", ON_CHOICE, .right = true,
        .index = HEURISTIC_LARGEST, .put = put_regret},
    {"fits", "profiles of limits satisfied by the pick", ON_CHOICE, .wraps = true, .put = put_pick_fits},
    {"in vulkan-1.1-mobile", "the same within this profile", ON_CHOICE, .right = true, .index = PROFILE_MOBILE,
        .dash = true, .put = put_pick_within},
    {"in webgpu-max", "the same within the highest limits of browsers", ON_CHOICE, .right = true,
        .index = PROFILE_WEBGPU_MAX, .dash = true, .put = put_pick_within},
    {"time", "median time, compute only", ON_TERMINAL | ON_PAGE | ON_HEADLINE, .right = true, .sparse = true,
        .index = FIGURE_COMPUTE, .put = put_figure},
    {"±", "half the 95 % interval of the median", ON_TERMINAL | ON_PAGE, .right = true, .spare = 1, .sparse = true,
        .put = put_precision},
    {"rate", "useful work or least traffic, whichever bounds it", ON_TERMINAL | ON_PAGE | ON_HEADLINE, .right = true,
        .sparse = true, .put = put_best_rate},
    {"peak", "share of the device's measured peak", ON_TERMINAL | ON_PAGE | ON_HEADLINE, .right = true, .sparse = true,
        .index = FIGURE_PEAK_SHARE, .put = put_figure},
    {"system shape", "shape hard-coded by a system, its slowdown against the best, and the system", ON_PAGE,
        .wraps = true, .sparse = true, .dash = true, .put = put_system_shape},
    {"roof", "the limiting measured peak: memory or the compute unit", ON_PAGE, .sparse = true, .put = put_roof},
    {"others", "time of other programs / time of the best shape; below 1x the other is faster",
        ON_TERMINAL | ON_PAGE | ON_HEADLINE, .right = true, .sparse = true, .put = put_peers},
    {"over largest", "gain over the largest workgroup that ran, and its invocations", ON_HEADLINE, .right = true,
        .index = HEURISTIC_LARGEST, .dash = true, .put = put_over_heuristic},
    {"bucket", "bucket of the tuned table: the largest power of two not above the product of the dims", ON_HEADLINE,
        .right = true, .put = put_bucket},
    {"fits", "profiles of limits (--limits) satisfied by the best shape at this size", ON_PAGE | ON_HEADLINE,
        .wraps = true, .sparse = true, .put = put_fits},
    {"checked", "checked outputs / all outputs, if only a part was checked", ON_PAGE, .right = true, .sparse = true,
        .put = put_sample},
    {"leaves open", "conventions that the kernel does not promise; inputs that show them were not drawn", ON_PAGE,
        .wraps = true, .sparse = true, .put = put_leaves},
    {"move", "upload and download, as a share of upload, compute and download", ON_TERMINAL | ON_PAGE, .right = true,
        .spare = 2, .sparse = true, .index = FIGURE_MOVED_SHARE, .put = put_figure},
    {"memcpy", "host copies to and from staging memory, both directions together", ON_PAGE, .right = true,
        .sparse = true, .index = FIGURE_MOVED_BY_HOST, .put = put_figure},
    {"copy", "device copies between staging and device memory, both directions together", ON_PAGE, .right = true,
        .sparse = true, .index = FIGURE_MOVED, .put = put_figure},
    {"mapped", "instead of both copies: the host accesses mapped device memory, both directions together", ON_PAGE,
        .right = true, .sparse = true, .index = FIGURE_MOVED_MAPPED, .put = put_figure},
    {"end to end", "host memory to host memory through staging memory, median", ON_PAGE, .right = true, .sparse = true,
        .index = FIGURE_END_TO_END, .put = put_figure},
    {"speed-up", "time of the scalar reference / compute time", ON_PAGE, .right = true, .sparse = true,
        .index = FIGURE_COMPUTE, .put = put_speed_up},
    {"with transfer", "time of the scalar reference / end-to-end time", ON_PAGE, .right = true, .sparse = true,
        .index = FIGURE_END_TO_END, .put = put_speed_up},
    {"error", "error / bound in ULP, at the element nearest to its bound, over all shapes", ON_TERMINAL, .right = true,
        .sparse = true, .dash = true, .put = put_error},
    {"energy", "energy of one run of the best shape, for the whole device", ON_PAGE, .right = true, .sparse = true,
        .put = put_energy},
    {"memory", "peak device memory of the best shape's check, including guards and staging", ON_PAGE, .right = true,
        .sparse = true, .put = put_memory},
    {"max ULP", "largest error of all shapes", ON_PAGE, .right = true, .sparse = true, .put = put_max_ulp},
    {"registers", "machine code of the best shape: registers per invocation, spills, shared memory per workgroup",
        ON_PAGE, .right = true, .sparse = true, .put = put_code},
    {"occupancy", "estimate from registers only: share of the warps a multiprocessor can hold (NVIDIA)", ON_PAGE,
        .right = true, .sparse = true, .put = put_occupancy},
    {"right", "passed shapes / judged shapes", ON_PAGE, .right = true, .put = put_passed},
    {"right", "passed shapes / judged shapes", ON_TERMINAL, .right = true, .sparse = true, .put = put_passed_briefly},
    {"errors", "shapes without outputs: they could not be built or run", ON_PAGE | ON_TERMINAL, .right = true,
        .sparse = true, .put = put_broken},
    {0},
};

void put_size_heading(struct text *out, const struct view_operator *op) {
    const struct record *first = op->kernels[0].cases[0].records[0];
    const bool many = op->common_dims > PLAIN_DIMS;
    for (int i = 0; i < op->common_dims; i++) {
        if (i) text_append(out, many ? ", " : " x ");
        text_append(out, first->dims[i].name);
    }
    if (many) text_append(out, "; dims of 1 are omitted");
}

static bool loses(const struct view_case *c, const struct record *record) {
    if (!record || record->status == RECORD_SKIP) return false;
    return record->status != RECORD_PASS || (loss_of(c, record) > 1 && !case_ties(c->best, record));
}

// Returns true if the kernel's portable pick or a system's shape is wrong at this size, or shown to be slower than
// the best.
static bool has_news(const struct view_case *c, const struct choice *choice) {
    const struct record *pick = has_choice(c) && choice && choice->shape ? with_shape(c, choice->shape) : NULL;
    return loses(c, pick) || loses(c, worst_of_systems(c));
}

size_t case_table(struct table *out, struct arena *arena, const struct view *view, const struct case_rows *which,
    enum shown_place place) {
    size_t count = 0, all = 0;
    struct row *rows = arena_alloc(arena, view->case_count, sizeof *rows);
    for (size_t k = 0; k < view->kernel_count; k++) {
        const struct view_kernel *kernel = view->kernels[k];
        if (which->only && which->only != kernel->op) continue;
        for (size_t i = 0; i < kernel->count; i++) {
            const struct view_case *c = &kernel->cases[i];
            if (!c->ran || (c->records[0]->exhaustive.bits && !which->exhaustive)) continue;
            if (place == ON_HEADLINE && !has_news(c, which->choices ? &which->choices[k] : NULL)) continue;
            all++;
            if (is_shown(kernel, i, which->most))
                rows[count++] = (struct row){view->result, kernel, c, kernel->op->common_dims,
                    which->choices ? &which->choices[k] : NULL, which->seen};
        }
    }
    table_make(out, arena, case_columns, place, rows, sizeof *rows, count);
    return all;
}
