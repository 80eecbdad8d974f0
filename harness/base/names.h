// SPDX-License-Identifier: Apache-2.0
// Names with a number each: found, and found to be new, in constant time however many there are.
#ifndef VKASSAY_BASE_NAMES_H
#define VKASSAY_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct names_slot;

// Zeroed is empty. Names are borrowed: they must outlive the table. Released with names_free.
struct names {
    struct names_slot *slots;
    size_t count, capacity;
};

#define NAMES_NONE SIZE_MAX

// The number of the first `length` bytes of `name`; when they are new they get the number `fresh`.
size_t names_put(struct names *names, const char *name, size_t length, size_t fresh);

// The number of a name, or NAMES_NONE.
size_t names_get(const struct names *names, const char *name, size_t length);

void names_free(struct names *names);

#endif
