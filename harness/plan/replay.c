// SPDX-License-Identifier: Apache-2.0
// The command line that runs a point again.
#include "point.h"

#include "../../reference/table.h"
#include "../base/text.h"

#include <stdlib.h>
#include <string.h>

// A path as a shell takes it; the user's home is "~", as results are made to be shared.
static void put_path(struct text *out, const char *path) {
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;
    if (length > 1 && strncmp(path, home, length) == 0 && path[length] == '/') {
        text_append(out, "~/");
        path += length + 1;
    }
    text_shell_word(out, path);
}

const char *point_replay(struct arena *arena, const struct point *point, uint64_t seed) {
    struct text line = {0};
    text_format(&line, "vkassay check '%s' --seed %llu", point->name, (unsigned long long)seed);
    const char *object = operators_added_from(point->kernel->op);
    if (object) {
        text_append(&line, " --operators ");
        put_path(&line, object);
    }
    if (point->kernel->given) {
        text_append(&line, point->kernel->alone ? " --only " : " --kernels ");
        put_path(&line, point->kernel->given);
    }
    return arena_take(arena, &line);
}
