// SPDX-License-Identifier: Apache-2.0
// Reading manifests: one file for each group of members. Every reader returns false with an error naming file, JSON
// path, expected and found. Reading continues after reading_note, so all mistakes are reported at once.
#ifndef VKASSAY_MANIFEST_MANIFEST_H
#define VKASSAY_MANIFEST_MANIFEST_H

#include "json_layers.h"
#include "known_names.h"

// The state of reading one kernel.
struct kernel_reading {
    struct arena *arena;
    struct kernel *kernel;
    struct layers layers; // the variant, if it is one; the kernel; then "common"
    bool is_variant;
    struct error *err;
    struct mistakes *mistakes;
    int loop;             // the loop around the current pass, from 1; its variables may be named
    bool in_layout;       // a layout is read: strides do not exist yet
    bool flawed;          // this kernel has a mistake
    bool tunables_flawed; // its tunables have a mistake, so shapes of systems cannot be checked
};

// Keeps the mistake of a reader that failed. Reading continues with whatever does not depend on the failed member.
void reading_note(struct kernel_reading *r, bool ok);

// The kernels of all manifests so far, in the arena.
struct manifests {
    struct arena *arena;
    struct kernel **items;
    size_t count, capacity;
    struct mistakes *mistakes;
};

// Appends the kernels of one manifest, and its mistakes.
void manifest_read(struct manifests *manifests, const char *file);
// Does the same for a manifest that is to become `file`.
void manifest_read_json(struct manifests *manifests, struct json_object *json, const char *file);

// The readers of a kernel's members, in the order of the calls: a name must be known before it is used.
bool read_identity(struct kernel_reading *r); // name, operator, summary, dtypes, arithmetic, features, nondeterministic
bool read_tunables(struct kernel_reading *r);
bool read_operands(struct kernel_reading *r); // in_place, fixed, layout
bool read_scratch(struct kernel_reading *r);
bool read_zeroed(struct kernel_reading *r);
bool read_reads_back(struct kernel_reading *r);
bool read_passes(struct kernel_reading *r);
bool read_shared(struct kernel_reading *r);
bool read_cooperative(struct kernel_reading *r);
bool read_rules(struct kernel_reading *r);
bool read_depth(struct kernel_reading *r);
bool read_defaults(struct kernel_reading *r);
bool read_systems(struct kernel_reading *r);

// The parts of a contract: a parameter in "fixed", a rule about a parameter, "leaves".
bool read_fixed_param(struct kernel_reading *r, const struct member *member, int param);
bool is_param_rule(const struct kernel_reading *r, const struct json_at sides[2]);
bool read_param_rule(struct kernel_reading *r, const struct json_at sides[2], enum rule_kind kind, const char *why);
bool read_leaves(struct kernel_reading *r);

// Checks for a list of at most `room` items and sets *count.
bool read_list(struct kernel_reading *r, const struct json_at *at, int room, int *count);
// Reads each item of a list of at most `room` items. Mistakes of items are noted.
bool read_each(struct kernel_reading *r, const struct json_at *list, int room,
    bool (*read)(struct kernel_reading *r, const struct json_at *item));
// Reads a name and checks that `names` has it. `what` describes the name in errors ("operand").
bool read_name(struct kernel_reading *r, const struct json_at *at, const struct known_names *names, const char *what,
    const char **out);
// Adds the variables of all loops around the current pass.
void names_of_variables(struct known_names *names, const struct kernel_reading *r);
// Returns whether an object is a factor that follows from an operand's shape: it has "extent", "stride" or "elements".
bool is_tensor_factor(const struct json_at *object);
// Reads such a factor. With `unit` it may be asked for in bytes; its value is in elements all the same.
struct tensor_factor {
    struct factor factor;
    int operand, axis;
    bool in_bytes;
};
bool read_tensor_factor(struct kernel_reading *r, const struct json_at *at, bool unit, struct tensor_factor *out);
bool read_product(struct kernel_reading *r, const struct json_at *at, struct product *out);
bool read_quotient(struct kernel_reading *r, const struct json_at *at,
    struct quotient *out); // an object of "over" and "by" only
bool read_over_by(
    struct kernel_reading *r, const struct json_at *at, struct quotient *out); // the same two, beside other members

// Reads "repeat" of a pass or of a group of passes. Adds a loop inside r->loop and makes it the current loop.
bool read_repeat(struct kernel_reading *r, const struct json_at *at);
// Reads the names alternating at a binding: an object with "turns".
bool read_rotation(
    struct kernel_reading *r, const struct json_at *at, const struct known_names *names, const struct rotation **out);

// Reads "set" and "binding" of an object; a missing "set" is 0.
bool read_place(struct kernel_reading *r, const struct json_at *object, struct binding_place *out);
bool same_place(struct binding_place a, struct binding_place b);
// Reads "push", "uniform" or "parameters" of a pass. The bindings must be read first.
bool read_parameters(struct kernel_reading *r, const struct layers *layers, struct pass *pass);

// Reads "constants" of a pass. Tunables passed by name are added later.
bool read_constants(struct kernel_reading *r, const struct layers *layers, struct pass *pass);

// Reads a list of at most `room` words.
bool read_words(struct kernel_reading *r, const struct json_at *list, int room, struct block *out);

// Returns whether the name is a C identifier (tunables, macros).
bool is_identifier(const char *name);

#endif
