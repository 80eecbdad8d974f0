// SPDX-License-Identifier: Apache-2.0
#include "format.h"

#include <stddef.h>
#include <string.h>

static bool used;

void colour_use(bool on) {
    used = on;
}

const char *colour_begin(const char *class) {
    static const struct {
        const char *class, *code;
    } colours[] = {{"bad", "\x1b[31m"}, {"noisy", "\x1b[33m"}, {"good", "\x1b[32m"}};
    for (size_t i = 0; used && class && i < sizeof colours / sizeof *colours; i++)
        if (strcmp(class, colours[i].class) == 0) return colours[i].code;
    return "";
}

const char *colour_end(const char *class) {
    return *colour_begin(class) ? "\x1b[0m" : "";
}
