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
#include "../../shader/compile/shader.h"
#include "sizes.h"

#include <stdio.h>
#include <string.h>

// Sizes of a workgroup of one axis, and kernels, to leave time for; smaller sizes of the operator.
enum { OTHER_SIZES = 6, MOST_KERNELS = 6, SMALLER = 2 };
// The points of smaller sizes come first, so they may have this share of the time.
static const double smaller_share = 0.4;

struct siblings {
    const struct tried *tried;
    struct arena *arena;
    const struct record *at; // of the largest size, at which the shader has all its workgroup sizes
    bool resizes;            // another workgroup size is right
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

// Counts the other workgroup sizes run, and the wrong ones of them.
struct resized {
    const struct record *best; // the fastest right one, of the default too
    size_t count, wrong;
};

static void say_size(const struct record *own, const struct resized *sizes) {
    struct text line = {0};
    if (!sizes->count) {
        puts("No time was left for other workgroup sizes; --budget SECONDS allows more");
        return;
    }
    if (sizes->wrong == sizes->count) {
        text_append(&line, "No other workgroup size is right: the shader counts on ");
    } else if (!is_faster(own, sizes->best)) {
        text_append(&line, "No other workgroup size is measurably faster than ");
    } else {
        text_append(&line, "In workgroups of ");
        put_shape(&line, sizes->best);
        text_append(&line, " it is right and ");
        put_faster(&line, own, sizes->best);
        text_append(&line, " than in ");
    }
    put_shape(&line, own);
    if (sizes->wrong && sizes->wrong < sizes->count)
        text_format(&line, "; %zu of %zu others are wrong", sizes->wrong, sizes->count);
    puts(text_str(&line));
    text_free(&line);
}

// Says what lets `tune` search for the workgroup size.
static void say_tuning(const struct tried *tried, bool resizes) {
    static const char *const constants[] = {
        [LANGUAGE_GLSL] = "layout(local_size_x_id = 0), and gl_WorkGroupSize.x for its number",
        [LANGUAGE_WGSL] = "`override WG_X: u32 = 64;` and @workgroup_size(WG_X), and WG_X for its number",
        [LANGUAGE_HLSL] = "[numthreads(WG_X, 1, 1)], and WG_X for its number",
        [LANGUAGE_SPIRV] = "LocalSizeId with specialization constants"};
    const char *write = constants[shader_language(tried->shader)];
    if (tried->guess.workgroup == WORKGROUP_FREE)
        printf("The search for its best shape: vkassay tune --only %s --dims ...\n", tried->kernels);
    else if (resizes || tried->guess.workgroup == WORKGROUP_PLAIN)
        printf("To tune it, add \"tune\": true to %s/manifest.json, or write %s\n", tried->kernels, write);
    else
        printf("To tune it, write %s; %s has its manifest\n", write, tried->kernels);
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

// Prints the lines of one size: of the shader's default shape `own`, and of all others there.
static void say_one(struct siblings *siblings, const struct result *result, const struct record *own) {
    const struct tried *tried = siblings->tried;
    const struct record *best = NULL;
    struct resized sizes = {.best = own};
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        const bool is_own = strcmp(record->kernel, tried->guess.kernel) == 0;
        if (record->peak || record == own || !tried_same_size(own, record)) continue;
        sizes.count += is_own && record->status != RECORD_SKIP;
        sizes.wrong += is_own && record->status != RECORD_SKIP && !record_is_timed(record);
        if (!record_is_timed(record)) continue;
        count += !is_own;
        const struct record **fastest = is_own ? &sizes.best : &best;
        if (!*fastest || compute_ns(record) < compute_ns(*fastest)) *fastest = record;
    }
    say_speed(result, own);
    say_built_in(own, best, count);
    if (!tried_same_size(own, siblings->at)) return;
    siblings->resizes = sizes.count > sizes.wrong;
    say_size(own, &sizes);
}

static bool say_others(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    struct siblings *siblings = run->user;
    struct result result;
    (void)arena;
    *status = STATUS_OK;
    if (!result_read(run->path, &result, err)) return false;
    for (size_t i = 0; i < result.count; i++)
        if (result.records[i].is_default && tried_is_own(siblings->tried, &result.records[i]))
            say_one(siblings, &result, &result.records[i]);
    result_free(&result);
    return true;
}

static struct json_object *dims_of(const struct record *record) {
    struct json_object *dims = json_object_new_object();
    for (int i = 0; i < record->dim_count; i++) json_put_double(dims, record->dims[i].name, record->dims[i].value);
    return dims;
}

// Returns the dims of the record, and of the next smaller sizes of the shader whose points fit into the seconds.
static struct json_object *sizes_until(
    const struct tried *tried, const struct result *result, const struct record *at, size_t points, double seconds) {
    struct json_object *all = json_object_new_array();
    json_object_array_add(all, dims_of(at));
    for (size_t i = result->count; i-- > 0 && json_object_array_length(all) <= SMALLER;) {
        const struct record *record = &result->records[i];
        const double each_s = tried_seconds(record) * (double)points;
        if (!tried_is_own(tried, record) || tried_same_size(record, at) || strcmp(record->dtype, at->dtype) != 0 ||
            record->flops + record->bytes > at->flops + at->bytes || each_s > seconds)
            continue;
        json_object_array_add(all, dims_of(record));
        seconds -= each_s;
    }
    return all;
}

// Measures the shader and the program's kernels at the sizes, the last of which is the record's. Only there the shader
// has all its workgroup sizes. Takes the sizes over.
static bool measure(struct siblings *siblings, const struct options *given, struct json_object *sizes, double left_s,
    struct error *err) {
    const struct tried *tried = siblings->tried;
    const struct record *at = siblings->at;
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
    json_object_array_add(entries, tried_entry("kernel", tried->guess.kernel, "all", dims_of(at)));
    json_object_array_add(entries, tried_entry("kernel", tried->guess.kernel, "default", json_object_get(sizes)));
    json_object_array_add(entries, all = tried_entry("operator", tried->op, "default", sizes));
    json_object_array_add(types, json_object_new_string(at->dtype));
    json_put(all, "dtypes", types);
    if (options.kernels.count == OPTION_LIST) error_set(err, STATUS_USAGE, "try: too many --kernels"), home = NULL;
    if (home && tried->guess.workgroup != WORKGROUP_FREE && !(folder = tried_resizing(siblings->arena, tried, err)))
        home = NULL;
    if (!home || !add_roofs(siblings->arena, home, entries, err)) {
        json_object_put(entries);
        return false;
    }
    if (!sizes_write(path, "a shader beside the program's kernels", false, entries, err)) return false;
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
    struct siblings siblings = {.tried = tried, .arena = arena};
    struct result result;
    const double left_s = options->budget_s - (double)(clock_ns() - tried->start_ns) * 1e-9;
    const size_t other = tried->guess.workgroup == WORKGROUP_FREE ? 0 : OTHER_SIZES;
    const size_t kernels = 1 + (tried->siblings < MOST_KERNELS ? tried->siblings : MOST_KERNELS);
    const size_t points = kernels + other;
    if (!result_read(tried->result, &result, err)) return false;
    const struct record *largest = tried_largest(tried, &result, 1, options->budget_s),
                        *at = tried_largest(tried, &result, points, left_s);
    bool ok = true;
    siblings.at = at;
    puts("");
    if (!at && largest) say_speed(&result, largest);
    if (at)
        ok = measure(&siblings, options, sizes_until(tried, &result, at, kernels, smaller_share * left_s), left_s, err);
    else if (largest)
        puts("No time is left to compare it with built-in kernels; --budget SECONDS allows more");
    if (largest) say_tuning(tried, siblings.resizes);
    result_free(&result);
    return ok;
}
