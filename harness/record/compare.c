// SPDX-License-Identifier: Apache-2.0
#include "compare.h"

#include "figures.h"
#include "../../reference/table.h"
#include "../device/profile.h"
#include "../truth/stats/ratio.h"
#include "../base/names.h"
#include "../base/text.h"
#include "terms.h"
#include "../device/device_info.h"
#include "journal.h"
#include "paired/paired.h"
#include "../base/json.h"
#include "result.h"
#include "device_key.h"
#include "record.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- are the results comparable?

static void differ(
    struct comparison *c, enum context_difference what, const char *word, const char *base, const char *new) {
    c->differ |= what;
    c->differences[c->difference_count++] =
        arena_format(&c->arena, "%s: %s, then %s", word, *base ? base : "none", *new ? new : "none");
}

static const char *driver(struct arena *arena, const struct device_info *info) {
    return arena_format(arena, "%s %s (%" PRIu32 ")", info->driver_name, info->driver_info, info->driver_version);
}

static const char *model(struct arena *arena, const struct device_info *info) {
    return arena_format(arena, "%s (%04" PRIx32 ":%04" PRIx32 ")", info->name, info->vendor_id, info->device_id);
}

static const char *seed(const struct result *result) {
    return json_get_string(json_get(result->context, "run"), "seed", "unknown");
}

// Records the differences of the contexts.
static void context_compare(struct comparison *c) {
    const struct device_info *base = c->base->device, *new = c->new->device;
    const struct device_key a = device_key(base, c->base->context), b = device_key(new, c->new->context);
    const bool other_model = device_key_difference(a, b, DEVICE_MODEL);
    if (other_model) differ(c, DIFFERENT_DEVICE, "device", model(&c->arena, base), model(&c->arena, new));
    if (device_key_difference(a, b, DEVICE_DRIVER))
        differ(c, DIFFERENT_DRIVER, "driver", driver(&c->arena, base), driver(&c->arena, new));
    if (!other_model && device_key_difference(a, b, DEVICE_UNIT)) {
        const bool cpu = base->kind == DEVICE_CPU;
        differ(c, cpu ? DIFFERENT_PROCESSOR : DIFFERENT_UNIT, cpu ? "processor" : "unit of the model",
            device_unit(&c->arena, a), device_unit(&c->arena, b));
    }
    if (strcmp(seed(c->base), seed(c->new)) != 0) differ(c, DIFFERENT_SEED, "seed", seed(c->base), seed(c->new));
    const struct profile *was = &base->profile, *is = &new->profile;
    if (profile_same(was, is)) return;
    const bool namesakes = strcmp(was->name, is->name) == 0; // one of them is from a file
    differ(c, DIFFERENT_PROFILE, "profile of limits", was->name, namesakes ? "another of that name" : is->name);
}

// ---- growth of errors

// Below this share of the bound, growth of an error means nothing.
static const double least_error = 0.01;
// Half of a sum's bound is lambda = 3 in its derivation (reference/bounds.h). For random data, the order of additions
// takes a sum beyond that in fewer than three of a million cases.
static const double least_unsteady = 0.5;

// Adds the kernels with varying bits: a record passed although its runs gave different bits, or had its errors'
// spread examined. So their manifests allow it.
static void unsteady_add(struct names *unsteady, const struct result *result) {
    for (size_t i = 0; i < result->count; i++) {
        const struct record *r = &result->records[i];
        const bool varies = !r->check.same_bits || r->check.spread.runs > 0;
        if (r->status == RECORD_PASS && r->check.checked > 0 && varies)
            names_put(unsteady, r->kernel, strlen(r->kernel), i);
    }
}

// Returns whether the error of a right point grew: its share of the bound is above 1 % and more than `factor` times
// the old one.
//
// For an unsteady kernel, the smallest error of all runs in `new` must be above half the bound. It must also be more
// than `factor` times the largest of all runs in `base`. Runs of one process often share the same order of additions,
// while the next process has another. So their spread cannot tell growth from another order, but another order hardly
// takes all runs to half the bound. If either record has fewer than CHECK_RUNS runs, as in older results, no growth
// is claimed.
static bool error_grew(const struct record *base, const struct record *new, bool unsteady, double factor) {
    double before = base->check.worst_ratio, after = new->check.worst_ratio;
    if (!unsteady) return after > least_error && after > factor * before;
    if (base->check.spread.runs < CHECK_RUNS || new->check.spread.runs < CHECK_RUNS) return false;
    return new->check.spread.lo > least_unsteady &&new->check.spread.lo > factor * base->check.spread.hi;
}

// ---- verdicts

static bool is_right(const struct record *record) {
    return record && (record->status == RECORD_PASS || record->status == RECORD_COMPILED);
}

static bool is_timed(const struct record *record) {
    return record->time[FIGURE_COMPUTE].samples > 0;
}

// Returns why the two times of a right point cannot be compared, or NULL.
static const char *not_comparable(const struct record *base, const struct record *new) {
    if (!is_timed(base)) return is_timed(new) ? "not timed in the base" : NULL;
    if (!is_timed(new)) return "not timed in the new result";
    if (strcmp(base->cache ? base->cache : "", new->cache ? new->cache : "") != 0)
        return "hot caches against cold ones";
    if ((base->clock == CLOCK_GPU) != (new->clock == CLOCK_GPU)) return "the GPU's clock against the host's";
    return NULL;
}

bool compare_is_interleaved(const struct compare_rules *rules, const char *name) {
    return rules->paired || (rules->interleaved && names_get(rules->interleaved, name, strlen(name)) != NAMES_NONE);
}

// Computes the ratios, and the rank test of every point with samples, corrected over all of them.
static void compare_times(struct comparison *c) {
    double *p = arena_alloc(&c->arena, c->count + 1, sizeof *p);
    for (size_t i = 0; i < c->count; i++) {
        struct compared_point *point = &c->points[i];
        p[i] = NAN;
        const bool right = is_right(point->base) && is_right(point->new);
        if (!right || !is_timed(point->base) || !is_timed(point->new) || not_comparable(point->base, point->new))
            continue;
        const struct summary *base = &point->base->time[FIGURE_COMPUTE], *new = &point->new->time[FIGURE_COMPUTE];
        const double *base_ns = point->base->samples[FIGURE_COMPUTE], *new_ns = point->new->samples[FIGURE_COMPUTE];
        const bool paired =
            compare_is_interleaved(&c->rules, point->name) && base_ns && new_ns && base->samples == new->samples;
        point->ratio = paired ? ratio_of_sessions(base_ns, new_ns, base->samples, &p[i]) : ratio_of_medians(base, new);
        point->cycles = point->ratio.value * point->new->shader_clock_hz / point->base->shader_clock_hz;
        if (paired) continue;
        if (base_ns && new_ns)
            p[i] = rank_test(base_ns, base->samples, new_ns, new->samples);
        else
            c->without_samples++;
    }
    holm_correct(p, c->count);
    for (size_t i = 0; i < c->count; i++) c->points[i].p = p[i];
}

// ---- explanations of a difference besides the kernel, and the largest ratio each explains

struct explained {
    struct comparison *c;
    const struct compared_point *point;
    const struct record *slow; // the one with the longer times
    const struct device_info *device;
    const char *which; // names its result
    bool slower;
};

// Returns the reference kernel's own slow-down. On a CPU a mark is ignored: only older results have it.
static double by_throttling(const struct explained *e) {
    return e->slow->throttled && e->device->kind != DEVICE_CPU ? e->slow->drift : NAN;
}

static const char *tell_throttling(const struct explained *e) {
    return arena_format(
        &e->c->arena, "the device was throttled %s: its reference kernel took %.2fx", e->which, e->slow->drift);
}

// Returns the factor for the cores left by other work, if the times are of a CPU.
static double by_load(const struct explained *e) {
    return e->device->kind == DEVICE_CPU ? ratio_of_load(e->slow->host_load + fmax(e->slow->host_steal, 0)) : NAN;
}

static const char *tell_load(const struct explained *e) {
    return arena_format(&e->c->arena, "other work took %.0f %% of the host's cores %s, which explains up to %.2fx",
        100 * (1 - 1 / by_load(e)), e->which, by_load(e));
}

static double by_clock(const struct explained *e) {
    const double cycles = e->point->cycles / e->point->ratio.value;
    return e->slower ? 1 / cycles : cycles;
}

static const char *tell_clock(const struct explained *e) {
    return arena_format(&e->c->arena, "%.3fx in cycles: the shader clock was %.0f MHz, then %.0f MHz", e->point->cycles,
        e->point->base->shader_clock_hz / 1e6, e->point->new->shader_clock_hz / 1e6);
}

static const struct explanation {
    double (*most)(const struct explained *e); // NaN: it explains nothing
    const char *(*tell)(const struct explained *e);
} explanations[] = {{by_throttling, tell_throttling}, {by_load, tell_load}, {by_clock, tell_clock}};

// Returns why the smallest difference in the ratio's interval may not be the kernel's. NULL: nothing explains it.
static const char *doubt(struct comparison *c, const struct compared_point *point, enum verdict verdict) {
    const bool slower = verdict == VERDICT_SLOWER;
    const double least = slower ? point->ratio.lo : 1 / point->ratio.hi;
    const struct result *of = slower ? c->new : c->base;
    const struct explained e = {.c = c,
        .point = point,
        .slow = slower ? point->new : point->base,
        .device = of->device,
        .which = slower ? "in the new result" : "in the base",
        .slower = slower};
    for (size_t i = 0; i < sizeof explanations / sizeof *explanations; i++)
        if (least <= explanations[i].most(&e) * (1 + c->rules.effect)) return explanations[i].tell(&e);
    return NULL;
}

// Returns the largest ratio that anything explains. 1: nothing does.
static double most_explained(const struct explained *e) {
    double explained = 1;
    for (size_t i = 0; i < sizeof explanations / sizeof *explanations; i++)
        explained = fmax(explained, explanations[i].most(e)); // fmax returns the number if the other is NaN
    return explained;
}

// Returns the smallest slow-down of the kernel to be called slower. Its interval must then pass the least effect and
// all explanations. The interval keeps its width relative to the median.
static double least_detected(struct comparison *c, const struct compared_point *point) {
    const struct explained e = {.c = c, .point = point, .slow = point->new, .device = c->new->device, .slower = true};
    return point->ratio.value / point->ratio.lo * most_explained(&e) * (1 + c->rules.effect);
}

// Returns the largest slow-down of a changed kernel that the base's own longer times may hide. 1: none.
static double most_hidden(struct comparison *c, const struct compared_point *point) {
    const struct explained e = {.c = c, .point = point, .slow = point->base, .device = c->base->device};
    const bool is_changed = point->base->source_hash != point->new->source_hash;
    return c->rules.paired || compare_is_interleaved(&c->rules, point->name) || !is_changed ? 1 : most_explained(&e);
}

// Returns whether the times leave room for a slow-down worth the name.
static bool leaves_room(struct comparison *c, const struct compared_point *point) {
    return !(point->ratio.hi * most_hidden(c, point) <= 1 + UNDECIDED_EFFECTS * c->rules.effect);
}

// Returns whether the error grew beyond the rules; sets the note.
static bool judge_growth(struct comparison *c, struct compared_point *point) {
    const struct record *base = point->base, *new = point->new;
    bool unsteady = names_get(&c->unsteady, new->kernel, strlen(new->kernel)) != NAMES_NONE;
    if ((c->differ & DIFFERENT_SEED) || !error_grew(base, new, unsteady, c->rules.ulp_factor)) return false;
    if (unsteady)
        point->note = arena_format(&c->arena,
            "error grew from at most %.2g%% of its bound in %d runs to at least %.2g%% in %d",
            100 * base->check.spread.hi, base->check.spread.runs, 100 * new->check.spread.lo, new->check.spread.runs);
    else
        point->note = arena_format(&c->arena, "error grew from %.3g/%.3g to %.3g/%.3g ULP, %.0f%% of its bound",
            base->check.worst_ulp, base->check.bound_ulp, new->check.worst_ulp, new->check.bound_ulp,
            100 * new->check.worst_ratio);
    return true;
}

static void note_spills(struct comparison *c, struct compared_point *point, double spills, double spilled) {
    point->note = arena_format(&c->arena, "spills %.0f registers, %.0f in the base", spills, spilled);
}

// Returns whether more registers spill than in the base; sets the note.
static bool spills_more(struct comparison *c, struct compared_point *point) {
    const double spilled = code_figure(point->base, CODE_SPILLS), spills = code_figure(point->new, CODE_SPILLS);
    if (!(spills > spilled)) return false;
    note_spills(c, point, spills, spilled);
    return true;
}

// Judges pipelines that were only compiled. More spills cost time on any device; fewer waves may.
static enum verdict verdict_of_code(struct comparison *c, struct compared_point *point) {
    const double spilled = code_figure(point->base, CODE_SPILLS), spills = code_figure(point->new, CODE_SPILLS);
    const double before = code_figure(point->base, CODE_WAVES), waves = code_figure(point->new, CODE_WAVES);
    if (point->base->status != point->new->status) {
        point->note = "only compiled in one of the results";
        return VERDICT_AMBIGUOUS;
    }
    if (spills_more(c, point)) return VERDICT_SLOWER;
    if (spills < spilled) {
        note_spills(c, point, spills, spilled);
        return VERDICT_FASTER;
    }
    if (waves < before) {
        point->note = arena_format(&c->arena, "room for %.0f waves, %.0f in the base", waves, before);
        return VERDICT_AMBIGUOUS;
    }
    point->note = "compiled, not run";
    return VERDICT_SAME;
}

static enum verdict verdict_of_right(struct comparison *c, struct compared_point *point) {
    if (point->base->status == RECORD_COMPILED || point->new->status == RECORD_COMPILED)
        return verdict_of_code(c, point);
    if (judge_growth(c, point)) return VERDICT_WRONG;
    point->note = not_comparable(point->base, point->new);
    if (point->note) return VERDICT_AMBIGUOUS;
    if (!is_timed(point->base)) {
        if (spills_more(c, point)) return VERDICT_SLOWER;
        point->note = "checked, not timed";
        return VERDICT_SAME;
    }
    enum verdict verdict = verdict_of_times(&point->ratio, point->p, c->rules.effect, &point->note);
    point->detects = least_detected(c, point);
    if (verdict == VERDICT_SLOWER || verdict == VERDICT_FASTER) point->note = doubt(c, point, verdict);
    if (verdict == VERDICT_SAME && leaves_room(c, point))
        point->note = "its sources changed, and the base was measured on a busy or throttled device";
    if (verdict != VERDICT_FASTER && spills_more(c, point)) return VERDICT_SLOWER;
    return point->note ? VERDICT_AMBIGUOUS : verdict;
}

// Describes both attempts: "flaky crash (crash, pass): killed by SIGSEGV".
static const char *flaky_note(struct comparison *c, const char *before, const struct record *record) {
    return arena_format(&c->arena, "%s%s (%s, %s): %s", before, record_status_name(record->status),
        record_status_name(record->attempts.statuses[0]), record_status_name(record->attempts.statuses[1]),
        record->reason ? record->reason : "no reason");
}

// Judges a point that is right only in the new result. If the base came out right once, the new version did not fix
// it.
static enum verdict verdict_of_bad_base(struct comparison *c, struct compared_point *point) {
    if (!point->base->attempts.flaky) {
        point->note = arena_format(&c->arena, "was %s", record_status_name(point->base->status));
        return VERDICT_FIXED;
    }
    point->note = flaky_note(c, "flaky in the base: ", point->base);
    return c->rules.paired ? VERDICT_FLAKY : VERDICT_AMBIGUOUS;
}

// Returns whether the record's only fault is that one of two attempts took too long, as on a busy host.
static bool was_late_once(const struct record *r) {
    if (!r || !r->attempts.flaky) return false;
    const enum record_status *both = r->attempts.statuses;
    return (both[0] == RECORD_TIMEOUT && both[1] == RECORD_PASS) ||
           (both[0] == RECORD_PASS && both[1] == RECORD_TIMEOUT);
}

static enum verdict verdict_of(struct comparison *c, struct compared_point *point, const struct names *skipped) {
    const struct record *base = point->base, *new = point->new;
    if ((was_late_once(new) && (!base || is_right(base) || was_late_once(base))) ||
        (was_late_once(base) && new &&is_right(new))) {
        point->note = "one of two attempts took too long, and the other passed";
        return VERDICT_AMBIGUOUS;
    }
    if (new && !is_right(new) && !outcome_is_bad(record_outcome(new))) {
        point->note = arena_format(&c->arena, "%s, as expected", record_status_name(new->status));
        return VERDICT_SAME;
    }
    if (new && !is_right(new) && new->attempts.flaky) {
        point->note = flaky_note(c, base && !is_right(base) ? "as in the base: flaky " : "flaky ", new);
        return VERDICT_FLAKY;
    }
    if (new && !is_right(new)) {
        point->note = arena_format(&c->arena, "%s%s: %s", base && !is_right(base) ? "as in the base: " : "",
            record_status_name(new->status), new->reason ? new->reason : "no reason");
        return VERDICT_WRONG;
    }
    if (!new) {
        const size_t number = names_get(skipped, point->name, strlen(point->name));
        const struct record *skip = number == NAMES_NONE ? NULL : &c->new->records[number];
        const bool expected = skip && skip->expected.status && strcmp(skip->expected.status, "skip") == 0;
        point->note = skip ? arena_format(&c->arena, "skipped%s: %s", expected ? ", as expected" : "", skip->reason)
                           : "not in the new result";
        return expected ? VERDICT_SAME : VERDICT_REMOVED;
    }
    if (!base) return VERDICT_NEW;
    return is_right(base) ? verdict_of_right(c, point) : verdict_of_bad_base(c, point);
}

// Returns whether the times of an ambiguous point leave room for a slow-down. Pipelines that were only compiled have
// none.
static bool is_undecided(struct comparison *c, const struct compared_point *point) {
    if (point->verdict == VERDICT_AMBIGUOUS && (was_late_once(point->base) || was_late_once(point->new))) return true;
    if (point->verdict != VERDICT_AMBIGUOUS || !is_right(point->base) || !is_right(point->new)) return false;
    if (!is_timed(point->base) && !is_timed(point->new)) return false;
    return leaves_room(c, point);
}

// Says how dispatches of two captures were paired, or why not, and whether their outputs differ on the same inputs. No
// verdict depends on it.
static void note_pairing(struct comparison *c, struct compared_point *point) {
    const struct record *base = point->base, *new = point->new;
    point->other_outputs = is_right(base) && is_right(new) && base->recorded.inputs &&
                           new->recorded.inputs &&strcmp(base->recorded.inputs, new->recorded.inputs) == 0 &&
                           base->check.output_hash != new->check.output_hash;
    if (point->paired && point->note) point->note = arena_format(&c->arena, "%s; %s", point->note, point->paired);
    if (point->paired && !point->note) point->note = point->paired;
}

// ---- order and families

static double size_of(const struct compared_point *point) {
    double size = fabs(log(point->ratio.value));
    return isfinite(size) ? size : 0;
}

static int by_matter(const void *a, const void *b) {
    const struct compared_point *x = a, *y = b;
    if (x->verdict != y->verdict) return x->verdict < y->verdict ? -1 : 1;
    if (size_of(x) != size_of(y)) return size_of(x) > size_of(y) ? -1 : 1;
    return strcmp(x->name, y->name);
}

// Computes the geometric mean and the extremes of a family, or of all families (NULL).
static void mean_of(const struct comparison *c, const char *family, double *room, struct compared_family *out) {
    out->points = 0;
    out->least = out->most = NAN;
    for (size_t i = 0; i < c->count; i++) {
        const double ratio = c->points[i].ratio.value;
        if (c->points[i].verdict == VERDICT_WRONG || !isfinite(ratio) ||
            (family && strcmp(c->points[i].family, family) != 0))
            continue;
        room[out->points++] = ratio;
        out->least = fmin(out->least, ratio);
        out->most = fmax(out->most, ratio);
    }
    out->ratio = geometric_mean(room, out->points);
}

static void make_families(struct comparison *c) {
    size_t most = 0;
    while (operator_families[most]) most++;
    double *room = arena_alloc(&c->arena, c->count + 1, sizeof *room);
    c->families = arena_alloc(&c->arena, most + 2, sizeof *c->families);
    for (size_t i = 0; i <= most; i++) {
        struct compared_family *family = &c->families[c->family_count];
        family->name = operator_families[i] ? operator_families[i] : "other";
        mean_of(c, family->name, room, family);
        c->family_count += family->points > 0;
    }
    c->families[c->family_count].name = "all";
    mean_of(c, NULL, room, &c->families[c->family_count]);
}

// ---- whole comparison

static bool check_context(struct comparison *c, struct error *err) {
    context_compare(c);
    if (!(c->differ & ~(unsigned)COMPARE_REMARKS) || c->rules.allow_different) return true;
    struct text list = {0};
    for (size_t i = 0; i < c->difference_count; i++) text_format(&list, "%s%s", i ? "; " : "", c->differences[i]);
    error_set(err, STATUS_BAD_INPUT, "the results are not comparable: %s (--allow-different compares them anyway)",
        text_str(&list));
    text_free(&list);
    return false;
}

bool compare_results(const struct result *base, const struct result *new, const struct compare_rules *rules,
    struct comparison *out, struct error *err) {
    *out = (struct comparison){.base = base, .new = new, .rules = *rules};
    if (!check_context(out, err) || !points_pair(out, err)) {
        comparison_free(out);
        return false;
    }
    struct names skipped = {0};
    unsteady_add(&out->unsteady, base);
    unsteady_add(&out->unsteady, new);
    compare_times(out);
    for (size_t i = 0; i < new->count; i++) {
        const struct record *r = &new->records[i];
        if (r->status == RECORD_SKIP) names_put(&skipped, r->name, strlen(r->name), i);
    }
    for (size_t i = 0; i < out->count; i++) {
        out->points[i].verdict = verdict_of(out, &out->points[i], &skipped);
        out->points[i].undecided = is_undecided(out, &out->points[i]);
        out->verdicts[out->points[i].verdict]++;
        out->undecided += out->points[i].undecided;
        note_pairing(out, &out->points[i]);
    }
    names_free(&skipped);
    qsort(out->points, out->count, sizeof *out->points, by_matter);
    make_families(out);
    return true;
}

void comparison_free(struct comparison *comparison) {
    names_free(&comparison->unsteady);
    arena_free(&comparison->arena);
    *comparison = (struct comparison){0};
}

enum status comparison_status(const struct comparison *c, bool strict) {
    if (c->verdicts[VERDICT_WRONG] || c->verdicts[VERDICT_FLAKY]) return STATUS_WRONG;
    if (c->verdicts[VERDICT_SLOWER] || (strict && c->verdicts[VERDICT_AMBIGUOUS])) return STATUS_SLOWER;
    if (!c->both) return STATUS_NOTHING;
    if (c->undecided || (c->rules.whole && c->verdicts[VERDICT_REMOVED])) return STATUS_PARTIAL;
    return whole_is(json_get(c->new->context, "run")) ? STATUS_OK : STATUS_PARTIAL;
}
