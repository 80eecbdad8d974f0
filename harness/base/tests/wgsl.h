// SPDX-License-Identifier: Apache-2.0
// A real compiler of WGSL for tests, where scripts/install.sh could put one. From the top of the repository.
#ifndef VKASSAY_BASE_TESTS_WGSL_H
#define VKASSAY_BASE_TESTS_WGSL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// From here on VKASSAY_WGSL names it; false: there is none, which is said.
static inline bool wgsl_is_here(void) {
    char line[4000] = "";
    FILE *pipe = popen("bash -c '. scripts/find.sh && wgsl_command'", "r");
    bool found = pipe && fgets(line, sizeof line, pipe);
    if (pipe) pclose(pipe);
    line[strcspn(line, "\n")] = '\0';
    if (!found) print_message("skipped: no node with a compiler of WGSL is here (scripts/install.sh test)\n");
    return found && setenv("VKASSAY_WGSL", line, 1) == 0;
}

#endif
