// SPDX-License-Identifier: Apache-2.0
#include "reads_back.h"

#include "../../../reference/operator.h"
#include "../../base/text.h"
#include "../../shader/manifest/dispatches.h"

struct buffer_use {
    bool read, written;
    bool turns; // it takes turns with other buffers at a binding, so the order of its uses is not known here
};

static struct buffer_use use_in(const struct pass *pass, const struct shader_interface *shader, const char *name) {
    struct buffer_use use = {0};
    for (int i = 0; i < pass->binding_count; i++) {
        if (!binding_has(pass, i, name)) continue;
        use.turns |= pass->rotations[i] != NULL;
        for (int b = 0; b < shader->binding_count; b++) {
            const struct shader_binding *binding = &shader->bindings[b];
            if (binding->set != pass->places[i].set || binding->binding != pass->places[i].binding) continue;
            use.read |= binding->read;
            use.written |= binding->written;
        }
    }
    return use;
}

// Adds the buffer to a set by its first pass. A pass with writes alone has left something of this run for the others.
static void place_by_first_pass(
    const struct point *point, const struct loaded *loaded, const char *name, uint32_t bit, struct reads_back *out) {
    for (int p = 0; p < point->kernel->pass_count; p++) {
        const struct buffer_use use = use_in(&point->kernel->passes[p], &loaded[p].shader, name);
        if (!use.read && !use.written) continue;
        if (use.read && !use.turns) *(use.written ? &out->mixed : &out->stale) |= bit;
        return;
    }
}

struct reads_back reads_back_of(const struct point *point, const struct loaded loaded[KERNEL_PASSES]) {
    const struct kernel *kernel = point->kernel;
    struct reads_back out = {0};
    uint32_t named = 0;
    for (int i = 0; i < operator_operands(kernel->op); i++) {
        if (kernel->reads_back[i]) named |= 1u << i;
        if (kernel->op->operands[i].role == ROLE_OUT && !kernel->zeroed[i] && kernel_partner(kernel, i) < 0)
            place_by_first_pass(point, loaded, kernel->op->operands[i].name, 1u << i, &out);
    }
    for (int i = 0; i < kernel->scratch_count; i++) {
        if (kernel->scratch[i].reads_back) named |= 1u << (READ_SCRATCH + i);
        if (!kernel->scratch[i].zeroed)
            place_by_first_pass(point, loaded, kernel->scratch[i].name, 1u << (READ_SCRATCH + i), &out);
    }
    out.meant = out.mixed & named;
    return out;
}

const char *reads_back_names(struct arena *arena, const struct kernel *kernel, uint32_t set) {
    struct text text = {0};
    for (int i = 0; i < READ_SCRATCH + kernel->scratch_count; i++)
        if (set >> i & 1u)
            text_format(&text, "%s%s", text.length ? ", " : "",
                i < READ_SCRATCH ? kernel->op->operands[i].name : kernel->scratch[i - READ_SCRATCH].name);
    return text.length ? arena_take(arena, &text) : NULL;
}
