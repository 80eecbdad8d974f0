// SPDX-License-Identifier: Apache-2.0
// Builds a point's name, and the command line to run the point again.
#include "../../../reference/table.h"
#include "../../base/text.h"
#include "suite.h"
#include "../../shader/manifest/shape.h"
#include "../../../reference/operator.h"

#include <stdlib.h>
#include <string.h>

const char *point_dtype(const struct point *point) {
    return point->kernel->probe ? "probe" : dtype_info(point->dtype)->name;
}

static void append_whole(struct text *text, int64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) digits[--at] = '-';
    text_append_n(text, digits + at, sizeof digits - at);
}

// Appends a name with its value. Plans name each shape of each case, and formats took a quarter of their time.
static void append_pair(struct text *text, const char *separator, const char *name, int64_t value) {
    text_append(text, separator);
    text_append(text, name);
    text_append(text, "=");
    append_whole(text, value);
}

static void append_case(struct text *text, const struct point *point) {
    const struct op *op = point->kernel->op;
    text_format(text, "%s/%s/", point->kernel->name, point_dtype(point));
    const char *separator = "";
    for (int i = 0; i < operator_dims(op); i++) {
        append_pair(text, separator, op->dims[i], point->dims[i]);
        separator = ",";
    }
    for (int i = 0; i < operator_params(op); i++) {
        if (point->params[i] == op->params[i].standard) continue;
        text_format(text, "%s%s=", separator, op->params[i].name);
        text_number(text, point->params[i]);
        separator = ",";
    }
}

static void append_shape(struct text *text, const struct point *point) {
    const struct kernel *kernel = point->kernel;
    uint32_t wg[3];
    shape_workgroup(kernel, &point->shape, wg);
    for (int axis = 0; axis < 3; axis++) {
        text_append(text, axis ? "x" : "/wg=");
        append_whole(text, wg[axis]);
    }
    for (int i = 0; i < kernel->tunable_count; i++)
        if (strncmp(kernel->tunables[i].name, "WG_", 3) != 0)
            append_pair(text, ",", kernel->tunables[i].name, point->shape.value[i]);
}

void point_name(struct arena *arena, struct point *point) {
    struct text text = {0};
    append_case(&text, point);
    point->case_length = text.length;
    append_shape(&text, point);
    if (point->inputs_count) {
        const int digits = exhaustive_bits(point->kernel, point->dtype) / 4;
        const unsigned long long first = point->inputs_first, last = first + point->inputs_count - 1;
        text_format(&text, "/bits=%0*llx-%0*llx", digits, first, digits, last);
    }
    if (point->draws) text_format(&text, "/draws=%d", point->draws);
    point->name = arena_take(arena, &text);
}

struct point point_of_mutant(struct arena *arena, const struct mutant_of *mutant) {
    struct point out = mutant->set->points[0];
    out.mutant = mutant;
    out.draws = 0;
    out.name = arena_format(arena, "%s!%s", out.kernel->name, mutant->name);
    out.case_length = strlen(out.name);
    return out;
}

void point_of_device(struct point *point, const struct device_info *device) {
    const struct shape standard = kernel_case_shape(point->kernel, device, point->dtype, point->dims);
    point->is_default = shape_equal(point->kernel, &point->shape, &standard);
}

// Writes a path for a shell. The user's home becomes "~", because results are made to be shared.
static void put_path(struct text *out, const char *path) {
    const char *home = getenv("HOME");
    size_t length = home ? strlen(home) : 0;
    if (length > 1 && strncmp(path, home, length) == 0 && path[length] == '/') {
        text_append(out, "~/");
        path += length + 1;
    }
    text_shell_word(out, path);
}

const char *point_replay(struct arena *arena, const struct point *point, uint64_t seed) {
    struct text line = {0};
    if (point->mutant) {
        text_format(&line, "vkassay mutate %s --mutant ", point->kernel->name);
        text_shell_word(&line, point->mutant->name);
    } else {
        text_format(&line, "vkassay check '%s'", point->name);
    }
    text_format(&line, " --seed %llu", (unsigned long long)seed);
    const char *object = operators_added_from(point->kernel->op);
    if (object) {
        text_append(&line, " --operators ");
        put_path(&line, object);
    }
    if (point->kernel->given) {
        text_append(&line, point->kernel->alone ? " --only " : " --kernels ");
        put_path(&line, point->kernel->given);
    }
    return arena_take(arena, &line);
}

bool point_same_case(const struct point *a, const struct point *b) {
    return a->case_length == b->case_length && memcmp(a->name, b->name, a->case_length) == 0;
}
