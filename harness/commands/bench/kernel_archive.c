// SPDX-License-Identifier: Apache-2.0
#include "kernel_archive.h"

#include "../../base/file.h"
#include "../../base/hash.h"
#include "../../base/json.h"
#include "../../base/text.h"
#include "../../shader/manifest/kernel.h"
#include "../../record/result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FIRST_WORDS "vkassay kernels 1 "

const char *archive_path(struct arena *arena, const char *baseline) {
    const size_t length = strlen(baseline), ending = strlen(".json");
    const bool ends = length > ending && strcmp(baseline + length - ending, ".json") == 0;
    return arena_format(arena, "%.*s.kernels", (int)(ends ? length - ending : length), baseline);
}

const char *archive_id(struct arena *arena, const struct result *baseline) {
    struct json_object *run = json_get(baseline->context, "run");
    const char *const parts[] = {
        json_get_string(run, "started", ""), json_get_string(run, "suite", ""), json_get_string(run, "seed", "")};
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) hash = hash_string(hash, parts[i]);
    return arena_format(arena, "%016" PRIx64, hash);
}

// ---- writing

struct packing {
    struct arena *arena;
    const struct kernels *kernels;
    struct text body;
};

static bool is_manifest(const struct kernels *kernels, const char *path) {
    for (size_t i = 0; i < kernels->count; i++)
        if (strcmp(kernels->items[i]->file, path) == 0) return true;
    return false;
}

static bool pack_file(struct packing *p, const char *path, const char *name, struct error *err) {
    size_t length;
    const char *bytes = file_read(p->arena, path, &length, err);
    if (!bytes) return false;
    if (strchr(name, '\n')) return error_set(err, STATUS_BAD_INPUT, "%s: its name has a line end", path);
    if (length > ARCHIVE_MOST || p->body.length + length > ARCHIVE_MOST)
        return error_set(err, STATUS_NOTHING, "their files have more than %d MiB", ARCHIVE_MOST >> 20);
    text_format(&p->body, "%zu %s\n", length, name);
    text_append_n(&p->body, bytes, length);
    return true;
}

// Packs the files of a folder as NUMBER/PATH.
static bool pack_folder(struct packing *p, const char *folder, size_t number, struct error *err) {
    static const char *const endings[] = {".json", ".comp", ".glsl", ".h", ".hlsl", ".wgsl", ".spv"};
    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        char **paths;
        size_t count;
        if (!file_list(p->arena, folder, endings[e], &paths, &count, err))
            return error_set(err, STATUS_BAD_INPUT, "%s cannot be read", folder);
        for (size_t i = 0; i < count; i++) {
            const char *name = paths[i] + strlen(folder);
            while (*name == '/') name++;
            if (e == 0 && !is_manifest(p->kernels, paths[i])) continue;
            if (!pack_file(p, paths[i], arena_format(p->arena, "%zu/%s", number, name), err)) return false;
        }
    }
    return true;
}

// Packs the folders of the command line. Shaders of a user's folder may include the program's own files.
static bool pack(struct packing *p, const struct options *options, struct error *err) {
    const char *home = home_folder(p->arena, err);
    if (!home || !pack_folder(p, arena_format(p->arena, "%s/kernels", home), 0, err)) return false;
    if (options->only) return pack_folder(p, options->only, 1, err);
    for (size_t i = 0; i < options->kernels.count; i++)
        if (!pack_folder(p, options->kernels.items[i], i + 1, err)) return false;
    return true;
}

bool archive_write(struct arena *arena, const char *path, const char *id, const struct options *options,
    const struct kernels *kernels, struct error *err) {
    struct packing p = {.arena = arena, .kernels = kernels};
    struct file_out *out = NULL;
    bool ok = pack(&p, options, err) && (out = file_begin(path, err));
    if (ok) {
        const char *body = text_str(&p.body);
        const char *first =
            arena_format(arena, FIRST_WORDS "%s %016" PRIx64 "\n", id, hash_bytes(HASH_START, body, p.body.length));
        file_put(out, first, strlen(first));
        file_put(out, body, p.body.length);
        ok = file_finish(out, true, err);
    }
    text_free(&p.body);
    return ok;
}

// ---- reading

static bool damaged(const char *path, struct error *err) {
    return error_set(err, STATUS_BAD_INPUT, "%s: damaged", path);
}

// Returns the bytes behind the first line.
static const char *read_body(
    struct arena *arena, const char *path, const char *id, const char **end, struct error *err) {
    struct stat about;
    size_t length;
    const char *bytes = NULL, *body = NULL;
    if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode))
        error_set(err, STATUS_BAD_INPUT, "%s: expected a file, no link", path);
    else if (about.st_size > 2 * (off_t)ARCHIVE_MOST)
        error_set(err, STATUS_BAD_INPUT, "%s: larger than %d MiB", path, 2 * (ARCHIVE_MOST >> 20));
    else
        bytes = file_read(arena, path, &length, err);
    if (!bytes) return NULL;
    const char *first = arena_format(arena, FIRST_WORDS "%s ", id), *line_end = memchr(bytes, '\n', length);
    if (!line_end || strncmp(bytes, FIRST_WORDS, strlen(FIRST_WORDS)) != 0) {
        damaged(path, err);
        return NULL;
    }
    if (strncmp(bytes, first, strlen(first)) != 0) {
        error_set(err, STATUS_BAD_INPUT, "%s: the kernels of another run than this baseline's", path);
        return NULL;
    }
    body = line_end + 1;
    *end = bytes + length;
    const char *hash = arena_format(arena, "%016" PRIx64 "\n", hash_bytes(HASH_START, body, (size_t)(*end - body)));
    if (strncmp(bytes + strlen(first), hash, strlen(hash)) == 0) return body;
    damaged(path, err);
    return NULL;
}

// Returns whether a name stays below the folder it is unpacked to.
static bool stays_below(const char *name) {
    if (*name == '/' || !*name) return false;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2])) return false;
    }
    return true;
}

static bool unpack_files(
    struct arena *arena, const char *path, const char *at, const char *end, const char *folder, struct error *err) {
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        char *name;
        if (!line_end || *at < '0' || *at > '9') return damaged(path, err);
        const unsigned long long length = strtoull(at, &name, 10);
        const char *bytes = line_end + 1;
        if (*name != ' ' || name >= line_end || length > (size_t)(end - bytes)) return damaged(path, err);
        const char *file = arena_copy_n(arena, name + 1, (size_t)(line_end - name - 1));
        if (!stays_below(file)) return damaged(path, err);
        const char *to = arena_format(arena, "%s/%s", folder, file);
        if (!file_make_folder(file_folder(arena, to), err) || !file_write(to, bytes, (size_t)length, err)) return false;
        at = bytes + length;
    }
    return true;
}

// Returns whether the real path of a file or folder is below `folder`. A missing one is read from nowhere.
static bool is_below(const char *path, const char *folder) {
    char *real = realpath(path, NULL), *root = realpath(folder, NULL);
    const size_t length = root ? strlen(root) : 0;
    const bool below = !real || (root && strncmp(real, root, length) == 0 && (!real[length] || real[length] == '/'));
    free(real);
    free(root);
    return below;
}

// Leaves out kernels with files outside of the folder.
static void keep_own(struct kernels *kernels, const char *folder) {
    size_t kept = 0;
    for (size_t i = 0; i < kernels->count; i++) {
        const struct kernel *kernel = kernels->items[i];
        bool own = true;
        for (int p = 0; p < kernel->pass_count; p++) {
            own &= is_below(kernel->passes[p].shader, folder);
            if (kernel->passes[p].header) own &= is_below(kernel->passes[p].header, folder);
            for (int n = 0; n < kernel->passes[p].include_count; n++)
                own &= is_below(kernel->passes[p].includes[n], folder);
        }
        if (own) kernels->items[kept++] = kernel;
    }
    kernels->count = kept;
}

bool archive_unpack(struct arena *arena, const char *path, const char *id, const char *folder,
    struct version_files *out, struct kernels *kernels, struct error *err) {
    const char *end, *body = read_body(arena, path, id, &end, err);
    if (!body || !unpack_files(arena, path, body, end, folder, err)) return false;
    const char **folders = arena_alloc(arena, OPTION_LIST + 2, sizeof *folders);
    folders[0] = folder;
    *out = (struct version_files){folders, 1};
    for (int i = 0; i <= OPTION_LIST; i++) {
        const char *include = arena_format(arena, "%s/%d/include", folder, i);
        if (file_exists(include)) folders[out->count++] = include;
    }
    if (!kernels_load(arena, folders, 1, kernels, err)) return false;
    keep_own(kernels, folder);
    return true;
}
