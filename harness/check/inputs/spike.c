// SPDX-License-Identifier: Apache-2.0
#include "spike.h"

#include <math.h>
#include <string.h>

enum { DRAW_SPIKE = 13 }; // a counter of the generator, unlike those of fill.c and plan/lines.c

struct spiked spiked_of(const struct fill_request *r) {
    struct spiked spiked = {.spike = r->spike, .key = r->spike_key, .length = 1, .beyond = 1};
    for (int i = operand_rank(r->operand->shape) - 1; i >= 0; i--) {
        spiked.beyond *= spiked.length;
        spiked.length = r->dims[operator_dim_index(r->op, r->operand->shape[i])];
        if (strcmp(r->operand->shape[i], r->spike->along) == 0) break;
    }
    if (!r->spike->flat) return spiked;
    spiked.length *= spiked.beyond;
    spiked.beyond = 1;
    return spiked;
}

static double beside(const struct spike *spike, int64_t i, const struct philox *block) {
    const uint32_t more = block->v[(i + 1) & 3];
    const double drawn = spike->rest_low + (spike->rest_high - spike->rest_low) * philox_uniform(block->v[i & 3]);
    if (spike->sparse && more % 8) return spike->none;
    return spike->signs && (more & 8) ? -drawn : spike->whole ? floor(drawn) : drawn;
}

double spike_at(const struct spiked *s, int64_t i, const struct philox *block) {
    const struct spike *spike = s->spike;
    const int64_t place = i / s->beyond % s->length, line = i / s->beyond / s->length, third = s->length / 3;
    const struct philox bits = philox(s->key, (uint64_t)line, DRAW_SPIKE);
    const int64_t from = (place - (int64_t)(bits.v[0] % (uint64_t)s->length) + s->length) % s->length;
    const double one = spike->low + (spike->high - spike->low) * philox_uniform(bits.v[1]);
    if (from == 0) return one;
    if (spike->balanced && (from == third || from == 2 * third)) return -one / 2;
    return beside(spike, i, block) + (spike->beside ? one : 0);
}
