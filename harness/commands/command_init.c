// SPDX-License-Identifier: Apache-2.0
// `init`: guesses a manifest from shaders.
#include "../../reference/table.h"
#include "../base/file.h"
#include "../base/text.h"
#include "../capture/replay/folder.h"
#include "../shader/manifest/kernel.h"
#include "../tools/adopt/operator_words.h"
#include "command.h"
#include "init/captured.h"
#include "init/init.h"
#include "init/place.h"
#include "init/recipe.h"
#include "init/search.h"
#include "init/trial.h"
#include "prepare.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const endings[] = {".comp", ".glsl", ".hlsl", ".wgsl", ".spv"};

enum { TRIAL_BATCH = 32, LINES_BATCH = 50 }; // kernels tried, and lines read, between two messages

// ---- a file

// Collects the macros of a build line, and DTYPE_F32 for GLSL and HLSL unless the line has types of its own.
static void put_defines(struct init *init, const struct build_line *line, struct shader_request *request) {
    struct define *defines = arena_alloc(init->arena, 1 + (line ? line->define_count : 0), sizeof *defines);
    if (shader_language(request->path) != LANGUAGE_WGSL)
        defines[request->define_count++] = (struct define){.name = "DTYPE_F32", .value = "1"};
    for (size_t i = 0; line && i < line->define_count; i++) defines[request->define_count++] = line->defines[i];
    request->defines = defines;
}

// Collects the folders of a build line, then the program's.
static void put_includes(struct init *init, const struct build_line *line, struct shader_request *request) {
    const size_t own = line ? line->include_count : 0;
    const char **folders = arena_alloc(init->arena, own + init->include_count, sizeof *folders);
    for (size_t i = 0; i < own; i++) folders[i] = line->includes[i];
    for (size_t i = 0; i < init->include_count; i++) folders[own + i] = init->includes[i];
    request->includes = folders;
    request->include_count = own + init->include_count;
}

static void read_entry(struct init *init, const char *path, const char *entry, const struct build_line *line) {
    struct shader_request request = {.path = path,
        .entry = entry,
        .cache_folder = cache_folder(init->arena),
        .wgsl_compiler = init->options->run.wgsl_compiler,
        .placeholders = true,
        .lines = true}; // also keeps names
    struct reflection *reflection;
    struct error err;
    int count;
    if (line) request.header = line->header;
    put_defines(init, line, &request);
    put_includes(init, line, &request);
    if (!reflection_read(init->arena, &request, line, &reflection, &count, &err)) {
        const char *reason = guess_reason(init->arena, err.text);
        const bool compiles = err.kind != ERROR_COMPILE;
        place_miss(init, path, line ? line->name : "", "",
            arena_format(init->arena, "%s%s%s", compiles ? "" : "does not compile: ", reason,
                compiles ? "" : guess_build_hint(reason)));
        return;
    }
    // If any entry point is named after the given operator, only such ones are wanted.
    const struct op *also;
    bool any = false;
    for (int i = 0; init->op && i < count; i++) any |= guess_operator(reflection[i].entry, &also) == init->op;
    for (int i = 0; i < count; i++)
        if (!any || guess_operator(reflection[i].entry, &also) == init->op) place_found(init, &reflection[i]);
}

// Reads each entry point of an HLSL file, found behind [numthreads(...)]. HLSL compilers need the function's name and
// drop all others.
static void place_hlsl(struct init *init, const char *path, const struct build_line *line) {
    struct error err;
    const char *text = file_read(init->arena, path, NULL, &err);
    size_t found = 0;
    for (const char *at = text ? strstr(text, "[numthreads") : NULL; at; at = strstr(at, "[numthreads")) {
        at = strchr(at, ']') ? strchr(at, ']') + 1 : at + 1;
        const char *open = strchr(at, '('), *end = open;
        while (end && end > at && isspace((unsigned char)end[-1])) end--;
        const char *start = end;
        while (start && start > at && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
        if (!end || start == end) continue;
        read_entry(init, path, arena_copy_n(init->arena, start, (size_t)(end - start)), line);
        found++;
    }
    if (!found) read_entry(init, path, "main", line);
}

// Reports a build line of a type that no operator has. It need not be compiled.
static bool is_of_other_type(struct init *init, const char *path, const struct build_line *line) {
    const struct reflection reflection = {
        .path = path, .entry = "main", .stem = guess_stem(init->arena, path), .variant = line->name, .line = line};
    const char *why, *unknown, *type = guess_block_type(&reflection);
    dictionary_operator(init->dictionary, &reflection, &why, &unknown);
    if (type && !why) why = arena_format(init->arena, "type %s", type);
    if (init->op || !why || strncmp(why, "type ", 5) != 0) return false;
    place_miss(init, path, line->name, reflection.entry, why);
    return true;
}

static void place_variant(struct init *init, const char *path, const struct build_line *line) {
    if (line && is_of_other_type(init, path, line)) return;
    if (shader_language(path) == LANGUAGE_HLSL)
        place_hlsl(init, path, line);
    else
        read_entry(init, path, "main", line);
}

// Reads a file once for each of its build lines; without any, as it stands. A header is no shader.
static void place_file(struct init *init, const char *path) {
    size_t variants = 0;
    for (size_t i = 0; i < init->line_count; i++) {
        struct stat a, b;
        const bool same_name = strcmp(init->lines[i].path, path) == 0;
        const bool both = !same_name && stat(init->lines[i].path, &a) == 0 && stat(path, &b) == 0;
        if (!same_name && !(both && a.st_dev == b.st_dev && a.st_ino == b.st_ino)) continue;
        place_variant(init, path, &init->lines[i]);
        variants++;
    }
    if (variants) return;
    if (reflection_is_header(init->arena, path))
        init->headers++;
    else
        place_variant(init, path, NULL);
}

// ---- all files

static bool place_folder(struct init *init, const char *folder, struct error *err) {
    if (capture_is_folder(folder)) return captured_place(init, folder, err);
    size_t found = 0;
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        char **files;
        size_t count;
        if (!file_list(init->arena, folder, endings[e], &files, &count, err)) return false;
        for (size_t i = 0; i < count; i++) place_file(init, files[i]);
        found += count;
    }
    return found ||
           error_set(err, STATUS_BAD_INPUT, "%s: found no shader (*.comp, *.glsl, *.hlsl, *.wgsl, *.spv)", folder);
}

static bool place_words(struct init *init, struct error *err) {
    const struct options *options = init->options;
    size_t first = 0;
    init->folder = options->out ? file_folder(init->arena, options->out) : ".";
    if (!options->word_count) { // every build line
        for (size_t i = 0; i < init->line_count; i++) {
            if (i && i % LINES_BATCH == 0) fprintf(stderr, "vkassay: %zu of %zu lines read\n", i, init->line_count);
            place_variant(init, init->lines[i].path, &init->lines[i]);
        }
        return true;
    }
    if (!file_is_folder(options->words[0]) && !file_exists(options->words[0])) {
        init->op = operator_meant(options->words[0], strlen(options->words[0]));
        if (!init->op)
            return error_set(err, STATUS_USAGE, "%s; there is no file or folder of this name",
                operator_unknown(init->arena, options->words[0]));
        if (options->word_count == ++first)
            return error_set(err, STATUS_USAGE, "init %s: expected the path of a shader", operator_name(init->op));
    }
    init->folder =
        file_is_folder(options->words[first]) ? options->words[first] : file_folder(init->arena, options->words[first]);
    if (options->out) init->folder = file_folder(init->arena, options->out);
    for (size_t i = first; i < options->word_count; i++) {
        if (file_is_folder(options->words[i])) {
            if (!place_folder(init, options->words[i], err)) return false;
        } else if (file_exists(options->words[i])) {
            place_file(init, options->words[i]);
        } else {
            return error_set(err, STATUS_BAD_INPUT, "%s: no such file", options->words[i]);
        }
    }
    return true;
}

// ---- the manifest

// Prints one member per line, so that a person finds the guesses to correct.
static void put_kernel(struct text *out, struct json_object *kernel) {
    bool first = true;
    text_append(out, "    {");
    json_object_object_foreach(kernel, key, value) {
        text_format(out, "%s\n      \"%s\": %s", first ? "" : ",", key,
            json_object_to_json_string_ext(value, JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE));
        first = false;
    }
    text_append(out, "\n    }");
}

static bool write_manifest(const struct init *init, struct error *err) {
    struct text out = {0};
    bool ok = true;
    text_append(&out, "{\n  \"kernels\": [\n");
    for (size_t i = 0; i < json_object_array_length(init->kernels); i++) {
        if (i) text_append(&out, ",\n");
        put_kernel(&out, json_object_array_get_idx(init->kernels, i));
    }
    text_append(&out, "\n  ]\n}\n");
    if (init->options->out)
        ok = file_write(init->options->out, text_str(&out), out.length, err);
    else
        fputs(text_str(&out), stdout);
    text_free(&out);
    return ok;
}

// ---- the trial

static void say_kernel(const struct init *init, const struct placed_kernel *placed, const struct guess_trial *trial) {
    const struct reflection *reflection = placed->reflection;
    const char *also =
        placed->second ? arena_format(init->arena, "; its name holds %s, too", operator_name(placed->second)) : "";
    const char *variant = *reflection->variant ? arena_format(init->arena, " (%s)", reflection->variant) : "";
    fprintf(init->said, "%s%s, %s: %s%s%s\n", reflection->path, variant, placed->entries,
        json_get_string(placed->kernel, "name", ""), placed->given ? "" : " by its name", also);
    if (placed->doubt) fprintf(init->said, "    decided by a trial: %s\n", placed->doubt);
    struct json_object *notes = json_get(placed->kernel, "notes");
    for (size_t i = 0; notes && i < json_object_array_length(notes); i++)
        fprintf(init->said, "    %s\n", json_object_get_string(json_object_array_get_idx(notes, i)));
    if (trial && trial->skip) fprintf(init->said, "    untried: %s\n", trial->skip);
    if (trial && trial->fault) fprintf(init->said, "    differs: %s\n", trial->fault);
}

// Marks a kernel that no point judged, unless the dictionary vouches for it. `try` judges its kernel at once.
static void mark_untried(const struct init *init, const struct placed_kernel *placed, const struct guess_trial *trial) {
    if (init->one || placed->keeps || (trial && !trial->skip)) return;
    json_put(placed->kernel, "untried", json_object_new_boolean(true));
}

// Returns the place after the last name of a kernel.
static size_t end_of_names(const struct init *init, size_t first) {
    size_t end = first + 1;
    while (end < init->placed_count && init->placed[end].is_other) end++;
    return end;
}

// Returns the first name that is right in its trial, or the first of all.
static size_t right_name(const struct guess_trial *trials, size_t first, size_t end) {
    for (size_t i = first; trials && i < end; i++)
        if (trials[i].passed && !trials[i].failed) return i;
    return first;
}

// Keeps a kernel that is right at every point of its trial. An operator given for one shader stays: the user knows it.
static void keep_if_right(struct init *init, const struct placed_kernel *placed, const struct guess_trial *trial) {
    const struct reflection *reflection = placed->reflection;
    const char *why = NULL;
    if (placed->doubt && (!trial || trial->skip || trial->failed)) {
        why = !trial || !trial->fault ? placed->doubt
                                      : arena_format(init->arena, "%s; as %s, a trial differs: %s", placed->doubt,
                                            json_get_string(placed->kernel, "operator", ""), trial->fault);
    } else if (trial && trial->failed && !init->op && !placed->keeps) {
        const char *op = json_get_string(placed->kernel, "operator", "");
        why = arena_format(init->arena,
            "as %s: a trial differs: %s%s; `vkassay try %s --operator %s --sanitize` looks for the cause", op,
            trial->fault, trial->others ? arena_format(init->arena, "; so do %zu other guesses", trial->others) : "",
            reflection->path, op);
    }
    if (why) {
        place_miss(init, reflection->path, reflection->variant, placed->entries, why);
        return;
    }
    mark_untried(init, placed, trial);
    say_kernel(init, placed, trial);
    json_object_array_add(init->kernels, json_object_get(placed->kernel));
}

// Keeps the right ones of some placed kernels, each by one of its names.
static void keep_right(struct init *init, const struct guess_trial *trials, size_t from, size_t count) {
    for (size_t i = from, end; i < from + count; i = end) {
        end = end_of_names(init, i);
        const size_t chosen = trials ? from + right_name(trials, i - from, end - from) : i;
        keep_if_right(init, &init->placed[chosen], trials ? &trials[chosen - from] : NULL);
    }
}

// Takes the first kernel as the guess of one shader.
static void take_one(const struct init *init, struct one_guess *one) {
    if (!init->placed_count) return;
    const struct reflection *reflection = init->placed[0].reflection;
    one->kernel = arena_copy(init->arena, json_get_string(init->placed[0].kernel, "name", ""));
    const bool plain = !reflection->shares && !reflection->group && !reflection->counts_groups;
    one->workgroup = plain ? WORKGROUP_PLAIN : WORKGROUP_FIXED;
    for (int axis = 0; axis < 3; axis++)
        if (reflection->shader.size_id[axis] >= 0 || reflection->size_names[axis]) one->workgroup = WORKGROUP_FREE;
}

// Runs one trial of the placed kernels without a failure so far. Returns false if nothing could be run.
static bool trial_of(
    struct init *init, enum trial_kind kind, size_t from, size_t count, struct guess_trial *trials, struct error *err) {
    struct json_object *some = json_object_new_array();
    size_t *at = arena_alloc(init->arena, count, sizeof *at), tried = 0;
    struct guess_trial *own = arena_alloc(init->arena, count, sizeof *own);
    for (size_t i = 0; i < count; i++) {
        if (trials[i].failed) continue;
        json_object_array_add(some, json_object_get(init->placed[from + i].kernel));
        at[tried++] = i;
    }
    const bool ok = !tried || trial_run(init->arena, init->options, kind, some, init->folder, own, err);
    for (size_t i = 0; ok && i < tried; i++) trials[at[i]] = own[i];
    json_object_put(some);
    return ok;
}

// Leaves conventions open in recognised kernels that fail by them: their operator is known.
static void leave_conventions(struct init *init, struct guess_trial *trials, size_t from, size_t count) {
    struct json_object **kernels = arena_alloc(init->arena, count, sizeof *kernels);
    struct guess_trial **failed = arena_alloc(init->arena, count, sizeof *failed);
    size_t some = 0;
    for (size_t i = 0, end; i < count; i = end) {
        end = end_of_names(init, from + i) - from;
        for (size_t k = i; k < end && trials[right_name(trials, i, end)].failed; k++) {
            if (!init->placed[from + k].by_data || !trials[k].failed) continue;
            kernels[some] = init->placed[from + k].kernel;
            failed[some++] = &trials[k];
        }
    }
    if (some) trial_leave(init->arena, init->options, kernels, failed, some, init->folder);
}

// Tries some of the placed kernels, and keeps the right ones. The quick trial finds most wrong ones. If workers are
// lost to one kernel, the others are tried without it. An interrupt leaves out all without a trial.
static void try_some(struct init *init, size_t from, size_t count) {
    struct guess_trial *trials = NULL;
    struct error why = {0};
    if (!init->one) {
        trials = arena_alloc(init->arena, count, sizeof *trials);
        if (!trial_of(init, TRIAL_QUICK, from, count, trials, &why) ||
            !trial_of(init, TRIAL_USUAL, from, count, trials, &why)) {
            init->interrupted |= why.status == STATUS_PARTIAL;
            if (init->interrupted) return;
            const size_t half = end_of_names(init, from + (count - 1) / 2) - from;
            if (half < count) {
                try_some(init, from, half);
                try_some(init, from + half, count - half);
                return;
            }
            fprintf(stderr, "vkassay: the guesses were not tried: %s\n", why.text);
            trials = NULL;
        }
    }
    if (trials) search_guesses(init, trials, from, count);
    if (trials) leave_conventions(init, trials, from, count);
    keep_right(init, trials, from, count);
}

// Tries all placed kernels in batches. Writes the manifest after each: an interrupt costs one batch. A manifest with a
// recipe is written at the end.
static bool try_all(struct init *init, struct error *err) {
    for (size_t from = 0, end; from < init->placed_count; from = end) {
        end = from + TRIAL_BATCH < init->placed_count ? end_of_names(init, from + TRIAL_BATCH - 1) : init->placed_count;
        try_some(init, from, end - from);
        if (end == init->placed_count || init->interrupted) break;
        fprintf(stderr, "vkassay: %zu of %zu guesses tried\n", end, init->placed_count);
        if (init->options->out && !init->options->recipe && json_object_array_length(init->kernels) &&
            !write_manifest(init, err))
            return false;
    }
    return true;
}

static bool settle(const struct init *init, enum status *status, struct error *err) {
    const size_t count = json_object_array_length(init->kernels);
    if (init->one && !count) return error_set(err, STATUS_BAD_INPUT, "%s", init->why ? init->why : "found no shader");
    *status = init->missed || init->interrupted ? STATUS_PARTIAL : STATUS_OK;
    if (!count) *status = STATUS_NOTHING;
    if (init->interrupted) fprintf(stderr, "vkassay: interrupted: not every guess was tried\n");
    fprintf(init->said, "%zu kernel%s, %zu not placed%s%s\n", count, count == 1 ? "" : "s", init->missed,
        count && init->options->out ? "; in " : "", count && init->options->out ? init->options->out : "");
    if (init->headers)
        fprintf(init->said, "%zu header%s without a main function\n", init->headers, init->headers == 1 ? "" : "s");
    if (!count) return true;
    const char *recipe = init->options->recipe;
    if (recipe && !recipe_write(init->arena, recipe, init->options->out, err)) return false;
    if (!write_manifest(init, err)) return false;
    if (recipe) fprintf(init->said, "%s checks and compares them in CI; replace OWNER in it\n", recipe);
    return true;
}

static bool load(struct init *init, struct error *err) {
    const struct options *options = init->options;
    const char *home = home_folder(init->arena, err);
    if (!home) return false;
    if (!options->word_count && !options->defines)
        return error_set(err, STATUS_USAGE, "init: expected OPERATOR SHADER..., or a folder of shaders");
    for (size_t i = 0; i < options->operators.count; i++)
        if (!operators_load(init->arena, options->operators.items[i], err)) return false;
    if (options->defines && !build_lines_read(init->arena, options->defines, &init->lines, &init->line_count, err))
        return false;
    if (options->recipe && !options->out)
        return error_set(err, STATUS_USAGE, "init: --recipe needs --out, the manifest among the kernels");
    if (options->out && file_exists(options->out))
        return error_set(err, STATUS_BAD_INPUT, "%s: exists already; choose another --out or remove it", options->out);
    if (options->names && !dictionary_read(init->arena, options->names, &init->dictionary, err)) return false;
    const char *own = arena_format(init->arena, "%s/kernels", home);
    init->includes[init->include_count++] = arena_format(init->arena, "%s/include", own);
    if (init->one && !kernels_load(init->arena, &own, 1, &init->others, err)) return false;
    for (size_t i = 0; i < options->kernels.count; i++)
        init->includes[init->include_count++] = arena_format(init->arena, "%s/include", options->kernels.items[i]);
    return true;
}

bool init_manifest(
    struct arena *arena, const struct options *options, struct one_guess *one, enum status *status, struct error *err) {
    struct init init = {.arena = arena,
        .options = options,
        .one = one,
        .kernels = json_object_new_array(),
        .said = options->out ? stdout : stderr};
    bool ok = load(&init, err) && place_words(&init, err);
    if (ok) place_all(&init);
    if (ok && one) take_one(&init, one);
    ok = ok && try_all(&init, err);
    ok = ok && settle(&init, status, err);
    for (size_t i = 0; i < init.placed_count; i++) json_object_put(init.placed[i].kernel);
    json_object_put(init.kernels);
    dictionary_free(init.dictionary);
    return ok;
}

bool command_init(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    return init_manifest(arena, options, NULL, status, err);
}
