// SPDX-License-Identifier: Apache-2.0
// Repeated passes: the member "repeat", and bindings with "turns".
#include "manifest.h"
#include "dispatches.h"

#include <string.h>

bool read_bound_name(struct kernel_reading *r, const struct json_at *at, const char **out) {
    struct known_names names = {0};
    names_of_operands(&names, r->kernel->op);
    for (int i = 0; i < r->kernel->scratch_count; i++) names_add(&names, r->kernel->scratch[i].name);
    return read_name(r, at, &names, "operand or scratch buffer", out);
}
READ_KIND(, bound_name, const char *, read_bound_name, .schema = SCHEMA({"type" : "string"}))

// ---- variables

static bool check_variable_name(struct kernel_reading *r, const struct json_at *at, const char *name) {
    struct known_names taken = {0};
    names_of_dims(&taken, r->kernel->op);
    names_of_params(&taken, r->kernel->op);
    names_of_operands(&taken, r->kernel->op);
    names_of_tunables(&taken, r->kernel);
    names_add(&taken, "pad");
    if (!is_identifier(name) || strncmp(name, "WG_", 3) == 0)
        return json_fail(at, r->err, "expected the variable's name to be an identifier, found \"%s\"", name);
    if (names_have(&taken, name) || kernel_variable(r->kernel, name) >= 0)
        return json_fail(at, r->err, "\"%s\" is the name of something else; a variable needs another", name);
    return true;
}

static bool read_from(struct kernel_reading *r, const struct json_at *at, struct variable *out) {
    if (json_object_is_type(at->value, json_type_int) && json_object_get_int64(at->value) == 0)
        return out->from_zero = true;
    return read_product(r, at, &out->from);
}

static bool read_by(struct kernel_reading *r, const struct json_at *at, struct variable *out) {
    if (!read_product(r, at, &out->by)) return false;
    return out->step == STEP_ADD || !json_object_is_type(at->value, json_type_int) || out->by.factors[0].number >= 2 ||
           json_fail(at, r->err, "expected 2 or more: by 1 it would never end");
}
static bool read_below(struct kernel_reading *r, const struct json_at *at, struct variable *out) {
    out->below = true;
    if (out->step == STEP_DIVIDE) return json_fail(at, r->err, "a division ends with \"to\", its least value");
    return read_product(r, at, &out->end);
}

static const struct kind kind_zero = {.schema = SCHEMA({"const" : 0})};
static const struct kind *const from_forms[] = {&kind_product, &kind_zero, NULL};
READ_KIND(static, from, struct variable, read_from, .any = from_forms)
READ_KIND(static, factor_of_step, struct variable, read_by, .of = &kind_product,
    .schema = SCHEMA({"not" : {"type" : "integer", "maximum" : 1}}))
READ_KIND(static, summand_of_step, struct variable, read_by, .of = &kind_product)
READ_KIND(static, below, struct variable, read_below, .of = &kind_product)
static const struct field variable_fields[] = {
    {"divide", &kind_factor_of_step, 0, SPARSE},
    {"multiply", &kind_factor_of_step, 0, SPARSE},
    {"add", &kind_summand_of_step, 0, SPARSE},
    {"from", &kind_from, 0, SPARSE},
    {"to", &kind_product, offsetof(struct variable, end), SPARSE},
    {"below", &kind_below, 0, SPARSE},
    {0},
};
#define NOT_BOTH(ONE, OTHER)                                                                                           \
    "{\"not\": {\"properties\": {\"" ONE "\": {}, \"" OTHER "\": {}}, \"required\": [\"" ONE "\", \"" OTHER "\"]}}"
static const struct kind kind_variable = {.fields = variable_fields,
    .closed = true,
    .schema = "{\"allOf\": [" NOT_BOTH("divide", "multiply") ", " NOT_BOTH("divide", "add") ", " NOT_BOTH(
        "multiply", "add") ", " NOT_BOTH("to", "below") ", " NOT_BOTH("divide",
        "below") "], \"dependencies\": {\"divide\": [\"from\"]}}"};

// Reads a variable. Without a step, 1 is added. By default a divided variable has no turn once it reaches 1.
static bool read_variable(struct kernel_reading *r, const struct json_at *at, struct variable *out) {
    int steps = 0;
    out->step = STEP_ADD;
    for (int step = STEP_DIVIDE; step <= STEP_ADD; step++) {
        if (!json_get(at->value, variable_fields[step].key)) continue;
        out->step = (enum step_kind)step;
        steps++;
    }
    if (steps > 1) return json_fail(at, r->err, "expected one of divide, multiply and add, found %d", steps);
    if (!json_expect(at, json_type_object, r->err) || !kind_get(&kind_variable, r->arena, at, out, r->err))
        return false;
    const bool from = json_get(at->value, "from") != NULL, to = json_get(at->value, "to") != NULL;
    if (!from && out->step == STEP_DIVIDE)
        return json_fail(at, r->err, "expected a member \"from\": the number to divide");
    if (to && out->below) return json_fail(at, r->err, "expected one of to and below, found both");
    out->from_zero |= !from && out->step == STEP_ADD;
    out->has_end = to || out->below || out->step == STEP_DIVIDE;
    if (!to && !out->below) out->end = (struct product){.factors = {{.number = 2}}, .count = 1};
    return true;
}

static struct loop *add_loop(struct kernel_reading *r) {
    struct kernel *k = r->kernel;
    struct loop *loop = &k->loops[k->loop_count++];
    *loop = (struct loop){.first = k->pass_count, .outer = r->loop, .variable = k->variable_count};
    r->loop = k->loop_count;
    return loop;
}

// Adds a variable. An error inside it is kept as a mistake, but its name becomes known, so uses of the name are no
// errors.
static bool add_variable(struct kernel_reading *r, const struct json_at *at, const char *name) {
    struct kernel *k = r->kernel;
    struct json_at item;
    struct variable variable = {.name = arena_copy(r->arena, name), .has_end = true};
    if (k->variable_count == KERNEL_VARIABLES)
        return json_fail(at, r->err, "expected at most %d variables", KERNEL_VARIABLES);
    if (!json_member(at, name, false, &item, r->err) || !check_variable_name(r, &item, name)) return false;
    reading_note(r, read_variable(r, &item, &variable));
    k->variables[k->variable_count++] = variable;
    return true;
}

static bool read_repeat(struct kernel_reading *r, const struct json_at *at) {
    struct kernel *k = r->kernel;
    bool ends = false;
    if (!json_expect(at, json_type_object, r->err)) return false;
    if (k->loop_count == KERNEL_LOOPS)
        return json_fail(at, r->err, "expected at most %d that are repeated", KERNEL_LOOPS);
    struct loop *loop = add_loop(r);
    json_object_object_foreach(at->value, name, value) {
        (void)value;
        const bool added = add_variable(r, at, name);
        reading_note(r, added);
        loop->variables += added;
        ends |= !added || k->variables[k->variable_count - 1].has_end;
    }
    return ends || json_fail(at, r->err,
                       "nothing ends it: expected a variable with \"divide\", \"to\" or \"below\", as in {\"left\": "
                       "{\"from\": \"n\", \"divide\": 256}}");
}

LAYER_KIND(, repeat, read_repeat,
    .list = &(const struct item_list){.kind = &kind_variable, .most = KERNEL_VARIABLES, .named = true},
    .name = "repeat", .meaning = "Variables, by name: what each is from turn to turn.")

// ---- bindings

static bool read_turns(struct kernel_reading *r, const struct json_at *list, struct rotation *out) {
    struct json_at item;
    if (!read_list(r, list, TURN_NAMES, &out->count)) return false;
    if (!out->count) return json_fail(list, r->err, "expected at least one name");
    for (int i = 0; i < out->count; i++)
        if (!json_item(list, (size_t)i, &item, r->err) || !read_bound_name(r, &item, &out->names[i])) return false;
    return r->loop || json_fail(list, r->err, "only in passes with \"repeat\" do bindings take turns");
}
READ_KIND(static, turns, struct rotation, read_turns,
    .list = &(const struct item_list){.kind = &kind_text, .least = 1, .most = TURN_NAMES})

const struct field rotation_fields[] = {
    {"first", &kind_bound_name, offsetof(struct rotation, first), SPARSE},
    {"last", &kind_bound_name, offsetof(struct rotation, last), SPARSE},
    {"turns", &kind_turns, 0, REQUIRED},
    {0},
};
