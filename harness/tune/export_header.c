// SPDX-License-Identifier: Apache-2.0
// Tuned tables as a C header: the entries of harness/tune/reader/vkassay_tuned.h as constants.
#include "exports.h"
#include "reader/vkassay_tuned.h"
#include "tuned_table.h"

#include <math.h>

// A C string literal. Bytes beyond printable ASCII, and what could begin a trigraph, as octal escapes of three digits,
// which end by themselves.
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

static void put_device(struct text *out, const struct device_info *device) {
    text_format(out, "{%uu, %uu, %uu, ", device->vendor_id, device->device_id, device->driver_version);
    put_literal(out, device->name);
    text_append(out, "}");
}

static void put_list(struct text *out, const struct named_number *numbers, int count) {
    text_append(out, "{");
    for (int i = 0; i < count; i++) text_format(out, "%s%lld", i ? ", " : "", (long long)numbers[i].value);
    text_append(out, count ? "}" : "0}");
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
    text_append(out, "    {");
    put_device(out, device);
    text_append(out, ", ");
    put_literal(out, best->kernel);
    text_format(out, ", \"%s\", ", hash);
    put_literal(out, best->dtype);
    text_format(out, ", %d, ", entry->dims);
    put_list(out, best->dims, entry->dims);
    text_format(out, ", {%uu, %uu, %uu}, ", best->wg[0], best->wg[1], best->wg[2]);
    put_tunables(out, best);
    text_append(out, ", ");
    text_number(out, best->time[FIGURE_COMPUTE].median);
    text_append(out, ", ");
    text_number(out, isnan(loss) ? -1 : loss);
    text_append(out, "},\n");
}

static bool put_table(struct text *out, const struct tuned *tuned, size_t *entries, struct error *err) {
    for (size_t i = 0; i < tuned->count; i++) {
        const struct tuned_entry *entry = &tuned->items[i];
        if (entry->dims > VKASSAY_DIMS || entry->best->tunable_count > VKASSAY_TUNABLES)
            return error_set(
                err, STATUS_BAD_INPUT, "%s has more dims or tunables than the header holds", entry->case_name);
        put_entry(out, &tuned->result->device, entry);
        ++*entries;
    }
    return true;
}

static bool put_header(struct text *out, const struct tuned *tables, size_t count, struct error *err) {
    size_t entries = 0;
    text_append(out,
        "// Made by `vkassay export --format header`: the fastest right shape of each case. Copy the table, set its\n"
        "// device, and ask optimal_workgroup_size (vkassay_tuned.h).\n"
        "#ifndef VKASSAY_TUNED_TABLE_H\n#define VKASSAY_TUNED_TABLE_H\n\n#include \"vkassay_tuned.h\"\n\n"
        "static const struct vkassay_entry vkassay_tuned_entries[] = {\n");
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

const struct export_format format_header = {.name = "header",
    .summary = "the tuned tables as a C header, for vkassay_tuned.h",
    .also = KIND_TUNED,
    .put_tables = put_header};
