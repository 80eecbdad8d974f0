// SPDX-License-Identifier: Apache-2.0
// Rules on the dims of a recognised kernel, where the recordings are silent: other values of built-in dims, and parts
// of vectors.
#include "writing.h"

#include "../../../../reference/operator.h"
#include "../../../shader/manifest/kernel.h"
#include "../guess_kernel.h"
#include "dims.h"

static void put_rule(struct json_object *rules, const char *kind, struct json_object *of, int64_t by, const char *why) {
    struct json_object *pair = json_object_new_array(), *rule = writing_member(kind, pair);
    json_object_array_add(pair, of);
    json_object_array_add(pair, json_object_new_int64(by));
    json_put_string(rule, "why", why);
    if (json_object_array_length(rules) < KERNEL_RULES)
        json_object_array_add(rules, rule);
    else
        json_object_put(rule);
}

// Returns whether the shader may have the dim built in: it is the same in each recording, and 1 or in no word. The
// size of a single recording may also follow from that of a buffer.
static bool is_built_in(const struct writing *w, int dim) {
    const int64_t value = writing_fit(w, 0)->dims[dim];
    for (int r = 1; r < w->from->count; r++)
        if (writing_fit(w, r)->dims[dim] != value) return false;
    return value == 1 || (!w->named[dim] && (w->from->count > 1 || operator_option(w->op, dim)));
}

// Returns how many elements the shader takes at once from the operand's buffer.
static int64_t at_once(const struct writing *w, int operand) {
    const int buffer = writing_fit(w, 0)->buffer[operand];
    const struct shader_binding *b = buffer < 0 ? NULL : w->from->bindings[buffer];
    if (!b || (b->element != ELEMENT_FLOAT && b->element != ELEMENT_INT) || !b->bits) return 1;
    return b->element_bytes * 8 / b->bits;
}

// Writes the fewest last dims of an operand that are whole vectors in each recording.
static void put_vectors(const struct writing *w, int operand, struct json_object *rules) {
    const struct operand *o = &w->op->operands[operand];
    const int64_t by = at_once(w, operand);
    struct json_object *of = json_object_new_array();
    int axes = 0, whole = 0;
    while (axes < OPERATOR_RANK && o->shape[axes]) axes++;
    for (int first = axes - 1; first >= 0 && by > 1 && !whole; first--) {
        json_object_array_add(of, json_object_new_string(o->shape[first]));
        whole = 1;
        for (int r = 0; r < w->from->count; r++) {
            int64_t product = 1;
            for (int axis = first; axis < axes; axis++)
                product *= writing_fit(w, r)->dims[operator_dim_index(w->op, o->shape[axis])];
            whole &= product % by == 0;
        }
    }
    if (whole)
        put_rule(rules, "multiple", of, by, "the shader takes vectors");
    else
        json_object_put(of);
}

bool writing_rules(struct writing *w) {
    bool any_free = false;
    struct json_object *rules = json_object_new_array();
    for (int i = 0; i < operator_operands(w->op); i++) put_vectors(w, i, rules);
    for (int d = 0; d < operator_dims(w->op); d++) {
        const int64_t value = writing_fit(w, 0)->dims[d];
        any_free |= !is_built_in(w, d);
        if (value && is_built_in(w, d)) // a rule cannot ask for 0
            put_rule(rules, "equal", json_object_new_string(w->op->dims[d]), value, "no other value was recorded");
    }
    guess_put(w->kernel, "rules", rules);
    return any_free;
}
