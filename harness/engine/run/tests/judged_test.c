// SPDX-License-Identifier: Apache-2.0
// Judges the kernels of each file of judged/, which is a test. Run it from the top of the repository. Lines of a file:
//   shader NAME              has its source indented below it.
//   == OPERATOR POINT        is a kernel that passes. The members of its manifest are indented below it.
//   == OPERATOR POINT: SAYS  is a kernel with this text in its reason, or in the error of its manifest.
//   operations N             limits each check.
//   needs wgsl               leaves the file out without a compiler of WGSL.
#include "../../../base/tests/needs.h"
#include "own_kernels.h"

#include <libgen.h>
#include <stdlib.h>

enum { MOST_FILES = 40, MOST_KERNELS = 100 };

struct judged {
    struct arena arena;
    struct own_kernel kernels[MOST_KERNELS];
    size_t count;
    double operations;
    bool wgsl;
};

// Takes the indented lines from here, each with `end` behind it. Returns them, and moves behind them.
static const char *indented(struct arena *arena, char **rest, const char *end) {
    const char *taken = "";
    while (*rest && (strncmp(*rest, "    ", 4) == 0 || (**rest == '\n' && strncmp(*rest + 1, "    ", 4) == 0))) {
        const char *line = strsep(rest, "\n");
        taken = arena_format(arena, "%s%s%s", taken, *line ? line + 4 : "", end);
    }
    return taken;
}

static void read_line(struct judged *judged, char *line, char **rest) {
    char *says = strstr(line, ": ");
    if (strncmp(line, "shader ", 7) == 0) {
        own_write(line + 7, indented(&judged->arena, rest, "\n"));
    } else if (strncmp(line, "== ", 3) == 0) {
        assert_true(judged->count < MOST_KERNELS);
        if (says) *says = '\0';
        char *point = line + 3, *operator= strsep(&point, " ");
        judged->kernels[judged->count++] =
            (struct own_kernel){operator, indented(&judged->arena, rest, " "), point, says ? says + 2 : NULL};
    } else if (strncmp(line, "operations ", 11) == 0) {
        judged->operations = atof(line + 11);
    } else if (strcmp(line, "needs wgsl") == 0) {
        judged->wgsl = true;
    } else if (*line && *line != '#') {
        fail_msg("neither a shader nor a kernel: %s", line);
    }
}

struct file {
    const struct own_device *device;
    const char *path;
};

static void each_is_judged_as_it_says(void **state) {
    const struct file *file = *state;
    static struct judged judged;
    struct error err;
    judged = (struct judged){0};
    char *rest = file_read(&judged.arena, file->path, NULL, &err);
    if (!rest) fail_msg("%s", err.text);
    for (char *line; (line = strsep(&rest, "\n"));) read_line(&judged, line, &rest);
    assert_true(judged.count > 1);
    if (judged.wgsl) needs_wgsl();
    own_operations = judged.operations;
    own_check(file->device, judged.kernels, judged.count);
    arena_free(&judged.arena);
}

int main(void) {
    static struct CMUnitTest tests[MOST_FILES];
    static struct file files[MOST_FILES];
    struct arena arena = {0};
    struct error err;
    char **paths;
    size_t count;
    void *device;
    if (own_open(&device, NULL, 0) != 0 ||
        !file_list(&arena, "harness/engine/run/tests/judged", ".txt", &paths, &count, &err) || count > MOST_FILES)
        return 1;
    for (size_t i = 0; i < count; i++) {
        files[i] = (struct file){device, paths[i]};
        tests[i] =
            (struct CMUnitTest){.name = arena_format(&arena, "judged_%s", basename(arena_copy(&arena, paths[i]))),
                .test_func = each_is_judged_as_it_says,
                .initial_state = &files[i]};
        *strchr((char *)tests[i].name, '.') = '\0'; // scripts/tally.sh expects letters, digits and lines
    }
    const int failed = _cmocka_run_group_tests("judged", tests, count, NULL, NULL);
    const int closed = own_close(&device);
    arena_free(&arena);
    return failed + (closed != 0);
}
