// SPDX-License-Identifier: Apache-2.0
#include "outlier.h"
#include "../../../../reference/operator.h"

#include <math.h>
#include <string.h>

enum { DRAW_OUTLIER = 13 }; // a counter of the generator, unlike those of fill.c and plan/lines.c

struct with_outlier with_outlier_of(const struct fill_request *r) {
    struct with_outlier with_outlier = {.outlier = r->outlier, .key = r->outlier_key, .length = 1, .beyond = 1};
    for (int i = operand_rank(r->operand->shape) - 1; i >= 0; i--) {
        with_outlier.beyond *= with_outlier.length;
        with_outlier.length = r->dims[operator_dim_index(r->op, r->operand->shape[i])];
        if (strcmp(r->operand->shape[i], r->outlier->along) == 0) break;
    }
    if (!r->outlier->flat) return with_outlier;
    with_outlier.length *= with_outlier.beyond;
    with_outlier.beyond = 1;
    return with_outlier;
}

static double beside(const struct outlier *outlier, int64_t i, const struct philox *block) {
    const uint32_t more = block->v[(i + 1) & 3];
    const double drawn = outlier->rest_low + (outlier->rest_high - outlier->rest_low) * philox_uniform(block->v[i & 3]);
    if (outlier->sparse && more % 8) return outlier->none;
    return outlier->signs && (more & 8) ? -drawn : outlier->whole ? floor(drawn) : drawn;
}

double outlier_at(const struct with_outlier *s, int64_t i, const struct philox *block) {
    const struct outlier *outlier = s->outlier;
    const int64_t place = i / s->beyond % s->length, line = i / s->beyond / s->length, third = s->length / 3;
    const struct philox bits = philox(s->key, (uint64_t)line, DRAW_OUTLIER);
    const int64_t from = (place - (int64_t)(bits.v[0] % (uint64_t)s->length) + s->length) % s->length;
    const double one = outlier->low + (outlier->high - outlier->low) * philox_uniform(bits.v[1]);
    if (from == 0) return one;
    if (outlier->balanced && (from == third || from == 2 * third)) return -one / 2;
    return beside(outlier, i, block) + (outlier->beside ? one : 0);
}
