// SPDX-License-Identifier: Apache-2.0
// Mutants: the repository's own kernels, each broken in one way stated in mutants.json. All are put into a folder of
// kernels with a sound copy of each, so that one run checks them all.
#ifndef VKASSAY_COMMANDS_MUTANTS_H
#define VKASSAY_COMMANDS_MUTANTS_H

#include "../../base/file.h"
#include "../../base/json.h"
#include "../../../reference/tests/unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The tier expected to catch a mutant. TIER_ALONE is the sampled tier's larger check of a kernel selected by itself.
enum mutant_tier { TIER_SMOKE, TIER_SAMPLED, TIER_ALONE };

// A member of the table. Strings belong to the table's JSON value.
struct mutant {
    const char *name, *kind, *kernel;
    const char *caught_by; // see `checks` in mutants_test.c
    enum mutant_tier tier;
    const char *points; // for TIER_ALONE: a glob for the part of point names after the dtype
    const char *needs;  // a feature the kernel or the check needs; NULL: every device has it
    struct json_object *dtypes, *edits;
    const char *family; // folder of kernels/ with the kernel
    const char *manifest;
};

static inline char *read_text(struct arena *arena, const char *path) {
    struct error err;
    char *text = file_read(arena, path, NULL, &err);
    if (!text) fail_msg("%s", err.text);
    return text;
}

// Applies an edit. The text must contain `from` as often as the edit says (default: once).
static inline char *edited(struct arena *arena, const struct mutant *mutant, struct json_object *edit, char *text) {
    const char *from = json_get_string(edit, "from", ""), *to = json_get_string(edit, "to", "");
    int64_t times = json_get_int(edit, "times", 1), found = 0;
    for (char *at = text; *from && (at = strstr(at, from)); found++) {
        *at = '\0';
        at += strlen(from);
        char *joined = arena_format(arena, "%s%s%s", text, to, at);
        assert_non_null(joined);
        at = joined + strlen(text) + strlen(to);
        text = joined;
    }
    if (found != times)
        fail_msg("%s: %s holds '%s' %d times, expected %d", mutant->name, json_get_string(edit, "file", "?"), from,
            (int)found, (int)times);
    return text;
}

// Returns the text of a file of kernels/, with the mutant's edits if `mutated`.
static inline char *text_of(struct arena *arena, const struct mutant *mutant, const char *file, bool mutated) {
    char *text = read_text(arena, arena_format(arena, "kernels/%s", file));
    for (size_t i = 0; mutated && i < json_object_array_length(mutant->edits); i++) {
        struct json_object *edit = json_object_array_get_idx(mutant->edits, i);
        if (strcmp(json_get_string(edit, "file", ""), file) == 0) text = edited(arena, mutant, edit, text);
    }
    return text;
}

static inline struct json_object *kernel_in(struct json_object *manifest, const char *name) {
    struct json_object *kernels = json_get(manifest, "kernels"); // files of chains have none
    for (size_t i = 0; kernels && i < json_object_array_length(kernels); i++) {
        struct json_object *kernel = json_object_array_get_idx(kernels, i);
        if (strcmp(json_get_string(kernel, "name", ""), name) == 0) return kernel;
    }
    return NULL;
}

// Finds the manifest of the mutant's kernel.
static inline void find_manifest(struct arena *arena, struct mutant *mutant) {
    char **paths;
    size_t count;
    struct error err;
    assert_true(file_list(arena, "kernels", ".json", &paths, &count, &err));
    for (size_t i = 0; i < count && !mutant->manifest; i++) {
        struct json_object *manifest = json_read(paths[i], &err);
        assert_non_null(manifest);
        if (kernel_in(manifest, mutant->kernel)) {
            mutant->manifest = paths[i] + strlen("kernels/");
            mutant->family = arena_copy_n(arena, mutant->manifest, strcspn(mutant->manifest, "/"));
        }
        json_object_put(manifest);
    }
    if (!mutant->manifest) fail_msg("%s: there is no kernel %s", mutant->name, mutant->kernel);
}

// Writes a manifest with only this kernel, under another name.
static inline void write_manifest(
    struct arena *arena, const struct mutant *mutant, const char *folder, const char *name, bool mutated) {
    struct error err;
    const char *text = text_of(arena, mutant, mutant->manifest, mutated);
    struct json_object *manifest = json_parse(text, strlen(text)), *kernels = json_object_new_array();
    assert_non_null(manifest);
    struct json_object *kernel = json_object_get(kernel_in(manifest, mutant->kernel));
    json_put_string(kernel, "name", name);
    if (mutant->dtypes) json_put(kernel, "dtypes", json_object_get(mutant->dtypes));
    json_object_array_add(kernels, kernel);
    json_put(manifest, "kernels", kernels);
    assert_true(json_write(arena_format(arena, "%s/manifest.json", folder), manifest, true, &err));
    json_object_put(manifest);
}

// Makes a link to a file of the repository, and the folders for it.
static inline void link_to(struct arena *arena, const char *path, const char *to) {
    char here[2000];
    struct error err;
    assert_non_null(getcwd(here, sizeof here));
    if (!file_make_folder(arena_copy_n(arena, to, (size_t)(strrchr(to, '/') - to)), &err)) fail_msg("%s", err.text);
    assert_int_equal(symlink(arena_format(arena, "%s/%s", here, path), to), 0);
}

// Puts sources beside the manifest, where includes are searched first. Files without edits are links.
static inline void place_sources(
    struct arena *arena, const struct mutant *mutant, const char *from, const char *folder, bool mutated) {
    char **paths;
    size_t count;
    struct error err;
    assert_true(file_list(arena, arena_format(arena, "kernels/%s", from), "", &paths, &count, &err));
    for (size_t i = 0; i < count; i++) {
        const char *file = paths[i] + strlen("kernels/");
        const char *to = arena_format(arena, "%s/%s", folder, file + strlen(from) + 1);
        bool touched = false;
        if (strstr(file, ".json")) continue;
        for (size_t e = 0; mutated && e < json_object_array_length(mutant->edits); e++)
            touched |= strcmp(json_get_string(json_object_array_get_idx(mutant->edits, e), "file", ""), file) == 0;
        const char *text = touched ? text_of(arena, mutant, file, true) : NULL;
        if (text)
            assert_true(file_write(to, text, strlen(text), &err));
        else
            link_to(arena, paths[i], to);
    }
}

// Fails if an edit is in a file the kernel does not use, because the kernel would stay sound.
static inline void expect_reach(const struct mutant *mutant) {
    for (size_t i = 0; i < json_object_array_length(mutant->edits); i++) {
        const char *file = json_get_string(json_object_array_get_idx(mutant->edits, i), "file", "");
        size_t folder = strcspn(file, "/");
        bool own = strncmp(file, mutant->family, folder) == 0 && !mutant->family[folder];
        bool right = strstr(file, ".json") ? strcmp(file, mutant->manifest) == 0 : own || !strncmp(file, "include/", 8);
        if (!right) fail_msg("%s: %s is no file of %s", mutant->name, file, mutant->kernel);
    }
}

// Makes a folder with the kernel under the name `name`, broken or sound.
static inline void place_kernel(
    struct arena *arena, const struct mutant *mutant, const char *root, const char *name, bool mutated) {
    const char *folder = arena_format(arena, "%s/%s", root, name);
    expect_reach(mutant);
    assert_int_equal(mkdir(folder, 0777), 0);
    place_sources(arena, mutant, mutant->family, folder, mutated);
    place_sources(arena, mutant, "include", folder, mutated);
    write_manifest(arena, mutant, folder, name, mutated);
}

// Links the other families unchanged, for includes and shaders named through "..".
static inline void place_families(struct arena *arena, const char *root) {
    char **paths;
    size_t count;
    struct error err;
    assert_true(file_list(arena, "kernels", "", &paths, &count, &err));
    for (size_t i = 0; i < count; i++) {
        const char *file = paths[i] + strlen("kernels/");
        if (!strstr(file, ".json") && !strstr(file, ".md"))
            link_to(arena, paths[i], arena_format(arena, "%s/%s", root, file));
    }
}

#endif
