// SPDX-License-Identifier: Apache-2.0
// The table of forms, and the two that need few words.
#include "exports.h"

#include "tuned_table.h"

const struct export_format tuned_formats[] = {
    {"tuned", "the tuned table as JSON, of any result with several shapes", .single = true, .also = KIND_TUNED,
        .put_tables = export_tuned},
    {"header", "the tuned tables as a C header, for vkassay_tuned.h", .also = KIND_TUNED, .put_tables = export_header},
    {"glsl", "GLSL specialization constants to paste", .also = KIND_TUNED, .put_tables = export_glsl},
    {"wgsl", "WGSL overrides to paste", .also = KIND_TUNED, .put_tables = export_wgsl},
    {"t4", "T4 auto-tuning results; a file for each case", .single = true, .also = KIND_SPACES, .put_case = export_t4},
    {"kernel-tuner", "Kernel Tuner cache files, and T1 input files with their restrictions; both for each case",
        .single = true, .also = KIND_SPACES, .put_case = export_kernel_tuner, .put_second = export_t1,
        .second_ending = ".t1.json"},
    {0},
};

bool export_tuned(struct text *out, const struct tuned *tables, size_t count, struct error *err) {
    (void)count;
    (void)err;
    struct json_object *root = tuned_json(&tables[0]);
    text_append(out, json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    text_append(out, "\n");
    json_object_put(root);
    return true;
}
