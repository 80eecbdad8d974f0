// SPDX-License-Identifier: Apache-2.0
#include "dictionary.h"

#include "../../../reference/table.h"
#include "../../base/text.h"
#include "../../../reference/operator.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 10000 };

struct dictionary {
    struct json_object *json;
    struct json_at kernels, buffers, words, constants; // lists; value NULL: none
};

// ---- reading

// Checks for a glob or a list of globs.
static bool check_globs(const struct json_at *at, struct error *err) {
    struct json_at item;
    if (json_object_is_type(at->value, json_type_string)) return true;
    if (!json_expect(at, json_type_array, err)) return false;
    for (size_t i = 0; i < json_count(at); i++)
        if (!json_item(at, i, &item, err) || !json_expect(&item, json_type_string, err)) return false;
    return true;
}

static bool check_when(const struct json_at *row, struct error *err) {
    static const char *const keys[] = {"file", "variant", "entry", "operator", NULL};
    struct json_at when, glob;
    if (!json_member(row, "when", true, &when, err)) return false;
    if (!when.value) return true;
    if (!json_expect(&when, json_type_object, err) || !json_only(&when, keys, err)) return false;
    for (int i = 0; keys[i]; i++)
        if (!json_member(&when, keys[i], true, &glob, err) || (glob.value && !check_globs(&glob, err))) return false;
    return true;
}

static bool check_kernel(const struct json_at *row, struct error *err) {
    struct json_at at;
    bool keep;
    if (!json_member(row, "keep", true, &at, err) || (at.value && !json_boolean(&at, &keep, err))) return false;
    if (!json_member(row, "operator", true, &at, err)) return false;
    if (at.value && !json_expect(&at, json_type_string, err)) return false;
    if (!json_member(row, "reason", true, &at, err) || (at.value && !json_expect(&at, json_type_string, err)))
        return false;
    return json_member(row, "members", true, &at, err) && (!at.value || json_expect(&at, json_type_object, err));
}

static bool check_buffer(const struct json_at *row, struct error *err) {
    struct json_at at;
    return json_member(row, "name", false, &at, err) && check_globs(&at, err) &&
           json_member(row, "operand", false, &at, err) && check_globs(&at, err);
}

static bool check_word(const struct json_at *row, struct error *err) {
    struct json_at at;
    if (!json_member(row, "name", false, &at, err) || !check_globs(&at, err)) return false;
    return json_member(row, "is", false, &at, err) && (at.value || json_fail(&at, err, "expected a word, found null"));
}

static bool check_constant(const struct json_at *row, struct error *err) {
    struct json_at at;
    int64_t id;
    if (!json_member(row, "name", true, &at, err) || (at.value && !check_globs(&at, err))) return false;
    const bool named = at.value;
    if (!json_member(row, "id", true, &at, err) || (at.value && !json_integer(&at, 0, UINT32_MAX, &id, err)))
        return false;
    if (!named && !at.value) return json_fail(row, err, "expected \"name\" or \"id\"");
    return json_object_object_get_ex(row->value, "is", NULL) || json_fail(row, err, "expected \"is\"");
}

static const struct row_group {
    const char *name;
    const char *keys[6];
    bool (*check)(const struct json_at *row, struct error *err);
} groups[] = {
    {"kernels", {"when", "operator", "reason", "members", "keep", NULL}, check_kernel},
    {"buffers", {"when", "name", "operand", NULL}, check_buffer},
    {"words", {"when", "name", "is", NULL}, check_word},
    {"constants", {"when", "name", "id", "is", NULL}, check_constant},
};

static bool read_group(
    const struct json_at *root, const struct row_group *group, struct json_at *out, struct error *err) {
    struct json_at row;
    if (!json_member(root, group->name, true, out, err)) return false;
    if (!out->value) return true;
    if (!json_expect(out, json_type_array, err)) return false;
    if (json_count(out) > MOST_ROWS) return json_fail(out, err, "expected at most %d rows", MOST_ROWS);
    for (size_t i = 0; i < json_count(out); i++)
        if (!json_item(out, i, &row, err) || !json_expect(&row, json_type_object, err) ||
            !json_only(&row, group->keys, err) || !check_when(&row, err) || !group->check(&row, err))
            return false;
    return true;
}

bool dictionary_read(struct arena *arena, const char *path, struct dictionary **out, struct error *err) {
    static const char *const keys[] = {"project", "kernels", "buffers", "words", "constants", NULL};
    struct dictionary *d = arena_alloc(arena, 1, sizeof *d);
    struct json_at *const lists[] = {&d->kernels, &d->buffers, &d->words, &d->constants};
    *out = NULL;
    d->json = json_read(path, err);
    if (!d->json) return false;
    const struct json_at root = json_root(d->json, arena_copy(arena, path));
    bool ok = json_expect(&root, json_type_object, err) && json_only(&root, keys, err);
    for (size_t i = 0; ok && i < sizeof groups / sizeof *groups; i++) ok = read_group(&root, &groups[i], lists[i], err);
    *out = d;
    return ok;
}

void dictionary_free(struct dictionary *dictionary) {
    if (dictionary) json_object_put(dictionary->json);
}

// ---- which rows hold

// Returns whether a glob, or one of a list, matches the name. No glob matches every name.
static bool matches(struct json_object *globs, const char *name) {
    if (!globs) return true;
    if (!json_object_is_type(globs, json_type_array)) return text_glob(json_object_get_string(globs), name);
    for (size_t i = 0; i < json_object_array_length(globs); i++)
        if (text_glob(json_object_get_string(json_object_array_get_idx(globs, i)), name)) return true;
    return false;
}

static bool holds(struct json_object *row, const struct told *told, const struct op *op) {
    struct json_object *when = json_get(row, "when");
    return matches(json_get(when, "file"), told->stem) && matches(json_get(when, "variant"), told->variant) &&
           matches(json_get(when, "entry"), told->entry) &&
           (!json_get(when, "operator") || (op && matches(json_get(when, "operator"), op->name)));
}

static size_t row_count(const struct json_at *list) {
    return list->value ? json_object_array_length(list->value) : 0;
}

static struct json_object *row_at(const struct json_at *list, size_t i) {
    return json_object_array_get_idx(list->value, i);
}

// ---- names of operands in a row: "@out", "@in", "@3" (a binding), "@data_a" (a buffer)

static int operand_of_buffer(const struct guess *g, const char *name) {
    char *end;
    const unsigned long number = strtoul(name, &end, 10);
    for (int o = 0; o < operator_operands(g->op); o++) {
        const struct shader_binding *b = g->of_operand[o];
        if (!b) continue;
        if (isdigit((unsigned char)*name) && !*end && b->binding == number) return o;
        if (strcmp(b->name, name) == 0 || strcmp(b->member, name) == 0) return o;
    }
    return -1;
}

static int operand_meant(const struct guess *g, const char *name) {
    const bool in = strcmp(name, "in") == 0;
    if (!in && strcmp(name, "out") != 0) return operand_of_buffer(g, name);
    for (int o = 0; o < operator_operands(g->op); o++)
        if ((g->op->operands[o].role == ROLE_IN) == in) return o;
    return -1;
}

// Copies a value with the names of operands put in. Returns NULL if one of them is no operand of this kernel.
static struct json_object *resolve(const struct guess *g, struct json_object *value);

static struct json_object *resolve_list(const struct guess *g, struct json_object *value) {
    struct json_object *out = json_object_new_array();
    for (size_t i = 0; i < json_object_array_length(value); i++) {
        struct json_object *item = json_object_array_get_idx(value, i), *own = item ? resolve(g, item) : NULL;
        if (item && !own) {
            json_object_put(out);
            return NULL;
        }
        json_object_array_add(out, own);
    }
    return out;
}

static struct json_object *resolve_object(const struct guess *g, struct json_object *value) {
    struct json_object *out = json_object_new_object();
    json_object_object_foreach(value, key, item) {
        struct json_object *own = item ? resolve(g, item) : NULL;
        if (item && !own) {
            json_object_put(out);
            return NULL;
        }
        json_put(out, key, own);
    }
    return out;
}

static struct json_object *resolve(const struct guess *g, struct json_object *value) {
    if (json_object_is_type(value, json_type_array)) return resolve_list(g, value);
    if (json_object_is_type(value, json_type_object)) return resolve_object(g, value);
    if (!json_object_is_type(value, json_type_string)) return json_object_get(value);
    const char *text = json_object_get_string(value);
    if (*text != '@') return json_object_new_string(text);
    const int operand = operand_meant(g, text + 1);
    return operand < 0 ? NULL : json_object_new_string(g->op->operands[operand].name);
}

// ---- operators

const struct op *dictionary_operator(
    const struct dictionary *dictionary, const struct told *told, const char **reason, const char **unknown) {
    const struct op *op = NULL;
    *reason = *unknown = NULL;
    for (size_t i = 0; dictionary && i < row_count(&dictionary->kernels); i++) {
        struct json_object *row = row_at(&dictionary->kernels, i);
        const char *name = json_get_string(row, "operator", NULL), *why = json_get_string(row, "reason", NULL);
        if (!holds(row, told, op)) continue;
        if (why && !*reason) *reason = why;
        if (!name || op || *unknown) continue;
        op = operator_named(name);
        if (!op) *unknown = name;
    }
    return op;
}

bool dictionary_keeps(const struct dictionary *dictionary, const struct told *told, const struct op *op) {
    for (size_t i = 0; dictionary && i < row_count(&dictionary->kernels); i++)
        if (json_get_bool(row_at(&dictionary->kernels, i), "keep", false) &&
            holds(row_at(&dictionary->kernels, i), told, op))
            return true;
    return false;
}

// ---- buffers

static int first_operand(const struct op *op, struct json_object *names) {
    if (!json_object_is_type(names, json_type_array)) return operator_operand_index(op, json_object_get_string(names));
    for (size_t i = 0; i < json_object_array_length(names); i++) {
        const int at = operator_operand_index(op, json_object_get_string(json_object_array_get_idx(names, i)));
        if (at >= 0) return at;
    }
    return -1;
}

int dictionary_operand(const struct guess *g, const struct shader_binding *b) {
    char place[20];
    snprintf(place, sizeof place, "@%u", b->binding);
    for (size_t i = 0; g->dictionary && i < row_count(&g->dictionary->buffers); i++) {
        struct json_object *row = row_at(&g->dictionary->buffers, i), *globs = json_get(row, "name");
        if (!holds(row, g->told, g->op) ||
            (!matches(globs, b->name) && !matches(globs, b->member) && !matches(globs, place)))
            continue;
        const int operand = first_operand(g->op, json_get(row, "operand"));
        if (operand >= 0) return operand;
    }
    return -1;
}

// ---- words

struct json_object *dictionary_word(const struct guess *g, const char *block, const char *name, int index) {
    const char *const names[] = {arena_format(g->arena, "%s.%s:%d", block, name, index),
        arena_format(g->arena, "%s:%d", name, index), arena_format(g->arena, "%s.%s", block, name), name};
    for (size_t i = 0; g->dictionary && i < row_count(&g->dictionary->words); i++) {
        struct json_object *row = row_at(&g->dictionary->words, i), *is = json_get(row, "is");
        bool named = false;
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) named |= matches(json_get(row, "name"), names[n]);
        if (!named || !holds(row, g->told, g->op)) continue;
        // A plain name must mean something to this operator.
        const char *plain = json_object_is_type(is, json_type_string) ? json_object_get_string(is) : "pad";
        if (*plain != '@' && strcmp(plain, "pad") != 0 && operator_dim_index(g->op, plain) < 0 &&
            operator_param_index(g->op, plain) < 0)
            continue;
        struct json_object *word = resolve(g, is);
        if (word) return word;
    }
    return NULL;
}

// ---- constants, members

struct json_object *dictionary_constant(const struct guess *g, const struct told_constant *constant, bool *found) {
    *found = false;
    for (size_t i = 0; g->dictionary && i < row_count(&g->dictionary->constants); i++) {
        struct json_object *row = row_at(&g->dictionary->constants, i), *name = json_get(row, "name");
        const bool named = name && matches(name, constant->name),
                   numbered = json_get_int(row, "id", -1) == (int64_t)constant->id;
        if ((!named && !numbered) || !holds(row, g->told, g->op)) continue;
        *found = true;
        return json_get(row, "is");
    }
    return NULL;
}

// Members that are merged by the names in them; others are replaced.
static const char merged[] = "constants tunables scratch types fixed layout in_place defines";

static void put_member(struct json_object *kernel, const char *key, struct json_object *value) {
    struct json_object *there = json_get(kernel, key);
    if (!guess_among(merged, key, strlen(key)) || !json_object_is_type(value, json_type_object) || !there) {
        json_put(kernel, key, value);
        return;
    }
    json_object_object_foreach(value, name, item) {
        if (item)
            json_put(there, name, json_object_get(item));
        else
            json_object_object_del(there, name);
    }
    json_object_put(value);
}

// Returns the member of the row that holds at *at or behind, and moves *at past it; NULL: there is none.
static struct json_object *next_member(const struct guess *g, const char *key, size_t *at) {
    while (g->dictionary && *at < row_count(&g->dictionary->kernels)) {
        struct json_object *row = row_at(&g->dictionary->kernels, (*at)++),
                           *value = json_get(json_get(row, "members"), key);
        if (value && holds(row, g->told, g->op)) return value;
    }
    return NULL;
}

bool dictionary_has(const struct guess *g, const char *key) {
    size_t at = 0;
    return next_member(g, key, &at) != NULL;
}

bool dictionary_sets(const struct guess *g, const struct told_constant *constant) {
    const char *number = arena_format(g->arena, "%u", constant->id);
    size_t at = 0;
    for (struct json_object *all = next_member(g, "constants", &at); all; all = next_member(g, "constants", &at))
        if (json_object_is_type(all, json_type_object) && (json_get(all, constant->name) || json_get(all, number)))
            return true;
    return false;
}

bool dictionary_binds(const struct guess *g, const struct shader_binding *b) {
    size_t at = 0;
    for (struct json_object *list = next_member(g, "bindings", &at); list; list = next_member(g, "bindings", &at)) {
        for (size_t i = 0; json_object_is_type(list, json_type_array) && i < json_object_array_length(list); i++) {
            struct json_object *item = json_object_array_get_idx(list, i);
            const bool placed = json_object_is_type(item, json_type_object) && json_get(item, "binding");
            if (json_get_int(placed ? item : NULL, "binding", (int64_t)i) == (int64_t)b->binding &&
                json_get_int(placed ? item : NULL, "set", 0) == (int64_t)b->set)
                return true;
        }
    }
    return false;
}

// Moves macros and constants of the line from the kernel to its passes without a shader of their own, if another pass
// has a shader with macros of its own: it would get both.
static void part_passes(struct json_object *kernel) {
    static const char *const keys[] = {"defines", "constants"};
    struct json_object *passes = json_get(kernel, "passes");
    const size_t count = json_object_is_type(passes, json_type_array) ? json_object_array_length(passes) : 0;
    bool parts = false;
    for (size_t i = 0; i < count; i++) {
        struct json_object *pass = json_object_array_get_idx(passes, i);
        parts |= json_get(pass, "shader") && json_get(pass, "defines");
    }
    for (size_t k = 0; parts && k < sizeof keys / sizeof *keys; k++) {
        struct json_object *whole = json_get(kernel, keys[k]);
        for (size_t i = 0; whole && i < count; i++) {
            struct json_object *pass = json_object_array_get_idx(passes, i);
            if (!json_get(pass, "shader") && !json_get(pass, keys[k])) json_put(pass, keys[k], json_object_get(whole));
        }
        json_object_object_del(kernel, keys[k]);
    }
}

void dictionary_members(struct guess *g) {
    for (size_t i = 0; g->dictionary && i < row_count(&g->dictionary->kernels); i++) {
        struct json_object *row = row_at(&g->dictionary->kernels, i), *members = json_get(row, "members");
        if (!members || !holds(row, g->told, g->op)) continue;
        json_object_object_foreach(members, key, value) {
            struct json_object *own = value ? resolve(g, value) : NULL;
            if (own)
                put_member(g->kernel, key, own);
            else if (!value)
                json_object_object_del(g->kernel, key);
            else
                guess_note(g, "the dictionary's \"%s\" names no operand of this kernel", key);
        }
    }
    part_passes(g->kernel);
}
