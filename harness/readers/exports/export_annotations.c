// SPDX-License-Identifier: Apache-2.0
// Writes GitHub Actions workflow commands, one for each kernel and cause of failure. In a job's log they become
// annotations at the shader.
#include "export.h"

#include "../../record/terms.h"
#include "../render/outcomes.h"
#include "../../record/result.h"
#include "../../record/record.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Escapes characters that would end a message or a property, as @actions/core does.
static void put_escaped(struct text *out, const char *string, const char *special) {
    for (const char *c = string; *c; c++) {
        if (*c == '%' || *c == '\r' || *c == '\n' || strchr(special, *c))
            text_format(out, "%%%02X", (unsigned)(unsigned char)*c);
        else
            text_append_n(out, c, 1);
    }
}

// Returns the path relative to the working directory, because annotations need paths within the repository.
static const char *within(struct arena *arena, const char *path) {
    char here[4096];
    char *whole = realpath(path, NULL);
    const char *found = path;
    if (whole && getcwd(here, sizeof here)) {
        size_t length = strlen(here);
        if (strncmp(whole, here, length) == 0 && whole[length] == '/') found = arena_copy(arena, whole + length + 1);
    }
    free(whole);
    return found;
}

// Returns the line of the file named in a compiler's reason, "FILE:LINE: "; 1 if there is none.
static long line_of(const char *reason, const char *path) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    for (const char *at = strstr(reason, file); at; at = strstr(at + 1, file)) {
        const char *number = at + strlen(file);
        if (*number != ':' || !isdigit((unsigned char)number[1])) continue;
        long line = strtol(number + 1, NULL, 10);
        if (line > 0) return line;
    }
    return 1;
}

static void put_failure(
    struct text *out, struct arena *arena, const struct failure *failure, const struct kernels *kernels) {
    const struct record *record = failure->record;
    const struct kernel *kernel = kernels ? kernel_named(kernels, record->kernel) : NULL;
    struct text title = {0}, message = {0};
    text_append(out, outcome_is_bad(record_outcome(record)) ? "::error " : "::warning ");
    if (kernel) {
        text_append(out, "file=");
        put_escaped(out, within(arena, kernel->passes[0].shader), ":,");
        text_format(out, ",line=%ld,", line_of(failure->reason, kernel->passes[0].shader));
    }
    text_format(&title, "%s %s: %s", record->kernel, record->dtype, failure->outcome);
    text_append(out, "title=");
    put_escaped(out, text_str(&title), ":,");
    text_append(out, "::");
    text_format(&message, "%s", record->name);
    put_alike(&message, failure);
    text_format(&message, ": %s", failure->reason);
    if (record->replay) text_format(&message, "\n%s", record->replay);
    put_escaped(out, text_str(&message), "");
    text_append(out, "\n");
    text_free(&title);
    text_free(&message);
}

static bool put_annotations(
    struct text *out, const struct result *results, size_t count, const struct kernels *kernels, struct error *err) {
    (void)err;
    for (size_t r = 0; r < count; r++) {
        struct arena arena = {0};
        struct failures failures;
        failures_make(&results[r], &arena, &failures);
        for (size_t i = 0; i < failures.count; i++) put_failure(out, &arena, &failures.items[i], kernels);
        arena_free(&arena);
    }
    return true;
}

const struct export_format format_annotations = {.name = "annotations",
    .summary = "GitHub Actions: ::error lines for shaders whose points are not right",
    .put_shaders = put_annotations};
