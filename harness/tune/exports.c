// SPDX-License-Identifier: Apache-2.0
// The text formats of tuned tables: GLSL, WGSL and a C header.
#include "tuned_table.h"

#include "reader/vkassay_tuned.h"
#include "../record/record.h"
#include "../device/device_info.h"
#include "../record/terms.h"
#include "../record/result.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// ---- shader text to paste: GLSL specialization constants, WGSL overrides

// Appends the text for a comment, with other characters replaced.
static void put_words(struct text *out, const char *words) {
    for (const char *c = words; *c; c++)
        text_append_n(out, isalnum((unsigned char)*c) || strchr(" ._/=,()-", *c) ? c : "_", 1);
}

static void put_title(struct text *out, const struct device_info *device, const struct tuned_entry *entry) {
    text_append(out, "// ");
    put_words(out, entry->case_name);
    text_append(out, " on ");
    put_words(out, device->name);
    text_format(out, ": %.4g us", entry->best->time[FIGURE_COMPUTE].median / 1e3);
    if (tuned_is_noise(entry))
        text_format(out, " +-%.0f %% (noise)", 100 * time_spread(&entry->best->time[FIGURE_COMPUTE]));
    if (entry->undecided) text_append(out, ", no shape told apart");
    if (entry->tie_count) text_format(out, ", %d others tie", entry->tie_count);
    if (entry->search.unfinished) text_format(out, ", search unfinished: %zu", entry->shapes);
    if (entry->search.unfinished && entry->search.legal) text_format(out, " of %zu", entry->search.legal);
    if (entry->search.unfinished) text_append(out, " shapes tried");
    if (*device->profile.name) {
        text_append(out, ", within ");
        put_words(out, device->profile.name);
    }
    text_append(out, "\n");
}

// Appends a line for each tunable, in the manifest's order: its id after `id`, its name after `is`, its value.
static void put_constants(
    struct text *out, const struct record *best, const char *id, const char *is, const char *value, const char *end) {
    for (int i = 0, number = 3; i < best->tunable_count; i++) {
        const char *name = best->tunables[i].name;
        if (strcmp(name, "SUBGROUP") == 0) continue; // it is set at pipeline creation, and no constant of a shader
        text_format(out, "%s%d%s%s", id, number++, is, isdigit((unsigned char)*name) ? "_" : "");
        for (const char *c = name; *c; c++) text_append_n(out, isalnum((unsigned char)*c) ? c : "_", 1);
        text_format(out, "%s%llu%s", value, (unsigned long long)best->tunables[i].value, end);
    }
}

// Ids 0, 1, 2 belong to the workgroup.
static void put_glsl(struct text *out, const struct record *best) {
    text_format(out,
        "layout(local_size_x = %u, local_size_y = %u, local_size_z = %u) in;\n"
        "layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;\n",
        best->wg[0], best->wg[1], best->wg[2]);
    put_constants(out, best, "layout(constant_id = ", ") const uint ", " = ", ";\n");
}

static void put_wgsl(struct text *out, const struct record *best) {
    static const char axes[] = "XYZ";
    for (int i = 0; i < 3; i++) text_format(out, "@id(%d) override WG_%c: u32 = %uu;\n", i, axes[i], best->wg[i]);
    put_constants(out, best, "@id(", ") override ", ": u32 = ", "u;\n");
    text_append(out, "// @compute @workgroup_size(WG_X, WG_Y, WG_Z)\n");
}

static bool put_all(
    struct text *out, const struct tuned *tables, size_t count, void (*put)(struct text *, const struct record *)) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < tables[i].count; k++) {
            const struct record *best = tables[i].items[k].best;
            if (out->length) text_append(out, "\n");
            put_title(out, tables[i].result->device, &tables[i].items[k]);
            if (best->subgroup_size) text_format(out, "// required subgroup size: %u\n", best->subgroup_size);
            put(out, best);
        }
    return true;
}

bool tuned_put_glsl(struct text *out, const struct tuned *tables, size_t count, struct error *err) {
    (void)err;
    return put_all(out, tables, count, put_glsl);
}

bool tuned_put_wgsl(struct text *out, const struct tuned *tables, size_t count, struct error *err) {
    (void)err;
    return put_all(out, tables, count, put_wgsl);
}

// ---- a C header: the entries of harness/tune/reader/vkassay_tuned.h as constants

// Appends a C string literal. Bytes beyond printable ASCII, and '?' because of trigraphs, become octal escapes of
// three digits, which end by themselves.
static void put_literal(struct text *out, const char *string) {
    text_append(out, "\"");
    for (const unsigned char *c = (const unsigned char *)string; *c; c++) {
        bool plain = *c >= ' ' && *c < 0x7f && *c != '"' && *c != '\\' && *c != '?';
        if (plain)
            text_append_n(out, (const char *)c, 1);
        else
            text_format(out, "\\%03o", (unsigned)*c);
    }
    text_append(out, "\"");
}

static void put_tunables(struct text *out, const struct record *record) {
    text_format(out, "%d, {", record->tunable_count);
    for (int i = 0; i < record->tunable_count; i++) {
        text_append(out, i ? ", {" : "{");
        put_literal(out, record->tunables[i].name);
        text_format(out, ", %lld}", (long long)record->tunables[i].value);
    }
    text_append(out, record->tunable_count ? "}" : "{0, 0}}");
}

static void put_entry(struct text *out, const struct device_info *device, const struct tuned_entry *entry) {
    const struct record *best = entry->best;
    double loss = tuned_loss(entry, entry->standard);
    char hash[SOURCE_HASH_TEXT];
    source_hash_text(best->source_hash, hash);
    text_format(out, "    {{%uu, %uu, %uu, ", device->vendor_id, device->device_id, device->driver_version);
    put_literal(out, device->name);
    text_append(out, "}, ");
    put_literal(out, best->kernel);
    text_format(out, ", \"%s\", ", hash);
    put_literal(out, best->dtype);
    text_format(out, ", %d, {", entry->dims);
    for (int i = 0; i < entry->dims; i++) text_format(out, "%s%lld", i ? ", " : "", (long long)best->dims[i].value);
    text_append(out, entry->dims ? "}" : "0}");
    text_format(out, ", {%uu, %uu, %uu}, ", best->wg[0], best->wg[1], best->wg[2]);
    put_tunables(out, best);
    text_append(out, ", ");
    text_number(out, best->time[FIGURE_COMPUTE].median);
    text_append(out, ", ");
    text_number(out, isnan(loss) ? -1 : loss);
    text_format(
        out, ", VKASSAY_FOR_DEVICE, %zu, %zu, %d, ", entry->shapes, entry->search.legal, entry->search.unfinished);
    text_number(out, best->time[FIGURE_COMPUTE].lo);
    text_append(out, ", ");
    text_number(out, best->time[FIGURE_COMPUTE].hi);
    text_format(out, ", %d},\n", entry->undecided);
}

static bool put_table(struct text *out, const struct tuned *tuned, size_t *entries, struct error *err) {
    for (size_t i = 0; i < tuned->count; i++) {
        const struct tuned_entry *entry = &tuned->items[i];
        if (entry->dims > VKASSAY_DIMS || entry->best->tunable_count > VKASSAY_TUNABLES)
            return error_set(
                err, STATUS_BAD_INPUT, "%s has more dims or tunables than the header holds", entry->case_name);
        put_entry(out, tuned->result->device, entry);
        ++*entries;
    }
    return true;
}

bool tuned_put_header(struct text *out, const struct tuned *tables, size_t count, struct error *err) {
    size_t entries = 0;
    const char *profile = count ? tables[0].result->device->profile.name : "";
    text_append(out,
        "// Made by `vkassay export --format header`: the fastest right shape of each case. Copy the table, set its\n"
        "// device, and ask optimal_workgroup_size (vkassay_tuned.h).\n"
        "#ifndef VKASSAY_TUNED_TABLE_H\n#define VKASSAY_TUNED_TABLE_H\n\n#include \"vkassay_tuned.h\"\n\n");
    if (*profile) {
        text_append(out, "// The profile of limits that every shape here keeps to.\n#define VKASSAY_TUNED_PROFILE ");
        put_literal(out, profile);
        text_append(out, "\n\n");
    }
    text_append(out, "static const struct vkassay_entry vkassay_tuned_entries[] = {\n");
    for (size_t i = 0; i < count; i++)
        if (!put_table(out, &tables[i], &entries, err)) return false;
    if (!entries)
        return error_set(err, STATUS_BAD_INPUT, "no case of these results has a shape that is right and timed");
    text_format(out,
        "};\n\nstatic const struct vkassay_tuned vkassay_tuned_table = {\n"
        "    vkassay_tuned_entries, %zu, {0, 0, 0, 0}, 0};\n\n#endif\n",
        entries);
    return true;
}
