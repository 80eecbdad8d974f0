// SPDX-License-Identifier: Apache-2.0
#include "include.h"

#include "../base/file.h"

#include <string.h>

static shaderc_include_result *answer(struct arena *arena, const char *name, const char *content, size_t length) {
    shaderc_include_result *result = arena_alloc(arena, 1, sizeof *result);
    *result = (shaderc_include_result){
        .source_name = name,
        .source_name_length = strlen(name),
        .content = content,
        .content_length = length,
    };
    return result;
}

// shaderc takes a result without a source name as a failure, and its content as the reason.
static shaderc_include_result *refuse(struct arena *arena, const char *why) {
    return answer(arena, "", why, strlen(why));
}

static char *join(struct arena *arena, const char *folder, const char *name) {
    return strcmp(folder, ".") == 0 ? arena_copy(arena, name) : arena_format(arena, "%s/%s", folder, name);
}

// The path of the first file that fits; NULL when none does.
static char *locate(const struct includer *includer, const char *name, bool beside, const char *includer_path) {
    struct arena *arena = includer->arena;
    char *path;
    if (name[0] == '/') return file_exists(name) ? arena_copy(arena, name) : NULL;
    if (beside) {
        path = join(arena, file_folder(arena, includer_path), name);
        if (file_exists(path)) return path;
    }
    for (size_t i = 0; i < includer->folder_count; i++) {
        path = join(arena, includer->folders[i], name);
        if (file_exists(path)) return path;
    }
    return NULL;
}

static shaderc_include_result *resolve(void *user, const char *name, int type, const char *from, size_t depth) {
    struct includer *includer = user;
    struct arena *arena = includer->arena;
    struct error err;
    size_t length;
    if (depth > INCLUDE_DEPTH)
        return refuse(arena,
            arena_format(arena, "includes are nested more than %d deep; does a file include itself?", INCLUDE_DEPTH));
    if (++includer->files > INCLUDE_FILES)
        return refuse(arena, arena_format(arena, "more than %d files are included", INCLUDE_FILES));
    char *path = locate(includer, name, type == shaderc_include_type_relative, from);
    if (!path)
        return refuse(arena, arena_format(arena, "%s is neither beside the including file nor in %zu include folders",
                                 name, includer->folder_count));
    char *content = file_read(arena, path, &length, &err);
    if (!content) return refuse(arena, arena_copy(arena, err.text));
    includer->bytes += length;
    if (includer->bytes > INCLUDE_BYTES)
        return refuse(arena, arena_format(arena, "more than %d bytes are included", INCLUDE_BYTES));
    return answer(arena, path, content, length);
}

static void release(void *user, shaderc_include_result *result) {
    (void)user;
    (void)result; // the arena holds it
}

void include_install(struct includer *includer, shaderc_compile_options_t options) {
    shaderc_compile_options_set_include_callbacks(options, resolve, release, includer);
}
