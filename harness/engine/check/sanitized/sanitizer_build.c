// SPDX-License-Identifier: Apache-2.0
#include "sanitizer.h"

#include <string.h>

// Returns whether another binding of the dispatch reaches into the same memory.
static bool shares_memory(const struct launched *at, int count, int index) {
    const struct binding *one = &at->bindings[LAUNCH_PLAIN][index];
    for (int k = 0; k < count; k++) {
        const struct binding *other = &at->bindings[LAUNCH_PLAIN][k];
        if (k != index && other->buffer == one->buffer && other->offset < one->offset + one->bytes &&
            one->offset < other->offset + other->bytes)
            return true;
    }
    return false;
}

static void set_slots(const struct program_desc *desc, const struct launched *at, struct sanitize_slot *out) {
    for (int i = 0; i < desc->bindings; i++)
        out[i] = (struct sanitize_slot){
            desc->slots[i].set, desc->slots[i].binding, at && shares_memory(at, desc->bindings, i)};
}

uint64_t sanitizer_longest(const struct launch *launch) {
    uint64_t longest = 1 << 20;
    for (int i = 0; i < launch->dispatch_count; i++)
        for (int k = 0; k < PROGRAM_BINDINGS; k++)
            while (longest < launch->dispatches[i].data[k]) longest *= 2;
    return longest;
}

// Instruments the module of a pass.
static bool instrument(const struct point *point, int index, const struct launched *at, const struct launch *launch,
    struct loaded *loaded, struct sanitized_passes *out, struct error *err) {
    const struct pass *pass = &point->kernel->passes[index];
    struct sanitize_slot shares[LOG_LIMITS];
    struct barrier_constant constants[PROGRAM_CONSTANTS];
    struct slot slots[PROGRAM_BINDINGS], log;
    struct program_desc desc;
    program_describe(point, index, loaded, slots, &desc);
    if (!program_slot_behind(point, index, &log) || desc.bindings > LOG_LIMITS)
        return error_of_kind(err, ERROR_SKIP, "no binding is left for its log");
    set_slots(&desc, at, shares);
    for (int i = 0; i < desc.constant_count; i++)
        constants[i] = (struct barrier_constant){desc.constants[i].id, desc.constants[i].value};
    struct sanitize_request request = {.setting = {.entry = pass->entry ? pass->entry : "main",
                                           .constants = constants,
                                           .constant_count = desc.constant_count},
        .slots = shares,
        .slot_count = desc.bindings,
        .log_set = log.set,
        .log_binding = log.binding,
        .longest = sanitizer_longest(launch),
        .all_logged = out->small};
    pass_workgroup(point->kernel, pass, &point->shape, request.setting.size);
    if (!sanitize_module(&out->arena, &loaded->spirv, &request, &out->modules[index], err)) return false;
    loaded->spirv.words = out->modules[index].spirv.words;
    loaded->spirv.count = out->modules[index].spirv.count;
    return true;
}

bool sanitized_passes_make(struct gpu *gpu, const struct point *point, const struct loaded *given,
    const struct launch *launch, bool small, struct sanitized_passes *out, struct error *err) {
    struct loaded loaded[KERNEL_PASSES];
    bool ok = true;
    out->small = small;
    for (int i = 0; ok && i < point->kernel->pass_count; i++) {
        const struct launched *first = NULL;
        for (int d = 0; !first && d < launch->dispatch_count; d++)
            if (launch->dispatches[d].pass == i) first = &launch->dispatches[d];
        loaded[i] = given[i];
        ok = instrument(point, i, first, launch, &loaded[i], out, err);
    }
    const struct variation variation = {.observes = true};
    if (ok && built_vary(gpu, point, loaded, variation, NULL, &out->built, err)) return true;
    out->why = arena_copy(&out->arena, err->text);
    return !gpu_is_over(err);
}

void sanitized_passes_release(struct gpu *gpu, struct sanitized_passes *passes) {
    built_release(gpu, &passes->built);
    arena_free(&passes->arena);
    *passes = (struct sanitized_passes){0};
}
