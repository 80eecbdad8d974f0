// SPDX-License-Identifier: Apache-2.0
// Reads a JSON object with one long list, item by item. Memory is needed only for the largest item.
#ifndef VKASSAY_BASE_JSON_LIST_H
#define VKASSAY_BASE_JSON_LIST_H

#include "json.h"
#include "text.h"

// The members of an item to read; the others are only checked to be JSON in UTF-8.
struct json_keep {
    const char *const *members; // ends with NULL; NULL: all
    const char *outer, *inner;  // only `inner` is kept of the member `outer`, an object; NULL: all of it
};

// Arrays of numbers within an item to count instead of reading: ITEM.outer.X.key for every X except `except` (may be
// NULL). A member `count_key` with the number replaces each of them.
struct json_passed {
    const char *outer, *key, *except, *count_key;
};

// One item. All of it belongs to the reader.
struct json_met {
    struct json_at at; // "$.records[3]"
    const char *bytes; // as in the file
    size_t length;
    uint64_t offset;            // in the file's content
    struct json_object *before; // the outermost object's members before the list; borrowed
    bool line;                  // a line after the object, not an item of the list
};

struct json_list {
    const char *key;                                                          // of the list in the outermost object
    const struct json_passed *passed;                                         // NULL: everything is read
    bool (*take)(void *user, const struct json_met *item, struct error *err); // false ends the reading
    void *user;
    const struct json_keep *keep; // the only members read of items that are objects; NULL: all
    bool lines;                   // items may instead be lines after the object, as in a journal
};

// Passes every item to list->take in the file's order. Returns the outermost object, with an empty list. If the
// member is not an array, it is returned as it is. Errors name the file and the line, as with json_read. The file may
// have any size. A torn last line, which has no end, is skipped.
struct json_object *json_read_list(const char *path, const struct json_list *list, struct error *err);

// Appends an object's text in one line, without such arrays.
void json_put_without(struct text *out, const char *bytes, size_t length, const struct json_passed *passed);

#endif
