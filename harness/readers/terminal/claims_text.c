// SPDX-License-Identifier: Apache-2.0
// Prints claims on a terminal and as markdown.
#include "claims_text.h"

#include "../render/format.h"

#include "../../base/file.h"
#include "../../record/result.h"
#include "../../device/device_info.h"

#include <math.h>
#include <string.h>

void claims_tell(
    const struct claims *claims, const struct result *result, struct arena *arena, struct decided_claims *out) {
    *out =
        (struct decided_claims){.result = result, .items = arena_alloc(arena, claims->count + 1, sizeof *out->items)};
    for (; out->count < claims->count; out->count++) {
        struct decided_claim *decided = &out->items[out->count];
        decided->claim = &claims->items[out->count];
        decided->parts = arena_alloc(arena, decided->claim->part_count, sizeof *decided->parts);
        decided->applies = arena_alloc(arena, decided->claim->part_count, sizeof *decided->applies);
        decided->whole = claim_decide(decided->claim, result, arena, decided->parts, decided->applies);
        out->counts[decided->whole.verdict]++;
    }
}

const char *claim_class(enum verdict_of_claim verdict) {
    return verdict == CLAIM_HOLDS ? "good" : verdict == CLAIM_FAILS ? "bad" : "note";
}

// ---- words

void put_claim_counts(struct text *out, const struct decided_claims *decided) {
    const size_t *counts = decided->counts;
    text_format(out, "%zu claim%s: %zu hold%s, %zu do%s not, %zu cannot be measured here, %zu %s about other devices",
        decided->count, decided->count == 1 ? "" : "s", counts[CLAIM_HOLDS], counts[CLAIM_HOLDS] == 1 ? "s" : "",
        counts[CLAIM_FAILS], counts[CLAIM_FAILS] == 1 ? "es" : "", counts[CLAIM_OPEN], counts[CLAIM_ELSEWHERE],
        counts[CLAIM_ELSEWHERE] == 1 ? "is" : "are");
    if (result_historical(decided->result))
        text_format(out, "; historical: of revision %s, and sources of its kernels have changed since",
            result_historical(decided->result));
}

void put_whole_verdict(struct text *out, const struct decided_claim *decided) {
    text_append(out, claim_verdict_name(decided->whole.verdict));
    if (decided->claim->proxy) text_format(out, ", by a proxy (%s)", decided->claim->proxy);
}

void put_claim_systems(struct text *out, const struct claim *claim) {
    for (int i = 0; i < claim->system_count; i++) text_format(out, "%s%s", i ? ", " : "", claim->systems[i]);
}

// Appends "n = 2510": three digits for large fractions, without an exponent.
static void put_number(struct text *out, double value, const char *dim) {
    double unit = value >= 1000 && value != floor(value) ? pow(10, floor(log10(value)) - 2) : 0;
    if (*dim) text_format(out, "%s = ", dim);
    text_format(out, value >= 1000 ? "%.0f" : "%.4g", unit > 0 ? round(value / unit) * unit : value);
}

static void put_value(struct text *out, double value, const char *unit) {
    if (strcmp(unit, "ns") == 0 || strcmp(unit, "B/s") == 0 || strcmp(unit, "FLOP/s") == 0)
        put_peak(out, value, unit);
    else if (strcmp(unit, "x") == 0)
        put_factor(out, value);
    else if (strcmp(unit, "share") == 0)
        put_share(out, value);
    else if (strcmp(unit, "B") == 0)
        put_bytes(out, value);
    else if (strcmp(unit, "ULP") == 0)
        text_format(out, "%.3g ULP", value);
    else
        put_number(out, value, unit);
}

void put_claimed(struct text *out, const struct claim_finding *f) {
    bool low = isfinite(f->low) && f->low > 0, high = isfinite(f->high);
    if (isnan(f->value) && !low && !high) return;
    if (low && high && f->low != f->high) {
        put_value(out, f->low, f->unit);
        text_append(out, " to ");
    } else if (low || high) {
        text_append(out, low && high ? "" : low ? "at least " : "at most ");
    }
    if (low || high) put_value(out, high ? f->high : f->low, f->unit);
}

void put_found(struct text *out, const struct claim_finding *f) {
    if (f->reason) {
        text_append(out, f->reason);
        return;
    }
    if (isfinite(f->value)) put_value(out, f->value, f->unit);
    if (!*f->detail) return;
    text_format(out, "%s%s", isfinite(f->value) ? "; " : "", f->detail);
}

// ---- a terminal

static void put_part(struct text *out, const struct decided_claim *decided, size_t i) {
    const struct claim_finding *f = &decided->parts[i];
    struct text claimed = {0};
    put_claimed(&claimed, f);
    text_format(out, "    %s: ", decided->claim->parts[i].what);
    put_found(out, f);
    if (claimed.length && !f->reason) text_format(out, " (claimed: %s)", text_str(&claimed));
    if (f->reason)
        text_append(out, "\n");
    else
        text_format(out, ": %s\n", claim_verdict_name(f->verdict));
    text_free(&claimed);
}

void claims_print(const struct decided_claims *decided, FILE *out) {
    struct text text = {0};
    for (size_t c = 0; c < decided->count; c++) {
        const struct decided_claim *one = &decided->items[c];
        text_format(&text, "%s ", one->claim->id);
        put_whole_verdict(&text, one);
        text_format(&text, ": %s (", one->claim->text);
        put_claim_systems(&text, one->claim);
        text_append(&text, ")\n");
        for (size_t i = 0; i < one->claim->part_count; i++)
            if (one->applies[i]) put_part(&text, one, i);
    }
    text_append(&text, "\n");
    put_claim_counts(&text, decided);
    print_plain(out, text_str(&text), 0);
    fputc('\n', out);
    text_free(&text);
}

// ---- the table

// A row for one part of a claim. Fields of the whole claim are set in its first row and NULL in the others.
struct part_row {
    const char *id, *systems, *text, *whole, *what;
    const struct claim_finding *finding;
    bool applies;
};

static void say_claimed(struct text *out, const void *row) {
    put_claimed(out, ((const struct part_row *)row)->finding);
}
static void say_found(struct text *out, const void *row) {
    put_found(out, ((const struct part_row *)row)->finding);
}
static void put_verdict_of(struct text *out, const void *of, struct cell *cell) {
    const struct part_row *row = of;
    cell->class = claim_class(row->finding->verdict);
    if (row->applies) text_append(out, claim_verdict_name(row->finding->verdict));
}

static const struct column part_columns[] = {
    {"id", .places = ALL_PARTS, TEXT_OF(struct part_row, id)},
    {"of", .places = ALL_PARTS, TEXT_OF(struct part_row, systems)},
    {"claim", .places = ALL_PARTS, TEXT_OF(struct part_row, text)},
    {"what is measured", .places = ALL_PARTS, TEXT_OF(struct part_row, what)},
    {"what", .places = PARTS_OF_ONE, .wraps = true, TEXT_OF(struct part_row, what)},
    {"claimed", .wraps = true, .say = say_claimed},
    {"found", .prose = true, .say = say_found},
    {"", .places = ALL_PARTS, .put = put_verdict_of},
    {"verdict", .places = ALL_PARTS, TEXT_OF(struct part_row, whole)},
    {"verdict", .places = PARTS_OF_ONE, .put = put_verdict_of},
    {0},
};

static void fill_part(struct part_row *row, const struct decided_claim *decided, size_t part, struct arena *arena) {
    struct text systems = {0};
    *row = (struct part_row){
        .what = decided->claim->parts[part].what, .finding = &decided->parts[part], .applies = decided->applies[part]};
    if (part) return;
    put_claim_systems(&systems, decided->claim);
    row->id = decided->claim->id;
    row->systems = arena_take(arena, &systems);
    row->text = decided->claim->text;
    struct text whole = {0};
    put_whole_verdict(&whole, decided);
    row->whole = arena_take(arena, &whole);
}

void claim_parts(
    const struct decided_claim *claims, size_t count, enum part_place place, struct arena *arena, struct table *out) {
    size_t room = 0, rows = 0;
    for (size_t c = 0; c < count; c++) room += claims[c].claim->part_count;
    struct part_row *row = arena_alloc(arena, room, sizeof *row);
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < claims[c].claim->part_count; i++) fill_part(&row[rows++], &claims[c], i, arena);
    table_make(out, arena, part_columns, place, row, sizeof *row, rows);
}

// ---- markdown

bool claims_write(const struct decided_claims *decided, const char *folder, struct arena *arena, struct error *err) {
    struct text page = {0};
    struct table table;
    put_markdown_format(&page, "# Claims on %s\n\n", decided->result->device->name);
    put_claim_counts(&page, decided);
    text_append(&page, ".\n\n");
    claim_parts(decided->items, decided->count, ALL_PARTS, arena, &table);
    put_table_markdown(&page, &table, SIZE_MAX);
    bool ok = file_write(arena_format(arena, "%s/claims.md", folder), text_str(&page), page.length, err);
    text_free(&page);
    return ok;
}
