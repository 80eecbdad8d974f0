// SPDX-License-Identifier: Apache-2.0
#include "captured.h"

#include "../../../reference/operator.h"
#include "../../base/hash.h"
#include "../../base/names.h"
#include "../compile/shader.h"
#include "../spirv/changes.h"
#include "binding.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// The cases of one kernel.
struct captured_kernel {
    struct bound_dispatch *cases;
    size_t count, room;
};

struct captured_reading {
    struct arena *arena;
    struct capture capture;
    struct captured_module **modules;
    struct captured_kernel *kernels;
    size_t module_count, module_room, kernel_count, kernel_room;
    struct names module_names, keys, given, taken;
    struct captured_lacks lacks; // reasons against replaying
};

// ---- modules

static void read_module(struct captured_reading *r, struct captured_module *m, struct error *err) {
    const struct shader_request request = {
        .path = capture_module_path(r->arena, r->capture.folder, m->hash), .entry = m->entry};
    struct spirv spirv;
    const bool ok = shader_make(r->arena, &request, &spirv, err) && entry_isolate(r->arena, &spirv, m->entry, err) &&
                    interface_read(r->arena, spirv.words, spirv.count, m->entry, &m->shader, err);
    if (!ok) m->why = arena_copy(r->arena, err->text);
}

// Returns the module of a pipeline, or NULL if its file is not what its name says.
static const struct captured_module *find_module(
    struct captured_reading *r, const struct captured_pipeline *p, struct error *err) {
    const char *name = arena_format(r->arena, "%s %s", p->module, p->entry);
    const size_t at = names_put(&r->module_names, name, strlen(name), r->module_count);
    if (at < r->module_count) return r->modules[at];
    if (!capture_module_check(r->capture.folder, p->module, err)) return NULL;
    r->modules = arena_grow(r->arena, r->modules, r->module_count, &r->module_room, sizeof *r->modules);
    struct captured_module *m = r->modules[r->module_count++] = arena_alloc(r->arena, 1, sizeof *m);
    *m = (struct captured_module){.hash = p->module, .entry = p->entry};
    read_module(r, m, err);
    return m;
}

// ---- dispatches

static bool add_dispatch(struct captured_reading *r, const struct captured_dispatch *d, struct error *err) {
    struct bound_dispatch *bound = arena_alloc(r->arena, 1, sizeof *bound);
    const struct captured_module *module = find_module(r, d->pipeline, err);
    if (!module) return error_prefix(err, "%s: ", d->where);
    const char *why = dispatch_bind(d, module, bound);
    if (why) {
        captured_lacks_add(r->arena, &r->lacks, why, 1, d->where);
        return true;
    }
    const size_t at = names_put(&r->keys, (const char *)&bound->key, sizeof bound->key, r->kernel_count);
    if (at == r->kernel_count) {
        r->kernels = arena_grow(r->arena, r->kernels, r->kernel_count, &r->kernel_room, sizeof *r->kernels);
        r->kernels[r->kernel_count++] = (struct captured_kernel){0};
    }
    struct captured_kernel *k = &r->kernels[at];
    k->cases = arena_grow(r->arena, k->cases, k->count, &k->room, sizeof *k->cases);
    k->cases[k->count++] = *bound;
    return true;
}

// ---- the kernel of some cases

static const char *given_name(const struct captured_kernel *k) {
    const char *name = k->cases[0].dispatch->pipeline->name;
    return name && *name ? name : NULL;
}

// Counts the kernels of each name given by the program. The counts are in the arena.
static size_t *count_names(struct captured_reading *r) {
    size_t *counts = arena_alloc(r->arena, r->kernel_count + 1, sizeof *counts), fresh = 0;
    for (size_t i = 0; i < r->kernel_count; i++) {
        const char *name = given_name(&r->kernels[i]);
        if (!name) continue;
        const size_t at = names_put(&r->given, name, strlen(name), fresh);
        fresh += at == fresh;
        counts[at]++;
    }
    return counts;
}

// Returns the program's name for the pipeline if only this kernel has it: another build of the program has the same.
// Otherwise a part of the module's hash follows, and a number if that is not enough.
static const char *name_of(struct captured_reading *r, const struct captured_kernel *k, const size_t *counts) {
    const struct captured_pipeline *p = k->cases[0].dispatch->pipeline;
    const char *given = given_name(k);
    const bool alone = given && counts[names_get(&r->given, given, strlen(given))] == 1;
    char *name =
        arena_format(r->arena, alone ? "capture.%.60s" : "capture.%.60s_%.8s", given ? given : p->entry, p->module);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.') *c = '_';
    char *whole = name;
    for (int n = 2; names_get(&r->taken, whole, strlen(whole)) != NAMES_NONE; n++)
        whole = arena_format(r->arena, "%s_%d", name, n);
    names_put(&r->taken, whole, strlen(whole), 0);
    return whole;
}

static bool divides(const struct captured_kernel *k, int operand, enum dtype dtype) {
    const uint64_t bytes = (uint64_t)dtype_info(dtype)->bytes;
    for (size_t i = 0; i < k->count; i++)
        if (k->cases[i].operands[operand].bytes % bytes) return false;
    return true;
}

static bool has_results(const struct captured_kernel *k, int operand) {
    for (size_t i = 0; i < k->count; i++)
        for (int b = 0; b < k->cases[i].buffer_count; b++)
            if (k->cases[i].buffers[b].operand == operand && k->cases[i].buffers[b].written &&
                !k->cases[i].buffers[b].recorded->after)
                return false;
    return true;
}

// Describes the operand of one or more bindings. The results of a buffer with writes alone show the bytes left as they
// were. Without results, it counts as read.
static struct operand describe_operand(
    struct arena *arena, const struct captured_kernel *k, const struct op *op, int index) {
    const struct bound_dispatch *first = &k->cases[0];
    struct operand out = {.fill = FILL_CONSTANT};
    bool read = false, written = false, any = false;
    for (int b = 0; b < first->buffer_count; b++) {
        const struct bound_buffer *buffer = &first->buffers[b];
        if (buffer->operand != index) continue;
        if (!out.name && operator_operand_index(op, buffer->name) < 0 && *buffer->name) out.name = buffer->name;
        if (!out.name && buffer->place.set)
            out.name = arena_format(arena, "set%u_binding%u", buffer->place.set, buffer->place.binding);
        if (!out.name) out.name = arena_format(arena, "binding%u", buffer->place.binding);
        out.dtype = any && out.dtype != buffer->dtype ? DTYPE_U32 : buffer->dtype;
        read |= buffer->read;
        written |= buffer->written;
        any = true;
    }
    if (!divides(k, index, out.dtype)) out.dtype = DTYPE_U8;
    out.role = !written ? ROLE_IN : read || !has_results(k, index) ? ROLE_INOUT : ROLE_OUT;
    out.shape[0] = arena_format(arena, "elements%d", index);
    return out;
}

static const char *const axes[] = {"x", "y", "z"};

static const struct op *make_operator(struct arena *arena, const struct captured_kernel *k) {
    const int operands = k->cases[0].operand_count;
    int64_t(*rows)[OPERATOR_DIMS] = arena_alloc(arena, k->count, sizeof *rows);
    struct op *op = arena_alloc(arena, 1, sizeof *op);
    *op = (struct op){.name = "capture",
        .family = "capture",
        .summary = "a dispatch of another program",
        .formula = "",
        .source = "",
        .systems = "",
        .bound = "",
        .dims = {"call"},
        .case_count = (int64_t)k->count};
    for (int o = 0; o < operands; o++) {
        op->operands[o] = describe_operand(arena, k, op, o);
        op->derived[o] = op->operands[o].shape[0];
        for (size_t i = 0; i < k->count; i++)
            rows[i][o] = (int64_t)(k->cases[i].operands[o].bytes / (uint64_t)dtype_info(op->operands[o].dtype)->bytes);
    }
    for (int axis = 0; axis < 3; axis++) {
        op->derived[operands + axis] = axes[axis];
        for (size_t i = 0; i < k->count; i++) rows[i][operands + axis] = k->cases[i].dispatch->grid[axis];
    }
    op->cases = rows;
    return op;
}

static void add_tunable(struct kernel *kernel, const char *name, int id, int64_t value) {
    kernel->tunables[kernel->tunable_count++] =
        (struct tunable){.name = name, .id = id, .values = {value}, .value_count = 1, .standard = value};
}

static void set_workgroup(struct kernel *kernel, const struct bound_dispatch *d) {
    const struct shader_interface *shader = &d->module->shader;
    const struct captured_pipeline *p = d->dispatch->pipeline;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t id = shader->size_id[axis];
        add_tunable(kernel, workgroup_names[axis], axis, captured_constant_bits(p, id, shader->size[axis]));
    }
    if (p->subgroup_size) add_tunable(kernel, "SUBGROUP", -1, p->subgroup_size);
}

static void set_constants(struct arena *arena, struct pass *pass, const struct bound_dispatch *d) {
    const struct captured_pipeline *p = d->dispatch->pipeline;
    const struct shader_interface *shader = &d->module->shader;
    pass->constants = arena_alloc(arena, KERNEL_CONSTANTS, sizeof *pass->constants);
    for (int k = 0; k < shader->constant_count; k++) {
        const int64_t id = shader->constants[k].id;
        const bool sizes = id == shader->size_id[0] || id == shader->size_id[1] || id == shader->size_id[2];
        for (size_t i = 0; i < p->constant_count && !sizes; i++) {
            if ((int64_t)p->constants[i].id != id) continue;
            const uint32_t bits = captured_constant_bits(p, id, 0);
            struct word value = {.kind = WORD_INTEGER, .integer = bits};
            float real;
            memcpy(&real, &bits, sizeof real);
            if (shader->constants[k].kind == 'f') value = (struct word){.kind = WORD_REAL, .real = (double)real};
            pass->constants[pass->constant_count++] =
                (struct constant){arena_format(arena, "%lld", (long long)id), value};
        }
    }
}

// Adds a block. Its words come from the recordings.
static void add_block(
    struct arena *arena, struct pass *pass, enum block_kind kind, struct binding_place place, uint32_t bytes) {
    struct word *words = arena_alloc(arena, KERNEL_WORDS, sizeof *words);
    for (int i = 0; i < KERNEL_WORDS; i++) words[i] = (struct word){.kind = WORD_PAD, .text = "recorded"};
    pass->blocks[pass->block_count++] = (struct block){kind, place, words, (int)(bytes + 3) / 4};
}

static void fill_pass(struct arena *arena, struct pass *pass, const struct op *op, const struct bound_dispatch *d) {
    for (int b = 0; b < d->buffer_count; b++) {
        pass->bindings[b] = op->operands[d->buffers[b].operand].name;
        pass->places[b] = d->buffers[b].place;
    }
    pass->binding_count = d->buffer_count;
    if (d->dispatch->pipeline->push_bytes)
        add_block(arena, pass, BLOCK_PUSH, (struct binding_place){0}, d->dispatch->pipeline->push_bytes);
    for (int u = 0; u < d->uniform_count; u++)
        add_block(arena, pass, BLOCK_UNIFORM, d->uniforms[u].place, d->uniforms[u].block_bytes);
    for (int axis = 0; axis < 3; axis++)
        pass->grid[axis].over = (struct product){.factors = {{.name = axes[axis]}}, .count = 1};
    set_constants(arena, pass, d);
}

static bool read_uniform(struct captured_reading *r, const struct bound_buffer *u, uint32_t *words, struct error *err) {
    unsigned char *whole = malloc(u->recorded->bytes);
    const bool ok = whole ? capture_operand(r->capture.folder, u->recorded->before, whole, u->recorded->bytes, err)
                          : error_set(err, STATUS_FAULT, "out of host memory for a uniform buffer");
    if (ok) memcpy(words, whole, u->block_bytes);
    free(whole);
    return ok;
}

static bool fill_recording(
    struct captured_reading *r, const struct bound_dispatch *d, struct recording *out, struct error *err) {
    int block = 0;
    *out = (struct recording){.number = d->dispatch->number,
        .count = d->dispatch->count,
        .ns = d->dispatch->ns,
        .signature = d->dispatch->signature};
    for (int b = 0; b < d->buffer_count; b++) {
        const struct captured_operand *o = d->buffers[b].recorded;
        const int operand = d->buffers[b].operand;
        out->ranges[b] =
            (struct recorded_range){operand, o->offset - d->operands[operand].offset, o->bytes, o->before, o->after};
    }
    if (d->dispatch->pipeline->push_bytes) capture_bytes(d->dispatch->push, out->words[block++], sizeof out->words[0]);
    for (int u = 0; u < d->uniform_count; u++)
        if (!read_uniform(r, &d->uniforms[u], out->words[block++], err))
            return error_prefix(err, "%s: ", d->dispatch->where);
    return true;
}

static bool make_recordings(
    struct captured_reading *r, const struct captured_kernel *k, struct kernel *kernel, struct error *err) {
    const struct captured_pipeline *p = k->cases[0].dispatch->pipeline;
    struct recording *items = arena_alloc(r->arena, k->count, sizeof *items);
    struct recordings *recorded = arena_alloc(r->arena, 1, sizeof *recorded);
    for (size_t i = 0; i < k->count; i++)
        if (!fill_recording(r, &k->cases[i], &items[i], err)) return false;
    *recorded = (struct recordings){.folder = r->capture.folder,
        .device = p->device->name,
        .driver_name = p->device->driver_name,
        .driver_info = p->device->driver_info,
        .module = arena_format(r->arena, "%s/%s", p->module, p->entry),
        .name = given_name(k) ? given_name(k) : p->entry,
        .items = items,
        .count = (int)k->count};
    kernel->recorded = recorded;
    return true;
}

static bool make_kernel(struct captured_reading *r, const struct captured_kernel *k, const size_t *counts,
    struct manifests *m, struct error *err) {
    const struct bound_dispatch *first = &k->cases[0];
    const struct captured_pipeline *p = first->dispatch->pipeline;
    struct kernel *kernel = arena_alloc(r->arena, 1, sizeof *kernel);
    struct pass *pass = &kernel->passes[0];
    kernel->name = name_of(r, k, counts);
    kernel->op = make_operator(r->arena, k);
    const enum dtype dtype = kernel->op->operands[operator_first_output(kernel->op)].dtype;
    kernel->summary = arena_format(r->arena, "%zu recorded %s of %s", k->count, k->count == 1 ? "case" : "cases",
        *r->capture.program ? r->capture.program : "a program");
    kernel->file = kernel->folder = r->capture.folder;
    kernel->dtypes[dtype] = true;
    kernel->arithmetic = DTYPE_F32;
    kernel->pass_count = 1;
    kernel->manifest_hash = kernel->arrangement = first->key;
    pass->shader = capture_module_path(r->arena, r->capture.folder, p->module);
    pass->entry = p->entry;
    set_workgroup(kernel, first);
    fill_pass(r->arena, pass, kernel->op, first);
    if (!make_recordings(r, k, kernel, err)) return false;
    m->items = arena_grow(m->arena, m->items, m->count, &m->capacity, sizeof *m->items);
    m->items[m->count++] = kernel;
    return true;
}

// ---- notes

static void note_all(const struct captured_reading *r, struct mistakes *notes) {
    const char *folder = r->capture.folder;
    const struct capture *c = &r->capture;
    if (c->incomplete)
        mistakes_add(r->arena, notes,
            arena_format(r->arena, "%s: incomplete: it has no end, as after a kill or on a full disk", c->incomplete));
    for (size_t i = 0; i < c->lacks.count; i++)
        mistakes_add(r->arena, notes,
            arena_format(r->arena, "%s: %lld dispatches were not recorded: %s", folder,
                (long long)c->lacks.items[i].count, c->lacks.items[i].reason));
    for (size_t i = 0; i < r->lacks.count; i++)
        mistakes_add(r->arena, notes,
            arena_format(r->arena, "%s: %lld recorded dispatches cannot be replayed, the first at %s: %s", folder,
                (long long)r->lacks.items[i].count, r->lacks.items[i].where, r->lacks.items[i].reason));
}

bool captured_read(struct manifests *manifests, const char *folder, struct mistakes *notes, struct error *err) {
    struct captured_reading r = {.arena = manifests->arena};
    bool ok = capture_read(r.arena, folder, &r.capture, err);
    for (size_t i = 0; ok && i < r.capture.dispatch_count; i++) ok = add_dispatch(&r, &r.capture.dispatches[i], err);
    const size_t *counts = count_names(&r);
    for (size_t i = 0; ok && i < r.kernel_count; i++) ok = make_kernel(&r, &r.kernels[i], counts, manifests, err);
    if (ok) note_all(&r, notes);
    names_free(&r.module_names);
    names_free(&r.keys);
    names_free(&r.given);
    names_free(&r.taken);
    return ok;
}

// ---- recorded contents

bool captured_contents(
    const struct kernel *kernel, int64_t call, int operand, bool after, unsigned char *to, struct error *err) {
    const struct recordings *recorded = kernel->recorded;
    const struct recording *recording = &recorded->items[call - 1];
    for (int b = 0; b < kernel->passes[0].binding_count; b++) {
        const struct recorded_range *range = &recording->ranges[b];
        const char *hash = after ? range->after : range->before;
        if (range->operand == operand && hash &&
            !capture_operand(recorded->folder, hash, to + range->offset, range->bytes, err))
            return false;
    }
    return true;
}

bool captured_has_results(const struct kernel *kernel, int64_t call, int operand) {
    const struct recording *recording = &kernel->recorded->items[call - 1];
    bool any = false;
    for (int b = 0; b < kernel->passes[0].binding_count; b++)
        any |= recording->ranges[b].operand == operand && recording->ranges[b].after;
    return any;
}
