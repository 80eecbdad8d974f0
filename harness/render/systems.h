// SPDX-License-Identifier: Apache-2.0
// The seed systems, and the letters that the operators' tables use for them. Private to
// harness/render.
#ifndef VKASSAY_RENDER_SYSTEMS_H
#define VKASSAY_RENDER_SYSTEMS_H

#include "../base/text.h"

struct backend_system {
    const char *name, *letters;
};
extern const struct backend_system backend_systems[]; // ends with a NULL name

// The system's letters; a system without stands with its name.
void put_system(struct text *out, const char *name, size_t length);
void put_system_legend(struct text *out); // what the letters stand for

// Whether these letters are among those of an operator, "TL TS".
bool system_is_among(const struct backend_system *system, const char *letters);

#endif
