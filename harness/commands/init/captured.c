// SPDX-License-Identifier: Apache-2.0
#include "captured.h"

#include "../../../reference/table.h"

#include "../../tools/adopt/recognise/recognise.h"

#include <string.h>

// Returns whether two dispatches are of one kernel: module, entry point and constants are alike.
static bool is_same_kernel(const struct captured_pipeline *a, const struct captured_pipeline *b) {
    if (strcmp(a->module, b->module) != 0 || strcmp(a->entry, b->entry) != 0) return false;
    if (a->constant_count != b->constant_count) return false;
    for (size_t i = 0; i < a->constant_count; i++)
        if (a->constants[i].id != b->constants[i].id || strcmp(a->constants[i].bytes, b->constants[i].bytes) != 0)
            return false;
    return true;
}

static const struct reflection *reflect(struct init *init, const char *path, const struct captured_pipeline *pipeline) {
    const struct shader_request request = {.path = path, .entry = pipeline->entry};
    struct reflection *all;
    struct error err;
    int count;
    if (!reflection_read(init->arena, &request, NULL, &all, &count, &err)) {
        place_miss(init, path, "", pipeline->entry, err.text);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        if (strcmp(all[i].entry, pipeline->entry) == 0) return &all[i];
    place_miss(init, path, "", pipeline->entry, "the module has no such entry point");
    return NULL;
}

// Returns why the recognition has no manifest.
static const char *unplaced(struct init *init, const struct recognition *found, const char *why) {
    const struct fit *fit = &found->recordings[0].fit;
    if (found->why) return found->why;
    if (found->doubt) return arena_format(init->arena, "%s; as %s, %s", found->doubt, operator_name(fit->op), why);
    return arena_format(init->arena, "%s, %s: %s", operator_name(fit->op), fit_dims(init->arena, fit), why);
}

// Places the kernel by each of its names.
static void place_recognised(struct init *init, const struct recognition *found, const struct captured_pipeline *of) {
    const struct reflection *reflection = found->reflection;
    const char *missed = NULL;
    const size_t before = init->placed_count;
    for (const struct recognition *name = found; name; name = name->other) {
        const struct fit *fit = &name->recordings[0].fit;
        const char *why = name->why;
        struct json_object *kernel = why ? NULL : recognised_kernel(init->arena, name, of, init->folder, &why);
        if (!kernel && !missed) missed = unplaced(init, name, why);
        if (!kernel) continue;
        place_kernel(init, (struct placed_kernel){.reflection = reflection,
                               .entries = arena_format(init->arena, "%s, %s%s%s", reflection->entry,
                                   fit_dims(init->arena, fit), *name->also ? "; the same as " : "", name->also),
                               .given = true,
                               .by_data = true,
                               .doubt = name->doubt,
                               .is_other = init->placed_count > before,
                               .kernel = kernel});
    }
    if (missed && init->placed_count == before)
        place_miss(init, reflection->path, of->name ? of->name : "", reflection->entry, missed);
}

bool captured_place(struct init *init, const char *folder, struct error *err) {
    struct capture capture;
    if (!capture_read(init->arena, folder, &capture, err)) return false;
    bool *done = arena_alloc(init->arena, capture.dispatch_count + 1, sizeof *done);
    const struct captured_dispatch **group = arena_alloc(init->arena, capture.dispatch_count + 1, sizeof *group);
    if (capture.incomplete)
        fprintf(stderr, "vkassay: %s has no last line: its program did not end\n", capture.incomplete);
    for (size_t i = 0; i < capture.dispatch_count; i++) {
        const struct captured_pipeline *pipeline = capture.dispatches[i].pipeline;
        struct recognition found;
        size_t count = 0;
        if (done[i]) continue;
        for (size_t k = i; k < capture.dispatch_count; k++) {
            if (done[k] || !is_same_kernel(pipeline, capture.dispatches[k].pipeline)) continue;
            done[k] = true;
            group[count++] = &capture.dispatches[k];
        }
        if (!capture_module_check(folder, pipeline->module, err)) return false;
        const struct reflection *reflection =
            reflect(init, capture_module_path(init->arena, folder, pipeline->module), pipeline);
        if (!reflection) continue;
        recognise(init->arena, folder, group, count, reflection, &found);
        place_recognised(init, &found, pipeline);
    }
    return true;
}
