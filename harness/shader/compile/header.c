// SPDX-License-Identifier: Apache-2.0
#include "header.h"

#include "../../base/file.h"

#include <string.h>

// Returns how much of the text ends with the line of #version; 0: it has none.
static size_t version_end(const char *text) {
    const char *at = strstr(text, "#version");
    return at ? (size_t)(at - text) + strcspn(at, "\n") : 0;
}

char *header_before(struct arena *arena, const struct shader_request *request, char *source, struct error *err) {
    if (!request->header) return source;
    const char *header = file_read(arena, request->header, NULL, err);
    if (!header) return NULL;
    if (shader_language(request->path) == LANGUAGE_WGSL) return arena_format(arena, "%s\n%s", header, source);
    const size_t first = version_end(source);
    int line = 1;
    for (size_t i = 0; i < first; i++) line += source[i] == '\n';
    return arena_format(arena, "%.*s%s%s\n#line %d\n%s", (int)first, source, first ? "\n" : "", header,
        line + (first > 0), source + first + (source[first] == '\n' && first));
}

const char *line_name(struct arena *arena, const char *path) {
    char *name = arena_copy(arena, path);
    for (char *at = name; *at; at++)
        if (*at == '"' || *at == '\\' || (unsigned char)*at < ' ') *at = '?';
    return name;
}
