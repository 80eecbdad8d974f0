// SPDX-License-Identifier: Apache-2.0
// A JSON object of which one member is a long list: read one item after the other, in memory for the largest item
// alone.
#ifndef VKASSAY_BASE_JSON_LIST_H
#define VKASSAY_BASE_JSON_LIST_H

#include "json.h"
#include "json_pick.h"
#include "text.h"

// Arrays of numbers within an item that are counted and not read: ITEM.outer.X.key for every X but `except` (which may
// be NULL). A member `count_key` with how many there were comes in the place of each.
struct json_passed {
    const char *outer, *key, *except, *count_key;
};

// An item as it was met. All of it is the reader's.
struct json_met {
    struct json_at at; // "$.records[3]"
    const char *bytes; // as they stand in the file
    size_t length;
    uint64_t offset;            // in the file
    struct json_object *before; // the outermost object's members that stood before the list; borrowed
};

struct json_list {
    const char *key;                                                          // of the list in the outermost object
    const struct json_passed *passed;                                         // NULL: all is read
    bool (*take)(void *user, const struct json_met *item, struct error *err); // false ends the reading
    void *user;
    const struct json_keep *keep; // of items that are objects these members alone are read; NULL: all
};

// Hands every item to list->take, in the file's order, and returns the outermost object, in which the list is empty.
// Where the member is no array, it comes as it is. As with json_read errors name the file and the line; there is no
// limit to the size of the file.
struct json_object *json_read_list(const char *path, const struct json_list *list, struct error *err);

// As json_parse, with such arrays counted; `passed` may be NULL.
struct json_object *json_parse_passing(const char *bytes, size_t length, const struct json_passed *passed);

// Appends an object's text in one line, without the members of such arrays.
void json_put_without(struct text *out, const char *bytes, size_t length, const struct json_passed *passed);

#endif
