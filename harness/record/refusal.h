// SPDX-License-Identifier: Apache-2.0
// Why a point was not run, as data: a kind, and the words and figures of its sentence. Only this file makes the
// English sentence. To add a kind: a name in the enum, and a line in the table of refusal.c.
#ifndef VKASSAY_RECORD_REFUSAL_H
#define VKASSAY_RECORD_REFUSAL_H

#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>

struct kind; // base/fields.h
struct profile;
struct excess;

enum refusal_kind {
    REFUSAL_FEATURE,
    REFUSAL_MATRIX_COMPILER,
    REFUSAL_MATRIX_EXTENSION,
    REFUSAL_MATRIX_SIZES,
    REFUSAL_STORAGE_BUFFERS,
    REFUSAL_PUSH_BYTES,
    REFUSAL_PUSH_VALUE,
    REFUSAL_WORKGROUP_EMPTY,
    REFUSAL_WORKGROUP_AXIS,
    REFUSAL_WORKGROUP_OVERFLOW,
    REFUSAL_INVOCATIONS,
    REFUSAL_SUBGROUP_FEATURE,
    REFUSAL_SUBGROUP_SIZE,
    REFUSAL_SUBGROUP_COUNT,
    REFUSAL_SHARED_OVERFLOW,
    REFUSAL_SHARED_BYTES,
    REFUSAL_RULE_OVERFLOW,
    REFUSAL_RULE_MULTIPLE,
    REFUSAL_RULE_AT_MOST,
    REFUSAL_RULE_EQUAL,
    REFUSAL_GRID_OVERFLOW,
    REFUSAL_GRID_EMPTY,
    REFUSAL_GRID_AXIS,
    REFUSAL_GRID_FOLDED,
    REFUSAL_DISPATCHES,
    REFUSAL_BUFFER_ELEMENTS,
    REFUSAL_BUFFER_EMPTY,
    REFUSAL_BUFFER_BLOCKS,
    REFUSAL_BUFFER_LAYOUT,
    REFUSAL_BUFFER_OVERFLOW,
    REFUSAL_BUFFER_RANGE,
    REFUSAL_BUFFER_ALLOCATION,
    REFUSAL_MEMORY,
    REFUSAL_TOO_LONG,
    REFUSAL_EXPECTED,
    REFUSAL_PROFILE_LIMIT,
    REFUSAL_PROFILE_FEATURE,
    REFUSAL_REFERENCE,
    REFUSAL_LOOP_TURNS,
    REFUSAL_DEVICE_LIMIT, // of a limit without a kind of its own
    REFUSAL_UNTRIED,
    REFUSAL_KINDS
};

enum { REFUSAL_WORDS = 3, REFUSAL_FIGURES = 4 };
struct refusal {
    enum refusal_kind kind;
    int pass;                         // of the kernel's passes, from 1; 0: no single pass
    bool by_dims;                     // by a rule about dims; not kept in files
    const char *words[REFUSAL_WORDS]; // in the order of the sentence, NULL after the last
    double figures[REFUSAL_FIGURES];  // in the same order; 0 after the last
};

// Copies a refusal into the arena: REFUSED(arena, .kind = REFUSAL_PUSH_BYTES, .figures = {256, 128}). Its words are
// borrowed.
const struct refusal *refusal_new(struct arena *arena, struct refusal refusal);
#define REFUSED(arena, ...) refusal_new(arena, (struct refusal){__VA_ARGS__})

// Makes the refusal of an excess over a profile, whose name is borrowed: "max_invocations is 512; the profile webgpu
// allows 256".
const struct refusal *refusal_of_excess(
    struct arena *arena, const struct profile *profile, const struct excess *excess);

// Returns the sentence, in the arena: "1024 invocations; the device allows 256".
const char *refusal_text(struct arena *arena, const struct refusal *refusal);
// Returns the same for all refusals with other figures: "# invocations; the device allows #".
const char *refusal_pattern(struct arena *arena, const struct refusal *refusal);
// Returns a phrase for a table's cell: "a limit", "memory", "no float16".
const char *refusal_brief(struct arena *arena, const struct refusal *refusal);

extern const struct kind kind_refusal; // const struct refusal *

#endif
