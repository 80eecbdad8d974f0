// SPDX-License-Identifier: Apache-2.0
#include "tune_join.h"

#include "../base/file.h"
#include "../base/kind.h"
#include "../device/profile.h"
#include "../tune/joined.h"
#include "../tune/tuned_table.h"
#include "prepare.h"
#include "../record/record.h"
#include "../record/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct source {
    const char *path, *started;
    bool is_table; // a tuned table, named as such; in folders each is beside the result it was made of
};

// ---- one source

// Takes the records of a tuned table: the best, ties, runner-up and default of each entry.
static void take_entries(struct arena *arena, const struct tuned *tuned, struct result *out) {
    enum { MOST = FINDING_TIES + 3 };
    out->records = arena_alloc(arena, tuned->count * MOST + 1, sizeof *out->records);
    for (size_t i = 0; i < tuned->count; i++) {
        const struct tuned_entry *entry = &tuned->items[i];
        out->records[out->count++] = *entry->best;
        for (int k = 0; k < entry->tie_count; k++) out->records[out->count++] = *entry->ties[k];
        if (entry->runner_up) out->records[out->count++] = *entry->runner_up;
        if (entry->standard) out->records[out->count] = *entry->standard;
        if (entry->standard) out->records[out->count++].is_default = true;
    }
    tuned_note_searches(tuned, out->context);
}

static bool read_source(struct arena *arena, const struct source *source, struct result *out, struct error *err) {
    struct tuned tuned;
    if (!source->is_table) return result_read(source->path, out, err);
    if (!tuned_read(source->path, arena, out, &tuned, err)) return false;
    take_entries(arena, &tuned, out);
    return true;
}

// ---- output

static void say_conflicts(const struct joined *joined) {
    for (size_t i = 0; i < joined->conflict_count; i++) {
        const struct joined_conflict *c = &joined->conflicts[i];
        printf("Conflict: %s with %s (%s) and with %s (%s): of %zu common cases, %zu have the same best shape; the "
               "newer driver is taken\n",
            c->device, c->kept, c->kept_path, c->left, c->left_path, c->cases, c->same);
    }
    if (joined->twice) printf("%zu more results are of devices and drivers already in the table\n", joined->twice);
}

static void say_fallbacks(const struct joined *joined) {
    if (!joined->fallback_count) return;
    puts("Loss of a fallback on a device unknown to the table (each left out in turn): median, worst");
    for (size_t i = 0; i < joined->fallback_count; i++) {
        const struct joined_fallback *f = &joined->fallbacks[i];
        printf("  %-32s %-8s", f->name, scope_name(f->scope));
        if (isnan(f->median))
            printf(" -");
        else
            printf(" %5.1f%% %6.1f%%", 100 * f->median, 100 * f->worst);
        printf("  %zu cases", f->cases);
        if (f->wrong) printf(", wrong in %zu", f->wrong);
        if (f->unknown) printf(", not measured in %zu", f->unknown);
        if (f->other) printf(", %zu of another source", f->other);
        puts("");
    }
}

static void say(const struct joined *joined, const char *out) {
    const struct joined_shared shared = joined_shared(joined, 0.05);
    say_conflicts(joined);
    for (size_t i = 0; i < joined->device_count; i++)
        if (joined->devices[i].historical)
            printf("Historical: %s is of revision %s, and sources of its kernels have changed since\n",
                joined->devices[i].path, joined->devices[i].historical);
    if (*joined->profile.name) printf("Every shape keeps to the profile %s\n", joined->profile.name);
    printf("%zu devices, %zu cases; in %zu of %zu cases of at least two models, one shape is within 5 %% of the best "
           "on all of them\n",
        joined->device_count, joined->case_count, shared.served, shared.cases);
    if (shared.mixed)
        printf(
            "In %zu of these cases the devices measured different sources of the kernel (other_source in the table)\n",
            shared.mixed);
    for (size_t i = 0; i < joined->device_count; i++)
        if (!joined->devices[i].cases)
            printf("No row for %s: %s has no shape that is right and timed\n", joined->devices[i].info.name,
                joined->devices[i].path);
    say_fallbacks(joined);
    printf("Table   %s\n", out);
}

// Orders the newest first, so that it counts for its device.
static int newest_first(const void *a, const void *b) {
    const struct source *x = a, *y = b;
    int order = strcmp(y->started, x->started);
    return order ? order : strcmp(x->path, y->path);
}

// Refuses a result of another profile than the table's, because the best shapes within profiles differ. `asked` is
// the profile of --limits; shapes beyond it are left out.
static bool hold(struct joined *joined, struct result *result, const struct source *source, const struct profile *asked,
    struct error *err) {
    const struct profile *own = &result->device->profile, *expected = &joined->profile;
    if (*asked->name && *own->name && !profile_same(own, asked))
        return error_set(err, STATUS_BAD_INPUT,
            "%s: made within the profile %s, so no shape beyond it was tried; it cannot be used for %s", source->path,
            own->name, asked->name);
    result_clamp(result, asked);
    if (!joined->device_count) {
        joined->profile = *own;
        return true;
    }
    if (profile_same(own, expected)) return true;
    const char *const name = *own->name ? own->name : "none", *first = *expected->name ? expected->name : "none";
    return error_set(err, STATUS_BAD_INPUT,
        "%s: $.device.profile: expected '%s' as in %s, found %s'%s': a table is for one profile (--limits applies it "
        "to results without one)",
        source->path, first, joined->devices[0].path, strcmp(name, first) == 0 ? "another one named " : "", name);
}

static struct source source_of(struct arena *arena, const struct result_file *file) {
    struct source out = {.path = file->path, .is_table = !file->found && kind_of_file(file->path) == KIND_TUNED};
    struct error ignored = {0};
    struct json_object *head = out.is_table ? NULL : kind_head(file->path, &ignored);
    out.started = arena_copy(arena, json_get_string(json_get(head, "run"), "started", ""));
    json_object_put(head);
    return out;
}

static bool join(struct arena *arena, const struct result_files *files, const struct profile *profile,
    struct joined *joined, struct error *err) {
    struct source *sources = arena_alloc(arena, files->count + 1, sizeof *sources);
    for (size_t i = 0; i < files->count; i++) sources[i] = source_of(arena, &files->items[i]);
    if (files->count) qsort(sources, files->count, sizeof *sources, newest_first);
    for (size_t i = 0; i < files->count; i++) {
        struct arena scratch = {0};
        struct result result;
        if (!read_source(&scratch, &sources[i], &result, err)) {
            arena_free(&scratch);
            return false;
        }
        bool ok = hold(joined, &result, &sources[i], profile, err);
        if (ok) joined_add(joined, &result, sources[i].path);
        result_free(&result);
        arena_free(&scratch);
        if (!ok) return false;
    }
    joined_finish(joined);
    return true;
}

bool tune_join(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct result_files files;
    struct joined joined = {0};
    struct profile profile;
    if (!prepare_profile(options, &profile, err)) return false;
    if (!options->word_count || !options->out)
        return error_set(err, STATUS_USAGE, "tune --join: expected results or folders of them, and --out FILE");
    bool ok = result_files_find(arena, options->words, options->word_count, &files, err) &&
              join(arena, &files, &profile, &joined, err) && file_make_folder(file_folder(arena, options->out), err) &&
              joined_write(options->out, &joined, err);
    if (ok) say(&joined, options->out);
    if (ok && !joined.case_count) *status = STATUS_NOTHING;
    joined_free(&joined);
    return ok;
}
