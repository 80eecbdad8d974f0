// SPDX-License-Identifier: Apache-2.0
#include "sample_params.h"

#include "../../../reference/philox.h"
#include "../../../reference/operator.h"

#include <math.h>
#include <string.h>

_Static_assert((int)COVERING_FACTORS >= (int)OPERATOR_PARAMS && (int)COVERING_LEVELS >= (int)(PARAMETER_TELLING + 2),
    "parameters are a row");

// Draws a value between the least and greatest value of the parameter, more often near the least. It has seven bits,
// so every float type can represent it.
static double drawn(const struct parameter *param, uint32_t bits) {
    double low = param->standard, high = param->standard, share = philox_uniform(bits);
    int exponent = 0;
    for (int i = 0; i < param->telling.count; i++) {
        low = fmin(low, param->telling.values[i]);
        high = fmax(high, param->telling.values[i]);
    }
    double value = low + (high - low) * share * share * share;
    if (param->integer) return floor(value);
    return fmin(fmax(ldexp(round(ldexp(frexp(value, &exponent), 7)), exponent - 7), low), high);
}

// Levels of a parameter: its default, its telling values, and a drawn value.
static int levels_of(const struct parameter *param) {
    return param->telling.count ? param->telling.count + 2 : 1;
}

// Lists every combination of levels, the defaults first.
static struct covering_row *list_rows(struct arena *arena, const struct op *op, size_t *count) {
    *count = 1;
    for (int i = 0; i < operator_params(op); i++) *count *= (size_t)levels_of(&op->params[i]);
    struct covering_row *rows = arena_alloc(arena, *count, sizeof *rows);
    for (size_t row = 0; row < *count; row++) {
        size_t left = row;
        for (int i = 0; i < operator_params(op); left /= (size_t)levels_of(&op->params[i++]))
            rows[row].level[i] = (uint8_t)(left % (size_t)levels_of(&op->params[i]));
    }
    return rows;
}

struct param_sample sample_params(struct arena *arena, const struct op *op, uint64_t key) {
    struct param_sample out;
    size_t count, *order;
    struct arena scratch = {0};
    struct covering_row *rows = list_rows(&scratch, op, &count);
    out.count = covering_choose(&scratch, rows, count, operator_params(op), NULL, key, count, &order, &out.pairs);
    out.items = arena_alloc(arena, out.count + (size_t)op->together.count, sizeof *out.items);
    for (size_t i = 0; i < out.count; i++)
        for (int p = 0; p < operator_params(op); p++) {
            const uint32_t bits = philox(key, (uint64_t)i * OPERATOR_PARAMS + (uint64_t)p, 9).v[0];
            const struct parameter *param = &op->params[p];
            const int level = rows[order[i]].level[p];
            out.items[i].value[p] = level == 0                      ? param->standard
                                    : level <= param->telling.count ? param->telling.values[level - 1]
                                                                    : drawn(param, bits);
        }
    for (int i = 0; i < op->together.count; i++)
        memcpy(out.items[out.count++].value, op->together.values[i], sizeof out.items->value);
    arena_free(&scratch);
    return out;
}
