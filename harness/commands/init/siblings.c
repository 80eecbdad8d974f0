// SPDX-License-Identifier: Apache-2.0
#include "tried.h"

#include "../../base/clock.h"
#include "../../base/text.h"
#include "../../record/cases.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../readers/render/format.h"
#include "../../record/figures.h"
#include "../../truth/stats/ratio.h"
#include "../bench/bench.h"
#include "../prepare.h"
#include "sizes.h"

#include <stdio.h>
#include <string.h>

// Sizes of a workgroup of one axis, and kernels, to leave time for.
enum { OTHER_SIZES = 6, MOST_KERNELS = 6 };

struct siblings {
    const struct tried *tried;
    struct arena *arena;
};

// Returns whether the second is measurably faster than the first.
static bool is_faster(const struct record *own, const struct record *other) {
    return ratio_of_medians(&own->time[FIGURE_COMPUTE], &other->time[FIGURE_COMPUTE]).hi < 1;
}

// Appends "1.31 times faster", of the second than the first.
static void put_faster(struct text *out, const struct record *own, const struct record *other) {
    const struct ratio ratio = ratio_of_medians(&own->time[FIGURE_COMPUTE], &other->time[FIGURE_COMPUTE]);
    const bool faster = ratio.value < 1;
    text_format(out, "%.2f times %s", faster ? 1 / ratio.value : ratio.value, faster ? "faster" : "slower");
    if (!(ratio.hi < 1 || ratio.lo > 1)) text_append(out, ", within the scatter of the times");
}

// ---- the lines

static void say_speed(const struct result *result, const struct record *record) {
    const struct rate rate = rate_of(result, record);
    struct text line = {0};
    text_format(&line, "%s at ", record->kernel);
    put_dims_named(&line, record);
    text_append(&line, ": ");
    put_time(&line, compute_ns(record));
    if (rate.roof) {
        text_append(&line, ", ");
        put_share(&line, rate.share);
        text_format(&line, " of the measured peak of %s", roof_words(rate.roof));
    }
    puts(text_str(&line));
    text_free(&line);
}

static void say_built_in(const struct record *own, const struct record *best, size_t count) {
    struct text line = {0};
    if (!best) return;
    text_format(
        &line, "The fastest of %zu built-in kernel%s there is %s: ", count, count == 1 ? "" : "s", best->kernel);
    put_time(&line, compute_ns(best));
    text_append(&line, ", ");
    put_faster(&line, own, best);
    puts(text_str(&line));
    text_free(&line);
}

static void say_size(const struct record *own, const struct record *best) {
    struct text line = {0};
    if (!is_faster(own, best)) {
        puts("No other workgroup size is measurably faster");
        return;
    }
    text_append(&line, "In workgroups of ");
    put_shape(&line, best);
    text_append(&line, " it is ");
    put_faster(&line, own, best);
    text_append(&line, " than in ");
    put_shape(&line, own);
    puts(text_str(&line));
    text_free(&line);
}

// Says what lets `tune` search for the workgroup size.
static void say_tuning(const struct tried *tried) {
    static const char *const words[] = {
        [WORKGROUP_FREE] = "The search for its best shape: vkassay tune --only %s --dims ...\n",
        [WORKGROUP_PLAIN] = "To tune it, add \"tune\": true to %s/manifest.json, or write layout(local_size_x_id = 0) "
                            "in the shader\n",
        [WORKGROUP_FIXED] = "To tune it, write layout(local_size_x_id = 0) and gl_WorkGroupSize.x in the shader in "
                            "place of its numbers; %s has its manifest\n"};
    printf(words[tried->guess.workgroup], tried->kernels);
}

// ---- measuring

// Makes an entry for all devices one for processors, with a copy that takes a quarter of the time.
static void shorten(struct json_object *entry) {
    struct json_object *dims = json_get(entry, "dims");
    if (json_get_string(entry, "only", NULL)) return;
    json_put_string(entry, "only", "cpu");
    json_put_int(dims, "n", 1 << 22);
}

// Adds the entries of suite quick for the roofs of memory and of f32 arithmetic.
static bool add_roofs(struct arena *arena, const char *home, struct json_object *entries, struct error *err) {
    static const char *const roofs[] = {"copy_bytes_per_s", "cache_bytes_per_s", "fma_f32_flops_per_s"};
    struct json_object *quick = json_read(arena_format(arena, "%s/suites/quick.json", home), err),
                       *all = json_get(quick, "entries");
    for (size_t i = 0; quick && i < json_object_array_length(all); i++) {
        struct json_object *entry = json_object_array_get_idx(all, i);
        const char *peak = json_get_string(entry, "peak", "");
        if (strcmp(peak, roofs[0]) == 0) shorten(entry);
        for (size_t r = 0; r < sizeof roofs / sizeof *roofs; r++)
            if (strcmp(peak, roofs[r]) == 0) json_object_array_add(entries, json_object_get(entry));
    }
    json_object_put(quick);
    return quick;
}

static bool say_others(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    const struct siblings *siblings = run->user;
    const struct record *own = NULL, *best = NULL, *size = NULL;
    struct result result;
    size_t count = 0;
    (void)arena;
    *status = STATUS_OK;
    if (!result_read(run->path, &result, err)) return false;
    for (size_t i = 0; i < result.count; i++) {
        const struct record *record = &result.records[i];
        if (!record_is_timed(record) || record->peak) continue;
        const bool is_own = strcmp(record->kernel, siblings->tried->guess.kernel) == 0;
        const struct record **fastest = is_own ? &size : &best;
        if (is_own && record->is_default) own = record;
        count += !is_own;
        if (!*fastest || compute_ns(record) < compute_ns(*fastest)) *fastest = record;
    }
    if (own) say_speed(&result, own);
    if (own) say_built_in(own, best, count);
    if (own && siblings->tried->guess.workgroup != WORKGROUP_FIXED) say_size(own, size);
    result_free(&result);
    return true;
}

static struct json_object *dims_of(const struct record *record) {
    struct json_object *dims = json_object_new_object();
    for (int i = 0; i < record->dim_count; i++) json_put_double(dims, record->dims[i].name, record->dims[i].value);
    return dims;
}

// Measures the shader and the program's kernels at the record's size, all interleaved.
static bool measure(
    struct siblings *siblings, const struct options *given, const struct record *at, double left_s, struct error *err) {
    const struct tried *tried = siblings->tried;
    const struct bench bench = {
        .verb = "try", .time = true, .knows_peaks = true, .climbs = CLIMB_EACH, .after = say_others, .user = siblings};
    const char *const words[] = {
        tried->guess.kernel, arena_format(siblings->arena, "%s/%s", tried->op, at->dtype), NULL};
    const char *home = home_folder(siblings->arena, err);
    const char *path = arena_format(siblings->arena, "%s/siblings.json", tried->folder);
    struct json_object *entries = json_object_new_array(), *types = json_object_new_array(), *all;
    struct options options = *given;
    enum status ignored;
    const char *folder = tried->kernels;
    if (!home) return false;
    if (options.kernels.count == OPTION_LIST) return error_set(err, STATUS_USAGE, "try: too many --kernels");
    if (tried->guess.workgroup == WORKGROUP_PLAIN && !(folder = tried_resizing(siblings->arena, tried, err)))
        return false;
    json_object_array_add(entries, tried_entry("kernel", tried->guess.kernel, "all", dims_of(at)));
    json_object_array_add(entries, all = tried_entry("operator", tried->op, "default", dims_of(at)));
    json_object_array_add(types, json_object_new_string(at->dtype));
    json_put(all, "dtypes", types);
    if (!add_roofs(siblings->arena, home, entries, err) ||
        !sizes_write(path, "a shader beside the program's kernels", entries, err))
        return false;
    options.kernels.items[options.kernels.count++] = folder;
    options.suite = path;
    options.dims = NULL;
    options.out = arena_format(siblings->arena, "%s/siblings", tried->folder);
    options.quiet = true;
    options.budget_s = left_s;
    options.words = words;
    options.word_count = 2;
    return bench_suite(siblings->arena, &options, &bench, &ignored, err);
}

bool siblings_say(struct arena *arena, const struct options *options, const struct tried *tried, struct error *err) {
    struct siblings siblings = {tried, arena};
    struct result result;
    const double left_s = options->budget_s - (double)(clock_ns() - tried->start_ns) * 1e-9;
    const size_t other = tried->guess.workgroup == WORKGROUP_PLAIN ? OTHER_SIZES : 0;
    const size_t points = 1 + other + (tried->siblings < MOST_KERNELS ? tried->siblings : MOST_KERNELS);
    if (!result_read(tried->result, &result, err)) return false;
    const struct record *largest = tried_largest(tried, &result, 1, options->budget_s),
                        *at = tried_largest(tried, &result, points, left_s);
    bool ok = true;
    puts("");
    if (!at && largest) say_speed(&result, largest);
    if (at)
        ok = measure(&siblings, options, at, left_s, err);
    else if (largest)
        puts("No time is left to compare it with built-in kernels; --budget SECONDS allows more");
    if (largest) say_tuning(tried);
    result_free(&result);
    return ok;
}
