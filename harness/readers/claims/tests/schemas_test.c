// SPDX-License-Identifier: Apache-2.0
// The words allowed by a schema are exactly the words of the table in C.
#include "../../../device/profile.h"

#include "../../../../reference/dtype.h"
#include "../../../base/json.h"
#include "../../../device/device_info.h"
#include "../../../../reference/tests/unit.h"

#include <assert.h>
#include <json-c/json_pointer.h>
#include <stdio.h>
#include <string.h>

// Returns the word of a number, counted from 0; NULL after the last.
typedef const char *word_at(int i);

static const char *dtype_at(int i) {
    return DTYPE_F32 + i < DTYPE_COUNT ? dtype_info((enum dtype)(DTYPE_F32 + i))->name : NULL;
}
static const char *feature_at(int i) {
    return i < FEATURE_COUNT ? feature_name((enum feature)i) : NULL;
}
// A manifest may leave the component to the case.
static const char *component_at(int i) {
    if (i == COMPONENT_COUNT) return "case";
    return i < COMPONENT_COUNT ? component_name((enum component)i) : NULL;
}

static const struct words {
    const char *schema, *pointer; // to the list of words
    word_at *at;
} lists[] = {
    {"manifest", "/definitions/dtype/enum", dtype_at},
    {"manifest", "/definitions/component/enum", component_at},
    {"manifest", "/definitions/members/properties/features/items/enum", feature_at},
};

static struct json_object *schema(const char *name) {
    struct error err = {0};
    char path[100];
    snprintf(path, sizeof path, "reports/schema/%s.schema.json", name);
    struct json_object *json = json_read(path, &err);
    if (!json) fail_msg("%s", err.text);
    return json;
}

static bool is_among(struct json_object *list, const char *word) {
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        struct json_object *item = json_object_array_get_idx(list, i);
        if (item && strcmp(json_object_get_string(item), word) == 0) return true;
    }
    return false;
}

static bool is_word(word_at *at, const char *word) {
    for (int i = 0; at(i); i++)
        if (strcmp(at(i), word) == 0) return true;
    return false;
}

// Compares a list with the words. null means none and is no word.
static void hold(const char *where, struct json_object *list, word_at *at) {
    for (int i = 0; at(i); i++)
        if (!is_among(list, at(i))) fail_msg("%s: \"%s\" is missing", where, at(i));
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        const char *word = json_object_get_string(json_object_array_get_idx(list, i));
        if (word && !is_word(at, word)) fail_msg("%s: \"%s\" is no such word", where, word);
    }
}

static void schemas_allow_the_words_of_the_tables(void **state) {
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct json_object *root = schema(lists[i].schema), *list = NULL;
        char where[200];
        snprintf(where, sizeof where, "%s%s", lists[i].schema, lists[i].pointer);
        if (json_pointer_get(root, lists[i].pointer, &list) != 0) fail_msg("%s: there is no such list", where);
        hold(where, list, lists[i].at);
        json_object_put(root);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas_allow_the_words_of_the_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
