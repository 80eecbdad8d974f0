// SPDX-License-Identifier: Apache-2.0
#include "trial.h"

#include "../../base/file.h"
#include "../../base/names.h"
#include "../bench/bench.h"
#include "../prepare.h"
#include "sizes.h"
#include "../../../reference/table.h"
#include "../../shader/manifest/contract/contract.h"
#include "../../record/record.h"
#include "../../record/result.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The most sizes of a kernel, elements and operations of each, and seconds for a point: a wrong guess may not end. A
// software driver computes a matrix product of 128 x 128 x 128 in less than a second, and one of 16 x 4096 x 4096 in
// twenty.
static const struct trial_limits {
    size_t sizes;
    double work, seconds;
} limits[] = {[TRIAL_USUAL] = {3, 1 << 24, 20}, [TRIAL_QUICK] = {3, 1 << 18, 8}, [TRIAL_THOROUGH] = {6, 1 << 22, 20}};

static const unsigned every_leave = (1u << LEAVE_COUNT) - 1;

struct trying {
    struct arena own;   // of all but the outcomes
    struct arena *kept; // of the outcomes
    enum trial_kind kind;
    const char *folder; // of the trial's files
    const char *from;   // of the manifest
    struct names names; // of the kernels, by their place
    struct guess_trial *trials;
    bool interrupted;
};

// ---- files

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

// Returns the path from the trial's manifest to a file named in the guessed one.
static struct json_object *moved(struct trying *t, struct json_object *path) {
    const char *name = json_object_get_string(path);
    const char *whole = *name == '/' ? name : arena_format(&t->own, "%s/%s", t->from, name);
    return json_object_new_string(file_way(&t->own, arena_format(&t->own, "%s/kernels", t->folder), whole));
}

static void move_paths(struct trying *t, struct json_object *kernel) {
    struct json_object *shader = json_get(kernel, "shader"), *header = json_get(kernel, "header"),
                       *includes = json_get(kernel, "includes"), *passes = json_get(kernel, "passes");
    if (shader) json_put(kernel, "shader", moved(t, shader));
    if (header) json_put(kernel, "header", moved(t, header));
    for (size_t i = 0; includes && i < json_object_array_length(includes); i++)
        json_object_array_put_idx(includes, i, moved(t, json_object_array_get_idx(includes, i)));
    for (size_t i = 0; passes && i < json_object_array_length(passes); i++)
        move_paths(t, json_object_array_get_idx(passes, i));
}

// Leaves conventions open: those of the bits that inputs of the operator show. Returns how many these are.
static int leave(struct json_object *kernel, unsigned bits) {
    const struct op *op = operator_named(json_get_string(kernel, "operator", ""));
    struct json_object *leaves = json_object_new_array();
    for (int i = 0; op && i < LEAVE_COUNT; i++)
        if (bits >> i & 1 && leave_concerns(op, (enum leave)i))
            json_object_array_add(leaves, json_object_new_string(leave_name((enum leave)i)));
    json_put(kernel, "leaves", leaves);
    return (int)json_object_array_length(leaves);
}

static bool write_manifest(struct trying *t, struct json_object *kernels, struct error *err) {
    struct json_object *whole = json_object_new_object(), *list = json_object_new_array();
    for (size_t i = 0; i < json_object_array_length(kernels); i++) {
        struct json_object *own = NULL;
        if (json_object_deep_copy(json_object_array_get_idx(kernels, i), &own, NULL) != 0) continue;
        move_paths(t, own);
        if (t->kind != TRIAL_USUAL) leave(own, every_leave);
        json_object_array_add(list, own);
    }
    json_put(whole, "kernels", list);
    const bool ok = json_write(arena_format(&t->own, "%s/kernels/manifest.json", t->folder), whole, true, err);
    json_object_put(whole);
    return ok;
}

static size_t different_sizes(struct json_object *dims) {
    struct json_object *seen = json_object_new_object();
    json_object_object_foreach(dims, name, values) {
        (void)name;
        const char *value = json_object_to_json_string(values);
        if (json_object_get_double(json_object_array_get_idx(values, 0)) > 1) json_put_int(seen, value, 1);
    }
    const size_t count = (size_t)json_object_object_length(seen);
    json_object_put(seen);
    return count;
}

// Keeps the size with the most different dims.
static struct json_object *telling_size(struct json_object *list) {
    struct json_object *one = json_object_new_array(), *best = json_object_array_get_idx(list, 0);
    for (size_t i = 1; i < json_object_array_length(list); i++)
        if (different_sizes(json_object_array_get_idx(list, i)) > different_sizes(best))
            best = json_object_array_get_idx(list, i);
    if (best) json_object_array_add(one, json_object_get(best));
    json_object_put(list);
    return one;
}

static bool write_suite(struct trying *t, struct json_object *kernels, size_t *entries, struct error *err) {
    struct operator_sizes sizes;
    struct kernels guesses;
    struct json_object *list = json_object_new_array();
    const char *home = home_folder(&t->own, err), *own = arena_format(&t->own, "%s/kernels", t->folder);
    if (!home || !sizes_load(&t->own, home, &sizes, err) || !kernels_load(&t->own, &own, 1, &guesses, err)) {
        json_object_put(list);
        return false;
    }
    for (size_t i = 0; i < json_object_array_length(kernels); i++) {
        struct json_object *kernel = json_object_array_get_idx(kernels, i), *entry = json_object_new_object(),
                           *dims = json_object_new_array();
        const char *name = json_get_string(kernel, "name", "");
        const struct kernel *guess = kernel_named(&guesses, name);
        if (guess) sizes_add_few(&sizes, guess, limits[t->kind].sizes, limits[t->kind].work, dims);
        if (t->kind == TRIAL_QUICK) dims = telling_size(dims);
        t->trials[i].skip = json_object_array_length(dims) ? "no point was run" : "no sizes of it were found";
        json_put_string(entry, "kernel", name);
        json_put_string(entry, "shapes", "default");
        json_put(entry, "dims", dims);
        if (json_object_array_length(dims))
            json_object_array_add(list, entry);
        else
            json_object_put(entry);
    }
    *entries = json_object_array_length(list);
    return sizes_write(arena_format(&t->own, "%s/suite.json", t->folder), "small points of each guess",
        t->kind != TRIAL_USUAL, list, err);
}

// ---- outcomes

static void take_record(const struct trying *t, const struct record *record) {
    const size_t at = names_get(&t->names, record->kernel, strlen(record->kernel));
    if (at == NAMES_NONE) return;
    struct guess_trial *trial = &t->trials[at];
    const char *reason = arena_copy(t->kept, record->reason ? record->reason : "no reason was recorded");
    if (record->status == RECORD_PASS) {
        trial->passed++;
    } else if (record->status == RECORD_SKIP) {
        trial->skip = reason;
    } else if (trial->failed++ == 0) {
        trial->fault = arena_format(t->kept, "%s: %s: %s", record->name, record_status_name(record->status), reason);
    }
}

static bool read_outcome(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    struct trying *t = run->user;
    struct result result;
    (void)arena;
    *status = STATUS_OK;
    t->interrupted = run->interrupted;
    if (!result_read(run->path, &result, err)) return false;
    for (size_t i = 0; i < result.count; i++) take_record(t, &result.records[i]);
    result_free(&result);
    return true;
}

static bool run(struct trying *t, const struct options *given, struct error *err) {
    static const char *const words[] = {"*", NULL};
    const struct bench bench = {.verb = "init", .suite = "smoke", .after = read_outcome, .user = t};
    struct options options = *given;
    enum status ignored;
    options.only = arena_format(&t->own, "%s/kernels", t->folder);
    options.suite = arena_format(&t->own, "%s/suite.json", t->folder);
    options.out = arena_format(&t->own, "%s/out", t->folder);
    options.kernels = (struct option_list){0};
    options.words = words;
    options.word_count = 1;
    options.quiet = true;
    options.run.unsanitized = options.run.brief = t->kind != TRIAL_USUAL;
    if (options.run.timeout_s > limits[t->kind].seconds) options.run.timeout_s = limits[t->kind].seconds;
    return bench_suite(&t->own, &options, &bench, &ignored, err);
}

bool trial_run(struct arena *arena, const struct options *options, enum trial_kind kind, struct json_object *kernels,
    const char *folder, struct guess_trial *out, struct error *err) {
    const char *made = file_temporary_folder(arena, "trial");
    if (!made) return error_set(err, STATUS_FAULT, "no folder for trying guesses: %s", strerror(errno));
    struct trying t = {.kept = arena, .kind = kind, .folder = made, .from = folder, .trials = out};
    size_t entries = 0;
    for (size_t i = 0; i < json_object_array_length(kernels); i++) {
        const char *name = json_get_string(json_object_array_get_idx(kernels, i), "name", "");
        out[i] = (struct guess_trial){0};
        names_put(&t.names, name, strlen(name), i);
    }
    const bool ok = file_make_folder(arena_format(&t.own, "%s/kernels", t.folder), err) &&
                    write_manifest(&t, kernels, err) && write_suite(&t, kernels, &entries, err) &&
                    (!entries || run(&t, options, err));
    if (t.interrupted) error_set(err, STATUS_PARTIAL, "interrupted");
    for (size_t i = 0; i < json_object_array_length(kernels); i++)
        if (out[i].passed || out[i].fault) out[i].skip = NULL;
    names_free(&t.names);
    arena_free(&t.own);
    nftw(t.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return ok && !t.interrupted;
}

// ---- conventions

struct leaving {
    struct json_object *kernel;
    size_t of;
};

// Lists copies of the kernels, each with other conventions left open.
static size_t list_leaving(struct arena *arena, struct json_object *const *kernels, size_t count, struct leaving *out,
    struct json_object *all) {
    size_t found = 0;
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i <= LEAVE_COUNT; i++) {
            struct json_object *own = NULL;
            if (json_object_deep_copy(kernels[k], &own, NULL) != 0) continue;
            const int left = leave(own, i < LEAVE_COUNT ? 1u << i : every_leave);
            if (left < (i < LEAVE_COUNT ? 1 : 2)) { // none, or the only one again
                json_object_put(own);
                continue;
            }
            json_put_string(
                own, "name", arena_format(arena, "%s.leaves_%zu_%d", json_get_string(own, "operator", ""), k, i));
            out[found++] = (struct leaving){own, k};
            json_object_array_add(all, own);
        }
    return found;
}

static void note_leaving(
    struct arena *arena, struct json_object *kernel, struct json_object *leaves, const char *fault) {
    struct json_object *notes = json_get(kernel, "notes");
    if (!notes) json_put(kernel, "notes", notes = json_object_new_array());
    json_object_array_add(notes, json_object_new_string(arena_format(arena, "hard inputs differ: %s", fault)));
    json_put(kernel, "leaves", json_object_get(leaves));
}

void trial_leave(struct arena *arena, const struct options *options, struct json_object *const *kernels,
    struct guess_trial *const *trials, size_t count, const char *folder) {
    struct json_object *all = json_object_new_array();
    struct leaving *list = arena_alloc(arena, count * (LEAVE_COUNT + 1) + 1, sizeof *list);
    const size_t found = list_leaving(arena, kernels, count, list, all);
    struct guess_trial *own = arena_alloc(arena, found + 1, sizeof *own);
    struct error ignored;
    if (found && trial_run(arena, options, TRIAL_USUAL, all, folder, own, &ignored))
        for (size_t i = 0; i < found; i++) {
            struct guess_trial *trial = trials[list[i].of];
            if (!trial->failed || own[i].failed || !own[i].passed) continue;
            note_leaving(arena, kernels[list[i].of], json_get(list[i].kernel, "leaves"), trial->fault);
            *trial = own[i];
        }
    json_object_put(all);
}
