// SPDX-License-Identifier: Apache-2.0
// Reading manifests: one file a group of members. Every reader returns false with file, JSON path,
// expected and found; what can be read on after that goes through reading_note, so that all slips are told at once.
#ifndef VKASSAY_PLAN_MANIFEST_H
#define VKASSAY_PLAN_MANIFEST_H

#include "json_layers.h"
#include "known_names.h"

// One kernel while it is read.
struct kernel_reading {
    struct arena *arena;
    struct kernel *kernel;
    struct layers layers; // the kernel, then "common"
    struct error *err;
    struct slips *slips;
    int loop;             // that the pass at hand stands in, from 1: its variables may be named
    bool flawed;          // one of them is of this kernel
    bool tunables_flawed; // and of its tunables: shapes of systems cannot be held against them
};

// Takes note of a reader that failed: its slip is kept, and reading goes on with what does not depend on it.
void reading_note(struct kernel_reading *r, bool ok);

// Kernels of all manifests so far, in the arena.
struct manifests {
    struct arena *arena;
    struct kernel **items;
    size_t count, capacity;
    struct slips *slips;
    const char **chains; // files of chains, which are read when all kernels are known
    size_t chain_count, chain_capacity;
};

// Appends the kernels of one manifest, and its slips.
void manifest_read(struct manifests *manifests, const char *file);

// Members of the kernel, in the order in which they must be read: names have to be known before
// they are used.
bool read_identity(struct kernel_reading *r); // name, operator, summary, dtypes, arithmetic, features, nondeterministic
bool read_tunables(struct kernel_reading *r);
bool read_operands(struct kernel_reading *r); // in_place, fixed
bool read_scratch(struct kernel_reading *r);
bool read_zeroed(struct kernel_reading *r);
bool read_passes(struct kernel_reading *r);
bool read_shared(struct kernel_reading *r);
bool read_cooperative(struct kernel_reading *r);
bool read_rules(struct kernel_reading *r);
bool read_depth(struct kernel_reading *r);
bool read_systems(struct kernel_reading *r);

// A list of at most `room` items; *count of them are there.
bool read_list(struct kernel_reading *r, const struct json_at *at, int room, int *count);
// A name that is among `names`; `what` says what it should be ("operand").
bool read_name(struct kernel_reading *r, const struct json_at *at, const struct known_names *names, const char *what,
    const char **out);
// Those of the loops that the pass at hand stands in.
void names_of_variables(struct known_names *names, const struct kernel_reading *r);
bool read_product(struct kernel_reading *r, const struct json_at *at, struct product *out);
bool read_quotient(struct kernel_reading *r, const struct json_at *at,
    struct quotient *out); // an object of "over" and "by"
bool read_over_by(
    struct kernel_reading *r, const struct json_at *at, struct quotient *out); // the same two among others

// "repeat" of a pass or of a group of passes: a loop more, in that of r->loop, which becomes the new one.
bool read_repeat(struct kernel_reading *r, const struct json_at *at);
// What takes turns at a binding: an object with "turns".
bool read_rotation(
    struct kernel_reading *r, const struct json_at *at, const struct known_names *names, const struct rotation **out);

// "set" (0 where it is left out) and "binding" of an object.
bool read_place(struct kernel_reading *r, const struct json_at *object, struct binding_place *out);
bool same_place(struct binding_place a, struct binding_place b);
// Of a pass whose bindings are read: "push", "uniform" or "parameters".
bool read_parameters(struct kernel_reading *r, const struct layers *layers, struct pass *pass);

// Of a pass: "constants", which those tunables join that go by their names.
bool read_constants(struct kernel_reading *r, const struct layers *layers, struct pass *pass);

// The words of a list, at most `room` of them.
bool read_words(struct kernel_reading *r, const struct json_at *list, int room, struct block *out);

// A C identifier (tunables, macros).
bool is_identifier(const char *name);

#endif
