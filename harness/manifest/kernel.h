// SPDX-License-Identifier: Apache-2.0
// Kernels: what the manifests say. A manifest is a JSON
// file in a kernel folder; kernels/README.md documents it.
#ifndef VKASSAY_PLAN_KERNEL_H
#define VKASSAY_PLAN_KERNEL_H

#include "../../reference/operator.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../shaders/shader.h"
#include "../device/limits.h"
#include "../judge/errors.h"
#include "slips.h"

enum {
    KERNEL_TUNABLES = 12,
    KERNEL_VALUES = 24,
    KERNEL_PASSES = 6,
    KERNEL_BINDINGS = 12,
    KERNEL_BLOCKS = 4,
    KERNEL_WORDS = 64,
    KERNEL_SCRATCH = 4,
    KERNEL_LOOPS = 4,
    KERNEL_VARIABLES = 6,     // of all loops
    KERNEL_DISPATCHES = 4096, // of a repeated kernel
    TURN_NAMES = 4,
    KERNEL_TERMS = 6,
    KERNEL_RULES = 8,
    KERNEL_DEFINES = 16,
    KERNEL_CONSTANTS = 12,
    TUNABLE_NAMED = -2, // of a tunable whose constant goes by its name
    PRODUCT_FACTORS = 6,
};

// A product of names and integers, ["cols", "WG_X", 4]: names are dims (derived ones too) or
// tunables. Empty is 1.
struct factor {
    const char *name;               // NULL: a quotient, or `number`
    const struct quotient *rounded; // rounding up: {"over": "cols", "by": 4}
    int64_t number;
};
struct product {
    struct factor factors[PRODUCT_FACTORS];
    int count;
};

// over / by, rounding up: one axis of a grid, the length
// of a scratch buffer, a serial stretch of a summation.
struct quotient {
    struct product over, by;
};

// A workgroup dimension or another compile-time choice; a specialization
// constant, or a #define when id is -1, or whatever the shader declares under its name (TUNABLE_NAMED). WG_X, WG_Y,
// WG_Z are the workgroup size, specialization constants 0, 1, 2 or #defines; absent ones are
// 1. SUBGROUP (id -1) is the required subgroup size, 0 for the driver's choice.
struct tunable {
    const char *name;
    int id;
    int64_t values[KERNEL_VALUES];
    int value_count;
    int64_t standard; // the default; always among the values
};

enum rule_kind {
    RULE_MULTIPLE, // of is a multiple of by
    RULE_AT_MOST,  // of <= by
    RULE_EQUAL,    // of == by
};
struct rule {
    enum rule_kind kind;
    struct product of, by; // dims may occur: then the rule prunes shapes for those dims
    const char *why;
};

// Cooperative matrices that the shader multiplies: sides that depend on tunables, types that do not.
// A type of COMPONENT_COUNT is the case's.
struct cooperative_use {
    bool used;
    struct product m, n, k;
    enum component a, b, c, result;
    enum matrix_scope scope;
};

struct system_shape {
    const char *system;             // "torchless"
    int64_t value[KERNEL_TUNABLES]; // a whole shape: what is left out stands at its default
};

struct scratch {
    const char *name;
    enum dtype dtype;
    struct quotient elements;
    bool zeroed; // before the first dispatch
};

// Where a shader expects a buffer.
struct binding_place {
    uint32_t set, binding;
};

// What a shader is given in 32 bits of its parameters.
enum word_kind {
    WORD_NAME,         // a dim or tunable (uint32), or a parameter (float, or int32 when integer)
    WORD_INTEGER,      // a number written into the manifest
    WORD_REAL,         // likewise, a float
    WORD_PAD,          // zeros, in place of whatever the shader has there
    WORD_QUOTIENT,     // over / by, rounding up
    WORD_LENGTH,       // of an operand, in elements
    WORD_GROUPS,       // workgroups on an axis of the grid, as dispatched
    WORD_FLOAT,        // a product, as a float
    WORD_INVERSE,      // 1 over a product, as a float
    WORD_INVERSE_ROOT, // 1 over its square root, as a float
};
struct word {
    enum word_kind kind;
    const char *text; // as messages name it: "rows", "cols / 256", "length of x"
    union {
        const char *name; // of a dim, tunable or parameter
        int64_t integer;
        double real;
        int operand, axis;
        struct quotient quotient; // products stand in `over`
    };
};

// Parameters that stand together.
enum block_kind { BLOCK_PUSH, BLOCK_UNIFORM, BLOCK_STORAGE };
struct block {
    enum block_kind kind;
    struct binding_place place; // of a buffer
    const struct word *words;
    int count;
};

// A constant that the shader declares under that name: a specialization constant, an override of WGSL, or a constant
// in its text. Its value follows from tunables at most.
struct constant {
    const char *name;
    struct word value;
};

// A value that changes from turn to turn of repeated passes: from `from` on, divided (rounding up), multiplied or
// raised by `by`, for as long as it has not passed its end.
enum step_kind { STEP_DIVIDE, STEP_MULTIPLY, STEP_ADD };
struct variable {
    const char *name;
    bool from_zero; // in place of `from`
    enum step_kind step;
    struct product from, by, end;
    bool has_end, below; // whether `end` itself has no turn
};

// Passes that are repeated: once at least, and until one of its variables has passed its end.
struct loop {
    int first, end;          // of the kernel's passes
    int outer;               // the loop that it stands in, from 1; 0: none
    int variable, variables; // of the kernel's: the first, and how many
};

// What takes turns at a binding of a repeated pass.
struct rotation {
    const char *names[TURN_NAMES];
    int count;
    const char *first, *last; // in the first turn of its loop, in the last; NULL: as in others
};

// A dispatch, or several where it is repeated. A binding is an operand or a scratch buffer by name.
struct pass {
    const char *shader; // path of the file; its ending tells the language (shaders/shader.h)
    const char *entry;  // name of the entry point
    struct define defines[KERNEL_DEFINES];
    int define_count;
    const char *bindings[KERNEL_BINDINGS];
    const struct rotation *rotations[KERNEL_BINDINGS]; // NULL: bindings[i] in every turn
    struct binding_place places[KERNEL_BINDINGS];
    int binding_count;
    struct block blocks[KERNEL_BLOCKS]; // of push constants one at most
    int block_count;
    struct quotient grid[3];
    struct product size[3]; // its own workgroup, where it has one; else WG_X, WG_Y, WG_Z
    bool has_size;
    bool resized;               // the size that its shader is written with gives way to that of the shape
    struct constant *constants; // tunables that go by their names among them
    int constant_count;
    bool fold; // one axis that spreads over y and z beyond the device's limit (grid.glsl)
};

// Longest chain of additions in one output: serial stretches, log2 trees, summed.
struct depth_term {
    bool log2;
    struct quotient length;
};

// How an operand stands in its binding, in elements: from `offset` on, those of each axis `strides` apart. What stands
// before the first may begin with words that the shader reads.
struct layout {
    bool placed, has_strides;
    struct product offset, strides[OPERATOR_RANK];
    const struct word *header;
    int header_count;
};

struct kernel {
    const char *name; // "matmul.tiled"
    const char *summary;
    const struct op *op;
    const char *file;          // the manifest, for errors
    const char *folder;        // where it lies
    const char *given;         // the folder it was found under, as it was given; NULL: the first, the program's own
    bool alone;                // without the program's own: --only
    const struct chain *chain; // no kernel, but several over named buffers (chain.h): `probe` is set too; else NULL
    bool probe; // no kernel, but of probes.h: nothing below but dtypes is set, and of these DTYPE_CASE alone
    bool dtypes[DTYPE_COUNT];
    enum dtype arithmetic;        // DTYPE_F32 unless stated ("arithmetic": "f16")
    bool features[FEATURE_COUNT]; // asked for by name, without those that a dtype implies
    struct tunable tunables[KERNEL_TUNABLES];
    int tunable_count;
    struct pass passes[KERNEL_PASSES];
    int pass_count;
    struct loop loops[KERNEL_LOOPS]; // an outer one before those in it
    int loop_count;
    struct variable variables[KERNEL_VARIABLES];
    int variable_count;
    struct scratch scratch[KERNEL_SCRATCH];
    int scratch_count;
    struct product shared[KERNEL_TERMS]; // bytes of shared memory: the sum of these products
    int shared_count;
    struct cooperative_use cooperative;
    int8_t in_place[OPERATOR_OPERANDS]; // of an output: one more than the input whose buffer it takes; 0: none
    bool is_fixed[OPERATOR_OPERANDS];   // an input that no shader reads: it is `fixed` everywhere
    double fixed[OPERATOR_OPERANDS];
    bool zeroed[OPERATOR_OPERANDS]; // an output that holds zeros before the first dispatch
    const struct layout *layouts;   // of each operand; NULL: all are packed
    uint64_t arrangement;           // of these four, part of a problem's key; 0: all is as the operator says
    struct rule rules[KERNEL_RULES];
    int rule_count;
    struct system_shape systems[KERNEL_RULES];
    int system_count;
    struct depth_term depth[KERNEL_TERMS];
    int depth_count;
    const char *nondeterministic; // why a second run may give other bits; NULL: it may not
    uint64_t manifest_hash;
};

struct kernels {
    const struct kernel **items; // sorted by name
    size_t count;
    const struct kernel **chains; // (chain.h), sorted by name
    size_t chain_count;
    struct slips slips; // of those that are not among them
};
const struct kernel *chain_named(const struct kernels *kernels, const char *name); // NULL: there is none

// Reads every *.json under each folder; the first is the program's own, "" where its kernels are not wanted. A name
// given twice, an unknown operator, operand, dim or tunable, a value of the wrong kind are slips: file, JSON path,
// expected, found. A kernel with one is left out. Shader files must exist; they are compiled later. False: a folder
// cannot be read or has no manifest.
bool kernels_load(
    struct arena *arena, const char *const *folders, size_t folder_count, struct kernels *out, struct error *err);
// False, with the first slip, where there is one.
bool kernels_are_sound(const struct kernels *kernels, struct error *err);
// The output that takes the place of an input; of any operand the one that it shares a buffer with. -1: none.
int kernel_overwriter(const struct kernel *kernel, int input);
int kernel_partner(const struct kernel *kernel, int operand);
// What executes its operations: a peak's name without its ending ("matrix_f16_f32", "fma_f32", "dot_i8"), in the arena.
const char *kernel_arithmetic(struct arena *arena, const struct kernel *kernel, enum dtype dtype);
const struct kernel *kernel_named(const struct kernels *kernels, const char *name);

// A shape holds a value for each tunable, in the kernel's order; that of a dispatch, those of variables, too.
struct shape {
    int64_t value[KERNEL_TUNABLES];
    int64_t turn[KERNEL_VARIABLES];
};
struct shape kernel_default_shape(const struct kernel *kernel);
int64_t shape_value(const struct kernel *kernel, const struct shape *shape, const char *name, int64_t otherwise);
void shape_workgroup(const struct kernel *kernel, const struct shape *shape, uint32_t wg[3]);
// Of one pass; false: its product overflows.
bool pass_workgroup(const struct kernel *kernel, const struct pass *pass, const struct shape *shape, uint32_t wg[3]);

// Products at given dims and shape (either may be NULL
// where no name of that kind occurs); -1 on overflow.
int64_t product_value(
    const struct kernel *kernel, const struct product *product, const int64_t *dims, const struct shape *shape);
int64_t quotient_value(
    const struct kernel *kernel, const struct quotient *quotient, const int64_t *dims, const struct shape *shape);

// Of shared memory; -1 on overflow.
int64_t kernel_shared_bytes(const struct kernel *kernel, const int64_t *dims, const struct shape *shape);

// The first of its names of which that holds; NULL: none.
const char *product_name(const struct kernel *kernel, const struct product *product,
    bool (*holds)(const struct kernel *kernel, const char *name, const void *context), const void *context);
// A dim in it, or a variable, which follows from dims; NULL: none.
const char *product_dim(const struct kernel *kernel, const struct product *product);
// "cols * 4", "1" when empty; in the arena.
const char *product_text(struct arena *arena, const struct product *product);

// The grid of one pass in workgroups after folding; false when it does not fit.
bool pass_groups(const struct kernel *kernel, const struct pass *pass, const int64_t *dims, const struct shape *shape,
    const struct device_info *device, uint32_t groups[3]);

// Length of the kernel's longest chain of additions (0 when the manifest does not say).
int64_t kernel_depth(const struct kernel *kernel, const int64_t *dims, const struct shape *shape);
// Of that the last serial stretch which follows from the dims, behind others; 0: there is none.
int64_t kernel_last_chain(const struct kernel *kernel, const int64_t *dims, const struct shape *shape);
// The order of its additions, the manifest's terms taken from the leaves to the last one.
struct sum_order kernel_sum_order(const struct kernel *kernel, const int64_t *dims, const struct shape *shape);

#endif
