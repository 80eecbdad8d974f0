// SPDX-License-Identifier: Apache-2.0
#include "choice_cells.h"

#include "../../record/bucket.h"
#include "../format.h"

#include <math.h>

static uint64_t invocations_of(const struct record *r) {
    return (uint64_t)r->wg[0] * r->wg[1] * r->wg[2];
}

// ---- of a case

void put_bucket(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    cell->sort = record_bucket(row->c->records[0]);
    text_format(out, "2^%.0f", cell->sort);
}

// "1.21x"; "=1.00x" where no difference was shown; "fail" where it is not right. Nothing is said where there is no
// other shape to gain over.
static void put_over(struct text *out, const struct row *row, const struct record *record, struct cell *cell) {
    if (!record || !has_choice(row->c)) {
        text_append(out, NOT_MEASURED);
        return;
    }
    cell->sort = loss_of(row->c, record);
    if (isnan(cell->sort) && record->status != RECORD_PASS)
        text_append(out, record_status_name(record->status));
    else {
        if (row->c->best && (record == row->c->best || case_ties(row->c->best, record))) text_append(out, "=");
        put_factor(out, cell->sort);
    }
}

void put_over_64(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    put_over(out, row, thumb_record(row->c, THUMB_64), cell);
}

void put_over_256(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    put_over(out, row, thumb_record(row->c, THUMB_256), cell);
}

void put_over_largest(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct record *largest = thumb_record(row->c, THUMB_LARGEST);
    if (largest && has_choice(row->c)) text_format(out, "%llu: ", (unsigned long long)invocations_of(largest));
    put_over(out, row, largest, cell);
}

void put_over_pick(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct record *pick = row->choice ? row->choice->shape : NULL;
    put_over(out, row, pick ? with_shape(row->c, pick) : NULL, cell);
}

// ---- of a kernel

// "256 (=128)", "256 (=128, 2 more)"
void put_pick(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct choice *choice = row->choice;
    if (!choice->shape) {
        text_append(out, NOT_MEASURED);
        return;
    }
    cell->sort = (double)invocations_of(choice->shape);
    put_shape(out, choice->shape);
    if (!choice->ties) return;
    text_append(out, " (=");
    put_shape(out, choice->tie);
    if (choice->ties > 1) text_format(out, ", %zu more", choice->ties - 1);
    text_append(out, ")");
}

void put_pick_regret(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    cell->sort = row->choice->regret.worst;
    put_factor(out, cell->sort);
}

void put_pick_at(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    const struct view_case *at = row->choice->regret.at;
    if (!at || !(row->choice->regret.worst > 1)) { // it loses nowhere
        text_append(out, NOT_MEASURED);
        return;
    }
    put_dims_named(out, at->records[0]);
    cell->sort = record_bucket(at->records[0]);
}

void put_pick_sizes(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    size_t sizes = 0;
    for (size_t i = 0; i < row->kernel->count; i++) sizes += has_choice(&row->kernel->cases[i]);
    cell->sort = (double)sizes;
    text_format(out, "%zu", sizes);
}

void put_pick_shapes(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    cell->sort = (double)row->choice->shapes;
    text_format(out, "%zu", row->choice->shapes);
}

// "1.21x", "1.21x (2/3)" where it was timed at two of three sizes, "1.21x, wrong" where it is not right at some size.
static void put_regret(struct text *out, const struct row *row, enum thumb thumb, struct cell *cell) {
    struct regret regret = regret_of_thumb(row->kernel, thumb);
    cell->sort = regret.worst;
    if (thumb == THUMB_LARGEST && regret.timed)
        text_format(out, "%llu: ", (unsigned long long)invocations_of(thumb_record(regret.at, thumb)));
    if (regret.timed || !regret.wrong) put_factor(out, regret.worst);
    if (regret.timed && regret.timed < regret.sizes) text_format(out, " (%zu/%zu)", regret.timed, regret.sizes);
    if (regret.wrong) text_append(out, regret.timed ? ", wrong" : "wrong");
}

void put_regret_default(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    put_regret(out, row, THUMB_DEFAULT, cell);
}

void put_regret_systems(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    put_regret(out, row, THUMB_SEEDS, cell);
}

void put_regret_64(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    put_regret(out, row, THUMB_64, cell);
}

void put_regret_256(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    put_regret(out, row, THUMB_256, cell);
}

void put_regret_largest(struct text *out, const void *of, struct cell *cell) {
    const struct row *row = of;
    put_regret(out, row, THUMB_LARGEST, cell);
}
