// SPDX-License-Identifier: Apache-2.0
// How members are read: lists, names, words and types. Mistakes are kept.
#include "manifest.h"

#include "../../../reference/operator.h"

#include <ctype.h>
#include <string.h>

// Adds the text once: every kernel of a file repeats the mistakes in its "common".
void mistakes_add(struct arena *arena, struct mistakes *mistakes, const char *text) {
    for (size_t i = 0; i < mistakes->count; i++)
        if (strcmp(mistakes->items[i], text) == 0) return;
    if (mistakes->count == MISTAKES) {
        mistakes->more++;
        return;
    }
    mistakes->items = arena_grow(arena, mistakes->items, mistakes->count, &mistakes->capacity, sizeof *mistakes->items);
    mistakes->items[mistakes->count++] = arena_copy(arena, text);
}

void mistakes_add_kernel(struct arena *arena, struct mistakes *mistakes, const char *name) {
    mistakes->flawed = arena_grow(
        arena, mistakes->flawed, mistakes->flawed_count, &mistakes->flawed_capacity, sizeof *mistakes->flawed);
    mistakes->flawed[mistakes->flawed_count++] = arena_copy(arena, name);
}

void reading_note(struct kernel_reading *r, bool ok) {
    if (ok) return;
    mistakes_add(r->arena, r->mistakes, r->err->text);
    r->flawed = true;
}

bool read_list(struct kernel_reading *r, const struct json_at *at, int room, int *count) {
    if (!json_expect(at, json_type_array, r->err)) return false;
    size_t found = json_count(at);
    if (found > (size_t)room) return json_fail(at, r->err, "expected at most %d items, found %zu", room, found);
    *count = (int)found;
    return true;
}

bool read_each(struct kernel_reading *r, const struct json_at *list, int room,
    bool (*read)(struct kernel_reading *r, const struct json_at *item)) {
    struct json_at item;
    int count = 0;
    if (!read_list(r, list, room, &count)) return false;
    for (int i = 0; i < count; i++) reading_note(r, json_item(list, (size_t)i, &item, r->err) && read(r, &item));
    return true;
}

bool read_name(struct kernel_reading *r, const struct json_at *at, const struct known_names *names, const char *what,
    const char **out) {
    if (!json_string(at, r->arena, out, r->err)) return false;
    if (names_have(names, *out)) return true;
    return json_fail(at, r->err, "\"%s\" is no %s%s", *out, what, names_hint(r->arena, names, *out));
}

bool read_word_of(
    struct kernel_reading *r, const struct json_at *at, const struct enum_words *words, const char *what, int *out) {
    struct known_names names = {0};
    const char *name;
    for (int i = words->first; i < words->end; i++)
        if (words->name(i)) names_add(&names, words->name(i));
    if (!read_name(r, at, &names, what, &name)) return false;
    for (*out = words->first; !words->name(*out) || strcmp(words->name(*out), name) != 0;) ++*out;
    return true;
}

bool is_identifier(const char *name) {
    if (!isalpha((unsigned char)*name) && *name != '_') return false;
    while (isalnum((unsigned char)*name) || *name == '_') name++;
    return !*name;
}

void names_of_variables(struct known_names *names, const struct kernel_reading *r) {
    const struct kernel *k = r->kernel;
    for (int loop = r->loop; loop; loop = k->loops[loop - 1].outer)
        for (int i = 0; i < k->loops[loop - 1].variables; i++)
            names_add(names, k->variables[k->loops[loop - 1].variable + i].name);
}

static const char *dtype_word(int dtype) {
    return dtype_info((enum dtype)dtype)->name;
}
static const struct enum_words dtype_words = {dtype_word, DTYPE_CASE + 1, DTYPE_COUNT, "a dtype"};
bool read_dtype_of(struct kernel_reading *r, const struct json_at *at, const struct enum_words *words, const char *what,
    enum dtype *out) {
    int dtype;
    if (!read_word_of(r, at, words, what, &dtype)) return false;
    *out = (enum dtype)dtype;
    return true;
}
static bool read_dtype(struct kernel_reading *r, const struct json_at *at, enum dtype *out) {
    return read_dtype_of(r, at, &dtype_words, "dtype", out);
}
READ_KIND(, dtype, enum dtype, read_dtype, .words = &dtype_words, .name = "dtype")
