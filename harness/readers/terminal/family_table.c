// SPDX-License-Identifier: Apache-2.0
#include "family_table.h"

#include "../../../reference/table.h"
#include "../render/families.h"
#include "../render/format.h"
#include "../../record/record.h"

#include <math.h>
#include <string.h>

struct family_row {
    const char *name;
    size_t operators, points, right, skipped;
    double roof; // NaN: nothing is rated
};

static void say_right(struct text *out, const void *of) {
    const struct family_row *row = of;
    const size_t tried = row->points - row->skipped;
    if (row->right == tried)
        text_format(out, "%zu", row->right);
    else
        text_format(out, "%zu of %zu", row->right, tried);
}

static void say_skipped(struct text *out, const void *of) {
    const struct family_row *row = of;
    if (row->skipped) text_format(out, "%zu", row->skipped);
}

static void say_roof(struct text *out, const void *of) {
    const struct family_row *row = of;
    if (!isnan(row->roof)) put_share(out, row->roof);
}

static const struct column family_columns[] = {
    {"family", TEXT_OF(struct family_row, name)},
    {"operators", .right = true, COUNT_OF(struct family_row, operators)},
    {"points", .right = true, COUNT_OF(struct family_row, points)},
    {"right", .right = true, .say = say_right},
    {"skipped", .right = true, .sparse = true, .say = say_skipped},
    {"of the roof", .right = true, .sparse = true, .say = say_roof},
    {0},
};

static void add_operator(struct family_row *row, const struct view_operator *op) {
    row->operators++;
    for (size_t k = 0; k < op->count; k++)
        for (size_t c = 0; c < op->kernels[k].count; c++) {
            const struct view_case *one = &op->kernels[k].cases[c];
            row->points += one->count;
            row->skipped += one->count - one->ran;
            for (size_t i = 0; i < one->count; i++) row->right += one->records[i]->status == RECORD_PASS;
        }
}

void family_table(const struct view *view, struct arena *arena, struct table *out) {
    struct families families;
    struct family_row *rows = arena_alloc(arena, view->count + 1, sizeof *rows);
    size_t count = 0;
    families_make(view, 1, arena, &families);
    for (size_t i = 0; i < view->count; i++) {
        const char *family = operator_family(view->operators[i].name);
        size_t at = 0;
        while (at < count && strcmp(rows[at].name, family) != 0) at++;
        if (at == count) rows[count++] = (struct family_row){.name = family};
        add_operator(&rows[at], &view->operators[i]);
    }
    for (size_t i = 0; i < count; i++) {
        rows[i].roof = NAN;
        for (size_t f = 0; f < families.count; f++)
            if (strcmp(families.names[f], rows[i].name) == 0) rows[i].roof = family_at(&families, 0, f)->roof;
    }
    table_make(out, arena, family_columns, 0, rows, sizeof *rows, count);
}
