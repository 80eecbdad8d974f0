// SPDX-License-Identifier: Apache-2.0
// A kernel's points and modules, made ready to be broken.
#include "mutant_parts.h"

#include "../../../reference/operator.h"

#include <stdlib.h>

// ---- modules

static void set_interface(const struct point *point, const struct pass *pass, struct code_interface *out) {
    const struct kernel *kernel = point->kernel;
    const struct block none = {0}, *block = pass->block_count ? &pass->blocks[0] : &none;
    for (int i = 0; i < block->count && i < CODE_PARAMETERS; i++) {
        const struct word *word = &block->words[i];
        int param = word->kind == WORD_NAME ? operator_param_index(kernel->op, word->name) : -1;
        out->parameters[out->parameter_count++] = (struct code_parameter){.name = word->text,
            .has_standard = param >= 0,
            .integer = param < 0 || kernel->op->params[param].integer,
            .standard = param < 0 ? 0 : kernel->op->params[param].standard};
    }
    for (int i = 0; i < kernel->tunable_count && i < CODE_TUNABLES; i++) {
        const struct tunable *t = &kernel->tunables[i];
        if (t->id >= 0)
            out->tunables[out->tunable_count++] =
                (struct code_tunable){(uint32_t)t->id, t->name, t->values, t->value_count, point->shape.value[i]};
    }
}

bool mutant_variant_load(struct mutant_kernel *k, struct mutant_variant *v, struct error *err) {
    if (v->is_loaded) return true;
    if (!shaders_load(&k->arena, k->device, k->options, v->point, v->loaded, err)) return false;
    for (int p = 0; p < v->point->kernel->pass_count; p++) {
        set_interface(v->point, &v->point->kernel->passes[p], &v->interface[p]);
        if (!code_read(
                &k->arena, v->loaded[p].spirv.words, v->loaded[p].spirv.count, &v->interface[p], &v->code[p], err))
            return error_prefix(err, "%s: ", v->point->kernel->passes[p].shader);
    }
    return v->is_loaded = true;
}

bool mutant_trials_list(struct mutant_kernel *k, const struct device_info *device, const struct run_options *options,
    const struct point *points, size_t count, struct error *err) {
    k->device = device;
    k->options = options;
    k->variants = arena_alloc(&k->arena, count + 1, sizeof *k->variants);
    k->trials = arena_alloc(&k->arena, count + 1, sizeof *k->trials);
    for (size_t i = 0; i < count; i++) {
        const struct point *point = &points[i];
        size_t v = 0;
        if (point->refused || point->inputs_count) continue;
        for (; v < k->variant_count; v++) {
            const struct point *other = k->variants[v].point;
            if (other->dtype == point->dtype && shape_equal(other->kernel, &other->shape, &point->shape)) break;
        }
        if (v == k->variant_count) k->variants[k->variant_count++] = (struct mutant_variant){.point = point};
        k->variants[v].points++;
        k->trials[k->trial_count++] = (struct mutant_trial){.point = point, .variant = &k->variants[v]};
    }
    return k->trial_count || error_set(err, STATUS_NOTHING, "the device cannot run any of its points");
}

struct mutant_kernel *mutant_kernel_open(
    struct gpu *gpu, const struct run_options *options, const struct mutant_set *set, struct error *err) {
    struct mutant_kernel *k = memory_alloc(1, sizeof *k);
    k->gpu = gpu;
    k->set = set;
    bool ok = mutant_trials_list(k, gpu_info(gpu), options, set->points, set->point_count, err) &&
              (k->work = work_create(gpu, 2, err)) && (k->stale_memory = stale_memory_open(gpu, options, err));
    if (ok && options->sanitize) k->sanitizer = sanitizer_open();
    if (ok) return k;
    mutant_kernel_close(k);
    return NULL;
}

void mutant_kernel_close(struct mutant_kernel *k) {
    if (!k) return;
    for (size_t i = 0; i < k->trial_count; i++) {
        problem_close(k->gpu, &k->trials[i].problem);
        truth_free(&k->trials[i].truth);
    }
    for (size_t i = 0; i < k->variant_count; i++) {
        built_release(k->gpu, &k->variants[i].sound);
        built_release(k->gpu, &k->variants[i].marked);
        sanitized_passes_release(k->gpu, &k->variants[i].sanitized);
    }
    sanitizer_close(k->gpu, k->sanitizer);
    stale_memory_close(k->gpu, k->stale_memory);
    if (k->work) work_destroy(k->gpu, k->work);
    arena_free(&k->arena);
    free(k);
}
