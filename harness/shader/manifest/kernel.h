// SPDX-License-Identifier: Apache-2.0
// Kernels as described by manifests: JSON files in a kernel folder, documented in kernels/README.md.
#ifndef VKASSAY_MANIFEST_KERNEL_H
#define VKASSAY_MANIFEST_KERNEL_H

#include "../../../reference/signature.h"
#include "../../base/arena.h"
#include "../../base/error.h"
#include "../compile/shader.h"
#include "../../device/limits.h"
#include "../../truth/judge/errors.h"
#include "mistakes.h"

enum {
    KERNEL_TUNABLES = 12,
    KERNEL_VALUES = 24,
    KERNEL_PASSES = 6,
    KERNEL_BINDINGS = 12,
    KERNEL_BLOCKS = 4,
    KERNEL_WORDS = 64,
    KERNEL_SCRATCH = 4,
    KERNEL_LOOPS = 4,
    KERNEL_VARIABLES = 6,     // of all loops together
    KERNEL_DISPATCHES = 4096, // of a kernel with repeated passes
    TURN_NAMES = 4,
    KERNEL_TERMS = 6,
    KERNEL_RULES = 8,
    KERNEL_DEFAULTS = 8,
    DEFAULT_RANGES = 3,
    KERNEL_DEFINES = 512, // generators of shaders use some 200
    KERNEL_INCLUDES = 8,
    KERNEL_VARIANTS = 1000,
    KERNEL_CONSTANTS = 24,
    TUNABLE_NAMED = -2, // id of a tunable passed by name: the manifest gives no number
    PRODUCT_FACTORS = 6,
};

struct expression; // expression.h

// A product of names and integers, such as ["cols", "WG_X", 4]. A name is a dim (given or derived), a tunable or a
// variable. The empty product is 1.
struct factor {
    const char *name;               // NULL: the factor is `rounded` or `number`
    const struct quotient *rounded; // a quotient, rounding up: {"over": "cols", "by": 4}
    int64_t number;
};
struct product {
    struct factor factors[PRODUCT_FACTORS];
    int count;
};

// The quotient over / by, rounding up: one axis of a grid, the length of a scratch buffer, or a serial stretch of a
// summation.
struct quotient {
    struct product over, by;
};

// A workgroup dimension or another compile-time choice. The shader receives its value as a specialization constant,
// or as a #define if `id` is -1. With TUNABLE_NAMED it goes to the shader's constant of the same name, whatever its
// kind. WG_X, WG_Y and WG_Z are the workgroup size: specialization constants 0, 1 and 2, or #defines. An absent one
// is 1. SUBGROUP (id -1) is the required subgroup size; 0 leaves the choice to the driver.
extern const char *const workgroup_names[3]; // "WG_X", "WG_Y", "WG_Z"
struct tunable {
    const char *name;
    int id;
    int64_t values[KERNEL_VALUES];
    int value_count;
    int64_t standard; // the default; always among the values
};

enum rule_kind {
    RULE_MULTIPLE, // `of` is a multiple of `by`
    RULE_AT_MOST,  // `of` <= `by`
    RULE_EQUAL,    // `of` == `by`
};
struct rule {
    enum rule_kind kind;
    struct product of, by; // may name dims; the rule then prunes shapes at these dims
    const char *why;
};

// The cooperative matrices multiplied by the shader. Their sides may depend on tunables, their types do not.
// COMPONENT_COUNT as a type means the dtype of the case.
struct cooperative_use {
    bool used;
    struct product m, n, k;
    enum component a, b, c, result;
    enum matrix_scope scope;
};

// The default shape of devices with subgroups of both sizes, the second their largest; 0: of all devices. A compiler
// that chooses between 16 and 32 lanes divides a fixed set of registers among them. With `by_case` it is the default
// only of cases with one of the dtypes and with all dims in their ranges.
struct dim_range {
    int dim;
    int64_t least, most;
};
struct kernel_default {
    int64_t least_subgroup, most_subgroup;
    bool by_case;
    bool dtypes[DTYPE_COUNT];
    struct dim_range when[DEFAULT_RANGES];
    int when_count;
    int64_t value[KERNEL_TUNABLES]; // a whole shape
    int dim[KERNEL_TUNABLES];       // 1 + the dim for which the least value that is at least as large is taken; 0: none
};

// A condition on a parameter: it is at most a number (`reversed`: at least), a multiple of it, or equal to it.
struct param_rule {
    enum rule_kind kind;
    int param;
    double number;
    bool reversed;
    const char *why;
};

// Conventions that a kernel may leave open. Inputs that show them are not drawn.
enum leave {
    LEAVE_NAN,         // the result for NaN among the inputs
    LEAVE_TIES,        // the choice among equal elements
    LEAVE_MASKED_ROW,  // rows of -inf only
    LEAVE_INDEX_RANGE, // indices out of range
    LEAVE_SUBNORMALS,  // subnormal numbers among the inputs
    LEAVE_COUNT
};

struct system_shape {
    const char *system;             // "torchless"
    int64_t value[KERNEL_TUNABLES]; // a whole shape; tunables not named have their defaults
};

struct scratch {
    const char *name;
    enum dtype dtype;
    struct quotient elements;
    bool zeroed;     // filled with zeros before the first dispatch
    bool reads_back; // a pass reads it where the same run has written it before
};

// The place of a buffer in the shader's interface.
struct binding_place {
    uint32_t set, binding;
};

// The source of one 32-bit word in a shader's parameters.
enum word_kind {
    WORD_NAME,         // a dim or tunable (uint32), or a parameter (float, or int32 when integer)
    WORD_INTEGER,      // an integer written in the manifest
    WORD_REAL,         // a float written in the manifest
    WORD_PAD,          // zeros, whatever the shader declares there
    WORD_QUOTIENT,     // over / by, rounding up
    WORD_BYTES,        // a quotient counted in elements of an operand, as bytes
    WORD_GROUPS,       // workgroups on an axis of the grid, as dispatched
    WORD_WHOLE,        // an expression, as a whole number
    WORD_EXPRESSION,   // an expression, as a float
    WORD_FLOAT,        // a product, as a float
    WORD_INVERSE,      // 1 over a product, as a float
    WORD_INVERSE_ROOT, // 1 over its square root, as a float
};
struct word_expression {
    const struct expression *of;
    const char *place; // file and JSON path
};
struct word {
    enum word_kind kind;
    const char *text; // the name in messages: "rows", "cols / 256"
    int operand;      // of WORD_BYTES
    union {
        const char *name; // a dim, tunable or parameter
        int64_t integer;
        double real;
        int axis;
        const struct word_expression *expression;
        struct quotient quotient; // a product uses `over` only
    };
};

// A block of parameters: the push constants, or one buffer.
enum block_kind { BLOCK_PUSH, BLOCK_UNIFORM, BLOCK_STORAGE };
struct block {
    enum block_kind kind;
    struct binding_place place; // of the buffer
    const struct word *words;
    int count;
};

// A constant of the shader, given by its name or its number: a specialization constant, an override of WGSL, or a
// constant in the text. Its value may depend on tunables and dims.
struct constant {
    const char *name;
    struct word value;
};

// A value that changes with each turn of repeated passes. It starts at `from`. After each turn it is divided by `by`
// (rounding up), multiplied by it or increased by it. The turns end when it has passed its end.
enum step_kind { STEP_DIVIDE, STEP_MULTIPLY, STEP_ADD };
struct variable {
    const char *name;
    bool from_zero; // starts at 0 instead of `from`
    enum step_kind step;
    struct product from, by, end;
    bool has_end, below; // below: a value equal to `end` has no turn
};

// Repeated passes. They run once at least, and until one of the loop's variables has passed its end.
struct loop {
    int first, end;          // the kernel's passes [first, end)
    int outer;               // the enclosing loop, counted from 1; 0: none
    int variable, variables; // the first of the kernel's variables, and how many
};

// The buffers alternating at one binding of a repeated pass.
struct rotation {
    const char *names[TURN_NAMES];
    int count;
    const char *first, *last; // in the first and in the last turn of the loop; NULL: as in other turns
};

// A pass of a kernel: a dispatch, or several if it is repeated. A binding names an operand or a scratch buffer.
struct pass {
    const char *shader; // path of the file; its ending gives the language (shaders/shader.h)
    const char *entry;  // name of the entry point
    const struct define *defines;
    int define_count;
    const char *header;          // a file whose text stands before the shader's; NULL: none
    const char *const *includes; // folders for #include, before those of the program
    int include_count;
    const char *bindings[KERNEL_BINDINGS];
    const struct rotation *rotations[KERNEL_BINDINGS]; // NULL: bindings[i] in every turn
    struct binding_place places[KERNEL_BINDINGS];
    int binding_count;
    struct block blocks[KERNEL_BLOCKS]; // at most one has push constants
    int block_count;
    struct quotient grid[3];
    struct product size[3]; // its own workgroup, if has_size; otherwise WG_X, WG_Y, WG_Z
    bool has_size;
    bool resized;               // the shape's workgroup size replaces the one in the shader
    struct constant *constants; // includes one for each tunable passed by name
    int constant_count;
    int fold; // beyond the device's limit, a long single axis is spread over so many others: y, then z (grid.glsl)
};

// A term of the longest chain of additions in an output: a serial stretch or a log2 tree. The terms are summed.
struct depth_term {
    bool log2;
    struct quotient length;
};

// The layout of an operand in its binding, in elements. The first element is at `offset`, and the elements of each
// axis are `strides` apart. The space before the first element may begin with words read by the shader.
struct layout {
    bool placed, has_strides;
    struct product offset, strides[OPERATOR_RANK];
    const struct word *header;
    int header_count;
};

// A dispatch of another program, as a case of its kernel (captured/captured.h).
struct recording {
    int64_t number; // in the order of the program's dispatches
    int64_t count;  // dispatches of the program that were alike
    double ns;      // of all of them in the program; NaN: not timed
    const char *signature;
    // By binding: a range within an operand, and the files with its contents. No `after`: not known.
    struct recorded_range {
        int operand;
        uint64_t offset, bytes;
        const char *before, *after;
    } ranges[KERNEL_BINDINGS];
    uint32_t words[KERNEL_BLOCKS][KERNEL_WORDS]; // by block
};
struct recordings {
    const char *folder;
    const char *device, *driver_name, *driver_info; // "": not known
    const char *module, *name;     // its hash and entry point, "HASH/main"; as the program named it, or the entry point
    const struct recording *items; // by the number of the case, from 1
    int count;
};

struct kernel {
    const char *name; // "matmul.tiled"
    const char *summary;
    const struct op *op;
    const char *file;   // the manifest, for errors
    const char *folder; // the manifest's folder
    const char *given;  // the --kernels folder as the user gave it; NULL: the program's own
    bool alone;         // loaded without the program's own kernels (--only)
    bool probe;         // a probe (probes.h): of the members below only dtypes[DTYPE_CASE] is set
    bool dtypes[DTYPE_COUNT];
    enum dtype arithmetic;        // DTYPE_F32 unless stated ("arithmetic": "f16")
    bool features[FEATURE_COUNT]; // asked for by name; features implied by a dtype are not included
    struct tunable tunables[KERNEL_TUNABLES];
    int tunable_count;
    struct pass passes[KERNEL_PASSES];
    int pass_count;
    struct loop loops[KERNEL_LOOPS]; // an outer loop before its inner ones
    int loop_count;
    struct variable variables[KERNEL_VARIABLES];
    int variable_count;
    struct scratch scratch[KERNEL_SCRATCH];
    int scratch_count;
    struct product shared[KERNEL_TERMS]; // bytes of shared memory: the sum of these products
    int shared_count;
    struct cooperative_use cooperative;
    int8_t in_place[OPERATOR_OPERANDS]; // by output: one more than the input sharing its buffer; 0: none
    bool is_fixed[OPERATOR_OPERANDS];   // an input not read by any shader; its value is `fixed` everywhere
    double fixed[OPERATOR_OPERANDS];
    enum dtype types[OPERATOR_OPERANDS]; // an operand stored in a type of its own; DTYPE_CASE: as the operator states
    bool zeroed[OPERATOR_OPERANDS];      // an output filled with zeros before the first dispatch
    bool reads_back[OPERATOR_OPERANDS];  // an output read where the same run has written it before
    const struct layout *layouts;        // by operand; NULL: all are packed
    uint64_t arrangement; // hash of in_place, is_fixed, fixed, types and layouts for a problem's key; 0: none set
    struct rule rules[KERNEL_RULES];
    int rule_count;
    struct kernel_default defaults[KERNEL_DEFAULTS];
    int default_count;
    struct param_rule param_rules[KERNEL_RULES]; // also the parameters that are "fixed"
    int param_rule_count;
    bool leaves[LEAVE_COUNT];
    struct system_shape systems[KERNEL_RULES];
    int system_count;
    struct depth_term depth[KERNEL_TERMS];
    int depth_count;
    const char *spills; // why its default spills registers on some device; NULL: it spills on none
    // An output's error may be that of its neighbours: so many times the bound, at the largest magnitude of all
    // outputs. 0: it is the output's own ("mixes", as of Winograd, Strassen and Fourier transforms).
    double mixes;
    bool specialized;                  // some constant follows from dims: each size has pipelines of its own
    bool untried;                      // a guess that no point has judged; it is not run
    const char *nondeterministic;      // why two runs may give different bits; NULL: they may not
    const struct recordings *recorded; // of a captured module: its cases; NULL: of a manifest
    uint64_t manifest_hash;
};

// Reads what an operand held before or after a recorded call: the ranges whose contents are known; others stay as they
// are (captured.c).
bool captured_contents(
    const struct kernel *kernel, int64_t call, int operand, bool after, unsigned char *to, struct error *err);
// Returns whether any contents of the operand after the call are known.
bool captured_has_results(const struct kernel *kernel, int64_t call, int operand);

struct device_info;

struct kernels {
    const struct kernel **items; // sorted by name
    size_t count;
    struct mistakes mistakes; // of the kernels left out
    struct mistakes notes;    // of captured folders: what is not replayed
};

// Loads user operators, C code compiled to a shared object against reference/operator.h, for the life of the process,
// and adds them to those known to manifests. It is called before kernels_load, and the path is kept in the arena.
// STATUS_BAD_INPUT: the object cannot be loaded or was made for another version, or an operator is incomplete or has a
// taken name.
bool operators_load(struct arena *arena, const char *path, struct error *err);

// Reads every *.json file under each folder, or the dispatches of a captured folder. The first folder is the program's
// own, or "" if its kernels are not wanted. An error in a manifest is a mistake: file, JSON path, expected, found.
// Mistakes are repeated names, unknown operators, operands, dims or tunables, and values of the wrong kind. A kernel
// with a mistake is left out. Shader files must exist; they are compiled later. Returns false if a folder cannot be
// read or has no manifest.
bool kernels_load(
    struct arena *arena, const char *const *folders, size_t folder_count, struct kernels *out, struct error *err);
// Returns false if there is a mistake; the first one is the error.
bool kernels_are_sound(const struct kernels *kernels, struct error *err);
// `kernel_overwriter` returns the output sharing an input's buffer. `kernel_partner` returns the operand sharing a
// buffer with the given one, which may be an input or an output. Both return -1 if there is none.
int kernel_overwriter(const struct kernel *kernel, int input);
int kernel_partner(const struct kernel *kernel, int operand);
// Returns the type in which the kernel stores an operand in a case of that dtype.
enum dtype kernel_operand_dtype(const struct kernel *kernel, int operand, enum dtype case_dtype);
// Returns the unit executing the kernel's operations, as a peak's name without its ending: "matrix_f16_f32",
// "fma_f32", "dot_i8". The text is in the arena.
const char *kernel_arithmetic(struct arena *arena, const struct kernel *kernel, enum dtype dtype);
// Returns a component of a cooperative_use for a case; COMPONENT_COUNT stands for the dtype of the case.
enum component component_of(enum component component, enum dtype dtype);
const struct kernel *kernel_named(const struct kernels *kernels, const char *name);

// The values of a kernel's tunables, in its order. The shape of a dispatch has the values of the variables too.
struct shape {
    int64_t value[KERNEL_TUNABLES];
    int64_t turn[KERNEL_VARIABLES];
};
// Returns the first default stated for such a device and case; without one, and for NULL, the defaults of the tunables.
// kernel_default_shape() does so for no case in particular.
struct shape kernel_case_shape(
    const struct kernel *kernel, const struct device_info *device, enum dtype dtype, const int64_t *dims);
struct shape kernel_default_shape(const struct kernel *kernel, const struct device_info *device);
int64_t shape_value(const struct kernel *kernel, const struct shape *shape, const char *name, int64_t otherwise);
int kernel_variable(const struct kernel *kernel, const char *name); // -1: no variable has this name
void shape_workgroup(const struct kernel *kernel, const struct shape *shape, uint32_t wg[3]);
// Computes the workgroup of one pass. Returns false if a product overflows.
bool pass_workgroup(const struct kernel *kernel, const struct pass *pass, const struct shape *shape, uint32_t wg[3]);

// Evaluates a product or a quotient at given dims and shape. Either may be NULL if no name of its kind occurs.
// Returns -1 on overflow.
int64_t product_value(
    const struct kernel *kernel, const struct product *product, const int64_t *dims, const struct shape *shape);
int64_t quotient_value(
    const struct kernel *kernel, const struct quotient *quotient, const int64_t *dims, const struct shape *shape);

// Returns the bytes of shared memory; -1 on overflow.
int64_t kernel_shared_bytes(const struct kernel *kernel, const int64_t *dims, const struct shape *shape);

// Returns the first name in the product accepted by `holds`; NULL: none.
const char *product_name(const struct kernel *kernel, const struct product *product,
    bool (*holds)(const struct kernel *kernel, const char *name, const void *context), const void *context);
// Returns a dim in the product, or a variable, because variables follow from dims. NULL: none.
const char *product_dim(const struct kernel *kernel, const struct product *product);
// Returns a tunable or a variable in the quotient. NULL: it follows from dims and numbers.
const char *quotient_choice(const struct kernel *kernel, const struct quotient *quotient);
// Formats the product: "cols * 4", or "1" if it is empty. The text is in the arena.
const char *product_text(struct arena *arena, const struct product *product);

// Computes the grid of one pass in workgroups, after folding. Returns false if a grid is empty, overflows or cannot be
// folded. Plans compare the rest with the device.
bool pass_groups(const struct kernel *kernel, const struct pass *pass, const int64_t *dims, const struct shape *shape,
    const struct device_info *device, uint32_t groups[3]);

// Returns the length of the kernel's longest chain of additions; 0: the manifest does not state it, or it overflows.
int64_t kernel_depth(const struct kernel *kernel, const int64_t *dims, const struct shape *shape);
// Returns the length of the last serial stretch in this chain that follows from dims; 0: there is none. The first
// term does not count.
int64_t kernel_last_chain(const struct kernel *kernel, const int64_t *dims, const struct shape *shape);
// Returns the order of the kernel's additions. The manifest lists the terms from the leaves to the last addition.
struct sum_order kernel_sum_order(const struct kernel *kernel, const int64_t *dims, const struct shape *shape);

// ---- the places of an operand's elements in its binding, if they are not packed from its start

// A layout at given dims, in elements.
struct placing {
    int axes; // 0: elements are packed from the start
    int64_t size[OPERATOR_RANK], stride[OPERATOR_RANK], offset;
    int64_t extent; // from the start of the binding to the end of the last element
};

enum placing_state { PLACING_GOOD, PLACING_OVERFLOWS, PLACING_OVERLAPS };
enum placing_state layout_place(const struct kernel *kernel, int operand, const int64_t *dims, struct placing *out);

#endif
