// SPDX-License-Identifier: Apache-2.0
// Many guesses of a shader whose first guess is not right: each differs from it in as few parts as possible.
#include "guess.h"

#include "../../../reference/operator.h"
#include "../../../reference/table.h"

#include <string.h>

enum { MOST_RELATIVES = 5, MOST_WORDS = 12, MOST_DISTANCE = 7, RARE = 3 };

// Operators that backends call by the same name.
static const struct {
    const char *op, *others[MOST_RELATIVES];
} relatives[] = {
    {"matmul", {"matmul_nt", "matvec", "linear", "matmul_tn", "bmm"}},
    {"matmul_nt", {"matmul", "matvec", "linear", "bmm"}},
    {"linear", {"matmul_nt", "matmul", "matvec"}},
    {"matvec", {"matmul_nt", "linear", "matmul"}},
    {"layernorm", {"rmsnorm", "add_rmsnorm", "l2_norm_rows"}},
    {"rmsnorm", {"add_rmsnorm", "layernorm"}},
    {"gelu_tanh", {"gelu_erf", "gelu_quick", "geglu"}},
    {"gelu_erf", {"gelu_tanh", "gelu_quick"}},
    {"silu", {"swiglu"}},
    {"softmax", {"softmax_masked", "log_softmax"}},
    {"rope_half", {"rope_interleaved"}},
    {"attention", {"attention_scores", "weighted_sum", "attention_masked"}},
    {"embedding", {"gather", "index_select", "copy"}},
    {"sum", {"sum_rows", "sum_cols", "sum_axis"}},
    {"mean", {"mean_rows", "mean_axis"}},
    {"max", {"max_rows", "max_axis", "maximum"}},
    {"min", {"min_rows", "min_axis", "minimum"}},
    {"argmax", {"argmax_rows", "argmax_axis"}},
    {"argmin", {"argmin_rows", "argmin_axis"}},
    {"variance", {"variance_rows", "variance_axis"}},
    {"l2_norm", {"l2_norm_rows", "l2_norm_axis"}},
    {"add", {"broadcast_add", "add_scalar"}},
    {"mul", {"scale", "broadcast_mul"}},
    {"scale", {"mul"}},
    {"sub", {"broadcast_sub"}},
    {"div", {"broadcast_div"}},
    {"max_pool2d", {"avg_pool2d", "max_pool1d"}},
    {"transpose", {"permute"}},
    {"conv2d", {"conv1d"}},
    {"copy", {"copy2d"}},
};

const struct op *guess_relative(const struct op *op, int index) {
    for (size_t i = 0; i < sizeof relatives / sizeof *relatives; i++)
        if (strcmp(relatives[i].op, op->name) == 0 && index < MOST_RELATIVES && relatives[i].others[index])
            return operator_named(relatives[i].others[index]);
    return NULL;
}

// Returns whether kernels of the operator have tiles: planes of outputs that are no lines. At an edge of others, a
// wrong size is a fault of the shader.
static bool has_tiles(const struct op *op) {
    const struct operand *out = &op->operands[operator_first_output(op)];
    return operand_rank(out->shape) > 1 && !operand_rank(out->granule);
}

// The distance from the first guess. Later forms are rarer.
static int distance(int op, int words, int grid, bool whole) {
    const int far = (grid + 3) / 4;
    return (op > 0) + (words + 2) / 3 + (far < RARE ? far : RARE) + 2 * whole;
}

static bool is_known(struct json_object *const *kernels, size_t count, struct json_object *kernel) {
    for (size_t i = 0; i < count; i++)
        if (json_object_equal(kernels[i], kernel)) return true;
    return false;
}

struct many {
    struct arena *arena;
    const struct reflection *reflection;
    const struct dictionary *dictionary;
    const char *folder;
    size_t most, count;
    struct json_object **kernels;
    struct guess_turn *turns;
};

// Adds the turn's kernel unless it is like another one. Notes tell no kernels apart.
static void add(struct many *o, const struct guess_turn *turn) {
    const char *why;
    struct json_object *kernel =
        o->count < o->most ? guess_kernel(o->arena, o->reflection, turn, o->dictionary, o->folder, &why) : NULL;
    if (!kernel) return;
    json_object_object_del(kernel, "notes");
    if (is_known(o->kernels, o->count, kernel) || guess_refused(o->arena, kernel, o->folder)) {
        json_object_put(kernel);
        return;
    }
    o->turns[o->count] = *turn;
    o->kernels[o->count++] = kernel;
}

size_t guess_many(struct arena *arena, const struct reflection *reflection, const struct op *op, bool fixed,
    const struct dictionary *dictionary, const char *folder, size_t most, struct json_object **kernels,
    struct guess_turn *turns) {
    struct many o = {.arena = arena,
        .reflection = reflection,
        .dictionary = dictionary,
        .folder = folder,
        .most = most,
        .kernels = kernels,
        .turns = turns};
    const struct op *ops[1 + MOST_RELATIVES] = {op};
    int op_count = 1;
    while (!fixed && op_count <= MOST_RELATIVES && (ops[op_count] = guess_relative(op, op_count - 1))) op_count++;
    for (int far = 0; far <= MOST_DISTANCE && o.count < most; far++)
        for (int i = 0; i < op_count; i++)
            for (int words = 0; words < MOST_WORDS; words++)
                for (int grid = 0; grid < guess_grids(); grid++)
                    for (int whole = 0; whole <= has_tiles(ops[i]); whole++)
                        if (distance(i, words, grid, whole) == far)
                            add(&o, &(struct guess_turn){ops[i], words, grid, whole ? GUESS_WHOLE : 0, 0});
    return o.count;
}
