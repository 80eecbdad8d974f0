// SPDX-License-Identifier: Apache-2.0
#include "systems.h"

#include <string.h>

const struct backend_system backend_systems[] = {
    {"torchless", "TL"}, {"torsh", "TS"}, {"candle", "CF"}, {"tensor-frame", "TF"}, {"libtorch-rust", "LT"}, {0}};

void put_system(struct text *out, const char *name, size_t length) {
    for (const struct backend_system *s = backend_systems; s->name; s++)
        if (strlen(s->name) == length && memcmp(s->name, name, length) == 0) {
            text_append(out, s->letters);
            return;
        }
    text_append_n(out, name, length);
}

void put_system_legend(struct text *out) {
    for (const struct backend_system *s = backend_systems; s->name; s++)
        text_format(out, "%s%s %s", s > backend_systems ? ", " : "", s->letters, s->name);
}

bool system_is_among(const struct backend_system *system, const char *letters) {
    size_t length = strlen(system->letters);
    for (const char *at = letters; *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, system->letters, length) == 0) return true;
        at += word;
    }
    return false;
}
