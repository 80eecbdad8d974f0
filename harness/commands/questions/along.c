// SPDX-License-Identifier: Apache-2.0
#include "along.h"

#include "../../base/text.h"

#include <string.h>

struct along along_dim(struct arena *arena, const struct record *record, const char *dim) {
    struct along out = {
        .kernel = arena_format(arena, "%s %s", record->kernel, strrchr(record->name, '/') + 1),
    };
    struct text problem = {0};
    text_format(&problem, "%s %s", record->operator, record->dtype);
    for (int d = 0; d < record->dim_count; d++) {
        if (strcmp(record->dims[d].name, dim) == 0) {
            out.size = (int64_t)record->dims[d].value;
            continue;
        }
        text_format(&problem, " %s=", record->dims[d].name);
        text_number(&problem, record->dims[d].value);
    }
    out.problem = arena_take(arena, &problem);
    return out;
}
