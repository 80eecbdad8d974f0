// SPDX-License-Identifier: Apache-2.0
// `init`: guesses a manifest from shaders.
#include "../../reference/table.h"
#include "../base/file.h"
#include "../base/text.h"
#include "../manifest/guess/guess.h"
#include "../manifest/operators.h"
#include "command.h"
#include "prepare.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *const endings[] = {".comp", ".glsl", ".hlsl", ".wgsl", ".spv"};

enum { INIT_PASSES = 6 };

struct found_entry {
    const struct told *told;
    const char *folder, *stem; // of passes: their common name
    int pass;                  // 0: its name is not that of a pass
    bool placed;
};

struct init {
    struct arena *arena;
    const struct options *options;
    const struct op *op; // the operator given; NULL: guessed from names
    const char *folder;  // the manifest's folder
    const char *includes[2 + OPTION_LIST];
    size_t include_count;
    struct found_entry *found; // the chosen entry points, in the order of the files
    size_t count, capacity;
    struct json_object *kernels;
    FILE *said; // for messages: stdout, or stderr if the manifest is printed to stdout
    size_t missed;
};

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void miss(struct init *init, const char *path, const char *entry, const char *why) {
    fprintf(stderr, "vkassay: not matched: %s%s%s: %s\n", path, *entry ? ", " : "", entry, why);
    init->missed++;
}

// ---- one entry point

static bool is_taken(const struct init *init, const char *name) {
    for (size_t i = 0; i < json_object_array_length(init->kernels); i++)
        if (strcmp(json_get_string(json_object_array_get_idx(init->kernels, i), "name", ""), name) == 0) return true;
    return false;
}

static void add_kernel(struct init *init, struct json_object *kernel) {
    const char *name = json_get_string(kernel, "name", ""), *own = arena_copy(init->arena, name);
    for (int i = 2; is_taken(init, own); i++) own = arena_format(init->arena, "%s_%d", name, i);
    json_put_string(kernel, "name", own);
    json_object_array_add(init->kernels, kernel);
}

// Guesses the operator from the entry point's name, or else from the file's name.
static const struct op *operator_of(struct init *init, const struct told *told, const struct op **also) {
    const char *stem = guess_stem(init->arena, told->path);
    const struct op *op = guess_operator(told->entry, also);
    if (!op) op = guess_operator(stem, also);
    return op ? guess_rows(guess_rows(op, told->entry), stem) : NULL;
}

static void say_kernel(struct init *init, const struct told *told, const char *entries, struct json_object *kernel,
    const struct op *second) {
    const char *also = second ? arena_format(init->arena, "; its name holds %s, too", second->name) : "";
    add_kernel(init, kernel);
    fprintf(init->said, "%s, %s: %s%s%s\n", told->path, entries, json_get_string(kernel, "name", ""),
        init->op ? "" : " by its name", also);
    struct json_object *notes = json_get(kernel, "notes");
    for (size_t i = 0; notes && i < json_object_array_length(notes); i++)
        fprintf(init->said, "    %s\n", json_object_get_string(json_object_array_get_idx(notes, i)));
}

static void place(struct init *init, const struct told *told) {
    const char *why = NULL;
    const struct op *second = NULL, *op = init->op ? init->op : operator_of(init, told, &second);
    if (!op) {
        miss(init, told->path, told->entry,
            "no operator has this name; use `vkassay init OPERATOR FILE` (see `vkassay list operators`)");
        return;
    }
    struct json_object *kernel = guess_kernel(init->arena, told, op, init->folder, &why);
    if (!kernel) {
        miss(init, told->path, told->entry, arena_format(init->arena, "as %s: %s", op->name, why));
        return;
    }
    say_kernel(init, told, told->entry, kernel, second);
}

// ---- passes

static struct found_entry found_of(struct init *init, const struct told *told) {
    const char *stem = guess_stem(init->arena, told->path);
    const bool plain = strcmp(told->entry, "main") == 0;
    const char *name = plain ? stem : arena_format(init->arena, "%s_%s", stem, told->entry);
    struct found_entry found = {.told = told, .folder = file_folder(init->arena, told->path)};
    found.pass = guess_pass(init->arena, name, &found.stem);
    return found;
}

// Collects the passes of the same kernel, in their order.
static int gather(const struct init *init, const struct found_entry *one, struct found_entry *out[INIT_PASSES]) {
    int count = 0;
    for (size_t i = 0; i < init->count; i++) {
        struct found_entry *other = &init->found[i];
        int at = count;
        if (other->placed || !other->pass || strcmp(other->stem, one->stem) != 0 ||
            strcmp(other->folder, one->folder) != 0 || count == INIT_PASSES)
            continue;
        for (; at > 0 && out[at - 1]->pass > other->pass; at--) out[at] = out[at - 1];
        if (at > 0 && out[at - 1]->pass == other->pass) return 0; // two have the same number
        out[at] = other;
        count++;
    }
    return count;
}

static bool place_passes(struct init *init, const struct found_entry *one) {
    struct found_entry *passes[INIT_PASSES];
    const struct told *told[INIT_PASSES];
    const struct op *second = NULL, *op = init->op;
    const char *entries = "", *why;
    const int count = one->pass ? gather(init, one, passes) : 0;
    if (count < 2) return false;
    for (int i = 0; i < count; i++) {
        told[i] = passes[i]->told;
        const char *slash = strrchr(told[i]->path, '/'), *entry = told[i]->entry;
        const bool plain = i && strcmp(entry, "main") == 0; // in another file
        entries = arena_format(
            init->arena, "%s%s%s", entries, i ? ", " : "", plain ? (slash ? slash + 1 : told[i]->path) : entry);
        if (!op) op = operator_of(init, told[i], &second);
    }
    struct json_object *kernel = op ? guess_passes(init->arena, told, count, op, one->stem, init->folder, &why) : NULL;
    if (!kernel) return false;
    for (int i = 0; i < count; i++) passes[i]->placed = true;
    say_kernel(init, told[0], entries, kernel, second);
    return true;
}

static void place_all(struct init *init) {
    for (size_t i = 0; i < init->count; i++) {
        if (init->found[i].placed || place_passes(init, &init->found[i])) continue;
        init->found[i].placed = true;
        place(init, init->found[i].told);
    }
}

// ---- a file

// Returns whether the entry point is wanted. If any of them is named after the given operator, only such ones are.
static bool is_meant(const struct init *init, const struct told *told, int count, int which) {
    const struct op *also;
    bool any = false;
    for (int i = 0; init->op && i < count; i++) any |= guess_operator(told[i].entry, &also) == init->op;
    return !any || guess_operator(told[which].entry, &also) == init->op;
}

static void read_entry(struct init *init, const char *path, const char *entry) {
    static const struct define f32[] = {{.name = "DTYPE_F32", .value = "1"}};
    struct shader_request request = {.path = path,
        .entry = entry,
        .defines = f32,
        .define_count = shader_language(path) == LANGUAGE_WGSL ? 0 : 1,
        .includes = init->includes,
        .include_count = init->include_count,
        .cache_folder = cache_folder(init->arena),
        .wgsl_compiler = init->options->run.wgsl_compiler,
        .lines = true}; // also keeps names
    struct told *told;
    struct error err;
    int count;
    if (!told_read(init->arena, &request, &told, &count, &err)) {
        miss(init, path, "", err.text);
        return;
    }
    for (int i = 0; i < count; i++) {
        if (!is_meant(init, told, count, i)) continue;
        init->found = arena_grow(init->arena, init->found, init->count, &init->capacity, sizeof *init->found);
        init->found[init->count++] = found_of(init, &told[i]);
    }
}

// Reads each entry point of an HLSL file, found behind [numthreads(...)]. HLSL compilers need the function's name and
// drop all others.
static void place_hlsl(struct init *init, const char *path) {
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
        read_entry(init, path, arena_copy_n(init->arena, start, (size_t)(end - start)));
        found++;
    }
    if (!found) read_entry(init, path, "main");
}

static void place_file(struct init *init, const char *path) {
    if (shader_language(path) == LANGUAGE_HLSL)
        place_hlsl(init, path);
    else
        read_entry(init, path, "main");
}

// ---- all files

static bool place_folder(struct init *init, const char *folder, struct error *err) {
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
    if (!is_folder(options->words[0]) && !file_exists(options->words[0])) {
        init->op = operator_named(options->words[0]);
        if (!init->op)
            return error_set(err, STATUS_USAGE,
                "\"%s\" is not an operator (see `vkassay list operators`), file or folder", options->words[0]);
        if (options->word_count == ++first)
            return error_set(err, STATUS_USAGE, "init %s: expected the path of a shader", init->op->name);
    }
    init->folder =
        is_folder(options->words[first]) ? options->words[first] : file_folder(init->arena, options->words[first]);
    if (options->out) init->folder = file_folder(init->arena, options->out);
    for (size_t i = first; i < options->word_count; i++) {
        if (is_folder(options->words[i])) {
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

static bool settle(const struct init *init, enum status *status, struct error *err) {
    const size_t count = json_object_array_length(init->kernels);
    *status = !count ? STATUS_NOTHING : init->missed ? STATUS_PARTIAL : STATUS_OK;
    fprintf(init->said, "%zu kernel%s, %zu not matched%s%s\n", count, count == 1 ? "" : "s", init->missed,
        count && init->options->out ? "; in " : "", count && init->options->out ? init->options->out : "");
    if (count && init->options->out && file_exists(init->options->out))
        return error_set(
            err, STATUS_BAD_INPUT, "%s: exists already; choose another --out or remove it", init->options->out);
    return !count || write_manifest(init, err);
}

bool command_init(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct init init = {
        .arena = arena, .options = options, .kernels = json_object_new_array(), .said = options->out ? stdout : stderr};
    const char *home = home_folder(arena, err);
    bool ok = home != NULL;
    if (!options->word_count)
        ok = error_set(err, STATUS_USAGE, "init: expected OPERATOR SHADER..., or a folder of shaders");
    for (size_t i = 0; ok && i < options->operators.count; i++)
        ok = operators_load(arena, options->operators.items[i], err);
    if (ok) {
        init.includes[init.include_count++] = arena_format(arena, "%s/kernels/include", home);
        for (size_t i = 0; i < options->kernels.count; i++)
            init.includes[init.include_count++] = arena_format(arena, "%s/include", options->kernels.items[i]);
    }
    ok = ok && place_words(&init, err);
    if (ok) place_all(&init);
    ok = ok && settle(&init, status, err);
    json_object_put(init.kernels);
    return ok;
}
