// SPDX-License-Identifier: Apache-2.0
// Kernels of several passes: entry points named as the first, the next and the last of something. Results left for
// another pass are scratch. The size of scratch and the lengths given to later passes are guesses.
#include "dictionary.h"
#include "../../../reference/operator.h"

#include <string.h>

struct passes {
    struct guess whole; // notes, and the bindings of all passes
    const struct reflection *const *reflection;
    int count;
    const char *folder;
    struct guess_scratch scratch;
    struct json_object *list;
};

// Returns the input with the highest rank, taken as the largest.
static const struct operand *main_input(const struct op *op) {
    const struct operand *best = NULL;
    for (int o = 0; o < operator_operands(op); o++) {
        const struct operand *operand = &op->operands[o];
        if (operand->role == ROLE_IN && (!best || operand_rank(operand->shape) > operand_rank(best->shape)))
            best = operand;
    }
    return best ? best : &op->operands[0];
}

static struct json_object *size_of(const struct reflection *reflection) {
    struct json_object *size = json_object_new_array();
    int last = 2;
    while (last > 0 && reflection->shader.size[last] == 1) last--;
    for (int axis = 0; axis <= last; axis++)
        json_object_array_add(size, json_object_new_int64(reflection->shader.size[axis]));
    return size;
}

static struct json_object *share_of(const struct passes *p) {
    const struct operand *input = main_input(p->whole.op);
    return guess_axis(input->shape, operand_rank(input->shape), NULL, p->reflection[0]->shader.size[0]);
}

// Gives a pass that reads only scratch the number of results instead of the length of a line.
static void put_left(struct passes *p, struct json_object *pass) {
    static const char *const blocks[] = {"push", "uniform", "parameters"};
    const struct op *op = p->whole.op;
    const char *dim = op->dims[operator_dims(op) - 1];
    struct json_object *block = NULL, *words;
    for (int i = 0; i < 3 && !block; i++) block = json_get(pass, blocks[i]);
    words = block && json_object_is_type(block, json_type_object) ? json_get(block, "members") : block;
    for (size_t i = 0; words && i < json_object_array_length(words); i++) {
        const char *word = json_object_get_string(json_object_array_get_idx(words, i));
        if (!word || strcmp(word, dim) != 0) continue;
        json_object_array_put_idx(words, i, share_of(p));
        guess_note(&p->whole, "the last pass is given how many sums the first left, not %s", dim);
    }
}

// Gives the last pass an invocation for each output element. This is enough even if each invocation takes a whole
// line. Other passes have one for each element of the main input.
static void put_grid(struct passes *p, struct guess *g, bool last) {
    if (last && (g->reflection->shares || !g->reflection->global)) {
        guess_grid(g);
        return;
    }
    const struct operand *out = &g->op->operands[operator_first_output(g->op)];
    struct json_object *grid = json_object_new_array();
    json_object_array_add(grid,
        last ? guess_axis(out->shape, operand_rank(out->shape), NULL, g->reflection->shader.size[0]) : share_of(p));
    json_put(g->kernel, "grid", grid);
    guess_note(&p->whole, "%s has an invocation for each element of %s", last ? "the last pass" : g->reflection->entry,
        last ? out->name : main_input(g->op)->name);
}

static bool add_pass(struct passes *p, int index) {
    const struct reflection *reflection = p->reflection[index];
    const bool last = index + 1 == p->count;
    struct guess g = {.arena = p->whole.arena,
        .reflection = reflection,
        .op = p->whole.op,
        .dictionary = p->whole.dictionary,
        .kernel = json_object_new_object(),
        .notes = p->whole.notes};
    bool alone;
    json_object_array_add(p->list, g.kernel);
    guess_shader(&g, p->folder, g.kernel);
    json_put(g.kernel, "local_size", size_of(reflection));
    if (!guess_pass_bindings(&g, &p->scratch, last, &alone)) {
        p->whole.why = g.why;
        return false;
    }
    for (int o = 0; o < operator_operands(g.op); o++)
        if (g.of_operand[o]) p->whole.of_operand[o] = g.of_operand[o];
    g.left = index ? share_of(p) : NULL;
    guess_parameters(&g);
    json_object_put(g.left);
    if (g.why) {
        p->whole.why = g.why;
        return false;
    }
    json_object_object_del(g.kernel, "rules"); // rules belong to the kernel, not to a pass
    if (alone && !g.left_given) put_left(p, g.kernel);
    put_grid(p, &g, last);
    return true;
}

static void put_scratch(struct passes *p) {
    const struct operand *input = main_input(p->whole.op);
    struct json_object *scratch = json_object_new_object();
    for (int i = 0; i < p->scratch.count; i++) {
        struct json_object *buffer = guess_axis(input->shape, operand_rank(input->shape), NULL, 1);
        if (p->scratch.wide[i] > 1)
            json_object_array_add(json_get(buffer, "over"), json_object_new_int64(p->scratch.wide[i]));
        json_put_string(buffer, "dtype", p->scratch.dtypes[i]);
        json_put(scratch, p->scratch.names[i], buffer);
        guess_note(&p->whole, "%s has as many elements as %s", p->scratch.names[i], input->name);
    }
    json_put(p->whole.kernel, "scratch", scratch);
}

static bool build(struct passes *p) {
    struct guess *g = &p->whole;
    for (int i = 0; i < p->count; i++) {
        for (int axis = 0; axis < 3; axis++)
            if (p->reflection[i]->shader.size_id[axis] >= 0 || p->reflection[i]->size_names[axis])
                return guess_fail(g, "passes with workgroup sizes in constants are not combined");
        if (!add_pass(p, i)) return false;
    }
    if (!p->scratch.count) return guess_fail(g, "no pass leaves anything for the next one");
    if (!guess_missing(g)) return false;
    guess_dtypes(g);
    json_put(g->kernel, "local_size", size_of(g->reflection));
    put_scratch(p);
    json_put(g->kernel, "passes", json_object_get(p->list));
    dictionary_members(g);
    json_put(g->kernel, "notes", json_object_get(g->notes));
    return true;
}

struct json_object *guess_passes(struct arena *arena, const struct reflection *const *reflection, int count,
    const struct op *op, const struct dictionary *dictionary, const char *stem, const char *folder, const char **why) {
    struct passes p = {.reflection = reflection, .count = count, .folder = folder, .list = json_object_new_array()};
    p.whole = (struct guess){.arena = arena,
        .reflection = reflection[count - 1],
        .op = op,
        .dictionary = dictionary,
        .kernel = json_object_new_object(),
        .notes = json_object_new_array()};
    json_put_string(p.whole.kernel, "name", arena_format(arena, "%s.%s", op->name, stem));
    json_put_string(p.whole.kernel, "operator", op->name);
    json_put_string(p.whole.kernel, "summary", arena_format(arena, "%s in %d passes", stem, count));
    const bool ok = build(&p);
    *why = p.whole.why;
    json_object_put(p.list);
    json_object_put(p.whole.notes);
    if (!ok) json_object_put(p.whole.kernel);
    return ok ? p.whole.kernel : NULL;
}
