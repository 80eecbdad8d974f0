// SPDX-License-Identifier: Apache-2.0
// An operator: a mathematical function of tensors. It knows nothing of Vulkan.
//
// One source file a family, compiled twice (see reference.h): in double it is the truth and also
// gives each output's magnitude and bound; in float it is the scalar baseline that is timed. A
// user's own operators are compiled against this header alone.
#ifndef VKASSAY_REFERENCE_OPERATOR_H
#define VKASSAY_REFERENCE_OPERATOR_H

#include "dtype.h"

enum { OPERATOR_DIMS = 20, OPERATOR_OPERANDS = 10, OPERATOR_PARAMS = 8, OPERATOR_RANK = 6, PARAMETER_TELLING = 5 };
enum { OPERATOR_OPTIONS = 8, OPTION_VALUES = 4 };

enum role { ROLE_IN = 1, ROLE_OUT, ROLE_INOUT };

// How an input is filled, from a counter-based generator: the same bits on every machine.
enum fill {
    FILL_UNIFORM = 0, // uniform in [low, high), rounded to the dtype; both 0 stand for [-1, 1)
    FILL_INDEX,       // integers, uniform in [0, the dim named `below`)
    FILL_STRAY,       // as FILL_INDEX, but about one in eight is out of range, on either side
    FILL_PERMUTATION, // a permutation of 0 .. elements-1
    FILL_SPREAD,      // |x| log-uniform in [low, high], both signs when `signs`
    FILL_CONSTANT,    // `low` everywhere
    FILL_WHOLE,       // whole numbers, uniform in [low, high)
    // Rotation tables: cos or sin of position * base^(-2i/d); i along the last axis, the position
    // along the one before it, base is `low` (10000 for RoPE), d twice the last axis's length.
    FILL_COSINE,
    FILL_SINE,
    // [low, high) in as many even steps as the dim named `below` says: a few values occur twice.
    FILL_STEPS,
    FILL_RARE, // `high` about once in as many elements as the last axis has, `low` elsewhere
    // Additive masks: 0, but -inf for about a quarter of the elements in every second line of the
    // last axis, and where the line's character (LINES_MASKED) has -inf.
    FILL_MASK,
    FILL_TIES,   // as FILL_SPREAD, but every other number is rounded to 9 or 12 bits: what lies halfway between
                 // neighbours in bf16 or in f16 is among them
    FILL_BROKEN, // uniform in [low, high), but NaN or infinite about once in as many as the last
                 // axis has
};

// Lines of an input take turns in character, in an order that its key decides, as it decides the
// character of one line alone (FILL_UNIFORM and FILL_STEPS; of other fills the special values alone):
//
//   FINITE    as drawn, far below, far above, 64 or up to 8192 times as wide, all equal, cancelling
//             pair by pair, ascending, half of it far below, sparse, zeros of both signs
//   MASKED    as drawn; or -inf in one element, all, a prefix, a suffix, a stretch, all but one, the
//             first half, the second half
//   INFINITE  those of MASKED, and as drawn, far below, far above, wide, all equal, ascending, descending
//   SCARCE    one line of all as INFINITE, the others as FINITE: for what all lines come together in
//   ANY       those of FINITE, and descending; or an infinity of either sign in one element, all, a
//             prefix, a suffix, a stretch, all but one; or NaN in one, all, a stretch, all but one, or
//             before -inf alone
//
// Where each output meets many lines, as in products, a case as a whole has a character, which its key
// decides, too:
//
//   TAME      lines as drawn at two cases of three, as FINITE at one
//   SOME      lines as drawn at two cases of four, as FINITE at one; at one a line of all holds
//             infinities or NaN as ANY does, or zeros
//   BROKEN    lines as drawn at two cases of three; at one as those of SOME: for numbers that mean something only
//             where they are drawn from, as probabilities, variances and states do
enum lines {
    LINES_ALIKE = 0,
    LINES_FINITE,
    LINES_MASKED,
    LINES_SCARCE,
    LINES_INFINITE,
    LINES_ANY,
    LINES_TAME,
    LINES_SOME,
    LINES_BROKEN
};

// What of its numbers an operand keeps, beside their values. NaN stays NaN in any case, of whatever payload.
enum keeps {
    KEEPS_VALUE = 0, // the sign of a zero is free
    KEEPS_SIGN,      // outputs: one operation, whose zeros have the signs that IEEE 754 gives them
    // Numbers that are moved and nothing else. Outputs: signs of zeros stay, and subnormal numbers, which no load or
    // store may flush. Inputs: one number in four is any that the type has, NaN and infinities among them.
    KEEPS_BITS
};

// Numbers that show how a sum is rounded: one term is so large that an ULP of it is about what each of the others comes
// to. Coarser sums lose all of them. At one place along a dim, whatever lies within it, a number is in [low, high), at
// the others in [rest_low, rest_high), or, `beside` it, by so much above it. Operands of one shape have that place in
// common. A kernel that adds up four at once has an ULP's worth at each addition where but one in eight is more than
// nothing.
struct spike {
    const char *along; // NULL: the operand has none
    double low, high, rest_low, rest_high;
    bool beside;
    bool sparse; // seven in eight are `none`
    double none;
    bool signs;    // the others have either sign
    bool balanced; // two of them are half of the large one, negated: the mean is near 0
    bool whole;    // the others are rounded down to whole numbers
    bool flat;     // a place is one element of all that the dim and those within it hold
    int erring;    // additions to the large term that a right kernel may round; 0: all. Terms of one ULP are exact, but
                   // where a kernel scales parts of a sum, or adds up squares by way of means that change
};
// Squares of ones beside one whose ULP is 1; so do deviations from a mean; exponentials of 2^-23 beside 1.
#define SPIKE_OF_SQUARES(ALONG) .spike = {ALONG, 2900, 4095, 1, 1, .sparse = true, .erring = 4}
#define SPIKE_OF_DEVIATIONS(ALONG, FLAT, ERRING)                                                                       \
    .spike = {ALONG, 2900, 3340, 1, 1, .sparse = true, .signs = true, .balanced = true, .flat = FLAT, .erring = ERRING}
#define SPIKE_OF_LOGITS(ALONG, SCALE)                                                                                  \
    .spike = {ALONG, 0.5, 2, -15.9444 / (SCALE), -15.9404 / (SCALE), .beside = true, .sparse = true,                   \
        .none = -200.0 / (SCALE), .erring = 4}

struct operand {
    const char *name;
    enum role role;
    enum dtype dtype;                 // DTYPE_CASE, or a fixed one (indices are DTYPE_I32)
    bool weights;                     // may be quantised when the case's dtype is q8_0 or q4_0
    const char *shape[OPERATOR_RANK]; // names of dims, outermost first; empty: one element
    // Outputs: consecutive elements that are best computed together, as a product of dims ("cols"
    // for a softmax row); empty: one. A range handed to the reference is always whole granules.
    const char *granule[OPERATOR_RANK];
    enum fill fill;
    double low, high;
    bool signs;
    const char *below;
    // Inputs of elementwise operators: the first elements are special values (zeros, infinities,
    // NaN, subnormals, extremes), crossed between the operands that set this.
    bool specials;
    enum lines lines;
    enum keeps keeps;
    bool unit;     // outputs: each granule is a share of one sum and adds up to 1
    int line_axes; // that many of the last axes make up a line; 0 stands for 1
    struct spike spike;
};

// A scalar parameter. A case may set it beside its dims ("rows=7,cols=33,eps=1e-6"). Integers are
// passed to kernels as int32, others as float; the reference sees the value after that rounding.
struct parameter {
    const char *name;
    double standard; // its default
    bool integer;
    double low, high; // legal range, inclusive; low = high = 0: any finite value
    // Values beside the default that tell kernels apart which ignore it, hold it as a constant or in too few bits, or
    // go wrong beyond some value: TELLING(0, -2.7, 70001). The sampled tier tries them all, and every pair of those of
    // two parameters.
    struct {
        int count;
        double values[PARAMETER_TELLING];
    } telling;
};
#define TELLING(...) .telling = {(int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), {__VA_ARGS__}}

// A dim that says how rather than how much, such as a stride or an axis: the sampled tier meets every pair of these
// values of two of them, where the operator takes them together.
struct option {
    const char *dim;
    int count;
    int64_t values[OPTION_VALUES];
};
#define OPTION(DIM, ...)                                                                                               \
    {                                                                                                                  \
        DIM, (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), {                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

// One call of a reference: elements [first, first + count) of one output operand.
//
//   dims       the operator's, then its derived ones
//   params     in the operator's order
//   dtype      of the case
//   in, ints   by operand: whole tensors as reals (dequantised) or as int32 (u32 by their bits);
//              NULL where the operand is an output or of the other kind
//   output     index of the operand asked for
//   out        receives count values
//   magnitude  receives the sums of the absolute terms that were added (|value| where nothing is);
//              NULL: not wanted
//   bound      receives the allowed errors in ULP of the arithmetic's type at
//              max(|value|, magnitude). 0: exact. INFINITY: the specification bounds nothing here,
//              so the element is not judged. NULL: not wanted
//   rte        the kernel declares round-to-nearest-even: a basic operation is within 0.5 ULP,
//              else 1
//   depth      additions on the longest path of the kernel's summation; 0: not stated, take it
//              serial
//   spread     how far an input's numbers lie from each other, at least, as a share of their size; 0: not told
//   known      out and magnitude hold what the reference gave at another depth or rounding: only bounds are asked for
//   on_cores   runs a body over disjoint chunks of [0, total) on several cores; NULL: on this one only
#define REFERENCE_CALL(REAL)                                                                                           \
    const int64_t *dims;                                                                                               \
    const double *params;                                                                                              \
    enum dtype dtype;                                                                                                  \
    const REAL *in[OPERATOR_OPERANDS];                                                                                 \
    const int32_t *ints[OPERATOR_OPERANDS];                                                                            \
    int output;                                                                                                        \
    int64_t first, count;                                                                                              \
    REAL *out;                                                                                                         \
    double *magnitude, *bound;                                                                                         \
    bool rte;                                                                                                          \
    int64_t depth;                                                                                                     \
    double spread;                                                                                                     \
    bool known;                                                                                                        \
    void (*on_cores)(                                                                                                  \
        int64_t total, int64_t grain, void (*body)(void *context, int64_t first, int64_t count), void *context);

struct call_f64 {
    REFERENCE_CALL(double)
};
struct call_f32 {
    REFERENCE_CALL(float)
};

// Inputs of whole numbers of which every output is known without the operator's work: sums of whole numbers divided by
// how many they are of. What it says of them it says in double, of one stretch of outputs after the other.
struct known_outputs {
    const char *apart[4]; // the outputs fall into as many stretches as these dims come to. Ends with NULL
    // Whether there are such inputs at these dims and parameters.
    bool (*are)(const int64_t *dims, const double *params);
    // Element i of an input, by a key.
    double (*input)(const int64_t *dims, const double *params, uint64_t key, int operand, int64_t i);
    // What the outputs of these inputs are, of whole stretches; `bound`: how far from that, in itself, an output is
    // that was made of the right terms.
    void (*outputs)(const struct call_f64 *call);
};

struct op {
    const char *name;                   // "rmsnorm"
    const char *family;                 // "normalisation"; one of operator_families (table.h)
    const char *summary;                // one line
    const char *formula;                // "y = x * w / sqrt(mean(x^2) + eps)"
    const char *source;                 // paper, specification or system that defines it
    const char *conventions;            // what differs between libraries and which one this is; NULL when
                                        // there is no choice
    const char *systems;                // "TL TS": the seed systems that name it; "" when none does
    const char *dims[OPERATOR_DIMS];    // given by a case, in the order of a point's name
    const char *derived[OPERATOR_DIMS]; // computed by derive(), appended to dims
    // Checks the dims and fills the derived ones (dims[number of dims], ...). Returns NULL, or why
    // they are not legal. Every given dim is at least 1 (0 where zero_ok names it); that is checked
    // before the call. NULL: nothing to do.
    const char *(*derive)(int64_t *dims);
    const char *zero_ok[4];
    struct option options[OPERATOR_OPTIONS]; // ends with a NULL dim
    struct operand operands[OPERATOR_OPERANDS];
    struct parameter params[OPERATOR_PARAMS];
    double (*flops)(const int64_t *dims); // useful operations; an exp or a division counts as one
    // Least traffic in bytes for f32. NULL: each operand once (inout twice).
    double (*bytes)(const int64_t *dims);
    // A dim along which each output is linear in all inputs that have it, taken together: those inputs and the output
    // may be added up along it. Parameters must not come in. NULL: none, or nothing is stated.
    const char *along;
    const char
        *along_parts; // a dim that says in how many parts, each linear by itself, that one falls; NULL: it is one
    const struct known_outputs *known; // NULL: none are
    // An output that is a sum of differences, sizes and products of inputs, divided by the number of what these dims
    // count: with whole numbers the sum is exact, and the division alone errs. Ends with NULL; empty: nothing is
    // stated.
    const char *mean_over[4];
    // Outputs are sums and products in a few steps, whose errors are those of about as many roundings as their bounds
    // count.
    bool in_steps;
    bool even_bound;   // every output has the same bound, which follows from the dims and the call and not from inputs
    const char *bound; // derivation of the bound that the reference writes
    void (*f64)(const struct call_f64 *call);
    void (*f32)(const struct call_f32 *call);
};

// ---- operators of your own (--operators FILE.so): a shared object that ends with
//     VKASSAY_OPERATORS(&operator_double)
// The version changes with the meaning of anything above, the sizes with its form.
enum { OPERATOR_VERSION = 9 };
struct operator_file {
    uint32_t version, operator_bytes, call_bytes, dtypes;
    const struct op *const *operators; // ends with NULL
};
#define VKASSAY_OPERATORS(...)                                                                                         \
    extern const struct operator_file vkassay_operators;                                                               \
    const struct operator_file vkassay_operators = {OPERATOR_VERSION, sizeof(struct op), sizeof(struct call_f64),      \
        DTYPE_COUNT, (const struct op *const[]){__VA_ARGS__, NULL}};

// Counts of the arrays that end with a NULL name.
int operator_dims(const struct op *op);    // given dims
int operator_derived(const struct op *op); // derived dims
int operator_operands(const struct op *op);
int operator_params(const struct op *op);

// The first operand that is written, or the first of all where none is.
int operator_first_output(const struct op *op);

// Index of a dim (given or derived), operand or parameter; -1 when there is none of that name.
int operator_dim_index(const struct op *op, const char *name);
int operator_operand_index(const struct op *op, const char *name);
int operator_param_index(const struct op *op, const char *name);

// Axes of an operand's shape or granule, and whether two operands have the same by name.
int operand_rank(const char *const axes[OPERATOR_RANK]);
bool operand_same_shape(const struct operand *a, const struct operand *b);

// Elements of an operand (or of one of its granules) at these dims (derived ones included); -1 on
// overflow.
int64_t operand_elements(const struct op *op, const struct operand *operand, const int64_t *dims);
int64_t operand_granule(const struct op *op, const struct operand *operand, const int64_t *dims);

// Of all operands together.
double operator_elements(const struct op *op, const int64_t *dims);

// The dtype an operand has in a case of that dtype.
enum dtype operand_dtype(const struct operand *operand, enum dtype case_dtype);

// Checks the given dims (every one at least 1, or 0 where zero_ok names it), runs derive, checks
// that no operand's size overflows. NULL, or why the dims are not legal (static text).
const char *operator_derive(const struct op *op, int64_t *dims);

// Least bytes that must move at these dims in this dtype.
double operator_bytes(const struct op *op, const int64_t *dims, enum dtype dtype);

#endif
