// SPDX-License-Identifier: Apache-2.0
#include "suite_sizes.h"

#include "../../base/names.h"
#include "../../base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_SHOWN = 12, DENSE = 16, MOST_RUNG = 16 << 20 }; // DENSE: sizes of a ladder without gaps
static const double largest = 0x1p53;

// ---- the text

// Parses a whole number and its unit, up to the end of the text; 0: it is not a size.
static double read_size(const char *text) {
    static const char units[] = "kMG";
    char *end;
    double value = (double)strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (end == text || *text == '-' || *text == '+' || *text == ' ') return 0;
    for (const char *u = units; unit && u <= unit; u++) value *= 1024;
    return end[unit != NULL] == '\0' && value <= largest ? value : 0;
}

static struct suite_values *values_named(struct suite_values *list, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0) return &list[i];
    return NULL;
}

// Returns whether a ladder that begins at `low` has a rung at this size.
static bool is_rung(int64_t low, int64_t high, int64_t size) {
    int64_t power = 1;
    if (size - low <= DENSE || size == high) return true;
    while (power * 2 <= size + 1) power *= 2;
    return size - power <= 1 || size == power / 2 * 3;
}

// Adds the rungs of "1..64" to the values. False: the text is no ladder.
static bool add_ladder(struct arena *arena, const char *text, struct suite_values *values) {
    const char *dots = strstr(text, "..");
    const double low = dots ? read_size(arena_copy_n(arena, text, (size_t)(dots - text))) : 0;
    const double high = dots ? read_size(dots + 2) : 0;
    if (!(low > 0) || !(high > low) || high > MOST_RUNG) return false;
    double *sizes = arena_alloc(arena, values->count + DENSE + 200, sizeof *sizes);
    if (values->count) memcpy(sizes, values->values, values->count * sizeof *sizes);
    for (int64_t size = (int64_t)low; size <= (int64_t)high; size++)
        if (is_rung((int64_t)low, (int64_t)high, size)) sizes[values->count++] = (double)size;
    values->values = sizes;
    return true;
}

const char *ladder_dim(struct arena *arena, const char *text, size_t index) {
    for (const char *dots = text ? strstr(text, "..") : NULL; dots; dots = strstr(dots + 2, "..")) {
        const char *from = dots;
        while (from > text && from[-1] != ',') from--;
        if (index-- == 0) return arena_copy_n(arena, from, strcspn(from, "="));
    }
    return NULL;
}

// Adds one NAME=SIZE to the list. The list must have room for it.
static bool add_size(
    struct arena *arena, const char *pair, struct suite_values *list, size_t *count, struct error *err) {
    const char *equals = strchr(pair, '=');
    double size = equals && equals > pair ? read_size(equals + 1) : 0;
    const bool ladder = equals && equals > pair && strstr(equals, "..");
    if (!(size > 0) && !ladder)
        return error_set(err, STATUS_USAGE, "--dims expects NAME=SIZE,... as n=4M,rows=4096, found '%s'", pair);
    const char *name = arena_copy_n(arena, pair, (size_t)(equals - pair));
    struct suite_values *values = values_named(list, *count, name);
    if (!values) {
        values = &list[(*count)++];
        *values = (struct suite_values){.name = name};
    }
    if (ladder)
        return add_ladder(arena, equals + 1, values) ||
               error_set(err, STATUS_USAGE, "--dims expects a ladder as n=1..64, up to 16M, found '%s'", pair);
    double *sizes = arena_alloc(arena, values->count + 1, sizeof *sizes);
    if (values->count) memcpy(sizes, values->values, values->count * sizeof *sizes);
    sizes[values->count++] = size;
    values->values = sizes;
    return true;
}

bool sizes_read(struct arena *arena, const char *text, struct suite_values **list, size_t *count, struct error *err) {
    size_t most = 1;
    for (const char *c = text; *c; c++) most += *c == ',';
    *list = arena_alloc(arena, most, sizeof **list);
    *count = 0;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (!add_size(arena, arena_copy_n(arena, at, length), *list, count, err)) return false;
        at += length;
        if (!*at) return true;
    }
}

// ---- the suite

// Puts the sizes into the dims. Returns false if the dims lack one of the names.
static bool set_dims(struct arena *arena, struct suite_dims *dims, struct suite_values *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!values_named(dims->items, dims->count, list[i].name)) return false;
    struct suite_values *items = arena_alloc(arena, dims->count + 1, sizeof *items);
    for (size_t i = 0; i < dims->count; i++) {
        const struct suite_values *given = values_named(list, count, dims->items[i].name);
        items[i] = given ? *given : dims->items[i];
    }
    dims->items = items;
    return true;
}

static bool set_entry(struct arena *arena, struct suite_entry *entry, struct suite_values *list, size_t count) {
    struct suite_dims *kept = arena_alloc(arena, entry->dims_count + 1, sizeof *kept);
    size_t found = 0;
    for (size_t i = 0; i < entry->dims_count; i++) {
        kept[found] = entry->dims[i];
        if (set_dims(arena, &kept[found], list, count)) found++;
    }
    if (!found) return false;
    entry->dims = kept;
    entry->dims_count = found;
    return true;
}

static bool none_has_them(const struct suite *suite, const char *text, struct error *err) {
    struct names seen = {0};
    struct text names = {0};
    for (size_t e = 0; e < suite->entry_count; e++)
        for (size_t d = 0; d < suite->entries[e].dims_count; d++)
            for (size_t i = 0; i < suite->entries[e].dims[d].count && seen.count < NAMES_SHOWN; i++) {
                const char *name = suite->entries[e].dims[d].items[i].name;
                size_t before = seen.count;
                if (names_put(&seen, name, strlen(name), before) == before)
                    text_format(&names, "%s%s", before ? ", " : "", name);
            }
    error_set(err, STATUS_USAGE, "--dims %s: no entry of suite %s has these dims; among its dims are %s", text,
        suite->name, text_str(&names));
    names_free(&seen);
    text_free(&names);
    return false;
}

bool suite_set_sizes(struct arena *arena, struct suite *suite, const char *text, struct error *err) {
    struct suite_values *list;
    size_t count, kept = 0, set = 0;
    if (!sizes_read(arena, text, &list, &count, err)) return false;
    struct suite_entry *entries = arena_alloc(arena, suite->entry_count + 1, sizeof *entries);
    for (size_t i = 0; i < suite->entry_count; i++) {
        entries[kept] = suite->entries[i];
        bool fits = !entries[kept].peak && set_entry(arena, &entries[kept], list, count);
        set += fits;
        kept += fits || entries[kept].peak != NULL;
    }
    if (!set) return none_has_them(suite, text, err);
    suite->entries = entries;
    suite->entry_count = kept;
    suite->sizes = text;
    return true;
}
