// SPDX-License-Identifier: Apache-2.0
// The ways of deciding a claim, each a function of a result, and the verdict of a claim from its parts.
#include "claims.h"

#include "../../base/text.h"
#include "../../record/cases.h"
#include "../../truth/stats/ratio.h"
#include "../../record/result.h"
#include "../../device/device_info.h"
#include "../../record/figures.h"
#include "../../record/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdicts[] = {[CLAIM_HOLDS] = "holds",
    [CLAIM_FAILS] = "does not hold",
    [CLAIM_OPEN] = "cannot be measured here",
    [CLAIM_ELSEWHERE] = "is about other devices",
    [CLAIM_INFORMATIONAL] = "measured"};

const char *claim_verdict_name(enum verdict_of_claim verdict) {
    return verdicts[verdict];
}

static void leave_open(struct claim_finding *out, const char *why) {
    out->verdict = CLAIM_OPEN;
    out->reason = why;
}

static void leave_elsewhere(struct claim_finding *out) {
    leave_open(out, "it is about other devices");
    out->verdict = CLAIM_ELSEWHERE;
}

static void judge(const struct claim_part *part, double value, const char *unit, struct claim_finding *out) {
    out->value = value;
    out->unit = unit;
    out->verdict = value >= part->low && value <= part->high ? CLAIM_HOLDS : CLAIM_FAILS;
}

// ---- single numbers

static void decide_band(const struct question *q, struct claim_finding *out) {
    const char *why = NULL;
    double value = quantity_value(&q->part->of, q->result, q->arena, &why);
    if (isnan(value))
        leave_open(out, why);
    else
        judge(q->part, value, figure_unit(q->part->of.figure), out);
}

static void decide_ratio(const struct question *q, struct claim_finding *out) {
    const char *why = NULL;
    double of = quantity_value(&q->part->of, q->result, q->arena, &why);
    double over = quantity_value(&q->part->over, q->result, q->arena, &why);
    if (of > 0 && over > 0)
        judge(q->part, of / over, quantity_number(q->part->of.points[0], &of) ? "" : "x", out);
    else
        leave_open(out, why ? why : "a figure of the ratio is zero");
}

static void decide_open(const struct question *q, struct claim_finding *out) {
    leave_open(out, q->part->why);
}

// ---- all matching points

static bool serves(const struct claim_part *part, const struct record *record, bool whatever) {
    struct record as_if = *record;
    if (whatever) as_if.status = RECORD_PASS;
    for (int i = 0; i < part->of.count; i++)
        if (record_serves(&as_if, part->of.points[i])) return true;
    return false;
}

struct claim_passes {
    size_t ran, right;
    const struct record *wrong, *skipped;
    const struct record *nearest; // nearest to its bound, among right and compared points; NULL: none
    double most_ulp;
    int64_t checked, excluded; // outputs
};

static void add_pass(struct claim_passes *p, const struct record *r) {
    if (r->status == RECORD_SKIP) {
        p->skipped = r;
        return;
    }
    p->ran++;
    p->right += r->status == RECORD_PASS;
    p->checked += r->check.checked;
    p->excluded += r->check.excluded;
    if (r->status != RECORD_PASS) p->wrong = r;
    if (r->status != RECORD_PASS || r->check.checked <= 0) return;
    if (!p->nearest || r->check.worst_ratio > p->nearest->check.worst_ratio) p->nearest = r;
    p->most_ulp = fmax(p->most_ulp, r->check.max_ulp);
}

// The detail describes the comparison behind the verdict.
static const char *tell_passes(const struct question *q, const struct claim_passes *p) {
    if (p->wrong) return arena_format(q->arena, "%zu of %zu points right; %s", p->right, p->ran, p->wrong->name);
    const char *left_out =
        p->excluded ? arena_format(q->arena,
                          "; %" PRId64 " of %" PRId64 " outputs are left out, because the device does not promise them",
                          p->excluded, p->checked + p->excluded)
                    : "";
    if (!p->nearest || !isinf(q->part->high))
        return arena_format(q->arena, "%zu points, all right%s", p->ran, left_out);
    if (!(p->nearest->check.bound_ulp > 0))
        return arena_format(q->arena, "%zu points, all right and exact%s", p->ran, left_out);
    return arena_format(q->arena, "%zu points, all within their bounds, the nearest %.3g ULP of %.3g%s", p->ran,
        p->nearest->check.worst_ulp, p->nearest->check.bound_ulp, left_out);
}

static void decide_pass(const struct question *q, struct claim_finding *out) {
    struct claim_passes passes = {0};
    for (size_t i = 0; i < q->result->count; i++)
        if (serves(q->part, &q->result->records[i], true)) add_pass(&passes, &q->result->records[i]);
    if (!passes.ran)
        leave_open(out, passes.skipped ? passes.skipped->reason : "the result has no such point");
    else if (isinf(q->part->high) || passes.wrong)
        out->verdict = passes.wrong ? CLAIM_FAILS : CLAIM_HOLDS;
    else if (passes.nearest)
        judge(q->part, passes.most_ulp, "ULP", out);
    else
        leave_open(out, "no output of such a point was compared");
    out->cases = passes.ran;
    out->inside = passes.right;
    if (passes.ran) out->detail = tell_passes(q, &passes);
}

// ---- case by case

// Returns whether the record serves `user`, a part of a claim.
static bool is_served(const struct record *record, const void *user) {
    return serves(user, record, false);
}

// The matching shapes of one case.
struct served_shapes {
    const struct record *best, *worst;
    const struct record *largest, *sized; // the fastest of the largest workgroup, and of the sizes named in the claim
    size_t count;
};

static void keep_fastest(const struct record **kept, const struct record *r) {
    if (!*kept || compute_ns(r) < compute_ns(*kept)) *kept = r;
}

static void add_shape(const struct claim_part *part, struct served_shapes *s, const struct record *r) {
    s->count++;
    if (!s->worst || compute_ns(r) > compute_ns(s->worst)) s->worst = r;
    if (s->largest && record_invocations(r) > record_invocations(s->largest)) s->largest = NULL;
    if (!s->largest || record_invocations(r) == record_invocations(s->largest)) keep_fastest(&s->largest, r);
    for (int i = 0; i < part->size_count; i++)
        if ((double)record_invocations(r) == part->sizes[i]) keep_fastest(&s->sized, r);
}

struct case_tally {
    struct arena *arena;
    size_t cases, below, inside, above;
    double least, greatest;
    const char *greatest_case;
};

static void count_case(struct case_tally *t, const struct claim_part *part, double value, const struct record *best) {
    t->cases++;
    t->below += value < part->low;
    t->above += value > part->high;
    t->inside += value >= part->low && value <= part->high;
    if (!(t->least <= value)) t->least = value;
    if (t->greatest >= value) return;
    t->greatest = value;
    t->greatest_case = record_case(t->arena, best);
}

// Sums up: the part holds if at least `share` of the cases is inside.
static void sum_up(const struct claim_part *part, const struct case_tally *t, struct claim_finding *out) {
    if (!t->cases) {
        leave_open(out, "the result has no such point that passed and was timed");
        return;
    }
    double inside = (double)t->inside / (double)t->cases;
    out->cases = t->cases;
    out->inside = t->inside;
    out->unit = "x";
    out->verdict = inside >= part->share ? CLAIM_HOLDS : CLAIM_FAILS;
    const char *enough = part->share < 1 ? arena_format(t->arena, ", %.3g %% suffice", 100 * part->share) : "";
    out->detail =
        t->cases == 1
            ? arena_format(t->arena, "%.3gx", t->least)
            : arena_format(t->arena, "%zu of %zu cases within (%zu below, %zu above%s), from %.3gx to %.3gx at %s",
                  t->inside, t->cases, t->below, t->above, enough, t->least, t->greatest, t->greatest_case);
}

// Returns the value of a case: a ratio of two figures of its best shape, or the time of another shape over the best's.
static double case_value(const struct question *q, const struct served_shapes *s) {
    const struct claim_part *part = q->part;
    if (part->over.figure)
        return figure_of(q->result, s->best, part->of.figure) / figure_of(q->result, s->best, part->over.figure);
    const struct record *shape = part->size_count ? s->sized : part->largest ? s->largest : s->worst;
    return s->count > 1 && shape ? compute_ns(shape) / compute_ns(s->best) : NAN;
}

static void decide_each(const struct question *q, struct claim_finding *out) {
    struct case_tally tally = {.arena = q->arena, .least = NAN, .greatest = -INFINITY};
    struct cases cases = {0};
    cases_make(q->result->records, q->result->count, is_served, q->part, q->arena, &cases);
    for (size_t i = 0; i < cases.count; i++) {
        const struct case_group *group = &cases.items[i];
        struct served_shapes shapes = {.best = case_best(group->records, group->count)};
        for (size_t k = 0; k < group->count; k++)
            if (record_is_timed(group->records[k])) add_shape(q->part, &shapes, group->records[k]);
        const double value = shapes.count ? case_value(q, &shapes) : NAN;
        if (isfinite(value)) count_case(&tally, q->part, value, shapes.best);
    }
    sum_up(q->part, &tally, out);
}

// ---- over a dim

static void tell_crossover(const struct question *q, enum crossover found, double lowest, double highest, double at,
    struct claim_finding *out) {
    // "Always" means somewhere at or below the smallest size. A band beginning between zero and that size cannot be
    // distinguished.
    judge(q->part, found == CROSSOVER_AT ? at : found == CROSSOVER_ALWAYS ? lowest : INFINITY, q->part->dim, out);
    if (found == CROSSOVER_ALWAYS) out->detail = arena_format(q->arena, "faster at every size from %.10g on", lowest);
    if (found == CROSSOVER_NEVER)
        out->detail = arena_format(q->arena, "not faster at %.10g, the largest size", highest);
}

static void decide_crossover(const struct question *q, struct claim_finding *out) {
    struct curve_point *mine, *rival = NULL;
    bool scalar = q->part->rival.count == 0;
    size_t count = curve_of(&q->part->of, q->part->dim, q->result, q->arena, &mine);
    size_t rivals = scalar ? 0 : curve_of(&q->part->rival, q->part->dim, q->result, q->arena, &rival);
    double *columns = arena_alloc(q->arena, 3 * (count + 1), sizeof *columns), at = NAN;
    if (count < 2) {
        leave_open(out, "fewer than two sizes were timed");
        return;
    }
    double *x = columns, *y = x + count, *z = y + count;
    for (size_t i = 0; i < count; i++) {
        x[i] = mine[i].x;
        y[i] = mine[i].y;
        const struct curve_point *same =
            rivals ? bsearch(&mine[i], rival, rivals, sizeof *rival, curve_point_by_x) : NULL;
        z[i] = scalar ? mine[i].scalar : same ? same->y : NAN; // scalar: the reference timed beside the points
    }
    enum crossover found = crossover_find(x, y, z, count, &at);
    if (found == CROSSOVER_NONE)
        leave_open(out, "nothing to compare with was timed");
    else
        tell_crossover(q, found, x[0], x[count - 1], at, out);
}

// ---- all ways

#define BAND (PART_LOW | PART_HIGH)
const struct way claim_ways[CLAIM_WAYS + 1] = {
    {"band", PART_OF | BAND, PART_OF, decide_band},
    {"ratio", PART_OF | PART_OVER | BAND, PART_OF | PART_OVER, decide_ratio},
    {"each", PART_OF | PART_OVER | PART_SIZES_OF | PART_LARGEST | PART_SHARE | BAND, PART_OF, decide_each},
    {"crossover", PART_OF | PART_DIM | PART_RIVAL | BAND, PART_OF | PART_DIM, decide_crossover},
    {"pass", PART_OF | PART_HIGH, PART_OF, decide_pass},
    {"open", PART_WHY, PART_WHY, decide_open},
    {0},
};

const struct way *way_named(const char *name) {
    for (const struct way *way = claim_ways; way->name; way++)
        if (strcmp(way->name, name) == 0) return way;
    return NULL;
}

// Appends the footnotes of the figures behind the part.
static void put_footnotes_of(struct text *out, const struct claim_part *part, const struct result *result) {
    const bool errors = part->way->decide == decide_pass;
    const bool beside = part->way->takes & PART_RIVAL && !part->rival.count; // the reference is the rival
    struct footnotes_seen seen = {0};
    quantity_footnotes(&part->of, result, errors ? QUANTITY_ERRORS : QUANTITY_ITSELF, &seen);
    quantity_footnotes(&part->over, result, QUANTITY_ITSELF, &seen);
    quantity_footnotes(beside ? &part->of : &part->rival, result, beside ? QUANTITY_REFERENCE : QUANTITY_ITSELF, &seen);
    for (enum footnote m = 0; m < FOOTNOTE_COUNT; m++) {
        if (out->length && seen.depth[m] > 0) text_append(out, "; ");
        put_footnote(out, &seen, m);
    }
}

struct claim_finding part_decide(
    const struct claim_part *part, const struct result *result, struct arena *arena, bool *applies) {
    struct claim_finding out = {.value = NAN, .low = part->low, .high = part->high, .unit = "", .detail = ""};
    const struct device_info *device = result->device;
    bool vendor = part->vendor_count == 0;
    for (int i = 0; i < part->vendor_count; i++) vendor |= part->vendors[i] == device->vendor_id;
    const bool gpu = part->kind && strcmp(part->kind, "gpu") == 0 && device->kind != DEVICE_CPU;
    *applies = vendor && (gpu || !part->kind || strcmp(part->kind, device_kind_name(device->kind)) == 0) &&
               (!part->devices || text_glob(part->devices, device->name));
    if (*applies)
        part->way->decide(&(struct question){part, result, arena}, &out);
    else
        leave_elsewhere(&out);
    if (out.reason) return out;
    if (part->way->takes & PART_LOW && isinf(part->low) && isinf(part->high)) out.verdict = CLAIM_INFORMATIONAL;
    struct text detail = {0};
    text_append(&detail, out.detail);
    put_footnotes_of(&detail, part, result);
    out.detail = arena_take(arena, &detail);
    return out;
}

struct claim_finding claim_decide(const struct claim *claim, const struct result *result, struct arena *arena,
    struct claim_finding *parts, bool *applies) {
    struct claim_finding out = {
        .verdict = CLAIM_HOLDS, .value = NAN, .low = NAN, .high = NAN, .unit = "", .detail = ""};
    size_t about = 0, failed = 0, informational = 0;
    const char *open = NULL;
    for (size_t i = 0; i < claim->part_count; i++) {
        parts[i] = part_decide(&claim->parts[i], result, arena, &applies[i]);
        about += applies[i];
        failed += parts[i].verdict == CLAIM_FAILS;
        informational += parts[i].verdict == CLAIM_INFORMATIONAL;
        if (applies[i] && parts[i].verdict == CLAIM_OPEN && !open) open = parts[i].reason;
    }
    if (failed)
        out.verdict = CLAIM_FAILS;
    else if (!about)
        leave_elsewhere(&out);
    else if (open)
        leave_open(&out, open);
    else if (informational == about)
        leave_open(&out, "no part of it has limits for its figure");
    return out;
}
