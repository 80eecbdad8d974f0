// SPDX-License-Identifier: Apache-2.0
// Claims on a terminal and as markdown.
#include "claims_text.h"

#include "../format.h"
#include "tally.h"

#include "../../base/file.h"

#include <math.h>
#include <string.h>

bool claims_tell(const struct claims *claims, const struct result *result, struct arena *arena, struct told_claims *out,
    struct error *err) {
    *out = (struct told_claims){.result = result, .items = arena_alloc(arena, claims->count + 1, sizeof *out->items)};
    if (!out->items) return error_set(err, STATUS_FAULT, "out of memory for the claims");
    for (; out->count < claims->count; out->count++) {
        struct told_claim *told = &out->items[out->count];
        told->claim = &claims->items[out->count];
        told->parts = arena_alloc(arena, told->claim->part_count, sizeof *told->parts);
        told->applies = arena_alloc(arena, told->claim->part_count, sizeof *told->applies);
        if (!told->parts || !told->applies) return error_set(err, STATUS_FAULT, "out of memory for the claims");
        told->whole = claim_decide(told->claim, result, arena, told->parts, told->applies);
        out->counts[told->whole.verdict]++;
    }
    return true;
}

// ---- words

void put_claim_counts(struct text *out, const struct told_claims *told) {
    text_format(out, "%zu claim%s: %zu hold%s, %zu do%s not, %zu cannot be measured here", told->count,
        told->count == 1 ? "" : "s", told->counts[CLAIM_HOLDS], told->counts[CLAIM_HOLDS] == 1 ? "s" : "",
        told->counts[CLAIM_FAILS], told->counts[CLAIM_FAILS] == 1 ? "es" : "", told->counts[CLAIM_OPEN]);
}

void put_claim_systems(struct text *out, const struct claim *claim) {
    for (int i = 0; i < claim->system_count; i++) text_format(out, "%s%s", i ? ", " : "", claim->systems[i]);
}

static bool is_rate(const char *unit) {
    return strcmp(unit, "B/s") == 0 || strcmp(unit, "FLOP/s") == 0;
}

// "n = 2510": to three digits, without an exponent.
static void put_number(struct text *out, double value, const char *dim) {
    double unit = value >= 1000 && value != floor(value) ? pow(10, floor(log10(value)) - 2) : 0;
    if (*dim) text_format(out, "%s = ", dim);
    text_format(out, value >= 1000 ? "%.0f" : "%.4g", unit > 0 ? round(value / unit) * unit : value);
}

static void put_value(struct text *out, double value, const char *unit) {
    if (strcmp(unit, "ns") == 0)
        put_time(out, value);
    else if (strcmp(unit, "x") == 0)
        put_factor(out, value);
    else if (strcmp(unit, "share") == 0)
        put_share(out, value);
    else if (strcmp(unit, "B") == 0)
        put_bytes(out, value);
    else if (is_rate(unit))
        put_rate(out, value, unit);
    else
        put_number(out, value, unit);
}

void put_claimed(struct text *out, const struct finding *f) {
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

void put_found(struct text *out, const struct finding *f) {
    if (f->verdict == CLAIM_OPEN) {
        text_append(out, f->reason);
        return;
    }
    if (isfinite(f->value)) put_value(out, f->value, f->unit);
    if (!*f->detail) return;
    text_format(out, "%s%s", isfinite(f->value) ? "; " : "", f->detail);
}

// ---- a terminal

static void put_part(struct text *out, const struct told_claim *told, size_t i) {
    const struct finding *f = &told->parts[i];
    struct text claimed = {0};
    put_claimed(&claimed, f);
    text_format(out, "    %s: ", told->claim->parts[i].what);
    put_found(out, f);
    if (claimed.length && f->verdict != CLAIM_OPEN) text_format(out, " (claimed: %s)", text_str(&claimed));
    text_format(out, "%s\n", f->verdict == CLAIM_OPEN ? "" : f->verdict == CLAIM_HOLDS ? ": holds" : ": does not hold");
    text_free(&claimed);
}

static bool applies_at_all(const struct told_claim *told) {
    bool any = false;
    for (size_t i = 0; i < told->claim->part_count; i++) any |= told->applies[i];
    return any;
}

void claims_print(const struct told_claims *told, FILE *out) {
    struct text text = {0}, plain = {0};
    for (size_t c = 0; c < told->count; c++) {
        const struct told_claim *one = &told->items[c];
        text_format(&text, "%s %s: %s (", one->claim->id, claim_verdict_name(one->whole.verdict), one->claim->text);
        put_claim_systems(&text, one->claim);
        text_append(&text, ")\n");
        for (size_t i = 0; i < one->claim->part_count; i++)
            if (one->applies[i]) put_part(&text, one, i);
        if (one->whole.verdict == CLAIM_OPEN && !applies_at_all(one)) text_format(&text, "    %s\n", one->whole.reason);
    }
    text_append(&text, "\n");
    put_claim_counts(&text, told);
    put_plain(&plain, text_str(&text), 0);
    fprintf(out, "%s\n", text_str(&plain));
    text_free(&plain);
    text_free(&text);
}

// ---- markdown

static void put_cell_of(struct text *out, const char *string) {
    text_append(out, "| ");
    put_markdown(out, string);
    text_append(out, " ");
}

static void put_row(struct text *out, const struct told_claim *told, size_t i) {
    struct text claimed = {0}, found = {0}, systems = {0};
    const struct finding *f = &told->parts[i];
    put_claimed(&claimed, f);
    put_found(&found, f);
    put_claim_systems(&systems, told->claim);
    put_cell_of(out, i ? "" : told->claim->id);
    put_cell_of(out, i ? "" : text_str(&systems));
    put_cell_of(out, i ? "" : told->claim->text);
    put_cell_of(out, told->claim->parts[i].what);
    put_cell_of(out, text_str(&claimed));
    put_cell_of(out, text_str(&found));
    put_cell_of(out, told->applies[i] ? claim_verdict_name(f->verdict) : "");
    put_cell_of(out, i ? "" : claim_verdict_name(told->whole.verdict));
    text_append(out, "|\n");
    text_free(&claimed);
    text_free(&found);
    text_free(&systems);
}

static void put_markdown_page(struct text *out, const struct told_claims *told) {
    text_append(out, "# Claims on ");
    put_markdown(out, told->result->device.name);
    text_append(out, "\n\n");
    put_claim_counts(out, told);
    text_append(out, ".\n\n| id | of | claim | what is measured | claimed | found | | verdict "
                     "|\n|---|---|---|---|---|---|---|---|\n");
    for (size_t c = 0; c < told->count; c++)
        for (size_t i = 0; i < told->items[c].claim->part_count; i++) put_row(out, &told->items[c], i);
}

bool claims_write(const struct told_claims *told, const char *folder, struct arena *arena, struct error *err) {
    struct text page = {0};
    const char *path = arena_format(arena, "%s/claims.md", folder);
    put_markdown_page(&page, told);
    bool ok = path && !page.failed ? file_write(path, text_str(&page), page.length, err)
                                   : error_set(err, STATUS_FAULT, "out of memory for the claims");
    text_free(&page);
    return ok;
}
