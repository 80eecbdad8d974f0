// SPDX-License-Identifier: Apache-2.0
#include "pruned.h"

#include "../base/json.h"

#include <stdlib.h>
#include <string.h>

enum { REASONS = 32 };
struct reason {
    const char *pattern, *text; // of the first
    size_t shapes;
};

size_t shapes_in_all(const struct kernel *kernel) {
    size_t product = 1;
    for (int i = 0; i < kernel->tunable_count; i++)
        if (__builtin_mul_overflow(product, (size_t)kernel->tunables[i].value_count, &product)) return SIZE_MAX;
    return product;
}

static void count_reason(struct reason *reasons, size_t *count, const char *pattern, const char *text, size_t shapes) {
    size_t at = 0;
    while (at < *count && strcmp(reasons[at].pattern, pattern) != 0) at++;
    if (at == REASONS) at--; // the rest together
    if (at == *count) reasons[(*count)++] = (struct reason){pattern, text, 0};
    reasons[at].shapes += shapes;
}

static int most_first(const void *a, const void *b) {
    const struct reason *x = a, *y = b;
    return (x->shapes < y->shapes) - (x->shapes > y->shapes);
}

struct json_object *pruned_make(const struct point *points, size_t count) {
    static const char of_dims[] = "a rule of the manifest about these dims";
    struct arena scratch = {0};
    struct reason reasons[REASONS];
    size_t reason_count = 0, all = shapes_in_all(points[0].kernel);
    for (size_t i = 0; i < count; i++) {
        const struct refusal *why = points[i].refused;
        if (why) count_reason(reasons, &reason_count, refusal_pattern(&scratch, why), refusal_text(&scratch, why), 1);
    }
    if (all > count) count_reason(reasons, &reason_count, of_dims, of_dims, all - count);
    qsort(reasons, reason_count, sizeof *reasons, most_first);
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < reason_count; i++) {
        struct json_object *one = json_object_new_object();
        json_put_int(one, "shapes", (int64_t)reasons[i].shapes);
        json_put_string(one, "reason", reasons[i].text);
        json_object_array_add(list, one);
    }
    arena_free(&scratch);
    return list;
}
