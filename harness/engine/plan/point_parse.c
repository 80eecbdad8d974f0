// SPDX-License-Identifier: Apache-2.0
// Parses a point's name.
#include "suite.h"
#include "../../shader/manifest/known_names.h"
#include "probes.h"
#include "problem.h"
#include "../../shader/manifest/shape.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct parsing {
    struct arena *arena;
    const struct kernels *kernels;
    const char *name; // the whole name, for errors
    struct point *point;
    struct error *err;
};

#define FAIL(p, ...) error_set((p)->err, STATUS_USAGE, "%s: %s", (p)->name, arena_format((p)->arena, __VA_ARGS__))

static bool parse_kernel(struct parsing *p, const char *name) {
    p->point->kernel = kernel_named(p->kernels, name);
    if (!p->point->kernel) p->point->kernel = kernel_named(probes(), name);
    if (p->point->kernel) return true;
    struct known_names names = {0};
    names_of_kernels(&names, p->kernels);
    return FAIL(p, "there is no kernel \"%s\"%s", name, names_hint(p->arena, &names, name));
}

static bool parse_dtype(struct parsing *p, const char *name) {
    const struct kernel *kernel = p->point->kernel;
    p->point->dtype = dtype_named(name);
    if (kernel->probe ? strcmp(name, "probe") == 0 : kernel->dtypes[p->point->dtype]) return true;
    struct known_names names = {0};
    if (kernel->probe) return FAIL(p, "%s is a probe: expected %s/probe/...", kernel->name, kernel->name);
    names_of_dtypes(&names, kernel->dtypes);
    return FAIL(p, "kernel %s has no dtype \"%s\"%s", kernel->name, name, names_hint(p->arena, &names, name));
}

// Parses a decimal integer of 32 bits, with nothing before or after it.
static bool parse_integer(const char *text, int64_t *out) {
    int64_t value = 0;
    if (!*text) return false;
    for (; *text >= '0' && *text <= '9'; text++) {
        value = value * 10 + (*text - '0');
        if (value > UINT32_MAX) return false;
    }
    *out = value;
    return !*text;
}

// Cuts "key=value" at '='. Returns the value; NULL: there is no '='.
static char *cut_value(char *item) {
    char *equals = strchr(item, '=');
    if (!equals || equals == item) return NULL;
    *equals = '\0';
    return equals + 1;
}

static bool parse_dims(struct parsing *p, char *list) {
    struct problem_setter setter = problem_setter(p->arena, p->point);
    for (char *item; (item = strsep(&list, ","));) {
        const char *value = cut_value(item);
        if (!value) return FAIL(p, "expected dims as name=value,..., found \"%s\"", item);
        char *end;
        const double number = strtod(value, &end);
        if (!*value || *end || value[strspn(value, "0123456789+-.eE")])
            return FAIL(p, "expected a number for %s, found \"%s\"", item, value);
        const char *why = problem_set(&setter, item, number);
        if (why) return FAIL(p, "%s", why);
    }
    const char *why = problem_derive(&setter);
    return !why || FAIL(p, "%s", why);
}

// Parses "16x16x1" into WG_X, WG_Y and WG_Z. An axis not tuned by the kernel must be 1.
static bool parse_workgroup(struct parsing *p, char *text) {
    for (int axis = 0; axis < 3; axis++) {
        const char *part = strsep(&text, "x");
        int64_t size;
        if (!part || !parse_integer(part, &size) || (axis == 2 && text))
            return FAIL(p, "expected the workgroup as wg=XxYxZ, three whole numbers");
        bool tuned = shape_value(p->point->kernel, &p->point->shape, workgroup_names[axis], -1) >= 0;
        const char *why = tuned || size != 1
                              ? shape_set(p->arena, p->point->kernel, &p->point->shape, workgroup_names[axis], size)
                              : NULL;
        if (why) return FAIL(p, "%s", why);
    }
    return true;
}

static bool parse_tunable(struct parsing *p, char *item, bool *given) {
    const struct kernel *kernel = p->point->kernel;
    int64_t number;
    const char *value = cut_value(item);
    if (!value || !parse_integer(value, &number))
        return FAIL(
            p, "expected a tunable as NAME=integer, found \"%s%s%s\"", item, value ? "=" : "", value ? value : "");
    if (strncmp(item, "WG_", 3) == 0) return FAIL(p, "%s stands in wg=XxYxZ", item);
    const char *why = shape_set(p->arena, kernel, &p->point->shape, item, number);
    if (why) return FAIL(p, "%s", why);
    for (int i = 0; i < kernel->tunable_count; i++) {
        if (strcmp(kernel->tunables[i].name, item) != 0) continue;
        if (given[i]) return FAIL(p, "%s is given twice", item);
        given[i] = true;
    }
    return true;
}

static bool parse_shape(struct parsing *p, char *list) {
    const struct kernel *kernel = p->point->kernel;
    bool given[KERNEL_TUNABLES] = {0};
    p->point->shape = kernel_default_shape(kernel, NULL);
    char *item = strsep(&list, ",");
    if (strncmp(item, "wg=", 3) != 0) return FAIL(p, "expected the shape to begin with wg=XxYxZ, found \"%s\"", item);
    if (!parse_workgroup(p, item + 3)) return false;
    while ((item = strsep(&list, ",")))
        if (!parse_tunable(p, item, given)) return false;
    for (int i = 0; i < kernel->tunable_count; i++)
        if (!given[i] && strncmp(kernel->tunables[i].name, "WG_", 3) != 0)
            return FAIL(p, "the tunable %s is missing", kernel->tunables[i].name);
    return true;
}

// Parses hexadecimal digits up to the byte `end`, and moves *text behind them.
static bool parse_bits(const char **text, char end, uint64_t *out) {
    size_t digits = strspn(*text, "0123456789abcdefABCDEF");
    if (digits < 1 || digits > 8 || (*text)[digits] != end) return false;
    *out = strtoull(*text, NULL, 16);
    *text += digits;
    return true;
}

static bool parse_draws(struct parsing *p, const char *text) {
    char *end;
    long draws = strtol(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || draws < 1 || draws > ERROR_DRAWS)
        return FAIL(p, "expected draws=N with N from 1 to %d", ERROR_DRAWS);
    p->point->draws = (int)draws;
    return true;
}

static bool parse_part(struct parsing *p, const char *text) {
    struct point *point = p->point;
    int bits = exhaustive_bits(point->kernel, point->dtype);
    uint64_t last;
    if (strncmp(text, "draws=", 6) == 0) return parse_draws(p, text + 6);
    if (strncmp(text, "bits=", 5) != 0)
        return FAIL(
            p, "expected bits=FIRST-LAST of an exhaustive check, draws=N of one of errors, or four parts alone");
    const char *at = text + 5;
    if (!parse_bits(&at, '-', &point->inputs_first) || (at++, !parse_bits(&at, '\0', &last)))
        return FAIL(p, "expected bits=FIRST-LAST, two hexadecimal numbers");
    if (!bits)
        return FAIL(
            p, "it cannot be checked exhaustively: its operator is not one of single elements of at most 32 bits");
    if (point->inputs_first > last || last >> bits) return FAIL(p, "expected bits that ascend and fit %d bits", bits);
    point->inputs_count = last - point->inputs_first + 1;
    return true;
}

bool point_parse(
    struct arena *arena, const struct kernels *kernels, const char *name, struct point *out, struct error *err) {
    *out = (struct point){0};
    struct parsing p = {arena, kernels, name, out, err};
    char *part[4] = {arena_copy(arena, name)}, *last;
    for (int i = 1; i < 4; i++) {
        part[i] = strchr(part[i - 1], '/');
        if (!part[i]) return FAIL(&p, "expected the name of a point, KERNEL/DTYPE/DIMS/SHAPE");
        *part[i]++ = '\0';
    }
    last = strchr(part[3], '/');
    if (last) *last++ = '\0';
    if (last && strchr(last, '/'))
        return FAIL(&p, "expected the name of a point, KERNEL/DTYPE/DIMS/SHAPE; this has more parts");
    if (!parse_kernel(&p, part[0]) || !parse_dtype(&p, part[1]) || !parse_dims(&p, part[2]) ||
        !parse_shape(&p, part[3]) || (last && !parse_part(&p, last)))
        return false;
    point_of_device(out, NULL);
    out->systems = shape_systems(arena, out->kernel, &out->shape);
    point_name(arena, out);
    return true;
}
