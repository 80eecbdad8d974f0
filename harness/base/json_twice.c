// SPDX-License-Identifier: Apache-2.0
// Finds members that occur twice in an object. json-c keeps the last one without a word.
#include "json_scan.h"

#include <string.h>

enum { NAMED = 1000 }; // a member is named if it occurs twice among so many names

static size_t members_of(struct json_object *value) {
    size_t count = 0;
    if (json_object_is_type(value, json_type_object)) {
        json_object_object_foreach(value, key, member) {
            (void)key;
            count += 1 + members_of(member);
        }
    }
    for (size_t i = 0; json_object_is_type(value, json_type_array) && i < json_object_array_length(value); i++)
        count += members_of(json_object_array_get_idx(value, i));
    return count;
}

// Returns the position after the closing quote of a string that begins at `at`.
static const char *behind_string(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++) at += *at == '\\';
    return at < end ? at + 1 : end;
}

struct name {
    const char *object, *text; // where its object begins, and the quoted name
    size_t length;
};

// Returns whether a name is among the first ones.
static bool is_met(const struct name *names, size_t count, const struct name *name) {
    for (size_t i = 0; i < count; i++)
        if (names[i].object == name->object && names[i].length == name->length &&
            memcmp(names[i].text, name->text, name->length) == 0)
            return true;
    return false;
}

// Counts the names of all members. With `first`, an array of NAMED, it stops at a name met before and returns it.
static const char *each_name(const char *bytes, size_t length, struct name *first, size_t *count) {
    const char *end = bytes + length, *objects[JSON_DEEPEST + 3] = {bytes};
    size_t depth = 0;
    *count = 0;
    for (const char *at = bytes, *behind; at < end; at = behind) {
        behind = at + 1;
        if ((*at == '{' || *at == '[') && depth < JSON_DEEPEST + 2) objects[++depth] = at;
        if ((*at == '}' || *at == ']') && depth) depth--;
        if (*at != '"') continue;
        behind = behind_string(at, end);
        const char *next = json_space_end(behind, end);
        if (next == end || *next != ':') continue;
        const struct name name = {objects[depth], at, (size_t)(behind - at)};
        if (first && is_met(first, *count < NAMED ? *count : NAMED, &name)) return at;
        if (first && *count < NAMED) first[*count] = name;
        ++*count;
    }
    return NULL;
}

bool json_names_twice(struct json_object *value, const char *bytes, size_t length, const char **where) {
    struct name first[NAMED];
    size_t count;
    *where = bytes;
    each_name(bytes, length, NULL, &count);
    if (count == members_of(value)) return false;
    const char *found = each_name(bytes, length, first, &count);
    if (found) *where = found;
    return true;
}
