// SPDX-License-Identifier: Apache-2.0
// Classes of sizes: a size relative to a width of the shape. Few points have every three of: two tunables' values and
// a dim's class, a tunable's value and two dims' classes, three dims' classes.
#include "../../base/hash.h"
#include "covering.h"
#include "edges.h"
#include "sampler.h"

#include <math.h>
#include <string.h>

enum size_class {
    CLASS_LEAST, // 1
    CLASS_FEW,   // 2 to 5
    CLASS_SHORT, // a width less one
    CLASS_TILE,  // a width
    CLASS_OVER,  // a width and one
    CLASS_TILES, // two or three widths
    CLASS_HALF,  // two widths and a half: whole vectors, but no whole number of widths
    CLASS_TAIL,  // two widths and any part of a third
    CLASS_MANY,  // hundreds
    CLASS_LONG,  // a product of two widths, or one beside it: loops over tiles have a second iteration
    CLASSES
};
// MOST_POINTS, FEW_POINTS: points added in the first type of an operator of few dims, and elsewhere. DRAWN: rows drawn
// for each shape. FACTORS: tunables, then dims. FIRST_WIDTHS: of a dim, the widths taken.
enum { MOST_POINTS = 48, FEW_POINTS = 12, DRAWN = 24, FACTORS = KERNEL_TUNABLES + OPERATOR_DIMS, FIRST_WIDTHS = 3 };
enum { TRIPLES = 1 << 20, NO_WIDTH = 4 };

// Of a kernel with barriers, on a CPU: its invocations are dear.
static const struct sample_limits with_barriers = {
    .elements = 1 << 18, .operations = 4e6, .invocations = 1 << 16, .steps = 1 << 22, .iterations = INFINITY};

struct class_row {
    size_t shape;
    uint8_t level[FACTORS]; // of tunables: the index of the value
};

// held: by the hash of three places; two triples may share a bit
struct class_cover {
    const struct case_sampler *s;
    uint8_t *held;
    struct class_row *rows;
    size_t count;
    int tunables, factors;
};

// Returns how many triples are new; marks them if `hold`. Triples of tunables only are left to the choice of shapes.
static int new_triples(const struct class_cover *c, const struct class_row *row, bool hold) {
    int fresh = 0;
    for (int k = c->tunables; k < c->factors; k++)
        for (int j = 0; j < k; j++)
            for (int i = 0; i <= j; i++) {
                const uint8_t key[] = {(uint8_t)i, row->level[i], (uint8_t)j, row->level[j], (uint8_t)k, row->level[k]};
                uint8_t *held = &c->held[hash_bytes(HASH_START, key, sizeof key) % TRIPLES];
                fresh += !*held;
                if (hold) *held = 1;
            }
    return fresh;
}

static void draw_rows(struct class_cover *c, struct case_sampler *s, const struct shape_sample *shapes) {
    for (size_t i = 0; i < shapes->count; i++)
        for (int n = 0; n < DRAWN; n++) {
            struct class_row *row = &c->rows[c->count++];
            row->shape = i;
            for (int t = 0; t < c->tunables; t++)
                row->level[t] = sample_level(&s->kernel->tunables[t], shapes->items[i].value[t]);
            for (int f = c->tunables; f < c->factors; f++) row->level[f] = (uint8_t)sampler_draw_below(s, CLASSES);
        }
}

static int64_t draw_width(struct case_sampler *s, const int64_t *widths, int count) {
    return count ? widths[sampler_draw_below(s, (size_t)(count < FIRST_WIDTHS ? count : FIRST_WIDTHS))] : NO_WIDTH;
}

static int64_t size_of(struct case_sampler *s, const struct shape *shape, int dim, enum size_class class) {
    int64_t widths[EDGE_WIDTHS];
    const int count = edge_widths(s->kernel, shape, dim, widths);
    const int64_t width = draw_width(s, widths, count);
    switch (class) {
    case CLASS_FEW:
        return 2 + (int64_t)sampler_draw_below(s, 4);
    case CLASS_SHORT:
        return width - 1;
    case CLASS_TILE:
        return width;
    case CLASS_OVER:
        return width + 1;
    case CLASS_TILES:
        return width * (2 + (int64_t)sampler_draw_below(s, 2));
    case CLASS_HALF:
        return width * 2 + width / 2;
    case CLASS_TAIL:
        return width * 2 + (int64_t)sampler_draw_below(s, (size_t)width);
    case CLASS_MANY:
        return 129 + (int64_t)sampler_draw_below(s, 512);
    case CLASS_LONG:
        return width * draw_width(s, widths, count) - 1 + (int64_t)sampler_draw_below(s, 3);
    case CLASS_LEAST:
    case CLASSES:
        break;
    }
    return 1;
}

// Adds the row's point, with as many sizes as affordable.
static bool add_row(struct case_sampler *s, const struct class_cover *c, const struct class_row *row,
    const struct shape *shape, int *added) {
    const int dims = operator_dims(s->kernel->op), first = (int)sampler_draw_below(s, (size_t)dims);
    struct point point = sampler_thin(s, shape, -1);
    for (int i = 0; i < dims; i++) {
        const int dim = (first + i) % dims;
        const enum size_class class = (enum size_class)row->level[c->tunables + dim];
        if (class == CLASS_LEAST || !sampler_is_size(s->kernel->op, dim)) continue;
        sampler_set_size(s, shape, point.dims, dim, size_of(s, shape, dim, class));
    }
    point.shape = *shape;
    return sampler_is_planned(s, &point) || sampler_add(s, &point, shape, added);
}

static size_t best_row(const struct class_cover *c, int *most) {
    size_t best = 0;
    *most = 0;
    for (size_t i = 0; i < c->count; i++) {
        const int fresh = new_triples(c, &c->rows[i], false);
        if (fresh <= *most) continue;
        *most = fresh;
        best = i;
    }
    return best;
}

bool sampler_classes(struct case_sampler *s, const struct shape_sample *shapes) {
    if (!s->deep || !shapes->count) return true;
    struct arena scratch = {0};
    struct class_cover cover = {.s = s,
        .held = arena_alloc(&scratch, TRIPLES, 1),
        .rows = arena_alloc(&scratch, shapes->count * DRAWN, sizeof *cover.rows),
        .tunables = s->kernel->tunable_count,
        .factors = s->kernel->tunable_count + operator_dims(s->kernel->op)};
    draw_rows(&cover, s, shapes);
    // Points of operators of many dims take seconds on a CPU.
    const bool many = sampler_is_first_type(s) && operator_dims(s->kernel->op) <= SAMPLER_MANY_DIMS;
    const int wanted = many ? MOST_POINTS : FEW_POINTS;
    const struct sample_limits *before = s->limits;
    bool ok = true;
    if (s->kernel->shared_count) s->limits = &with_barriers;
    for (int tries = 0, added = 0; ok && tries < 2 * wanted && added < wanted; tries++) {
        int fresh;
        const struct class_row *row = &cover.rows[best_row(&cover, &fresh)];
        if (!fresh) break;
        new_triples(&cover, row, true);
        ok = add_row(s, &cover, row, &shapes->items[row->shape], &added);
    }
    s->limits = before;
    arena_free(&scratch);
    return ok;
}
