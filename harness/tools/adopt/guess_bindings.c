// SPDX-License-Identifier: Apache-2.0
// Assigns storage buffers to operands: by the code's use of a buffer, by its type, by its name, and last by its
// place.
#include "dictionary.h"
#include "../../../reference/operator.h"

#include <string.h>
#include <strings.h>

struct buffers {
    const struct shader_binding *items[INTERFACE_BINDINGS];
    bool taken[INTERFACE_BINDINGS];
    int count;
};

// Collects the storage buffers in the order of their places. If a buffer has several views, it takes the first.
static void collect(const struct reflection *reflection, struct buffers *out) {
    for (int i = 0; i < reflection->shader.binding_count; i++) {
        const struct shader_binding *b = &reflection->shader.bindings[i];
        int at = out->count;
        bool seen = false;
        if (b->kind != SLOT_STORAGE || b->many || !b->used) continue;
        for (int k = 0; k < reflection->block_count; k++) // as parameters
            seen |= !reflection->blocks[k].push && reflection->blocks[k].set == b->set &&
                    reflection->blocks[k].binding == b->binding;
        for (int k = 0; k < out->count; k++)
            seen |= out->items[k]->set == b->set && out->items[k]->binding == b->binding;
        if (seen) continue;
        for (; at > 0 && (out->items[at - 1]->set > b->set ||
                             (out->items[at - 1]->set == b->set && out->items[at - 1]->binding > b->binding));
             at--)
            out->items[at] = out->items[at - 1];
        out->items[at] = b;
        out->count++;
    }
}

static bool may_be(const struct operand *operand, const struct shader_binding *b) {
    const bool whole = operand->dtype == DTYPE_I32 || operand->dtype == DTYPE_U32;
    if (b->written ? operand->role == ROLE_IN : operand->role == ROLE_OUT) return false;
    if (whole && b->element == ELEMENT_FLOAT) return false;
    return operand->dtype != DTYPE_F32 || (b->element != ELEMENT_INT && b->bits != 16);
}

static int fits(const struct guess *g, const char *wanted, const struct shader_binding *b) {
    const int known = dictionary_operand(g, b);
    if (known >= 0) return strcmp(g->op->operands[known].name, wanted) == 0 ? 4 : 0;
    const int by_name = guess_fits(g->op, wanted, b->name), by_member = guess_fits(g->op, wanted, b->member);
    return by_name > by_member ? by_name : by_member;
}

// Scores a buffer for an operand. A better name counts most, then the exact type, then the place among the
// candidates.
static int score(const struct guess *g, const struct buffers *buffers, int buffer, int operand) {
    const struct operand *o = &g->op->operands[operand];
    int before = 0, earlier = 0;
    if (buffers->taken[buffer] || g->of_operand[operand] || !may_be(o, buffers->items[buffer])) return 0;
    for (int i = 0; i < buffer; i++) before += !buffers->taken[i] && may_be(o, buffers->items[i]);
    for (int i = 0; i < operand; i++)
        earlier += !g->of_operand[i] && may_be(&g->op->operands[i], buffers->items[buffer]);
    const bool exact =
        (o->dtype == DTYPE_I32 || o->dtype == DTYPE_U32) == (buffers->items[buffer]->element == ELEMENT_INT);
    return 1 + 1000 * fits(g, o->name, buffers->items[buffer]) + 100 * exact + (before == earlier ? 50 : 0) +
           (20 - before - earlier);
}

static void assign(struct guess *g, struct buffers *buffers) {
    for (;;) {
        int best = 0, buffer = 0, operand = 0;
        for (int b = 0; b < buffers->count; b++)
            for (int o = 0; o < operator_operands(g->op); o++) {
                const int s = score(g, buffers, b, o);
                if (s <= best) continue;
                best = s;
                buffer = b;
                operand = o;
            }
        if (!best) return;
        buffers->taken[buffer] = true;
        g->of_operand[operand] = buffers->items[buffer];
        if (best < 2000)
            guess_note(g, "binding %u of set %u, \"%s\", is taken for %s", buffers->items[buffer]->binding,
                buffers->items[buffer]->set, buffers->items[buffer]->name, g->op->operands[operand].name);
    }
}

// Fails for an operand without a buffer. If the shader uses a binding of another kind, the message names it as the
// reason.
static bool fail_operand(struct guess *g, const struct operand *operand) {
    for (int i = 0; i < g->reflection->shader.binding_count; i++) {
        const struct shader_binding *b = &g->reflection->shader.bindings[i];
        if (b->used && binding_way(b))
            return guess_fail(
                g, "binding %u of set %u is %s: %s", b->binding, b->set, binding_kind_name(b), binding_way(b));
    }
    return guess_fail(g,
        "no storage buffer of it can be %s, %s; `vkassay list operators` has operators with other operands",
        operand->name, operand->role == ROLE_IN ? "an input" : "an output");
}

// Finds an output to overwrite the input, if the input has no buffer. The shader must read the output's buffer, too.
static bool is_in_place(struct guess *g, int input) {
    const struct operand *in = &g->op->operands[input];
    for (int o = 0; o < operator_operands(g->op); o++) {
        const struct operand *out = &g->op->operands[o];
        struct json_object *in_place;
        if (out->role != ROLE_OUT || !g->of_operand[o] || !g->of_operand[o]->read || !operand_same_shape(in, out) ||
            in->dtype != out->dtype)
            continue;
        in_place = json_object_new_object();
        json_put_string(in_place, out->name, in->name);
        json_put(g->kernel, "in_place", in_place);
        guess_note(g, "%s is taken to overwrite %s, as its buffer is read and written", out->name, in->name);
        return true;
    }
    return false;
}

// A sum, a product or a scale may lack an optional operand. Missing factors are 1, others 0.
static const char factors[] = "w gamma var std", optional[] = "w gamma beta bias b res mask mean var std c";

bool guess_missing(struct guess *g) {
    struct json_object *fixed = json_object_new_object();
    bool in_place = false, main_input = true;
    for (int o = 0; o < operator_operands(g->op); o++) {
        const struct operand *operand = &g->op->operands[o];
        const size_t length = strlen(operand->name);
        if (g->of_operand[o]) {
            main_input = main_input && operand->role == ROLE_OUT;
            continue;
        }
        if (operand->role == ROLE_IN && !in_place && is_in_place(g, o)) {
            in_place = true;
            main_input = false;
        } else if (operand->role == ROLE_IN && !main_input && guess_among(optional, operand->name, length)) {
            const int value = guess_among(factors, operand->name, length);
            json_put_int(fixed, operand->name, value);
            guess_note(g, "the shader has no %s: the reference takes %d for it", operand->name, value);
        } else {
            json_object_put(fixed);
            return fail_operand(g, operand);
        }
    }
    guess_put(g->kernel, "fixed", fixed);
    return true;
}

static struct json_object *binding_json(const struct shader_binding *b, const char *name, bool plain) {
    if (plain) return json_object_new_string(name);
    struct json_object *object = json_object_new_object();
    json_put_string(object, "name", name);
    if (b->set) json_put_int(object, "set", b->set);
    json_put_int(object, "binding", b->binding);
    return object;
}

// Writes "bindings" with the names of operands, or with the given names.
static void put_bindings(struct guess *g, const struct buffers *buffers, const char *const *names) {
    struct json_object *list = json_object_new_array();
    bool plain = true;
    for (int i = 0; i < buffers->count; i++)
        plain &= buffers->items[i]->set == 0 && buffers->items[i]->binding == (uint32_t)i;
    for (int i = 0; i < buffers->count; i++) {
        if (names && names[i]) json_object_array_add(list, binding_json(buffers->items[i], names[i], plain));
        for (int o = 0; o < operator_operands(g->op); o++)
            if (g->of_operand[o] == buffers->items[i])
                json_object_array_add(list, binding_json(buffers->items[i], g->op->operands[o].name, plain));
    }
    json_put(g->kernel, "bindings", list);
}

bool guess_bindings(struct guess *g) {
    struct buffers buffers = {0};
    collect(g->reflection, &buffers);
    assign(g, &buffers);
    for (int i = 0; i < buffers.count; i++) {
        const struct shader_binding *b = buffers.items[i];
        if (buffers.taken[i] || dictionary_binds(g, b)) continue;
        // A read-only buffer of 32-bit integers is taken as an array of parameters without names.
        const bool integers = b->stride == 4 && b->element == ELEMENT_INT && b->bits == 32;
        if (b->written || !integers || g->array_count == GUESS_ARRAYS)
            return guess_fail(g,
                "binding %u of set %u, \"%s\", is no operand of %s: a scratch buffer, or one pass of several; a "
                "dictionary "
                "can say so (init --names, kernels/BACKENDS.md)",
                b->binding, b->set, b->name, g->op->name);
        g->arrays[g->array_count++] = b;
    }
    if (!guess_missing(g)) return false;
    put_bindings(g, &buffers, NULL);
    return true;
}

// ---- passes

static const char *own_name(const struct shader_binding *b) {
    return *b->member && *b->member != '@' ? b->member : b->name; // in HLSL the member is "@data"
}

static int scratch_named(const struct guess_scratch *scratch, const char *name) {
    for (int i = 0; i < scratch->count; i++)
        if (strcasecmp(scratch->names[i], name) == 0) return i;
    return -1;
}

static int add_scratch(struct guess *g, struct guess_scratch *scratch, const struct shader_binding *b) {
    const char *name = own_name(b);
    const int known = scratch_named(scratch, name);
    if (known >= 0 || scratch->count == GUESS_SCRATCH) return known;
    const int at = scratch->count++;
    if (!*name || operator_operand_index(g->op, name) >= 0) name = arena_format(g->arena, "scratch%d", at);
    scratch->names[at] = name;
    scratch->wide[at] = guess_wide(b);
    scratch->dtypes[at] = b->element == ELEMENT_INT ? "i32" : b->bits == 16 ? "f16" : "f32";
    return at;
}

// Finds a buffer left by an earlier pass: the one with this name, otherwise the first one not read yet. Returns -1 if
// there is none, or if the name fits an operand.
static int find_scratch(struct guess *g, const struct guess_scratch *scratch, const struct shader_binding *b) {
    const int named = scratch_named(scratch, own_name(b));
    if (named >= 0) return named;
    for (int o = 0; o < operator_operands(g->op); o++)
        if (g->op->operands[o].role != ROLE_OUT && fits(g, g->op->operands[o].name, b) >= 2) return -1;
    for (int i = 0; i < scratch->count; i++) {
        if (scratch->read[i]) continue;
        guess_note(
            g, "binding %u of set %u, \"%s\", is taken for %s", b->binding, b->set, own_name(b), scratch->names[i]);
        return i;
    }
    return -1;
}

// Finds the scratch buffer at each of the pass's bindings; -1: an operand. A buffer only written by the last pass is
// an output, even if an earlier pass used the same variable for its results.
static void find_all(
    struct guess *g, const struct buffers *buffers, struct guess_scratch *scratch, bool last, int *found) {
    const struct guess_scratch before = *scratch;
    bool any = false;
    for (int i = 0; i < buffers->count; i++) {
        const struct shader_binding *b = buffers->items[i];
        found[i] = !b->written ? find_scratch(g, &before, b)
                   : !last     ? add_scratch(g, scratch, b)
                   : b->read   ? scratch_named(&before, own_name(b))
                               : -1;
        any |= found[i] >= 0 && found[i] < before.count;
    }
    for (int i = 0; last && !any && before.count && i < buffers->count; i++) {
        if (buffers->items[i]->written) continue;
        found[i] = 0;
        any = true;
        guess_note(g, "binding %u of set %u, \"%s\", is taken for %s", buffers->items[i]->binding,
            buffers->items[i]->set, own_name(buffers->items[i]), scratch->names[0]);
    }
}

bool guess_pass_bindings(struct guess *g, struct guess_scratch *scratch, bool last, bool *reads_scratch_alone) {
    struct buffers buffers = {0};
    const char *names[INTERFACE_BINDINGS] = {0};
    int found[INTERFACE_BINDINGS];
    const int before = scratch->count;
    collect(g->reflection, &buffers);
    find_all(g, &buffers, scratch, last, found);
    *reads_scratch_alone = false;
    for (int i = 0; i < buffers.count; i++) {
        if (found[i] < 0) continue;
        if (buffers.items[i]->read) scratch->read[found[i]] = true;
        *reads_scratch_alone |= buffers.items[i]->read && found[i] < before;
        names[i] = scratch->names[found[i]];
        buffers.taken[i] = true;
    }
    assign(g, &buffers);
    for (int i = 0; i < buffers.count; i++) {
        if (!names[i] && !buffers.items[i]->written) *reads_scratch_alone = false;
        if (!buffers.taken[i])
            return guess_fail(g, "binding %u of set %u, \"%s\", is no operand of %s", buffers.items[i]->binding,
                buffers.items[i]->set, buffers.items[i]->name, g->op->name);
    }
    put_bindings(g, &buffers, names);
    return true;
}
