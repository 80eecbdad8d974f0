// SPDX-License-Identifier: Apache-2.0
// An operator: a mathematical function of tensors. It knows nothing of Vulkan.
//
// Each family has one source file, compiled twice (see reference.h). In double it is the truth and also gives each
// output's magnitude and bound. In float it is the scalar baseline for timing. A user's own operators need only this
// header.
#ifndef VKASSAY_REFERENCE_OPERATOR_H
#define VKASSAY_REFERENCE_OPERATOR_H

#include "dtype.h"
#include "signature.h"

// How an input is filled from a counter-based generator: with the same bits on every machine.
enum fill {
    FILL_UNIFORM = 0,  // uniform in [low, high), rounded to the dtype; both 0: [-1, 1)
    FILL_INDEX,        // integers, uniform in [0, the dim named `below`)
    FILL_OUT_OF_RANGE, // as FILL_INDEX, but about one in eight is out of range, on either side
    FILL_PERMUTATION,  // a permutation of 0 .. elements-1
    FILL_SPREAD,       // |x| log-uniform in [low, high], both signs if `signs`
    FILL_CONSTANT,     // `low` everywhere
    FILL_WHOLE,        // whole numbers, uniform in [low, high)
    // Rotation tables: cos or sin of position * base^(-2i/d). i runs along the last axis, the position along the axis
    // before. The base is `low` (10000 for RoPE), and d is twice the last axis's length.
    FILL_COSINE,
    FILL_SINE,
    // [low, high) in as many even steps as the dim named `below`: a few values occur twice.
    FILL_STEPS,
    FILL_RARE, // `high` about once in as many elements as the last axis has, otherwise `low`
    // Additive masks of 0 and -inf. In every second line of the last axis, about a quarter of the elements are -inf.
    // Others are -inf by the line's pattern (LINES_MASKED).
    FILL_MASK,
    FILL_TIES,   // as FILL_SPREAD, but every other number is rounded to 9 or 12 bits, to include numbers halfway
                 // between neighbours in bf16 or in f16
    FILL_BROKEN, // uniform in [low, high), but NaN or infinite about once in as many elements as the last axis has
    FILL_TRUTH,  // bytes: 0 in one of three, otherwise any byte that counts as true, with each of its bits alone
};

// The lines of an input have patterns in turn, in an order given by its key. If there is only one line, the key
// gives its pattern. This applies to FILL_UNIFORM and FILL_STEPS; other fills only get the special values.
//
//   FINITE    As drawn, far below, far above, 64 or up to 8192 times as wide, or all equal.
//             Also cancelling pair by pair, ascending, half of it far below, sparse, zeros of both signs.
//             Also up to 2^20 (in f16 as 8192 times), and the last sixteenth far above.
//   MASKED    As drawn, or with -inf: in one element, all, a prefix, a suffix, a stretch, all but one,
//             the first half, the second half.
//   INFINITE  Like MASKED; also as drawn, far below, far above, wide, all equal, ascending, descending, sparse.
//             Also the last sixteenth far above, and only numbers at the type's least or greatest finite number.
//   SCARCE    A single line like INFINITE, the others like FINITE. For operators that combine all lines.
//   ANY       Like FINITE, and descending. Or an infinity of either sign in one element, all, a prefix,
//             a suffix, a stretch, all but one. Or NaN in one, all, a stretch, all but one.
//             Or NaN only before -inf.
//   ORDERED   Like ANY, and only the type's least or greatest finite number and its neighbours. For operators that
//             compare numbers, so no sum overflows.
//
// If each output meets many lines, as in products, the whole case has a pattern. It is given by the key, too:
//
//   TAME      Two cases of three have lines as drawn, the third like FINITE.
//   SOME      One case of four has lines as drawn, one like FINITE. In one, a single line has infinities or NaN
//             like ANY, or zeros. In one, zeros are among the numbers, beside infinities of other operands.
//   BROKEN    Two cases of three have lines as drawn, the third a single line like SOME. For numbers meaningful
//             only in their range, such as probabilities, variances and states.
enum lines {
    LINES_ALIKE = 0,
    LINES_FINITE,
    LINES_MASKED,
    LINES_SCARCE,
    LINES_INFINITE,
    LINES_ANY,
    LINES_ORDERED,
    LINES_TAME,
    LINES_SOME,
    LINES_BROKEN
};

// Properties of its numbers that an operand preserves, in addition to their values. NaN always stays NaN, with any
// payload.
enum preserves {
    PRESERVES_VALUE = 0, // the sign of a zero is free
    PRESERVES_SIGN,      // outputs: one operation, with the signs of zeros of IEEE 754
    // Numbers that are only moved. Outputs: the signs of zeros stay, and loads and stores may not flush subnormal
    // numbers. Inputs: one number in four is any number of the type, including NaN and infinities.
    PRESERVES_BITS
};

// Numbers that show how a sum is rounded. A single term is so large that its ULP is about the size of each other
// term. Coarser sums lose all of the others. The large number, in [low, high), is at one place along a dim, the same
// for all elements within that dim. The other numbers are in [rest_low, rest_high), or with `beside` that much above
// the large one. Operands of one shape share the place. If only one in eight is nonzero, even a kernel adding four at
// once adds about one ULP each time.
struct outlier {
    const char *along; // NULL: the operand has no outlier
    double low, high, rest_low, rest_high;
    bool beside;
    bool sparse; // seven in eight are `none`
    double none;
    bool signs;    // the others have either sign
    bool balanced; // two others are half of the large one, negated: the mean is near 0
    bool whole;    // the others are rounded down to whole numbers
    bool flat;     // the place is one element of the dim and all dims within it
    int erring;    // additions to the large term that a right kernel may round; 0: all. Adding one ULP is exact, unless
                   // a kernel scales parts of a sum, or adds up squares by way of means that change
};
// Squares of ones next to a square with an ULP of 1. The same for deviations from a mean, and for exponentials of
// 2^-23 next to 1.
#define OUTLIER_OF_SQUARES(ALONG) .outlier = {ALONG, 2900, 4095, 1, 1, .sparse = true, .erring = 4}
#define OUTLIER_OF_DEVIATIONS(ALONG, FLAT, ERRING)                                                                     \
    .outlier = {                                                                                                       \
        ALONG, 2900, 3340, 1, 1, .sparse = true, .signs = true, .balanced = true, .flat = FLAT, .erring = ERRING}
#define OUTLIER_OF_LOGITS(ALONG, SCALE)                                                                                \
    .outlier = {ALONG, 0.5, 2, -15.9444 / (SCALE), -15.9404 / (SCALE), .beside = true, .sparse = true,                 \
        .none = -200.0 / (SCALE), .erring = 4}

struct operand {
    const char *name;
    enum role role;
    enum dtype dtype;                 // DTYPE_CASE, or a fixed one (indices are DTYPE_I32)
    bool weights;                     // may be quantised if the case's dtype is q8_0 or q4_0
    const char *shape[OPERATOR_RANK]; // names of dims, outermost first; empty: one element
    // Outputs: consecutive elements that are best computed together, as a product of dims ("cols" for a softmax row);
    // empty: one. A range passed to the reference is always whole granules.
    const char *granule[OPERATOR_RANK];
    enum fill fill;
    double low, high;
    bool signs;
    const char *below;
    // Inputs of elementwise operators: the first elements are special values (zeros, infinities, NaN, subnormals,
    // extremes). They are crossed between all operands with this flag.
    bool specials;
    enum lines lines;
    enum preserves preserves;
    bool unit;     // outputs: each granule consists of shares of one sum and adds up to 1
    int line_axes; // the number of last axes in a line; 0 means 1
    struct outlier outlier;
};

// A scalar parameter. A case may set it beside its dims ("rows=7,cols=33,eps=1e-6"). Integers are passed to kernels
// as int32, others as float; the reference gets the value after that rounding.
struct parameter {
    const char *name;
    double standard; // its default
    bool integer;
    double low, high; // legal range, inclusive; low = high = 0: any finite value
    // Values besides the default that reveal a kernel with a fault: TELLING(0, -2.7, 70001). It may ignore the
    // parameter, store it as a constant or in too few bits, or fail beyond some value. The sampled tier tries all of
    // them, and every pair for two parameters.
    struct {
        int count;
        double values[PARAMETER_TELLING];
    } telling;
};
#define TOGETHER(...)                                                                                                  \
    .together = {                                                                                                      \
        (int)(sizeof((double[][OPERATOR_PARAMS]){__VA_ARGS__}) / sizeof(double[OPERATOR_PARAMS])), {__VA_ARGS__}}
#define TELLING(...) .telling = {(int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), {__VA_ARGS__}}

// A dim that selects a variant, such as a stride or an axis, instead of a size. For every two options the sampled
// tier tests all pairs of these values, if the operator accepts them together.
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

// A call of a reference: elements [first, first + count) of one output operand.
//
//   `dims`       The operator's, then its derived ones.
//   `params`     In the operator's order.
//   `dtype`      Of the case.
//   `in`, `ints` By operand: whole tensors as reals (dequantised) or as int32 (u32 by their bits).
//                NULL if the operand is an output or of the other kind.
//   `output`     Index of the requested operand.
//   `out`        Receives count values.
//   `magnitude`  Receives the sums of the absolute terms, or |value| without a sum. NULL: not wanted.
//   `bound`      Receives the allowed errors in ULP of the arithmetic's type at max(|value|, magnitude).
//                0: exact. INFINITY: the specification gives no bound, so the element is not judged.
//                NULL: not wanted.
//   `rte`        The kernel declares round-to-nearest-even: a basic operation is within 0.5 ULP, else 1.
//   `depth`      Additions on the longest path of the kernel's summation. 0: not stated, taken as serial.
//   `spread`     Least width of the range of an input's numbers, as a share of their size. 0: not known.
//   `known`      The values and magnitudes are already there, from another depth or rounding. Only bounds
//                are wanted.
//   `on_cores`   Runs a body over disjoint chunks of [0, total) on several cores. NULL: only on this one.
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

// Inputs of whole numbers whose outputs are known without the operator's work: sums of whole numbers divided by their
// count. Results are in double, one stretch of outputs after the other.
struct known_outputs {
    const char *apart[4]; // the product of these dims is the number of stretches; ends with NULL
    // Returns whether there are such inputs at these dims and parameters.
    bool (*are)(const int64_t *dims, const double *params);
    // Returns element i of an input, by a key.
    double (*input)(const int64_t *dims, const double *params, uint64_t key, int operand, int64_t i);
    // Computes the outputs of these inputs, in whole stretches. `bound` is the largest absolute error of an output
    // made of the right terms.
    void (*outputs)(const struct call_f64 *call);
};

struct op {
    const char *name;                   // "rmsnorm"
    const char *family;                 // "normalisation"; one of operator_families (table.h)
    const char *summary;                // one line
    const char *formula;                // "y = x * w / sqrt(mean(x^2) + eps)"
    const char *source;                 // paper, specification or system that defines it
    const char *conventions;            // differences between libraries, and the choice made here; NULL if there is no
                                        // choice
    const char *systems;                // "TL TS": the systems that name it; "" if none does
    const char *dims[OPERATOR_DIMS];    // given by a case, in the order of a point's name
    const char *derived[OPERATOR_DIMS]; // computed by derive(), appended to dims
    // Checks the dims and fills the derived ones (dims[number of dims], ...). Returns NULL, or the reason why they
    // are not legal. Every given dim is at least 1 (0 if zero_ok names it); this is checked before the call. NULL:
    // nothing to do.
    const char *(*derive)(int64_t *dims);
    // An operator of listed cases: derived dims for the values 1, 2, ... of its only given dim. NULL: any dims will do.
    int64_t (*cases)[OPERATOR_DIMS];
    int64_t case_count;
    const char *zero_ok[4];
    struct option options[OPERATOR_OPTIONS]; // ends with a NULL dim
    struct operand operands[OPERATOR_OPERANDS];
    struct parameter params[OPERATOR_PARAMS];
    // Settings of all parameters that reveal a fault only together, such as a random number of 0 beside a probability
    // of 0: TOGETHER({42, 25077234, 0}). The sampled tier tries each.
    struct {
        int count;
        double values[PARAMETER_TOGETHER][OPERATOR_PARAMS];
    } together;
    // The operations of each call of a reference, whatever its range; NULL: none. A statistic of all rows has some.
    double (*call_flops)(const int64_t *dims);
    double (*flops)(const int64_t *dims); // useful operations; an exp or a division counts as one
    // Returns the least traffic in bytes for f32. NULL: each operand once (inout twice).
    double (*bytes)(const int64_t *dims);
    // Dims in their order that reveal a fault only together; 0: as small as possible.
    int64_t revealing[2][OPERATOR_DIMS];
    // A dim along which each output is linear in all inputs with this dim, taken together. The inputs with it and the
    // output may then be added up along it. Parameters must not enter. NULL: none, or not stated.
    const char *along;
    const char *along_parts; // a dim that counts the parts of `along`, each linear by itself; NULL: one part
    // An operator with one dim more, its first: with this dim at 1 both are the same function. Operands 0 and 1 are
    // exchanged. NULL: none.
    const char *line_of;
    const struct known_outputs *known; // NULL: no outputs are known
    // Set if an output is a sum of differences, sizes and products of inputs, divided by the product of these dims.
    // With whole numbers the sum is exact, and only the division errs. Ends with NULL; empty: not stated.
    const char *mean_over[4];
    // Outputs are sums and products in a few steps. Their errors come from about as many roundings as their bounds
    // count.
    bool in_steps;
    bool even_bound;   // every output has the same bound; it follows from the dims and the call, not from inputs
    const char *bound; // derivation of the reference's bound
    void (*f64)(const struct call_f64 *call);
    void (*f32)(const struct call_f32 *call);
};

// ---- operators of your own (--operators FILE.so): a shared object that ends with
//     VKASSAY_OPERATORS(&operator_double)
//
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

#endif
