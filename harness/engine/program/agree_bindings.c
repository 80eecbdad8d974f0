// SPDX-License-Identifier: Apache-2.0
// Checks bindings: each exists, is a storage buffer of the operand's type, and is used as the operand's role demands.
// A misfit is tried at the other places, to report a swap as a swap.
#include "../../shader/manifest/dispatches.h"
#include "agree.h"
#include "../../../reference/operator.h"

#include <stdio.h>
#include <string.h>

struct binding_view {
    const struct point *point;
    const struct loaded *loaded; // of all passes
    const struct pass *pass;
    const struct shader_interface *shader;
    struct arena *arena;
};

// The manifest's content of a binding.
struct holding {
    const char *name;
    const struct operand *operand; // NULL: a scratch buffer
    enum dtype dtype;
};

static struct holding holding_of(const struct point *point, const char *name) {
    const struct op *op = point->kernel->op;
    int index = operator_operand_index(op, name);
    if (index >= 0)
        return (struct holding){name, &op->operands[index], kernel_operand_dtype(point->kernel, index, point->dtype)};
    for (int i = 0; i < point->kernel->scratch_count; i++)
        if (strcmp(point->kernel->scratch[i].name, name) == 0)
            return (struct holding){name, NULL, point->kernel->scratch[i].dtype};
    return (struct holding){name, NULL, point->dtype};
}

// ---- uses by the shader

struct use {
    bool there, read, written;
};

static struct use use_at(const struct shader_interface *shader, struct binding_place place) {
    struct use use = {0};
    for (int i = 0; i < shader->binding_count; i++) {
        const struct shader_binding *b = &shader->bindings[i];
        if (b->set != place.set || b->binding != place.binding) continue;
        use.there = true;
        use.read |= b->read || b->measured;
        use.written |= b->written;
    }
    return use;
}

// Returns the use in all passes that bind the name.
static struct use use_of(const struct binding_view *v, const char *name) {
    const struct kernel *kernel = v->point->kernel;
    struct use whole = {0};
    for (int p = 0; p < kernel->pass_count; p++)
        for (int i = 0; i < kernel->passes[p].binding_count; i++) {
            if (!binding_has(&kernel->passes[p], i, name)) continue;
            struct use use = use_at(&v->loaded[p].shader, kernel->passes[p].places[i]);
            whole.there |= use.there;
            whole.written |= use.written;
        }
    return whole;
}

// Returns whether a module declares a storage buffer for it. Kernels in one file share declarations, so a buffer may be
// used by another entry point only.
static bool is_declared_anywhere(const struct binding_view *v, const char *name) {
    const struct kernel *kernel = v->point->kernel;
    for (int p = 0; p < kernel->pass_count; p++)
        for (int i = 0; i < kernel->passes[p].binding_count; i++) {
            const struct binding_place place = kernel->passes[p].places[i];
            const struct shader_declarations *all = &v->loaded[p].declarations;
            if (!binding_has(&kernel->passes[p], i, name)) continue;
            for (const struct shader_declared *d = all->items; d < all->items + all->count; d++)
                if (d->storage && d->set == place.set && d->binding == place.binding) return true;
        }
    return false;
}

// ---- fits: NULL, or the reason against it

// Returns how many bytes the manifest puts before the first element. It trusts offsets computed from dims.
static uint64_t offset_bytes(const struct binding_view *v, const struct holding *h) {
    const struct kernel *kernel = v->point->kernel;
    const int index = h->operand ? (int)(h->operand - kernel->op->operands) : -1;
    uint64_t bytes = 0;
    if (index < 0 || !kernel->layouts || !kernel->layouts[index].placed || !kernel->layouts[index].offset.count)
        return 0;
    int64_t offset = product_value(kernel, &kernel->layouts[index].offset, v->point->dims, NULL);
    return offset > 0 && dtype_bytes(h->dtype, offset, &bytes) ? bytes : 0;
}

static const char *type_misfit(const struct binding_view *v, const struct shader_binding *b, const struct holding *h) {
    const char *type = dtype_info(h->dtype)->name;
    if (b->element == ELEMENT_NONE) return NULL;
    if (b->offset && offset_bytes(v, h) != b->offset)
        return arena_format(v->arena,
            "the shader's array begins %u bytes into the buffer; %s has %s before its elements (\"layout\" gives it an "
            "\"offset\")",
            b->offset, h->name, offset_bytes(v, h) ? "another number of bytes" : "nothing");
    // The dtype's elements have one of these widths, or several of them are in a word of it.
    const bool is_float = b->element == ELEMENT_FLOAT;
    const uint32_t widths = is_float ? dtype_info(h->dtype)->float_widths : dtype_info(h->dtype)->integer_widths;
    if (b->element != ELEMENT_OTHER && (b->bits > 32 || (b->bits & widths) != b->bits))
        return arena_format(v->arena, "wrong type: %s is %s, and the shader's elements are %u-bit %s", h->name, type,
            b->bits, is_float ? "floats" : "integers");
    if (b->stride != b->element_bytes)
        return arena_format(v->arena,
            "the shader's elements of %u bytes are %u bytes apart (std430 packs them), but %s has no gaps",
            b->element_bytes, b->stride, h->name);
    return NULL;
}

static const char *misfit_at(const struct binding_view *v, const struct holding *h, struct binding_place place) {
    for (int i = 0; i < v->shader->binding_count; i++) {
        const struct shader_binding *b = &v->shader->bindings[i];
        if (!b->used || b->set != place.set || b->binding != place.binding) continue;
        if (b->kind != SLOT_STORAGE)
            return arena_format(
                v->arena, "%s is a storage buffer; the shader has %s there", h->name, binding_kind_name(b));
        const char *why = type_misfit(v, b, h);
        if (why) return why;
    }
    return NULL;
}

// Returns the role of the binding. Operands that share a buffer may be both read and written.
static enum role role_of(const struct binding_view *v, const struct operand *operand) {
    const struct kernel *kernel = v->point->kernel;
    return kernel_partner(kernel, (int)(operand - kernel->op->operands)) >= 0 ? ROLE_INOUT : operand->role;
}

// Returns why the shader's accesses do not match the operand's role, or NULL if they do.
static const char *role_misfit_at(const struct binding_view *v, const struct holding *h, struct binding_place place) {
    struct use use = use_at(v->shader, place);
    if (h->operand && role_of(v, h->operand) == ROLE_IN && use.written)
        return arena_format(v->arena, "%s is an input, and the shader writes to it", h->name);
    if (h->operand && role_of(v, h->operand) == ROLE_OUT && use.there && !use.written && !use_of(v, h->name).written)
        return arena_format(v->arena, "%s is an output, and the shader only reads it", h->name);
    return NULL;
}

// Returns whether the operand fits the place and the shader uses it there as its role demands.
static bool fits_well(const struct binding_view *v, const struct holding *h, struct binding_place place) {
    struct use use = use_at(v->shader, place);
    if (!use.there || misfit_at(v, h, place) || role_misfit_at(v, h, place)) return false;
    return !h->operand || (role_of(v, h->operand) == ROLE_OUT ? use.written : use.read);
}

// ---- messages

const char *binding_place_text(struct arena *arena, struct binding_place place) {
    return arena_format(arena, place.set ? "binding %u of set %u" : "binding %u", place.binding, place.set);
}

// Finds another binding of the pass such that both operands fit if they change places; -1: none.
static int swap_of(const struct binding_view *v, int i) {
    struct holding mine = holding_of(v->point, v->pass->bindings[i]);
    for (int j = 0; j < v->pass->binding_count; j++) {
        struct holding other = holding_of(v->point, v->pass->bindings[j]);
        if (j != i && fits_well(v, &mine, v->pass->places[j]) && fits_well(v, &other, v->pass->places[i])) return j;
    }
    return -1;
}

static bool refuse(const struct binding_view *v, int i, const char *why, struct error *err) {
    const char *place = binding_place_text(v->arena, v->pass->places[i]);
    int other = swap_of(v, i);
    if (other < 0) return error_set(err, STATUS_BAD_INPUT, "%s: %s", place, why);
    return error_set(err, STATUS_BAD_INPUT,
        "%s and %s look swapped: %s (in the manifest, %s is at the first and %s at the second)", place,
        binding_place_text(v->arena, v->pass->places[other]), why, v->pass->bindings[i], v->pass->bindings[other]);
}

static bool is_listed(const struct pass *pass, struct binding_place place) {
    for (int i = 0; i < pass->binding_count; i++)
        if (pass->places[i].set == place.set && pass->places[i].binding == place.binding) return true;
    for (int i = 0; i < pass->block_count; i++)
        if (pass->blocks[i].kind != BLOCK_PUSH && pass->blocks[i].place.set == place.set &&
            pass->blocks[i].place.binding == place.binding)
            return true;
    return false;
}

static bool agree_extra(const struct binding_view *v, struct error *err) {
    for (int i = 0; i < v->shader->binding_count; i++) {
        const struct shader_binding *b = &v->shader->bindings[i];
        struct binding_place place = {b->set, b->binding};
        if (is_listed(v->pass, place) || !b->used) continue;
        return error_set(err, STATUS_BAD_INPUT, "%s: the shader uses %s there%s%s%s; the manifest binds nothing",
            binding_place_text(v->arena, place), binding_kind_name(b), *b->name ? ", \"" : "", b->name,
            *b->name ? "\"" : "");
    }
    return true;
}

static bool agree_buffer(const struct binding_view *v, const struct block *block, struct error *err) {
    const enum slot_kind kind = block->kind == BLOCK_UNIFORM ? SLOT_UNIFORM : SLOT_STORAGE;
    struct binding_place place = block->place;
    for (int i = 0; block->kind != BLOCK_PUSH && i < v->shader->binding_count; i++) {
        const struct shader_binding *b = &v->shader->bindings[i];
        if (!b->used || b->set != place.set || b->binding != place.binding || b->kind == kind) continue;
        return error_set(err, STATUS_BAD_INPUT, "%s: the manifest has the %s there, the shader %s",
            binding_place_text(v->arena, place), block_kind_name(block->kind), binding_kind_name(b));
    }
    return true;
}

// Reports an operand if no pass uses it and no pass's module declares it. An inout operand may be left unchanged,
// because this is correct for some operators.
static const char *missing(const struct binding_view *v, const struct holding *h) {
    if (!h->operand || h->operand->role == ROLE_INOUT || use_of(v, h->name).there) return NULL;
    if (is_declared_anywhere(v, h->name)) return NULL;
    return arena_format(v->arena, "missing: the manifest has %s there, but the shader has nothing", h->name);
}

// Checks every operand with a turn at the binding.
static bool agree_types(const struct binding_view *v, int i, struct error *err) {
    const char *names[BINDING_NAMES];
    const int count = v->point->kernel->recorded ? 0 : binding_names(v->pass, i, names); // a recording has bytes only
    for (int k = 0; k < count; k++) {
        struct holding h = holding_of(v->point, names[k]);
        const char *why = misfit_at(v, &h, v->pass->places[i]);
        if (why) return refuse(v, i, why, err);
    }
    return true;
}

bool agree_bindings(
    struct arena *arena, const struct point *point, const struct loaded *loaded, int index, struct error *err) {
    struct binding_view v = {point, loaded, &point->kernel->passes[index], &loaded[index].shader, arena};
    for (int i = 0; i < v.pass->binding_count; i++)
        if (!agree_types(&v, i, err)) return false;
    if (!agree_extra(&v, err)) return false;
    for (int i = 0; i < v.pass->block_count; i++)
        if (!agree_buffer(&v, &v.pass->blocks[i], err)) return false;
    for (int i = 0; i < v.pass->binding_count; i++) {
        struct holding h = holding_of(point, v.pass->bindings[i]);
        const char *why = missing(&v, &h);
        if (why) return refuse(&v, i, why, err);
        // A wrong role is reported only if two bindings look swapped. Running the shader shows whether it writes to an
        // input, or never to an output.
        why = role_misfit_at(&v, &h, v.pass->places[i]);
        if (why && swap_of(&v, i) >= 0) return refuse(&v, i, why, err);
    }
    return true;
}
