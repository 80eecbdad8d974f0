// SPDX-License-Identifier: Apache-2.0
#include "dictionary.h"

#include "../../../reference/table.h"
#include "../../base/fields.h"
#include "../../base/text.h"
#include "../../../reference/operator.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 10000 };

// A glob or several.
struct globs {
    const char **items;
    size_t count; // 0: every name
};

// A row of any list. Its JSON is borrowed from the file's.
struct dictionary_row {
    struct globs files, variants, entries, operators; // for which it holds
    struct globs names, operands;
    const char *operator, * reason;
    struct json_object *members, *is;
    uint32_t id; // of a constant
    bool has_id, keep;
};
struct rows {
    struct dictionary_row *items;
    size_t count;
};

struct dictionary {
    struct json_object *json;
    const char *project;
    struct rows kernels, buffers, words, constants;
};

// ---- reading

static bool word_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return kind_json.get(arena, at, member, err) && (at->value || json_fail(at, err, "expected a word, found null"));
}
static const struct kind kind_word = {.get = word_get, .schema = SCHEMA({"not" : {"type" : "null"}})};

static bool object_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return kind_json.get(arena, at, member, err) && json_expect(at, json_type_object, err);
}
static const struct kind kind_object = {
    .get = object_get, .meaning = "Members of the kernel's manifest.", .schema = SCHEMA({"type" : "object"})};

#define AT(member) offsetof(struct dictionary_row, member)
#define GLOBS(member) LIST_OR_ONE(struct dictionary_row, member.items, member.count, &kind_text), 0
static const struct field when_fields[] = {
    {"file", GLOBS(files), SPARSE},
    {"variant", GLOBS(variants), SPARSE},
    {"entry", GLOBS(entries), SPARSE},
    {"operator", GLOBS(operators), SPARSE},
    {0},
};
static const struct kind kind_when = {
    .fields = when_fields, .closed = true, .name = "when", .meaning = "The row holds only for these."};
#define WHEN                                                                                                           \
    { "when", &kind_when, 0, SPARSE }

static const struct field kernel_fields[] = {
    WHEN,
    {"operator", &kind_text, AT(operator), SPARSE},
    {"reason", KIND(kind_text, .meaning = "Why it is not to be placed."), AT(reason), SPARSE},
    {"members", &kind_object, AT(members), SPARSE},
    {"keep", KIND(kind_flag, .meaning = "It stays however its trial ends."), AT(keep), SPARSE},
    {0},
};
static const struct field buffer_fields[] = {
    WHEN, {"name", GLOBS(names), REQUIRED}, {"operand", GLOBS(operands), REQUIRED}, {0}};
static const struct field word_fields[] = {
    WHEN, {"name", GLOBS(names), REQUIRED}, {"is", &kind_word, AT(is), REQUIRED}, {0}};
static const struct field constant_fields[] = {
    WHEN,
    {"name", GLOBS(names), SPARSE},
    {"id", &kind_uint32, AT(id), SPARSE},
    {"is", &kind_json, AT(is), REQUIRED},
    {0},
};
static const struct kind constant_form = {.fields = constant_fields, .closed = true};
static bool constant_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    struct dictionary_row *row = member;
    row->has_id = json_get(at->value, "id");
    return kind_get(&constant_form, arena, at, row, err) &&
           (row->names.count || row->has_id || json_fail(at, err, "expected \"name\" or \"id\""));
}
static const struct kind kind_constant = {
    .get = constant_get, .fields = constant_fields, .schema = SCHEMA({
        "anyOf" : [
            {"properties" : {"name" : true}, "required" : ["name"]}, {"properties" : {"id" : true}, "required" : ["id"]}
        ]
    })};

#define ROWS(member, KIND)                                                                                             \
    ITEM_LIST(struct dictionary, member.items, member.count, KIND, .most = MOST_ROWS, .in_arena = true), 0, SPARSE
#define FORM(FIELDS) (&(const struct kind){.fields = FIELDS, .closed = true})
static const struct field dictionary_fields[] = {
    {"project", &kind_text, offsetof(struct dictionary, project), SPARSE},
    {"kernels", ROWS(kernels, FORM(kernel_fields))},
    {"buffers", ROWS(buffers, FORM(buffer_fields))},
    {"words", ROWS(words, FORM(word_fields))},
    {"constants", ROWS(constants, &kind_constant)},
    {0},
};
const struct kind kind_dictionary = {.fields = dictionary_fields,
    .closed = true,
    .meaning = "The meaning of names in a project's shaders (kernels/BACKENDS.md)."};

bool dictionary_read(struct arena *arena, const char *path, struct dictionary **out, struct error *err) {
    struct json_object *json = json_read(path, err);
    *out = NULL;
    if (!json) return false;
    const struct json_at root = json_root(json, path);
    *out = arena_alloc(arena, 1, sizeof **out);
    (*out)->json = json;
    return kind_get(&kind_dictionary, arena, &root, *out, err);
}

void dictionary_free(struct dictionary *dictionary) {
    if (dictionary) json_object_put(dictionary->json);
}

// ---- which rows hold

// Returns whether one of the globs matches the name. No glob matches every name.
static bool matches(const struct globs *globs, const char *name) {
    for (size_t i = 0; i < globs->count; i++)
        if (text_glob(globs->items[i], name)) return true;
    return !globs->count;
}

static bool holds(const struct dictionary_row *row, const struct reflection *reflection, const struct op *op) {
    return matches(&row->files, reflection->stem) && matches(&row->variants, reflection->variant) &&
           matches(&row->entries, reflection->entry) &&
           (!row->operators.count || (op && matches(&row->operators, op->name)));
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

const struct op *dictionary_operator(const struct dictionary *dictionary, const struct reflection *reflection,
    const char **reason, const char **unknown) {
    const struct op *op = NULL;
    *reason = *unknown = NULL;
    for (size_t i = 0; dictionary && i < dictionary->kernels.count; i++) {
        const struct dictionary_row *row = &dictionary->kernels.items[i];
        if (!holds(row, reflection, op)) continue;
        if (!*reason) *reason = row->reason;
        if (!row->operator|| op || * unknown) continue;
        op = operator_named(row->operator);
        if (!op) *unknown = row->operator;
    }
    return op;
}

bool dictionary_keeps(const struct dictionary *dictionary, const struct reflection *reflection, const struct op *op) {
    for (size_t i = 0; dictionary && i < dictionary->kernels.count; i++)
        if (dictionary->kernels.items[i].keep && holds(&dictionary->kernels.items[i], reflection, op)) return true;
    return false;
}

// ---- buffers

int dictionary_operand(const struct guess *g, const struct shader_binding *b) {
    char place[20];
    snprintf(place, sizeof place, "@%u", b->binding);
    for (size_t i = 0; g->dictionary && i < g->dictionary->buffers.count; i++) {
        const struct dictionary_row *row = &g->dictionary->buffers.items[i];
        if (!holds(row, g->reflection, g->op) ||
            (!matches(&row->names, b->name) && !matches(&row->names, b->member) && !matches(&row->names, place)))
            continue;
        for (size_t k = 0; k < row->operands.count; k++) {
            const int operand = operator_operand_index(g->op, row->operands.items[k]);
            if (operand >= 0) return operand;
        }
    }
    return -1;
}

// ---- words

struct json_object *dictionary_word(const struct guess *g, const char *block, const char *name, int index) {
    const char *const names[] = {arena_format(g->arena, "%s.%s:%d", block, name, index),
        arena_format(g->arena, "%s:%d", name, index), arena_format(g->arena, "%s.%s", block, name), name};
    for (size_t i = 0; g->dictionary && i < g->dictionary->words.count; i++) {
        const struct dictionary_row *row = &g->dictionary->words.items[i];
        bool named = false;
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) named |= matches(&row->names, names[n]);
        if (!named || !holds(row, g->reflection, g->op)) continue;
        // A plain name must mean something to this operator.
        const char *plain = json_object_is_type(row->is, json_type_string) ? json_object_get_string(row->is) : "pad";
        if (*plain != '@' && strcmp(plain, "pad") != 0 && operator_dim_index(g->op, plain) < 0 &&
            operator_param_index(g->op, plain) < 0)
            continue;
        struct json_object *word = resolve(g, row->is);
        if (word) return word;
    }
    return NULL;
}

// ---- constants, members

struct json_object *dictionary_constant(const struct guess *g, const struct reflected_constant *constant, bool *found) {
    *found = false;
    for (size_t i = 0; g->dictionary && i < g->dictionary->constants.count; i++) {
        const struct dictionary_row *row = &g->dictionary->constants.items[i];
        const bool named = row->names.count && matches(&row->names, constant->name),
                   numbered = row->has_id && row->id == constant->id;
        if ((!named && !numbered) || !holds(row, g->reflection, g->op)) continue;
        *found = true;
        return row->is;
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
    while (g->dictionary && *at < g->dictionary->kernels.count) {
        const struct dictionary_row *row = &g->dictionary->kernels.items[(*at)++];
        struct json_object *value = json_get(row->members, key);
        if (value && holds(row, g->reflection, g->op)) return value;
    }
    return NULL;
}

bool dictionary_has(const struct guess *g, const char *key) {
    size_t at = 0;
    return next_member(g, key, &at) != NULL;
}

bool dictionary_sets(const struct guess *g, const struct reflected_constant *constant) {
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
    for (size_t i = 0; g->dictionary && i < g->dictionary->kernels.count; i++) {
        const struct dictionary_row *row = &g->dictionary->kernels.items[i];
        if (!row->members || !holds(row, g->reflection, g->op)) continue;
        json_object_object_foreach(row->members, key, value) {
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
