// SPDX-License-Identifier: Apache-2.0
#include "writing.h"

#include "../../../../reference/operator.h"

const struct fit *writing_fit(const struct writing *w, int recording) {
    return &w->from->recordings[recording].fit;
}

const char *writing_dim(const struct op *op, int dim) {
    const int given = operator_dims(op);
    return dim < given ? op->dims[dim] : op->derived[dim - given];
}

int writing_dims(const struct op *op) {
    return operator_dims(op) + operator_derived(op);
}

struct json_object *writing_member(const char *key, struct json_object *value) {
    struct json_object *out = json_object_new_object();
    json_put(out, key, value);
    return out;
}
