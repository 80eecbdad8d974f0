// SPDX-License-Identifier: Apache-2.0
// The table of forms, and the two that need few words.
#include "exports.h"

#include "table.h"

const struct export_format tuned_formats[] = {
    {"tuned", "the tuned table as JSON, of any result with several shapes", .single = true, .put = export_tuned},
    {"header", "the tuned tables as a C header, for vkassay_tuned.h", .put = export_header},
    {"glsl", "GLSL specialization constants to paste", .put = export_glsl},
    {"wgsl", "WGSL overrides to paste", .put = export_wgsl},
    {"t4", "T4 auto-tuning results; a file for each case", .single = true, .put_case = export_t4},
    {"kernel-tuner", "Kernel Tuner cache files; a file for each case", .single = true, .put_case = export_kernel_tuner},
    {0},
};

bool export_tuned(struct text *out, const struct result *results, size_t count, struct error *err) {
    struct arena arena = {0};
    struct tuned tuned;
    (void)count;
    bool ok = tuned_make(&results[0], &arena, &tuned) || error_set(err, STATUS_FAULT, "out of memory");
    if (ok) {
        struct json_object *root = tuned_json(&tuned);
        text_append(
            out, json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
        text_append(out, "\n");
        json_object_put(root);
    }
    arena_free(&arena);
    return ok;
}
