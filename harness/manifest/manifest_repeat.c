// SPDX-License-Identifier: Apache-2.0
// Repeated passes: the member "repeat", and bindings with "turns".
#include "manifest.h"
#include "dispatches.h"

#include <string.h>

void names_of_variables(struct known_names *names, const struct kernel_reading *r) {
    const struct kernel *k = r->kernel;
    for (int loop = r->loop; loop; loop = k->loops[loop - 1].outer)
        for (int i = 0; i < k->loops[loop - 1].variables; i++)
            names_add(names, k->variables[k->loops[loop - 1].variable + i].name);
}

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
    struct json_at from;
    if (!json_member(at, "from", true, &from, r->err)) return false;
    if (!from.value) {
        out->from_zero = out->step == STEP_ADD;
        return out->step != STEP_DIVIDE || json_fail(at, r->err, "expected a member \"from\": the number to divide");
    }
    if (json_object_is_type(from.value, json_type_int) && json_object_get_int64(from.value) == 0)
        return out->from_zero = true;
    return read_product(r, &from, &out->from);
}

// Reads one of divide, multiply and add. Without any of them, 1 is added.
static bool read_step(struct kernel_reading *r, const struct json_at *at, struct variable *out) {
    static const char *const keys[] = {[STEP_DIVIDE] = "divide", [STEP_MULTIPLY] = "multiply", [STEP_ADD] = "add"};
    struct json_at step;
    int found = 0;
    out->step = STEP_ADD;
    for (int i = 0; i < 3; i++) {
        if (!json_member(at, keys[i], true, &step, r->err)) return false;
        if (!step.value) continue;
        out->step = (enum step_kind)i;
        if (!read_product(r, &step, &out->by)) return false;
        if (i != STEP_ADD && json_object_is_type(step.value, json_type_int) && out->by.factors[0].number < 2)
            return json_fail(&step, r->err, "expected 2 or more: by 1 it would never end");
        found++;
    }
    return found < 2 || json_fail(at, r->err, "expected one of divide, multiply and add, found %d", found);
}

// Reads the end. By default a divided variable has no turn once it reaches 1.
static bool read_end(struct kernel_reading *r, const struct json_at *at, struct variable *out) {
    struct json_at to, below;
    if (!json_member(at, "to", true, &to, r->err) || !json_member(at, "below", true, &below, r->err)) return false;
    if (to.value && below.value) return json_fail(at, r->err, "expected one of to and below, found both");
    if (below.value && out->step == STEP_DIVIDE)
        return json_fail(&below, r->err, "a division ends with \"to\", its least value");
    out->below = below.value != NULL;
    out->has_end = to.value || below.value || out->step == STEP_DIVIDE;
    if (to.value || below.value) return read_product(r, to.value ? &to : &below, &out->end);
    out->end = (struct product){.factors = {{.number = 2}}, .count = 1};
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
    static const char *const keys[] = {"from", "divide", "multiply", "add", "to", "below", NULL};
    struct kernel *k = r->kernel;
    struct json_at item;
    struct variable variable = {.name = arena_copy(r->arena, name), .has_end = true};
    if (k->variable_count == KERNEL_VARIABLES)
        return json_fail(at, r->err, "expected at most %d variables", KERNEL_VARIABLES);
    if (!json_member(at, name, false, &item, r->err) || !check_variable_name(r, &item, name)) return false;
    reading_note(r, json_expect(&item, json_type_object, r->err) && json_only(&item, keys, r->err) &&
                        read_step(r, &item, &variable) && read_from(r, &item, &variable) &&
                        read_end(r, &item, &variable));
    k->variables[k->variable_count++] = variable;
    return true;
}

bool read_repeat(struct kernel_reading *r, const struct json_at *at) {
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

// ---- bindings

static bool read_turn_name(struct kernel_reading *r, const struct json_at *at, const char *key,
    const struct known_names *names, const char **out) {
    struct json_at name;
    if (!json_member(at, key, true, &name, r->err)) return false;
    return !name.value || read_name(r, &name, names, "operand or scratch buffer", out);
}

bool read_rotation(
    struct kernel_reading *r, const struct json_at *at, const struct known_names *names, const struct rotation **out) {
    struct rotation *rotation = arena_alloc(r->arena, 1, sizeof *rotation);
    struct json_at list, item;
    *out = NULL;
    if (!json_member(at, "turns", false, &list, r->err) || !read_list(r, &list, TURN_NAMES, &rotation->count))
        return false;
    if (!rotation->count) return json_fail(&list, r->err, "expected at least one name");
    for (int i = 0; i < rotation->count; i++)
        if (!json_item(&list, (size_t)i, &item, r->err) ||
            !read_name(r, &item, names, "operand or scratch buffer", &rotation->names[i]))
            return false;
    if (!read_turn_name(r, at, "first", names, &rotation->first) ||
        !read_turn_name(r, at, "last", names, &rotation->last))
        return false;
    if (!r->loop) return json_fail(&list, r->err, "only in passes with \"repeat\" do bindings take turns");
    *out = rotation;
    return true;
}
