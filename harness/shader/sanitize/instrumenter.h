// SPDX-License-Identifier: Apache-2.0
// State of the pass over a module. Private to harness/shader/sanitize.
#ifndef VKASSAY_SANITIZE_INSTRUMENTER_H
#define VKASSAY_SANITIZE_INSTRUMENTER_H

#include "../spirv/invocation_numbers.h"
#include "../spirv/module.h"
#include "sanitize.h"

struct word_list {
    uint32_t *items;
    size_t count, capacity;
};

// A pointer into shared memory or storage.
struct address {
    bool known;
    uint32_t variable, space, type; // type: that it points to
    uint32_t member;                // of the structure entered last
    uint32_t base, dynamic;         // bytes from the start of its space: a constant, and the id of a number; 0: none
    uint32_t inside, index; // ids: whether every index is inside its array, and the index that is not; 0: all are
    uint32_t matrix_stride; // of the matrix that it points to
    bool row_major;
    uint32_t origin;
    struct site_dim dims[SITE_DIMS];
    int dim_count;
};

struct instrumenter {
    const struct module *m;
    struct arena *arena;
    const struct sanitize_request *request;
    struct invocation_numbers numbers;
    struct word_list decorations, declared, code, functions;
    uint32_t bound;
    struct address *addresses; // by id
    uint32_t *types;           // by id: the type of a value
    uint32_t *shared_at;       // by id: 1 + the first address of a shared variable
    bool *written;             // by id: a variable that the code writes
    bool *exchanged;           // by id: a variable with a compare-exchange still to come
    uint64_t *used;            // by id: the scalars of a value that the code uses; UINT64_MAX: all
    struct member {
        uint32_t type, index, offset, stride;
        bool row_major;
    } * members;
    size_t member_count;
    struct {
        uint32_t value, id;
    } * constants;
    size_t constant_count, constant_capacity;
    struct site *sites;
    size_t site_count, site_capacity;
    uint32_t shared_bytes;
    // Ids.
    uint32_t void_type, bool_type, uint_type, uvec3_type, uint_pointer, log;
    uint32_t number;             // variable: the invocation's
    uint32_t at, past, step;     // variables: the index of its last word, the last row's, invocations
    uint32_t looked, looked_at;  // variables: 1 + the site of its first read outside; the address
    uint32_t limits[LOG_LIMITS]; // variables: lengths of slots that are only read; 0: not needed
    uint32_t put, look, put_matrix, put_time, finish; // functions
    struct log_coding coding;
    uint32_t time_site, looked_site;
    uint32_t local_index, group, groups, subgroup, lane; // built-in variables; the last two may be 0
    uint32_t interface[14 + LOG_LIMITS];                 // variables to list at the entry point
    int interface_count;
    bool has_subgroups; // barriers of subgroups, or cooperative matrices
    bool has_fences;    // of storage
    bool uses_addresses;
    uint32_t file, line; // of the current instruction
    bool in_entry, at_start;
    size_t places; // accesses, barriers and fences
    struct error *err;
};

// ---- words (emit.c)
void emit_words(struct instrumenter *w, struct word_list *to, uint32_t op, size_t count, const uint32_t *operands);
#define EMIT(w, to, op, ...)                                                                                           \
    emit_words(w, to, op, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})
void emit_copy(struct instrumenter *w, struct word_list *to, const uint32_t *words, size_t count);
// Emits an instruction with a result of the type, and returns the result.
#define EMIT_VALUE(w, to, op, type, ...)                                                                               \
    emit_value(                                                                                                        \
        w, to, op, type, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})
uint32_t emit_value(
    struct instrumenter *w, struct word_list *to, uint32_t op, uint32_t type, size_t count, const uint32_t *operands);
uint32_t emit_constant(struct instrumenter *w, uint32_t value); // of type uint
// Returns a type with these operands, the module's own or a new one.
uint32_t emit_type(struct instrumenter *w, uint32_t op, size_t count, const uint32_t *operands);

// ---- memory (layout.c)
void layout_open(struct instrumenter *w);
// Finds the value of a constant.
bool layout_constant(struct instrumenter *w, uint32_t id, uint32_t *value);
// Returns the bytes of a type: as declared by its offsets and strides, or packed in shared memory; 0: unknown.
uint64_t layout_bytes(struct instrumenter *w, uint32_t type, bool declared);
uint64_t layout_stride(struct instrumenter *w, const uint32_t *array, bool declared);
// Sets the offset, and the stride and order of a matrix, of a structure's member.
bool layout_member(struct instrumenter *w, const uint32_t *type, uint32_t index, bool declared, struct member *out);
// Places the shared variables one behind another.
bool layout_shared(struct instrumenter *w);

// ---- pointers (chains.c)
// Sets the addresses of all global variables.
bool chains_variables(struct instrumenter *w);
// Returns whether an instruction makes a pointer to shared memory or storage. If so, it emits its replacement.
bool chains_follow(struct instrumenter *w, const uint32_t *i, bool *done);
bool is_logged_class(const struct instrumenter *w, const uint32_t *pointer_type);
bool refuse(struct instrumenter *w, const char *what);

// ---- functions and globals of the log (runtime.c)
bool runtime_declare(struct instrumenter *w);
void runtime_functions(struct instrumenter *w);
void runtime_start(struct instrumenter *w);
uint32_t runtime_limit(struct instrumenter *w, uint32_t slot); // returns the variable with its length
void runtime_call(struct instrumenter *w, uint32_t function, size_t count, const uint32_t *operands);
struct site *sites_add(struct instrumenter *w, enum site_kind kind);

// ---- parts of values (used.c)
// Sets the used scalars of all values.
void used_find(struct instrumenter *w);
// Sets the parts of an access that hold these scalars of its type. Padding is in none.
void used_bytes(struct instrumenter *w, const struct address *a, uint64_t scalars, struct site *site);

// ---- accesses (accesses.c)
void accesses_scan(struct instrumenter *w);
bool accesses_put(struct instrumenter *w, const uint32_t *i, bool *copied);

#endif
