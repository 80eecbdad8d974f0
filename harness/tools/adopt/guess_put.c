// SPDX-License-Identifier: Apache-2.0
// Puts members and notes into the kernel that is built.
#include "guess_kernel.h"

#include "../../base/text.h"

#include <stdarg.h>

void guess_note(struct guess *g, const char *format, ...) {
    struct text text = {0};
    va_list args;
    va_start(args, format);
    text_append(&text, "GUESS: ");
    text_format_list(&text, format, args);
    va_end(args);
    json_object_array_add(g->notes, json_object_new_string(text_str(&text)));
    text_free(&text);
}

bool guess_fail(struct guess *g, const char *format, ...) {
    struct text text = {0};
    va_list args;
    va_start(args, format);
    text_format_list(&text, format, args);
    va_end(args);
    g->why = arena_take(g->arena, &text);
    return false;
}

void guess_put(struct json_object *into, const char *key, struct json_object *value) {
    const bool list = json_object_is_type(value, json_type_array);
    if (list ? json_object_array_length(value) > 0 : json_object_object_length(value) > 0)
        json_put(into, key, value);
    else
        json_object_put(value);
}

int64_t guess_wide(const struct shader_binding *b) {
    return b && b->bits && b->element_bytes > b->bits / 8 ? b->element_bytes / (b->bits / 8) : 1;
}

void guess_rule(struct guess *g, const char *kind, struct json_object *of, struct json_object *by, const char *why) {
    struct json_object *list = json_get(g->kernel, "rules"), *rule = json_object_new_object(),
                       *sides = json_object_new_array();
    if (!list) json_put(g->kernel, "rules", list = json_object_new_array());
    json_object_array_add(sides, of);
    json_object_array_add(sides, by);
    json_put(rule, kind, sides);
    json_put_string(rule, "why", why);
    json_object_array_add(list, rule);
}
