// SPDX-License-Identifier: Apache-2.0
// Best shapes as shader text to paste: GLSL specialization constants, WGSL overrides.
#include "exports.h"
#include "tuned_table.h"

#include <ctype.h>
#include <string.h>

// What a comment may hold.
static void put_words(struct text *out, const char *words) {
    for (const char *c = words; *c; c++)
        text_append_n(out, isalnum((unsigned char)*c) || strchr(" ._/=,()-", *c) ? c : "_", 1);
}

static void put_identifier(struct text *out, const char *name) {
    if (isdigit((unsigned char)*name)) text_append(out, "_");
    for (const char *c = name; *c; c++) text_append_n(out, isalnum((unsigned char)*c) ? c : "_", 1);
}

static void put_title(struct text *out, const struct device_info *device, const struct tuned_entry *entry) {
    text_append(out, "// ");
    put_words(out, entry->case_name);
    text_append(out, " on ");
    put_words(out, device->name);
    text_append(out, ": ");
    text_format(out, "%.4g us", entry->best->time[FIGURE_COMPUTE].median / 1e3);
    if (entry->tie_count) text_format(out, ", %d others tie", entry->tie_count);
    text_append(out, "\n");
}

// SUBGROUP is no constant of a shader: it is asked for when the pipeline is made.
static bool is_subgroup(const struct named_number *tunable) {
    return strcmp(tunable->name, "SUBGROUP") == 0;
}

static void put_subgroup(struct text *out, const struct record *best) {
    if (best->subgroup_size) text_format(out, "// required subgroup size: %u\n", best->subgroup_size);
}

// Ids 0, 1, 2 are the workgroup's, the others follow in the manifest's order.
static void put_glsl(struct text *out, const struct device_info *device, const struct tuned_entry *entry) {
    const struct record *best = entry->best;
    put_title(out, device, entry);
    put_subgroup(out, best);
    text_format(out,
        "layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n"
        "layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;\n",
        best->wg[0], best->wg[1], best->wg[2]);
    for (int i = 0, id = 3; i < best->tunable_count; i++) {
        if (is_subgroup(&best->tunables[i])) continue;
        text_format(out, "layout(constant_id = %d) const uint ", id++);
        put_identifier(out, best->tunables[i].name);
        text_format(out, " = %llu;\n", (unsigned long long)best->tunables[i].value);
    }
}

static void put_wgsl(struct text *out, const struct device_info *device, const struct tuned_entry *entry) {
    static const char axes[] = "XYZ";
    const struct record *best = entry->best;
    put_title(out, device, entry);
    put_subgroup(out, best);
    for (int i = 0; i < 3; i++) text_format(out, "@id(%d) override WG_%c: u32 = %uu;\n", i, axes[i], best->wg[i]);
    for (int i = 0, id = 3; i < best->tunable_count; i++) {
        if (is_subgroup(&best->tunables[i])) continue;
        text_format(out, "@id(%d) override ", id++);
        put_identifier(out, best->tunables[i].name);
        text_format(out, ": u32 = %lluu;\n", (unsigned long long)best->tunables[i].value);
    }
    text_append(out, "// @compute @workgroup_size(WG_X, WG_Y, WG_Z)\n");
}

static bool put_all(struct text *out, const struct tuned *tables, size_t count,
    void (*put)(struct text *, const struct device_info *, const struct tuned_entry *)) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < tables[i].count; k++) {
            if (out->length) text_append(out, "\n");
            put(out, &tables[i].result->device, &tables[i].items[k]);
        }
    return true;
}

static bool put_glsl_all(struct text *out, const struct tuned *tables, size_t count, struct error *err) {
    (void)err;
    return put_all(out, tables, count, put_glsl);
}

static bool put_wgsl_all(struct text *out, const struct tuned *tables, size_t count, struct error *err) {
    (void)err;
    return put_all(out, tables, count, put_wgsl);
}

const struct export_format format_glsl = {.name = "glsl",
    .summary = "best shapes as GLSL specialization constants to paste",
    .also = KIND_TUNED,
    .put_tables = put_glsl_all};
const struct export_format format_wgsl = {.name = "wgsl",
    .summary = "best shapes as WGSL overrides to paste",
    .also = KIND_TUNED,
    .put_tables = put_wgsl_all};
