// SPDX-License-Identifier: Apache-2.0
// Reads claims from a suite file.
#include "claims.h"

#include "../../base/fields.h"
#include "../../base/kind.h"
#include "../../device/device_info.h"

#include <math.h>
#include <string.h>

// ---- quantities

// A glob, or a number as the text that it is.
static bool point_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    const bool number =
        json_object_is_type(at->value, json_type_int) || json_object_is_type(at->value, json_type_double);
    if (!number) return json_string(at, arena, member, err);
    *(const char **)member = arena_copy(arena, json_object_get_string(at->value));
    return true;
}
static const struct kind kind_point = {.get = point_get, .schema = SCHEMA({"type" : [ "string", "number" ]})};

// One of these, or several.
static const struct kind kind_points = {
    .list = &(const struct item_list){
        LIST_OF(struct quantity, points, count, &kind_point), .least = 1, .most = QUANTITY_POINTS, .alone = true}};

static bool figure_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    const char **figure = member;
    return json_string(at, arena, figure, err) &&
           (figure_known(*figure) || json_fail(at, err, "\"%.60s\" is no figure", *figure));
}
static const struct kind kind_figure = {.get = figure_get,
    .meaning = "A figure of the best point, as compute, moved or fact:NAME (suites/README.md).",
    .schema = SCHEMA({"type" : "string"})};

static const struct field quantity_fields[] = {
    {"points", &kind_points, 0, SPARSE},
    {"figure", &kind_figure, offsetof(struct quantity, figure), SPARSE},
    {0},
};
static const struct kind quantity_form = {.fields = quantity_fields, .closed = true, .plain = &kind_points};

// Reads a glob, several (summed), or {"points", "figure"}.
static bool quantity_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    *(struct quantity *)member = (struct quantity){.figure = "compute"};
    return kind_get(&quantity_form, arena, at, member, err);
}
static const struct kind kind_quantity = {.get = quantity_get,
    .fields = quantity_fields,
    .plain = &kind_points,
    .name = "quantity",
    .meaning = "A figure of the best point that matches; over several globs their sum."};

// ---- parts

#define AT(member) offsetof(struct claim_part, member)

static bool way_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    const char *name;
    if (!json_string(at, arena, &name, err)) return false;
    const struct way *way = *(const struct way **)member = way_named(name);
    return way || json_fail(at, err, "\"%.40s\" is no way to decide", name);
}
static const char *way_word(int way) {
    return claim_ways[way].name;
}
static const struct enum_words way_words = {way_word, 0, CLAIM_WAYS, "a way to decide"};
static const struct kind kind_way = {.get = way_get, .words = &way_words};

static const char *device_word(int kind) {
    return kind > DEVICE_CPU ? "gpu" : device_kind_name((enum device_kind)kind);
}
static const struct enum_words device_kind_words = {device_word, DEVICE_OTHER, DEVICE_CPU + 2, "a kind of device"};

// The devices concerned by a part.
static const struct field about_fields[] = {
    {"vendors", ROOM_LIST(struct claim_part, vendors, vendor_count, &kind_uint32, 1, PART_VENDORS), 0, SPARSE},
    {"kind", KIND(kind_text, .words = &device_kind_words), AT(kind), SPARSE},
    {"devices", &kind_text, AT(devices), SPARSE},
    {0},
};
static const struct kind kind_about = {
    .fields = about_fields, .closed = true, .meaning = "The devices that it is about."};

static bool number_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    return json_number(at, member, err);
}
static const struct kind kind_number = {
    .get = number_get, .schema = SCHEMA({"type" : "number"})}; // absent members keep their default

enum { MEMBERS = 10 };
static const struct field part_fields[] = {
    // in the order of enum part_member
    {"of", &kind_quantity, AT(of), SPARSE},
    {"over", &kind_quantity, AT(over), SPARSE},
    {"rival", &kind_quantity, AT(rival), SPARSE},
    {"dim", &kind_text, AT(dim), SPARSE},
    {"low", &kind_number, AT(low), SPARSE},
    {"high", &kind_number, AT(high), SPARSE},
    {"share", &kind_number, AT(share), SPARSE},
    {"sizes", ROOM_LIST(struct claim_part, sizes, size_count, &kind_number, 1, PART_SIZES), 0, SPARSE},
    {"largest", &kind_flag, AT(largest), SPARSE},
    {"why", &kind_text, AT(why), SPARSE},
    // for every part
    {"what", &kind_text, AT(what), REQUIRED},
    {"decide", &kind_way, AT(way), REQUIRED},
    {"about", &kind_about, 0, SPARSE},
    {0},
};
_Static_assert(PART_WHY == 1 << (MEMBERS - 1), "a member more is a row more");
static const struct kind part_object = {.fields = part_fields, .closed = true};

static bool check_part(const struct json_at *at, const struct claim_part *part, struct error *err) {
    for (int i = 0; i < MEMBERS; i++) {
        const unsigned member = 1u << i;
        bool given = json_get(at->value, part_fields[i].key);
        if (given && !(part->way->takes & member))
            return json_fail(
                at, err, "\"%s\" does not go with \"decide\": \"%s\"", part_fields[i].key, part->way->name);
        if (part->way->needs & member && !given)
            return json_fail(at, err, "expected \"%s\" with \"decide\": \"%s\"", part_fields[i].key, part->way->name);
    }
    if (part->way->needs & PART_OF && !part->of.count) return json_fail(at, err, "expected \"points\" in \"of\"");
    if (strcmp(part->way->name, "ratio") == 0 && !part->over.count)
        return json_fail(at, err, "expected \"points\" in \"over\"");
    return part->low <= part->high || json_fail(at, err, "low (%g) is above high (%g)", part->low, part->high);
}

static bool part_get(struct arena *arena, const struct json_at *at, void *item, struct error *err) {
    struct claim_part *out = item;
    *out = (struct claim_part){.low = -INFINITY, .high = INFINITY, .share = 1, .where = arena_copy(arena, at->path)};
    return kind_get(&part_object, arena, at, out, err) && check_part(at, out, err);
}
static const struct kind kind_part = {.get = part_get, .fields = part_fields};

// ---- charts

static const struct field series_fields[] = {
    {"title", &kind_text, offsetof(struct chart_series, title), REQUIRED},
    {"of", &kind_quantity, offsetof(struct chart_series, of), REQUIRED},
    {0},
};
static const struct kind kind_series = {.fields = series_fields, .closed = true};

static const struct field chart_fields[] = {
    {"title", &kind_text, offsetof(struct claim_chart, title), REQUIRED},
    {"dim", &kind_text, offsetof(struct claim_chart, dim), REQUIRED},
    {"x_title", &kind_text, offsetof(struct claim_chart, x_title), REQUIRED},
    {"series", ROOM_LIST(struct claim_chart, series, series_count, &kind_series, 1, CHART_SERIES), 0, REQUIRED},
    {0},
};
static const struct kind kind_chart = {.fields = chart_fields, .closed = true};

// ---- claims

static const struct field claim_fields[] = {
    {"id", &kind_text, offsetof(struct claim, id), REQUIRED},
    {"systems", ROOM_LIST(struct claim, systems, system_count, &kind_text, 1, CLAIM_SYSTEMS), 0, REQUIRED},
    {"claim", &kind_text, offsetof(struct claim, text), REQUIRED},
    {"check", &kind_text, offsetof(struct claim, check), REQUIRED},
    {"proxy",
        KIND(kind_text, .meaning = "What was measured in place of a thing that the claim names; the verdict says so."),
        offsetof(struct claim, proxy), SPARSE},
    {"parts", ARENA_LIST(struct claim, parts, part_count, &kind_part, 1), 0, REQUIRED},
    {"charts", ROOM_LIST(struct claim, charts, chart_count, &kind_chart, 1, CLAIM_CHARTS), 0, SPARSE},
    {0},
};
static const struct kind kind_claim = {.fields = claim_fields, .closed = true};

const struct field claims_fields[] = {
    {"claims", ARENA_LIST(struct claims, items, count, &kind_claim, 1), 0, SPARSE},
    {0},
};

static bool ids_differ(const struct claims *claims, const char *file, struct error *err) {
    for (size_t i = 0; i < claims->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(claims->items[k].id, claims->items[i].id) == 0)
                return error_set(err, STATUS_BAD_INPUT, "%s: $.claims[%zu]: the id \"%.60s\" is given twice", file, i,
                    claims->items[i].id);
    return true;
}

bool claims_load(struct arena *arena, const char *path, struct claims *out, struct error *err) {
    *out = (struct claims){0};
    struct json_object *json = kind_read(path, KIND_SUITE, err);
    if (!json) return false;
    struct json_at root = json_root(json, path), claims;
    bool ok = json_member(&root, "claims", false, &claims, err) && fields_get(arena, &root, claims_fields, out, err) &&
              ids_differ(out, path, err);
    json_object_put(json);
    return ok;
}
