// SPDX-License-Identifier: Apache-2.0
// Claims from a suite file.
#include "claims.h"

#include "../base/kind.h"

#include <math.h>
#include <string.h>

static bool expect_list(const struct json_at *at, size_t most, const char *what, struct error *err) {
    if (!json_expect(at, json_type_array, err)) return false;
    return (json_count(at) >= 1 && json_count(at) <= most) || json_fail(at, err, "expected one to %zu %s", most, what);
}

// ---- quantities

static bool read_points(struct arena *arena, const struct json_at *at, struct quantity *out, struct error *err) {
    struct json_at item;
    if (!json_object_is_type(at->value, json_type_array)) {
        out->count = 1;
        return json_string(at, arena, &out->points[0], err);
    }
    if (!expect_list(at, QUANTITY_POINTS, "globs", err)) return false;
    for (size_t i = 0; i < json_count(at); i++, out->count++)
        if (!json_item(at, i, &item, err) || !json_string(&item, arena, &out->points[i], err)) return false;
    return true;
}

// A glob, several (summed), or {"points", "figure"}.
static bool read_quantity(struct arena *arena, const struct json_at *at, struct quantity *out, struct error *err) {
    static const char *const keys[] = {"points", "figure", NULL};
    struct json_at member;
    out->figure = "compute";
    if (!json_object_is_type(at->value, json_type_object)) return read_points(arena, at, out, err);
    if (!json_only(at, keys, err) || !json_member(at, "points", true, &member, err) ||
        (member.value && !read_points(arena, &member, out, err)) || !json_member(at, "figure", true, &member, err))
        return false;
    if (!member.value) return true;
    if (!json_string(&member, arena, &out->figure, err)) return false;
    return figure_known(out->figure) || json_fail(&member, err, "\"%.60s\" is no figure", out->figure);
}

// ---- members of a part

static bool read_numbers(const struct json_at *at, double *out, size_t room, int *count, struct error *err) {
    struct json_at item;
    if (!expect_list(at, room, "numbers", err)) return false;
    for (*count = 0; (size_t)*count < json_count(at); ++*count)
        if (!json_item(at, (size_t)*count, &item, err) || !json_number(&item, &out[*count], err)) return false;
    return true;
}

static bool read_member(
    struct arena *arena, const struct json_at *at, enum part_member member, struct claim_part *out, struct error *err) {
    switch (member) {
    case PART_OF:
        return read_quantity(arena, at, &out->of, err);
    case PART_OVER:
        return read_quantity(arena, at, &out->over, err);
    case PART_RIVAL:
        return read_quantity(arena, at, &out->rival, err);
    case PART_DIM:
        return json_string(at, arena, &out->dim, err);
    case PART_LOW:
        return json_number(at, &out->low, err);
    case PART_HIGH:
        return json_number(at, &out->high, err);
    case PART_SHARE:
        return json_number(at, &out->share, err);
    case PART_TOLERANCE:
        return json_number(at, &out->tolerance, err);
    case PART_TO:
        return json_number(at, &out->to, err);
    case PART_SIZES_OF:
        return read_numbers(at, out->sizes, PART_SIZES, &out->size_count, err);
    case PART_PRODUCT:
        return read_numbers(at, out->product, PART_FACTORS, &out->product_count, err);
    case PART_QUOTIENT:
        return read_numbers(at, out->quotient, PART_FACTORS, &out->quotient_count, err);
    case PART_LARGEST:
        return json_boolean(at, &out->largest, err);
    case PART_WHY:
        return json_string(at, arena, &out->why, err);
    }
    return false;
}

static const struct {
    const char *key;
    enum part_member member;
} members[] = {{"of", PART_OF}, {"over", PART_OVER}, {"rival", PART_RIVAL}, {"dim", PART_DIM}, {"low", PART_LOW},
    {"high", PART_HIGH}, {"share", PART_SHARE}, {"tolerance", PART_TOLERANCE}, {"to", PART_TO},
    {"sizes", PART_SIZES_OF}, {"product", PART_PRODUCT}, {"quotient", PART_QUOTIENT}, {"largest", PART_LARGEST},
    {"why", PART_WHY}};
enum { MEMBERS = sizeof members / sizeof *members };

// Which devices a part is about.
static bool read_about(struct arena *arena, const struct json_at *at, struct claim_part *out, struct error *err) {
    static const char *const keys[] = {"vendors", "kind", "devices", NULL};
    struct json_at member;
    double vendors[PART_FACTORS] = {0};
    if (!json_only(at, keys, err) || !json_member(at, "vendors", true, &member, err) ||
        (member.value && !read_numbers(&member, vendors, PART_FACTORS, &out->vendor_count, err)))
        return false;
    for (int i = 0; i < out->vendor_count; i++) {
        if (!(vendors[i] >= 0 && vendors[i] <= UINT32_MAX))
            return json_fail(&member, err, "expected 32-bit vendor ids");
        out->vendors[i] = (uint32_t)vendors[i];
    }
    return json_member(at, "kind", true, &member, err) &&
           (!member.value || json_string(&member, arena, &out->kind, err)) &&
           json_member(at, "devices", true, &member, err) &&
           (!member.value || json_string(&member, arena, &out->devices, err));
}

static bool check_part(const struct json_at *at, const struct claim_part *part, unsigned given, struct error *err) {
    for (int i = 0; i < MEMBERS; i++) {
        unsigned member = members[i].member;
        if (given & member && !(part->way->takes & member))
            return json_fail(at, err, "\"%s\" does not go with \"decide\": \"%s\"", members[i].key, part->way->name);
        if (part->way->needs & member && !(given & member))
            return json_fail(at, err, "expected \"%s\" with \"decide\": \"%s\"", members[i].key, part->way->name);
    }
    if (part->way->needs & PART_OF && !part->of.count) return json_fail(at, err, "expected \"points\" in \"of\"");
    if (strcmp(part->way->name, "ratio") == 0 && !part->over.count)
        return json_fail(at, err, "expected \"points\" in \"over\"");
    return part->low <= part->high || json_fail(at, err, "low (%g) is above high (%g)", part->low, part->high);
}

static bool read_part(struct arena *arena, const struct json_at *at, struct claim_part *out, struct error *err) {
    const char *keys[MEMBERS + 4] = {"what", "decide", "about"}, *way;
    struct json_at member;
    unsigned given = 0;
    *out = (struct claim_part){.low = -INFINITY, .high = INFINITY, .share = 1, .where = arena_copy(arena, at->path)};
    for (int i = 0; i < MEMBERS; i++) keys[3 + i] = members[i].key;
    if (!json_only(at, keys, err) || !json_member(at, "what", false, &member, err) ||
        !json_string(&member, arena, &out->what, err) || !json_member(at, "decide", false, &member, err) ||
        !json_string(&member, arena, &way, err))
        return false;
    out->way = way_named(way);
    if (!out->way) return json_fail(&member, err, "\"%.40s\" is no way to decide", way);
    for (int i = 0; i < MEMBERS; i++) {
        if (!json_member(at, members[i].key, true, &member, err)) return false;
        if (!member.value) continue;
        given |= members[i].member;
        if (!read_member(arena, &member, members[i].member, out, err)) return false;
    }
    return json_member(at, "about", true, &member, err) && (!member.value || read_about(arena, &member, out, err)) &&
           check_part(at, out, given, err);
}

// ---- charts

static bool read_series(struct arena *arena, const struct json_at *at, struct chart_series *out, struct error *err) {
    static const char *const keys[] = {"title", "of", NULL};
    struct json_at member;
    return json_only(at, keys, err) && json_member(at, "title", false, &member, err) &&
           json_string(&member, arena, &out->title, err) && json_member(at, "of", false, &member, err) &&
           read_quantity(arena, &member, &out->of, err);
}

static bool read_chart(struct arena *arena, const struct json_at *at, struct claim_chart *out, struct error *err) {
    static const char *const keys[] = {"title", "dim", "x_title", "series", NULL};
    struct json_at member, item;
    if (!json_only(at, keys, err) || !json_member(at, "title", false, &member, err) ||
        !json_string(&member, arena, &out->title, err) || !json_member(at, "dim", false, &member, err) ||
        !json_string(&member, arena, &out->dim, err) || !json_member(at, "x_title", false, &member, err) ||
        !json_string(&member, arena, &out->x_title, err) || !json_member(at, "series", false, &member, err) ||
        !expect_list(&member, CHART_SERIES, "series", err))
        return false;
    for (size_t i = 0; i < json_count(&member); i++, out->series_count++)
        if (!json_item(&member, i, &item, err) || !read_series(arena, &item, &out->series[i], err)) return false;
    return true;
}

// ---- claims

static bool read_systems(struct arena *arena, const struct json_at *at, struct claim *out, struct error *err) {
    struct json_at item;
    if (!expect_list(at, CLAIM_SYSTEMS, "systems", err)) return false;
    for (size_t i = 0; i < json_count(at); i++, out->system_count++)
        if (!json_item(at, i, &item, err) || !json_string(&item, arena, &out->systems[i], err)) return false;
    return true;
}

static bool read_parts(struct arena *arena, const struct json_at *at, struct claim *out, struct error *err) {
    struct json_at item;
    if (!json_expect(at, json_type_array, err)) return false;
    if (!json_count(at)) return json_fail(at, err, "expected at least one part");
    out->parts = arena_alloc(arena, json_count(at), sizeof *out->parts);
    for (; out->part_count < json_count(at); out->part_count++)
        if (!json_item(at, out->part_count, &item, err) || !read_part(arena, &item, &out->parts[out->part_count], err))
            return false;
    return true;
}

static bool read_charts(struct arena *arena, const struct json_at *at, struct claim *out, struct error *err) {
    struct json_at item;
    if (!at->value) return true;
    if (!json_expect(at, json_type_array, err)) return false;
    if (json_count(at) > CLAIM_CHARTS) return json_fail(at, err, "expected at most %d charts", CLAIM_CHARTS);
    for (size_t i = 0; i < json_count(at); i++, out->chart_count++)
        if (!json_item(at, i, &item, err) || !read_chart(arena, &item, &out->charts[i], err)) return false;
    return true;
}

static bool read_claim(struct arena *arena, const struct json_at *at, struct claim *out, struct error *err) {
    static const char *const keys[] = {"id", "systems", "claim", "check", "parts", "charts", NULL};
    struct json_at member;
    return json_only(at, keys, err) && json_member(at, "id", false, &member, err) &&
           json_string(&member, arena, &out->id, err) && json_member(at, "systems", false, &member, err) &&
           read_systems(arena, &member, out, err) && json_member(at, "claim", false, &member, err) &&
           json_string(&member, arena, &out->text, err) && json_member(at, "check", false, &member, err) &&
           json_string(&member, arena, &out->check, err) && json_member(at, "parts", false, &member, err) &&
           read_parts(arena, &member, out, err) && json_member(at, "charts", true, &member, err) &&
           read_charts(arena, &member, out, err);
}

static bool read_all(struct arena *arena, const struct json_at *root, struct claims *out, struct error *err) {
    struct json_at list, item;
    if (!json_member(root, "claims", false, &list, err) || !json_expect(&list, json_type_array, err)) return false;
    if (!json_count(&list)) return json_fail(&list, err, "expected at least one claim");
    out->items = arena_alloc(arena, json_count(&list), sizeof *out->items);
    for (; out->count < json_count(&list); out->count++) {
        if (!json_item(&list, out->count, &item, err) || !read_claim(arena, &item, &out->items[out->count], err))
            return false;
        for (size_t k = 0; k < out->count; k++)
            if (strcmp(out->items[k].id, out->items[out->count].id) == 0)
                return json_fail(&item, err, "the id \"%.60s\" is given twice", out->items[k].id);
    }
    return true;
}

bool claims_load(struct arena *arena, const char *path, struct claims *out, struct error *err) {
    const char *file = arena_copy(arena, path);
    *out = (struct claims){0};
    struct json_object *json = kind_read(path, KIND_SUITE, err);
    if (!json) return false;
    struct json_at root = json_root(json, file);
    bool ok = read_all(arena, &root, out, err);
    json_object_put(json);
    return ok;
}
