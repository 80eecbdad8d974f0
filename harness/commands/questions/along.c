// SPDX-License-Identifier: Apache-2.0
#include "along.h"

#include "../../../reference/operator.h"
#include "../../../reference/table.h"
#include "../../base/text.h"

#include <string.h>

// Returns the operator of which a record is one line along the dim; NULL: none.
static const struct op *op_of_line(const struct record *record, const char *dim) {
    const struct op *op = operator_named(record->operator);
    for (int d = 0; d < record->dim_count; d++)
        if (strcmp(record->dims[d].name, dim) == 0) return NULL;
    op = op && op->line_of ? operator_named(op->line_of) : NULL;
    return op && strcmp(op->dims[0], dim) == 0 ? op : NULL;
}

struct along along_dim(struct arena *arena, const struct record *record, const char *dim) {
    const struct op *wide = op_of_line(record, dim);
    struct along out = {
        .kernel = arena_format(arena, "%s %s", record->kernel, strrchr(record->name, '/') + 1),
        .size = wide != NULL,
    };
    struct text problem = {0};
    text_format(&problem, "%s %s", wide ? wide->name : record->operator, record->dtype);
    for (int d = 0; d < record->dim_count; d++) {
        if (strcmp(record->dims[d].name, dim) == 0) {
            out.size = (int64_t)record->dims[d].value;
            continue;
        }
        text_format(&problem, " %s=", wide ? wide->dims[d + 1] : record->dims[d].name);
        text_number(&problem, record->dims[d].value);
    }
    out.problem = arena_take(arena, &problem);
    return out;
}
