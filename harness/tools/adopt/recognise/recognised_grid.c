// SPDX-License-Identifier: Apache-2.0
// The grid of a recognised kernel: products of dims, divided by what a workgroup does.
#include "writing.h"

#include "../../../../reference/operator.h"
#include "../../../shader/manifest/kernel.h"

enum { FACTORS = 4, DIVISORS = 32, MOST_DIMS = 20 };

// Returns the product of some dims in a recording, given as bits.
static int64_t product_of(const struct writing *w, int recording, uint32_t dims) {
    int64_t product = 1;
    for (int d = 0; d < writing_dims(w->op); d++)
        if (dims >> d & 1 && __builtin_mul_overflow(product, writing_fit(w, recording)->dims[d], &product)) return 0;
    return product;
}

// Returns whether workgroups for this product of dims, divided, make the axis in every recording.
static bool is_axis(const struct writing *w, int axis, uint32_t dims, int64_t by) {
    for (int r = 0; r < w->from->count; r++) {
        const int64_t product = product_of(w, r, dims);
        if (product < 1 || product / by + (product % by != 0) != w->from->recordings[r].grid[axis]) return false;
    }
    return true;
}

// Lists divisors, likely ones first: what a workgroup or an invocation does, then powers of two.
static int divisors(const struct writing *w, int axis, int64_t out[DIVISORS]) {
    const uint32_t *group = w->from->recordings[0].group;
    const int64_t own = group[axis], all = (int64_t)group[0] * group[1] * group[2];
    int count = 0;
    out[count++] = own > 1 ? own : all;
    out[count++] = 1;
    out[count++] = all;
    for (int64_t each = 2; each <= 64; each *= 2) out[count++] = own * each;
    for (int64_t each = 2; each <= 64; each *= 2) out[count++] = all * each;
    for (int64_t by = 2; by <= 1024; by *= 2) out[count++] = by;
    return count;
}

static struct json_object *axis_json(const struct writing *w, int axis, uint32_t dims, int64_t by) {
    struct json_object *over = json_object_new_array(), *out = writing_member("over", over);
    for (int d = 0; d < writing_dims(w->op); d++)
        if (dims >> d & 1) json_object_array_add(over, json_object_new_string(writing_dim(w->op, d)));
    if (!dims) json_object_array_add(over, json_object_new_int64(w->from->recordings[0].grid[axis]));
    if (by > 1) {
        struct json_object *divisor = json_object_new_array();
        const int64_t own = w->from->recordings[0].group[axis];
        const bool tuned = w->tuned && own > 1 && by % own == 0;
        if (tuned) json_object_array_add(divisor, json_object_new_string(workgroup_names[axis]));
        if (!tuned || by > own) json_object_array_add(divisor, json_object_new_int64(tuned ? by / own : by));
        json_put(out, "by", divisor);
    }
    return out;
}

// Finds the fewest dims whose product, divided, `holds` for the axis.
static struct json_object *first_product(
    struct writing *w, int axis, bool (*holds)(const struct writing *w, int axis, uint32_t dims, int64_t by)) {
    int64_t by[DIVISORS];
    const int count = divisors(w, axis, by), dims = writing_dims(w->op) < MOST_DIMS ? writing_dims(w->op) : MOST_DIMS;
    for (int most = 1; most <= FACTORS; most++)
        for (int k = 0; k < count; k++)
            for (uint32_t set = 1; set < 1u << dims; set++)
                if (__builtin_popcount(set) == most && holds(w, axis, set, by[k]))
                    return axis_json(w, axis, set, by[k]);
    return NULL;
}

static bool is_same_grid(const struct writing *w, int axis) {
    for (int r = 1; r < w->from->count; r++)
        if (w->from->recordings[r].grid[axis] != w->from->recordings[0].grid[axis]) return false;
    return true;
}

// Returns the axis of dims, or as a constant; NULL: it is neither.
static struct json_object *axis_of(struct writing *w, int axis) {
    const struct sighting *first = &w->from->recordings[0];
    const bool same = is_same_grid(w, axis);
    if (same && first->grid[axis] == 1 && axis > 0 && first->group[axis] == 1) return axis_json(w, axis, 0, 1);
    struct json_object *found = first_product(w, axis, is_axis);
    return found || !same ? found : axis_json(w, axis, 0, 1);
}

// Returns whether a long axis continues on the others: all workgroups together are enough, and not many more.
static bool is_folded(const struct writing *w, int axis, uint32_t dims, int64_t by) {
    bool flat = false;
    (void)axis; // the first
    for (int r = 0; r < w->from->count; r++) {
        const uint32_t *grid = w->from->recordings[r].grid;
        const int64_t product = product_of(w, r, dims), wanted = product / by + (product % by != 0);
        const int64_t others = (int64_t)grid[1] * grid[2], all = others * grid[0];
        if (product < 1 || all < wanted || all > wanted + 2 * others) return false;
        if (others == 1 && grid[0] != wanted) return false;
        flat |= others == 1;
    }
    return flat;
}

// Writes a folded grid of one axis. Returns false if it is none.
static bool put_folded(struct writing *w, struct json_object *grid) {
    const uint32_t *group = w->from->recordings[0].group;
    struct json_object *found = group[1] == 1 && group[2] == 1 ? first_product(w, 0, is_folded) : NULL;
    if (!found) return false;
    json_object_array_add(grid, found);
    json_put_bool(w->kernel, "fold", true);
    return true;
}

bool writing_grid(struct writing *w) {
    struct json_object *grid = json_object_new_array();
    int axes = 3;
    json_put(w->kernel, "grid", grid);
    if (!(is_same_grid(w, 1) && is_same_grid(w, 2)) && put_folded(w, grid)) return true;
    while (axes > 1 && is_same_grid(w, axes - 1) && w->from->recordings[0].grid[axes - 1] == 1 &&
           w->from->recordings[0].group[axes - 1] == 1)
        axes--;
    for (int axis = 0; axis < axes && !w->why; axis++) {
        struct json_object *item = axis_of(w, axis);
        if (!item) w->why = arena_format(w->arena, "its grid does not follow from the dims on axis %d", axis);
        json_object_array_add(grid, item);
    }
    return !w->why;
}
