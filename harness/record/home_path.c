// SPDX-License-Identifier: Apache-2.0
// Words of a command line as a result names them: results are made to be shared, so that the user's home folder is "~"
// wherever a path begins, which is at the start of a word, after a blank (a word may be a whole command) and after "=".
// What is read back is what was written, byte for byte (of UTF-8), as long as the home is the same.
#include "../base/text.h"
#include "../base/fields.h"
#include "result.h"

#include <stdlib.h>
#include <string.h>

// $HOME without slashes at its end; *length is 0 where it is no folder that a path could begin with.
static const char *home_folder(size_t *length) {
    const char *home = getenv("HOME");
    *length = home && *home == '/' ? strlen(home) : 0;
    while (*length && home[*length - 1] == '/') --*length;
    return home;
}

static bool ends_name(char c) {
    return c == '\0' || c == '/' || c == ' ' || c == '\t';
}

// Whether a path can begin behind this part of a recorded word.
static bool begins_path(const char *recorded, size_t length) {
    return !length || strchr(" \t=", recorded[length - 1]);
}

struct json_object *home_path_to_json(const char *word) {
    size_t length;
    const char *home = home_folder(&length);
    struct text out = {0};
    if (!word) return NULL;
    for (const char *at = word; *at;) {
        bool begins = begins_path(text_str(&out), out.length);
        bool here = begins && length && strncmp(at, home, length) == 0 && ends_name(at[length]);
        if (here)
            text_append(&out, "~");
        else if (begins && *at == '~')
            text_append(&out, "~~"); // a name that begins so
        else
            text_append_n(&out, at, 1);
        at += here ? length : 1;
    }
    struct json_object *string = json_text(text_str(&out));
    text_free(&out);
    return string;
}

char *home_path_read(struct arena *arena, const char *recorded, struct error *err) {
    size_t length;
    const char *home = home_folder(&length);
    struct text out = {0};
    bool known = true;
    for (const char *at = recorded; *at; at++) {
        bool tilde = *at == '~' && begins_path(recorded, (size_t)(at - recorded));
        if (tilde && ends_name(at[1])) {
            text_append_n(&out, home, length);
            known = known && length;
        } else {
            text_append_n(&out, at, 1);
            at += tilde && at[1] == '~';
        }
    }
    char *word = known ? arena_copy(arena, text_str(&out)) : NULL;
    text_free(&out);
    if (!known)
        error_set(
            err, STATUS_BAD_INPUT, "the recorded '%s' is in the user's home folder, and HOME names none", recorded);
    return word;
}
