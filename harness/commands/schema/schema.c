// SPDX-License-Identifier: Apache-2.0
#include "schema.h"

#include <string.h>

// The definitions of one schema. Each is made at its first use.
static struct json_object *place(const struct kind *kind, struct json_object *definitions);

static void put_number(struct json_object *schema, const char *key, double number) {
    if (number > 0) json_put_int(schema, key, (int64_t)number);
}

// Moves the members of `more` into the schema; it replaces members of the same name. Takes `more` over.
static void merge(struct json_object *schema, struct json_object *more) {
    json_object_object_foreach(more, key, value) {
        json_put(schema, key, json_object_get(value));
    }
    json_object_put(more);
}

static struct json_object *words_of(const struct enum_words *words) {
    struct json_object *list = json_object_new_array();
    for (int value = words->first; value < words->end; value++)
        if (words->name(value)) json_object_array_add(list, json_object_new_string(words->name(value)));
    return list;
}

static void put_set(struct json_object *schema, const struct enum_words *words) {
    struct json_object *items = json_object_new_object();
    json_put(items, "enum", words_of(words));
    json_put_string(schema, "type", "array");
    json_put(schema, "items", items);
    json_put_bool(schema, "uniqueItems", true);
}

// Allows null too, and returns the schema.
static struct json_object *or_null(struct json_object *schema) {
    struct json_object *type = json_get(schema, "type"), *words = json_get(schema, "enum");
    if (words) json_object_array_add(words, NULL);
    if (words && !type) return schema;
    struct json_object *both = json_object_new_array();
    if (type) {
        json_object_array_add(both, json_object_get(type));
        json_object_array_add(both, json_object_new_string("null"));
        json_put(schema, "type", both);
        return schema;
    }
    struct json_object *whole = json_object_new_object(), *null = json_object_new_object();
    json_put_string(null, "type", "null");
    if (json_get(schema, "description")) {
        json_put(whole, "description", json_object_get(json_get(schema, "description")));
        json_object_object_del(schema, "description");
    }
    json_object_array_add(both, schema);
    json_object_array_add(both, null);
    json_put(whole, "anyOf", both);
    return whole;
}

static void put_members(struct json_object *properties, struct json_object *required, const struct field *field,
    struct json_object *definitions) {
    for (; field && field->key; field++) {
        struct json_object *schema = place(field->kind, definitions);
        const bool nullable = field->presence == NULLABLE || field->presence == NEW_NULLABLE;
        json_put(properties, field->key, nullable ? or_null(schema) : schema);
        if (field->presence == REQUIRED || field->presence == WRITTEN || field->presence == NULLABLE)
            json_object_array_add(required, json_object_new_string(field->key));
    }
}

// Adds members with words as names, if some of them are required.
static void put_words(struct json_object *properties, struct json_object *required, const struct kind *kind,
    struct json_object *definitions) {
    for (int value = kind->keys->first; value < kind->keys->end; value++) {
        json_put(properties, kind->keys->name(value), place(kind->values, definitions));
        if (value - kind->keys->first < kind->required)
            json_object_array_add(required, json_object_new_string(kind->keys->name(value)));
    }
}

// Moves a list or an object into the schema if it has members.
static void put_filled(struct json_object *schema, const char *key, struct json_object *value, int members) {
    if (members)
        json_put(schema, key, value);
    else
        json_object_put(value);
}

static void put_object(struct json_object *schema, const struct kind *kind, struct json_object *definitions) {
    struct json_object *properties = json_object_new_object(), *required = json_object_new_array();
    put_members(properties, required, kind->fields, definitions);
    put_members(properties, required, kind->also, definitions);
    if (kind->required) put_words(properties, required, kind, definitions);
    json_put_string(schema, "type", "object");
    put_filled(schema, "properties", properties, json_object_object_length(properties));
    put_filled(schema, "required", required, (int)json_object_array_length(required));
    if (kind->keys && !kind->required) {
        struct json_object *names = json_object_new_object();
        json_put(names, "enum", words_of(kind->keys));
        json_put(schema, "propertyNames", names);
    }
    if ((kind->keys || kind->values) && !kind->required)
        json_put(schema, "additionalProperties", place(kind->values, definitions));
    else
        json_put_bool(schema, "additionalProperties", false);
}

// Adds bounds to a schema of numbers or texts.
static void put_bounds(struct json_object *schema, const struct kind *kind) {
    const bool text = strcmp(json_get_string(schema, "type", ""), "string") == 0;
    put_number(schema, text ? "minLength" : "minimum", kind->least);
    put_number(schema, text ? "maxLength" : "maximum", kind->most);
}

static void put_either(struct json_object *schema, struct json_object *one, struct json_object *other) {
    struct json_object *both = json_object_new_array();
    json_object_array_add(both, one);
    json_object_array_add(both, other);
    json_put(schema, "anyOf", both);
}

static void put_any(struct json_object *schema, const struct kind *const *forms, struct json_object *definitions) {
    struct json_object *list = json_object_new_array();
    for (; *forms; forms++) json_object_array_add(list, place(*forms, definitions));
    json_put(schema, "anyOf", list);
}

static void put_list(struct json_object *schema, const struct item_list *list, struct json_object *definitions) {
    struct json_object *many = list->alone ? json_object_new_object() : schema;
    json_put_string(many, "type", list->named ? "object" : "array");
    json_put(many, list->named ? "additionalProperties" : "items", place(list->kind, definitions));
    put_number(many, list->named ? "minProperties" : "minItems", list->least);
    put_number(many, list->named ? "maxProperties" : "maxItems", list->most);
    if (list->alone) put_either(schema, place(list->kind, definitions), many);
}

// Adds the schema of a kind in place, even if it has a definition.
static void put_form(struct json_object *schema, const struct kind *kind, struct json_object *definitions) {
    if (kind->meaning) json_put_string(schema, "description", kind->meaning);
    if (kind->words) {
        json_put(schema, "enum", words_of(kind->words));
    } else if (kind->any) {
        put_any(schema, kind->any, definitions);
    } else if (kind->of) {
        struct json_object *inner = json_object_new_object();
        const bool changes = kind->least > 0 || kind->most > 0 || kind->schema;
        if (changes)
            put_form(inner, kind->of, definitions);
        else
            merge(inner, place(kind->of, definitions));
        if (kind->meaning) json_object_object_del(inner, "description");
        merge(schema, inner);
        put_bounds(schema, kind);
    } else if (kind->list) {
        put_list(schema, kind->list, definitions);
    } else if (kind->plain) {
        struct json_object *object = json_object_new_object();
        put_object(object, kind, definitions);
        put_either(schema, place(kind->plain, definitions), object);
    } else if (kind->set) {
        put_set(schema, kind->set);
    } else if (kind->fields || kind->also || kind->values) {
        put_object(schema, kind, definitions);
    } else if (kind->chars) {
        json_put_string(schema, "type", "string");
        put_number(schema, "maxLength", (double)kind->chars - 1);
    }
    if (kind->schema) merge(schema, json_parse(kind->schema, strlen(kind->schema)));
}

// Returns the schema of a kind at its place: a reference if it has a definition.
static struct json_object *place(const struct kind *kind, struct json_object *definitions) {
    struct json_object *schema = json_object_new_object();
    if (!kind->name) {
        put_form(schema, kind, definitions);
        return schema;
    }
    struct text reference = {0};
    if (!json_get(definitions, kind->name)) {
        struct json_object *definition = json_object_new_object();
        json_put(definitions, kind->name, definition);
        put_form(definition, kind, definitions);
    }
    text_format(&reference, "#/definitions/%s", kind->name);
    json_put_string(schema, "$ref", text_str(&reference));
    text_free(&reference);
    return schema;
}

struct json_object *schema_make(const struct schema_file *file) {
    struct json_object *schema = json_object_new_object(), *definitions = json_object_new_object();
    json_put_string(schema, "$schema", "http://json-schema.org/draft-07/schema#");
    json_put_string(schema, "title", file->title);
    put_form(schema, file->kind, definitions);
    put_filled(schema, "definitions", definitions, json_object_object_length(definitions));
    return schema;
}
