// SPDX-License-Identifier: Apache-2.0
#include "select_name.h"

#include "../../reference/table.h"
#include "../base/text.h"
#include "../../reference/operator.h"

#include <string.h>

// Returns whether the glob matches the name or one of its leading parts. `name` is cut at each '/' in turn and
// restored.
static bool glob_matches(const char *glob, char *name) {
    for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool match = text_glob(glob, name);
        *slash = '/';
        if (match) return true;
    }
    return text_glob(glob, name);
}

// Does the same with `start` in place of the kernel's name.
static bool glob_matches_under(const char *glob, const char *start, const char *rest) {
    struct text name = {0};
    text_format(&name, "%s%s", start, rest);
    bool match = glob_matches(glob, name.data);
    text_free(&name);
    return match;
}

bool select_matches(const char *glob, const char *name) {
    const size_t kernel = strcspn(name, "/"), length = strcspn(name, "./");
    char op[64];
    if (glob_matches_under(glob, "", name)) return true;
    if (length >= sizeof op || memchr(glob, '.', strcspn(glob, "/"))) return false; // names a kernel
    memcpy(op, name, length);
    op[length] = '\0';
    if (glob_matches_under(glob, op, name + kernel)) return true;
    const char *family = operator_family(op);
    const size_t end = strlen(family);
    return operator_named(op) && strncmp(glob, family, end) == 0 && (!glob[end] || glob[end] == '/') &&
           !operator_named(family) && glob_matches_under(glob, family, name + kernel);
}
