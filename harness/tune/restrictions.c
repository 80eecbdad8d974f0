// SPDX-License-Identifier: Apache-2.0
#include "exports.h"

#include "../device/profile.h"
#include "../plan/needs.h"
#include "../record/record.h"
#include "../device/device_info.h"
#include "../record/result.h"

#include <string.h>

// The conditions under construction, for one kernel at the dims of one case.
struct restricting {
    struct arena arena;
    struct point point;
    bool known;
    struct device_info device; // narrowed to the result's profile
    struct json_object *list;
    struct json_object *parameters; // of the current expression
    struct text text;
};

static const char *const workgroup[3][2] = {
    {"WG_X", "block_size_x"}, {"WG_Y", "block_size_y"}, {"WG_Z", "block_size_z"}};

const char *tuner_name(const char *tunable) {
    for (int axis = 0; axis < 3; axis++)
        if (strcmp(tunable, workgroup[axis][0]) == 0) return workgroup[axis][1];
    return tunable;
}

static bool start(struct restricting *r, const struct export_case *one) {
    struct error ignored;
    *r = (struct restricting){.device = *one->result->device, .list = json_object_new_array()};
    device_narrow(&r->device, &one->result->device->profile);
    r->known = one->kernels && kernel_named(one->kernels, one->records[0]->kernel) &&
               point_parse(&r->arena, one->kernels, one->records[0]->name, &r->point, &ignored);
    return r->known;
}

// ---- expressions

static void put_name(struct restricting *r, const char *tunable) {
    const char *name = tuner_name(tunable);
    bool there = false;
    for (size_t i = 0; r->parameters && i < json_object_array_length(r->parameters); i++)
        there |= strcmp(json_object_get_string(json_object_array_get_idx(r->parameters, i)), name) == 0;
    if (r->parameters && !there) json_object_array_add(r->parameters, json_object_new_string(name));
    text_append(&r->text, name);
}

static void put_quotient(struct restricting *r, const struct quotient *quotient);

static void put_product(struct restricting *r, const struct product *product) {
    const struct op *op = r->point.kernel->op;
    for (int i = 0; i < product->count; i++) {
        const struct factor *factor = &product->factors[i];
        int dim = factor->name ? operator_dim_index(op, factor->name) : -1;
        if (i) text_append(&r->text, " * ");
        if (factor->rounded)
            put_quotient(r, factor->rounded);
        else if (factor->name && dim < 0)
            put_name(r, factor->name);
        else
            text_format(&r->text, "%lld", (long long)(dim < 0 ? factor->number : r->point.dims[dim]));
    }
    if (!product->count) text_append(&r->text, "1");
}

// Appends a quotient, rounded up.
static void put_quotient(struct restricting *r, const struct quotient *quotient) {
    text_append(&r->text, "((");
    put_product(r, &quotient->over);
    text_append(&r->text, " + ");
    put_product(r, &quotient->by);
    text_append(&r->text, " - 1) // (");
    put_product(r, &quotient->by);
    text_append(&r->text, "))");
}

static void begin(struct restricting *r) {
    r->parameters = json_object_new_array();
}

// Keeps the expression if it mentions a tunable.
static void end(struct restricting *r) {
    if (json_object_array_length(r->parameters)) {
        struct json_object *condition = json_object_new_object();
        json_put_string(condition, "Expression", text_str(&r->text));
        json_put(condition, "Parameters", r->parameters);
        json_object_array_add(r->list, condition);
    } else {
        json_object_put(r->parameters);
    }
    r->parameters = NULL;
    text_free(&r->text);
}

// ---- sources of conditions

// Adds the condition of a row on one axis: the sum of its products is within the limit. A subgroup size of 0 leaves
// the choice to the driver.
static void add_limit(struct restricting *r, const struct limit_need *row, int axis) {
    const struct product *terms;
    const uint64_t allowed = device_limit(&r->device, row->limit, axis);
    const int count = row->terms && allowed ? row->terms(r->point.kernel, axis, &terms) : 0;
    if (!count) return;
    begin(r);
    if (row->of_subgroup) {
        put_name(r, "SUBGROUP");
        text_append(&r->text, " == 0 or ");
    }
    for (int i = 0; i < count; i++) {
        if (i) text_append(&r->text, " + ");
        put_product(r, &terms[i]);
    }
    const bool least = device_limits[row->limit].sense == LIMIT_LEAST;
    text_format(&r->text, " %s %llu", least ? ">=" : "<=", (unsigned long long)allowed);
    end(r);
}

// Adds the condition of a device without control of the subgroup size: none may be required but its only one.
static void add_fixed_subgroup(struct restricting *r) {
    const struct device_info *device = &r->device;
    begin(r);
    put_name(r, "SUBGROUP");
    text_append(&r->text, " == 0");
    if (subgroup_size_is_constant(device, device->subgroup_size))
        text_format(&r->text, " or SUBGROUP == %u", device->subgroup_size);
    end(r);
}

static void add_limits(struct restricting *r) {
    bool tuned = false;
    for (int i = 0; i < r->point.kernel->tunable_count; i++)
        tuned |= strcmp(r->point.kernel->tunables[i].name, "SUBGROUP") == 0 && r->device.max_subgroup_size;
    const bool controls = r->device.features[FEATURE_SUBGROUP_SIZE];
    for (int l = 0; l < LIMIT_COUNT; l++) {
        const struct limit_need *row = limit_needs;
        while ((int)row->limit != l) row++;
        if (row->of_subgroup && (!tuned || !controls)) continue;
        for (int axis = 0; axis < limit_parts(&device_limits[l]); axis++) add_limit(r, row, axis);
    }
    if (tuned && !controls) add_fixed_subgroup(r);
}

static void put_equal(struct restricting *r, const struct product *side, uint32_t size) {
    put_product(r, side);
    text_format(&r->text, " == %u", size);
}

static void add_cooperative(struct restricting *r) {
    const struct cooperative_use *use = &r->point.kernel->cooperative;
    bool any = false;
    if (!use->used) return;
    begin(r);
    for (int i = 0; i < r->device.cooperative_count; i++) {
        const struct cooperative *has = &r->device.cooperative[i];
        if (has->a != use->a || has->b != use->b || has->c != use->c || has->result != use->result) continue;
        text_append(&r->text, any ? " or (" : "(");
        put_equal(r, &use->m, has->m);
        text_append(&r->text, " and ");
        put_equal(r, &use->n, has->n);
        text_append(&r->text, " and ");
        put_equal(r, &use->k, has->k);
        text_append(&r->text, ")");
        any = true;
    }
    end(r);
}

static void add_rule(struct restricting *r, const struct rule *rule) {
    static const char *const between[] = {[RULE_MULTIPLE] = ") % (", [RULE_AT_MOST] = " <= ", [RULE_EQUAL] = " == "};
    begin(r);
    if (rule->kind == RULE_MULTIPLE) text_append(&r->text, "(");
    put_product(r, &rule->of);
    text_append(&r->text, between[rule->kind]);
    put_product(r, &rule->by);
    if (rule->kind == RULE_MULTIPLE) text_append(&r->text, ") == 0");
    end(r);
}

struct json_object *restrictions_make(const struct export_case *one) {
    struct restricting r;
    if (start(&r, one)) {
        add_limits(&r);
        add_cooperative(&r);
        for (int i = 0; i < r.point.kernel->rule_count; i++) add_rule(&r, &r.point.kernel->rules[i]);
    }
    arena_free(&r.arena);
    return r.list;
}

void restrictions_grid(const struct export_case *one, struct text axes[3]) {
    struct restricting r;
    bool known = start(&r, one);
    for (int axis = 0; axis < 3; axis++) {
        const struct quotient *quotient = known ? &r.point.kernel->passes[0].grid[axis] : NULL;
        if (!quotient || (!quotient->over.count && !quotient->by.count)) {
            text_append(&axes[axis], "1");
            continue;
        }
        text_append(&r.text, "(");
        put_product(&r, &quotient->over);
        text_append(&r.text, " + ");
        put_product(&r, &quotient->by);
        text_append(&r.text, " - 1) // (");
        put_product(&r, &quotient->by);
        text_append(&r.text, ")");
        text_append(&axes[axis], text_str(&r.text));
        text_free(&r.text);
    }
    json_object_put(r.list);
    arena_free(&r.arena);
}
