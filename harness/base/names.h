// SPDX-License-Identifier: Apache-2.0
// Names with a number each, looked up and added in constant time.
#ifndef VKASSAY_BASE_NAMES_H
#define VKASSAY_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct names_slot;

// Table of names. Zeroed is empty; release it with names_free. Names are borrowed and must outlive the table.
struct names {
    struct names_slot *slots;
    size_t count, capacity;
};

#define NAMES_NONE SIZE_MAX

// Returns the number of the first `length` bytes of `name`. A new name gets the number `fresh`.
size_t names_put(struct names *names, const char *name, size_t length, size_t fresh);

// Returns the number of a name, or NAMES_NONE.
size_t names_get(const struct names *names, const char *name, size_t length);

void names_free(struct names *names);

#endif
