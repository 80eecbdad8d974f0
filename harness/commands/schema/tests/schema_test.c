// SPDX-License-Identifier: Apache-2.0
// The schemas in reports/schema/ are those of the tables of fields.
#include "../schema.h"

#include "../../../base/file.h"

#include <json-c/json_pointer.h>
#include <stdio.h>
#include <string.h>

#include "../../../base/tests/needs.h"
#include "../../../../reference/tests/unit.h"

static void committed_schemas_are_those_of_the_tables(void **state) {
    for (const struct schema_file *file = schema_files; file->name; file++) {
        struct arena arena = {0};
        struct error err = {0};
        struct text made = {0};
        const char *path = arena_format(&arena, "reports/schema/%s.schema.json", file->name);
        const char *committed = file_read(&arena, path, NULL, &err);
        if (!committed) fail_msg("%s", err.text);
        schema_text(&made, file);
        if (strcmp(text_str(&made), committed) != 0) fail_msg("%s differs; `make schemas` writes it again", path);
        text_free(&made);
        arena_free(&arena);
    }
}

// An independent validator knows good documents, and refuses each of them with one change.
static void schemas_refuse_bad_documents(void **state) {
    const char *python = needs_python("jsonschema");
    assert_int_equal(python_run(python, "harness/commands/schema/tests/documents_check.py", ""), 0);
}

// ---- the schema of a kind

static const char *colour_word(int i) {
    static const char *const words[] = {"red", NULL, "blue"};
    return words[i];
}
static const struct enum_words colours = {colour_word, 0, 3, "a colour"};
static const struct kind kind_colour = {.words = &colours};
static const struct kind kind_named = {.words = &colours, .name = "colour", .meaning = "A colour."};

struct pair {
    int count;
    double items[4];
};
static const struct field pair_fields[] = {
    {"always", &kind_int, 0, REQUIRED},
    {"written", KIND(kind_int, .least = 2, .most = 9), 0, WRITTEN},
    {"nullable", KIND(kind_text, .meaning = "A text."), 0, NULLABLE},
    {"sparse", &kind_flag, 0, SPARSE},
    {"new", KIND(kind_text, .least = 1, .most = 5), 0, NEW},
    {"new_nullable", &kind_colour, 0, NEW_NULLABLE},
    {0},
};

// A number with its name in the file, and the place where it stood.
struct named_real {
    const char *name, *where;
    double value;
};
static bool named_real_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    (void)arena;
    return json_number(at, &((struct named_real *)member)->value, err);
}
static const struct kind kind_named_real = {
    .get = named_real_get, .where = offsetof(struct named_real, where), .schema = SCHEMA({"type" : "number"})};
struct kept {
    struct named_real *items;
    size_t count;
};
static const struct kind by_name = {
    .list = &(const struct item_list){
        LIST_OF(struct kept, items, count, &kind_named_real), .in_arena = true, .named = true}};
static const struct field place_fields[] = {{"a", &kind_real, 0, SPARSE}, {0}};

static const struct {
    const struct kind *kind;
    const char *schema;
} forms[] = {
    {&kind_flag, "{\"type\": \"boolean\"}"},
    {&kind_colour, "{\"enum\": [\"red\", \"blue\"]}"},
    {&(const struct kind){.chars = 8}, "{\"type\": \"string\", \"maxLength\": 7}"},
    {&(const struct kind){.set = &colours},
        "{\"type\": \"array\", \"items\": {\"enum\": [\"red\", \"blue\"]}, \"uniqueItems\": true}"},
    {KIND(kind_int, .least = 1), "{\"type\": \"integer\", \"minimum\": 1}"},
    {KIND(kind_text, .words = &colours), "{\"enum\": [\"red\", \"blue\"]}"},
    {KIND(kind_text, .schema = SCHEMA({"pattern" : "^a$"})), "{\"type\": \"string\", \"pattern\": \"^a$\"}"},
    {KIND(kind_uint32, .most = 64), "{\"type\": \"integer\", \"minimum\": 0, \"maximum\": 64}"},
    {ROOM_LIST(struct pair, items, count, &kind_real, 1, 4),
        "{\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 1, \"maxItems\": 4}"},
    {LIST_OR_ONE(struct kept, items, count, &kind_named_real),
        "{\"anyOf\": [{\"type\": \"number\"}, {\"type\": \"array\", \"items\": {\"type\": \"number\"}, "
        "\"minItems\": 1}]}"},
    {&by_name, "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"number\"}}"},
    {&(const struct kind){.fields = place_fields, .plain = &kind_flag},
        "{\"anyOf\": [{\"type\": \"boolean\"}, {\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"number\"}}, "
        "\"additionalProperties\": false}]}"},
    {&(const struct kind){.values = &kind_flag},
        "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"boolean\"}}"},
    {&(const struct kind){.values = &kind_flag, .keys = &(const struct enum_words){colour_word, 0, 1, ""}},
        "{\"type\": \"object\", \"propertyNames\": {\"enum\": [\"red\"]}, \"additionalProperties\": {\"type\": "
        "\"boolean\"}}"},
    {&(const struct kind){
         .values = &kind_flag, .keys = &(const struct enum_words){colour_word, 0, 1, ""}, .required = 1},
        "{\"type\": \"object\", \"properties\": {\"red\": {\"type\": \"boolean\"}}, \"required\": [\"red\"], "
        "\"additionalProperties\": false}"},
    {&(const struct kind){.fields = pair_fields}, "{\"type\": \"object\", \"properties\": {\"always\": {\"type\": "
                                                  "\"integer\", \"minimum\": 0}, \"written\": {\"type\": "
                                                  "\"integer\", \"minimum\": 2, \"maximum\": 9}, \"nullable\": "
                                                  "{\"description\": \"A text.\", \"type\": [\"string\", "
                                                  "\"null\"]}, \"sparse\": {\"type\": \"boolean\"}, \"new\": "
                                                  "{\"type\": \"string\", \"minLength\": 1, \"maxLength\": 5}, "
                                                  "\"new_nullable\": {\"enum\": [\"red\", \"blue\", null]}}, "
                                                  "\"required\": [\"always\", \"written\", \"nullable\"], "
                                                  "\"additionalProperties\": false}"},
};

static void a_kind_has_its_schema(void **state) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct json_object *made = schema_make(&(const struct schema_file){"a", "a title", forms[i].kind}),
                           *expected = json_parse(forms[i].schema, strlen(forms[i].schema));
        assert_non_null(expected);
        assert_string_equal(json_get_string(made, "title", ""), "a title");
        json_object_object_del(made, "$schema");
        json_object_object_del(made, "title");
        if (!json_object_equal(made, expected)) fail_msg("%zu: %s", i, json_object_to_json_string(made));
        json_object_put(made);
        json_object_put(expected);
    }
}

static void a_definition_is_made_once_and_may_be_null(void **state) {
    static const struct field fields[] = {{"a", &kind_named, 0, REQUIRED}, {"b", &kind_named, 0, NULLABLE}, {0}};
    static const char *const expected[][2] = {{"/properties/a", "{ \"$ref\": \"#\\/definitions\\/colour\" }"},
        {"/properties/b", "{ \"anyOf\": [ { \"$ref\": \"#\\/definitions\\/colour\" }, { \"type\": \"null\" } ] }"},
        {"/definitions/colour", "{ \"description\": \"A colour.\", \"enum\": [ \"red\", \"blue\" ] }"}};
    const struct kind kind = {.fields = fields};
    struct json_object *made = schema_make(&(const struct schema_file){"a", "b", &kind}), *part;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(json_pointer_get(made, expected[i][0], &part), 0);
        assert_string_equal(json_object_to_json_string(part), expected[i][1]);
    }
    json_object_put(made);
}

// ---- reading within the bounds of a schema

static const struct {
    const struct kind *kind;
    const char *json, *says; // NULL: it is read
} readings[] = {
    {KIND(kind_int, .least = 2, .most = 9), "2", NULL},
    {KIND(kind_int, .least = 2, .most = 9), "9", NULL},
    {KIND(kind_int, .least = 2, .most = 9), "1", "expected at least 2, found 1"},
    {KIND(kind_int, .least = 2, .most = 9), "10", "expected at most 9, found 10"},
    {KIND(kind_real, .meaning = "Any number."), "-3", NULL},
    {&kind_amount, "-3", "expected at least 0, found -3"},
    {&kind_positive, "0", "expected a number above 0, found 0"},
    {KIND(kind_text, .least = 1), "\"\"", "expected at least 1 characters, found 0"},
    {KIND(kind_text, .words = &colours), "\"blue\"", NULL},
    {KIND(kind_text, .words = &colours), "\"green\"", "expected a colour, found \"green\""},
};

static void numbers_and_texts_beyond_their_bounds_are_refused(void **state) {
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        struct arena arena = {0};
        struct error err = {0};
        union {
            int whole;
            double number;
            const char *text;
        } member = {0};
        struct json_object *value = json_tokener_parse(readings[i].json);
        const struct json_at at = json_root(value, "a");
        assert_int_equal(kind_get(readings[i].kind, &arena, &at, &member, &err), !readings[i].says);
        if (readings[i].says && !strstr(err.text, readings[i].says)) fail_msg("%zu: %s", i, err.text);
        json_object_put(value);
        arena_free(&arena);
    }
}

static void read_kept(struct arena *arena, const struct kind *kind, const char *json, struct kept *out) {
    struct error err = {0};
    struct json_object *value = json_tokener_parse(json);
    const struct json_at at = json_root(value, "a");
    *out = (struct kept){0};
    if (!kind_get(kind, arena, &at, out, &err)) fail_msg("%s", err.text);
    json_object_put(value);
}

static void an_item_alone_is_a_list_of_one_and_members_keep_their_names(void **state) {
    struct arena arena = {0};
    struct kept kept;
    read_kept(&arena, LIST_OR_ONE(struct kept, items, count, &kind_named_real), "5", &kept);
    assert_int_equal(kept.count, 1);
    assert_true(kept.items[0].value == 5);
    assert_string_equal(kept.items[0].where, "$");
    read_kept(&arena, LIST_OR_ONE(struct kept, items, count, &kind_named_real), "[6, 7]", &kept);
    assert_int_equal(kept.count, 2);
    assert_string_equal(kept.items[1].where, "$[1]");
    read_kept(&arena, &by_name, "{\"n\": 8, \"m\": 9}", &kept);
    assert_int_equal(kept.count, 2);
    assert_string_equal(kept.items[1].name, "m");
    assert_string_equal(kept.items[1].where, "$.m");
    assert_true(kept.items[0].value == 8 && kept.items[1].value == 9);
    arena_free(&arena);
}

// ---- an item for each word

static void an_item_for_each_word_is_a_member(void **state) {
    struct arena arena = {0};
    struct error err = {0};
    static const struct enum_words ends = {colour_word, 2, 3, ""};
    const struct kind flags = {.each = sizeof(bool), .values = &kind_flag, .keys = &ends};
    bool flag = true;
    struct json_object *put = kind_put(&flags, &flag), *more = json_tokener_parse("{\"more\": 1, \"blue\": false}");
    assert_string_equal(json_object_to_json_string(put), "{ \"blue\": true }");
    const struct json_at at = json_root(more, "a");
    assert_true(kind_get(&flags, &arena, &at, &flag, &err));
    assert_false(flag);
    json_put_int(more, "blue", 1);
    assert_false(kind_get(&flags, &arena, &at, &flag, &err));
    assert_non_null(strstr(err.text, "$.blue: expected boolean, found int"));
    json_object_put(put);
    json_object_put(more);
    arena_free(&arena);
}

// Functions replace a table, each for its direction.
static struct json_object *one_put(const void *member) {
    return json_object_new_int64(*(const int *)member + 1);
}
static bool one_get(struct arena *arena, const struct json_at *at, void *member, struct error *err) {
    return kind_int.get(arena, at, member, err) && (--*(int *)member, true);
}

static void functions_come_before_the_form(void **state) {
    struct arena arena = {0};
    struct error err = {0};
    const struct kind kind = {.put = one_put, .get = one_get, .of = &kind_text};
    int number = 4;
    size_t none = 0;
    struct json_object *put = kind_put(&kind, &number);
    const struct json_at at = json_root(put, "a");
    assert_string_equal(json_object_to_json_string(put), "5");
    number = 0;
    assert_true(kind_get(&kind, &arena, &at, &number, &err));
    assert_int_equal(number, 4);
    json_object_put(put);
    assert_null(kind_put(&kind_some, &none));
    put = json_object_new_int64(0);
    const struct json_at zero = json_root(put, "a");
    assert_false(kind_get(&kind_some, &arena, &zero, &none, &err));
    assert_non_null(strstr(err.text, "expected at least 1, found 0"));
    json_object_put(put);
}

// ---- the layout

static void lines_are_short_and_keep_the_value(void **state) {
    for (const struct schema_file *file = schema_files; file->name; file++) {
        struct text text = {0};
        struct json_object *made = schema_make(file);
        schema_layout(&text, made);
        struct json_object *back = json_parse(text_str(&text), text.length);
        assert_true(json_object_equal(made, back));
        for (const char *line = text_str(&text); *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > 120 && !strstr(line, "\"description\""))
                fail_msg("%s: %.*s", file->name, (int)strcspn(line, "\n"), line);
        json_object_put(back);
        json_object_put(made);
        text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(committed_schemas_are_those_of_the_tables),
        cmocka_unit_test(schemas_refuse_bad_documents),
        cmocka_unit_test(a_kind_has_its_schema),
        cmocka_unit_test(a_definition_is_made_once_and_may_be_null),
        cmocka_unit_test(numbers_and_texts_beyond_their_bounds_are_refused),
        cmocka_unit_test(an_item_for_each_word_is_a_member),
        cmocka_unit_test(functions_come_before_the_form),
        cmocka_unit_test(an_item_alone_is_a_list_of_one_and_members_keep_their_names),
        cmocka_unit_test(lines_are_short_and_keep_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
