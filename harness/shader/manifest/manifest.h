// SPDX-License-Identifier: Apache-2.0
// Reading manifests: one file for each group of members. Every reader returns false with an error naming file, JSON
// path, expected and found. Reading continues after reading_note, so all mistakes are reported at once.
#ifndef VKASSAY_MANIFEST_MANIFEST_H
#define VKASSAY_MANIFEST_MANIFEST_H

#include "../../base/fields.h"
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
    struct pass *pass; // the current pass
    struct layers pass_layers;
    const char *parameters; // the member with its parameters; NULL: none yet
    int axes;               // of its grid
    int loop;               // the loop around the current pass, from 1; its variables may be named
    int layout_of;          // 1 + the operand whose layout is read: strides do not exist yet; 0: none
    bool flawed;            // this kernel has a mistake
    bool tunables_flawed;   // its tunables have a mistake, so shapes of systems cannot be checked
};

// Defines the kind of a member read by READ(reading, at, member), with the reading of its kernel; `scope` is static or
// empty. LAYER_KIND is for members of a kernel or pass: its READ has no third parameter and writes to the reading.
#define READ_KIND(scope, what, type, READ, ...)                                                                        \
    static bool what##_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {           \
        (void)arena, (void)err;                                                                                        \
        return READ(at->reading, at, (type *)member);                                                                  \
    }                                                                                                                  \
    scope const struct kind kind_##what = {.get = what##_get, __VA_ARGS__};
#define LAYER_KIND(scope, what, READ, ...)                                                                             \
    static bool what##_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {           \
        (void)arena, (void)member, (void)err;                                                                          \
        return READ(at->reading, at);                                                                                  \
    }                                                                                                                  \
    scope const struct kind kind_##what = {.get = what##_get, __VA_ARGS__};

// Defines the kind of a list of at most MOST items, each read by READ(reading, at). All mistakes of items are noted.
#define EACH_KIND(scope, what, KIND, MOST, READ, ...)                                                                  \
    static bool read_##what(struct kernel_reading *r, const struct json_at *list) {                                    \
        return read_each(r, list, MOST, READ);                                                                         \
    }                                                                                                                  \
    LAYER_KIND(scope, what, read_##what, .list = &(const struct item_list){.kind = &KIND, .most = MOST}, __VA_ARGS__)
// Defines the kind of an object whose members have any names. All layers together give them to READ(reading, member).
#define MEMBERS_KIND(what, KIND, MOST, READ, ...)                                                                      \
    static bool read_##what(struct kernel_reading *r, const struct json_at *at) {                                      \
        (void)at;                                                                                                      \
        return read_members(r, #what, MOST, READ);                                                                     \
    }                                                                                                                  \
    LAYER_KIND(, what, read_##what, .list = &(const struct item_list){.kind = &KIND, .most = MOST, .named = true},     \
        __VA_ARGS__)

// Keeps the mistake of a reader that failed. Reading continues with whatever does not depend on the failed member.
void reading_note(struct kernel_reading *r, bool ok);

// The kernels of all manifests so far, in the arena.
struct manifests {
    struct arena *arena;
    struct kernel **items;
    size_t count, capacity;
    struct mistakes *mistakes;
};

// Appends the kernels of one manifest, and its mistakes. Skips JSON that is not meant as a manifest, unless the file is
// `alone` in its folder.
void manifest_read(struct manifests *manifests, const char *file, bool alone);
// Does the same for a manifest that is to become `file`.
void manifest_read_json(struct manifests *manifests, struct json_object *json, const char *file);

extern const struct kind kind_manifest_file;

// The kinds of members, in their files.
extern const struct kind kind_dtype, kind_product, kind_factors, kind_quotient, kind_words, kind_place, kind_bound_name;
extern const struct kind kind_tensor, kind_tensor_in_unit; // factors that follow from an operand's shape; one has "in"
extern const struct kind kind_tunables, kind_local_size, kind_types, kind_in_place, kind_fixed, kind_layout,
    kind_leaves, kind_scratch, kind_zeroed, kind_reads_back, kind_passes, kind_shared, kind_cooperative, kind_rules,
    kind_depth, kind_defaults, kind_systems;
extern const struct kind kind_defines, kind_constants, kind_push, kind_uniform, kind_parameters, kind_repeat;
extern const struct field pass_fields[]; // of a pass, or of a kernel for its passes
extern const struct field quotient_fields[], place_fields[], rotation_fields[]; // parts of several objects

// Reads the members of these fields, each from the most specific layer with it.
void read_layers(struct kernel_reading *r, const struct layers *layers, const struct field *fields);
void hash_arrangement(struct kernel *kernel);

// The parts of a contract: a parameter in "fixed", a rule about a parameter, "leaves".
bool read_fixed_param(struct kernel_reading *r, const struct member *member, int param);
bool is_param_rule(const struct kernel_reading *r, const struct json_at sides[2]);
bool read_param_rule(struct kernel_reading *r, const struct json_at sides[2], enum rule_kind kind, const char *why);

// Checks for a list of at most `room` items and sets *count.
bool read_list(struct kernel_reading *r, const struct json_at *at, int room, int *count);
// Reads each item of a list of at most `room` items. Mistakes of items are noted.
bool read_each(struct kernel_reading *r, const struct json_at *list, int room,
    bool (*read)(struct kernel_reading *r, const struct json_at *item));
// Reads a name and checks that `names` has it. `what` describes the name in errors ("operand").
bool read_name(struct kernel_reading *r, const struct json_at *at, const struct known_names *names, const char *what,
    const char **out);
// Reads one of the words. `what` describes them in errors.
bool read_word_of(
    struct kernel_reading *r, const struct json_at *at, const struct enum_words *words, const char *what, int *out);
bool read_dtype_of(struct kernel_reading *r, const struct json_at *at, const struct enum_words *words, const char *what,
    enum dtype *out);
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

// Reads the name of an operand or a scratch buffer.
bool read_bound_name(struct kernel_reading *r, const struct json_at *at, const char **out);
bool same_place(struct binding_place a, struct binding_place b);

// Reads a list of at most `room` words.
bool read_words(struct kernel_reading *r, const struct json_at *list, int room, struct block *out);

// Returns whether the name is a C identifier (tunables, macros).
bool is_identifier(const char *name);

#endif
