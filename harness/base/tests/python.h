// SPDX-License-Identifier: Apache-2.0
// Checks written in Python, run by the interpreter that scripts/find.sh names, which is the one that scripts/install.sh
// sees to. From the top of the repository.
#ifndef VKASSAY_BASE_TESTS_PYTHON_H
#define VKASSAY_BASE_TESTS_PYTHON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The Python that has these modules; NULL: none has, which is said.
static inline const char *python_with(const char *modules) {
    static char path[1000];
    char command[200];
    snprintf(command, sizeof command, "bash -c '. scripts/find.sh && python_with %s'", modules);
    FILE *pipe = popen(command, "r");
    bool found = pipe && fgets(path, sizeof path, pipe);
    if (pipe) pclose(pipe);
    path[found ? strcspn(path, "\n") : 0] = '\0';
    if (!found) print_message("skipped: no Python here has %s (scripts/install.sh test)\n", modules);
    return found ? path : NULL;
}

// The exit status of `python FILE ARGUMENT`.
static inline int python_run(const char *python, const char *file, const char *argument) {
    char command[1500];
    snprintf(command, sizeof command, "%s %s %s", python, file, argument);
    return system(command);
}

#endif
