// SPDX-License-Identifier: Apache-2.0
// Of a JSON object the members that a reader wants, without a parser's work on the others.
#ifndef VKASSAY_BASE_JSON_PICK_H
#define VKASSAY_BASE_JSON_PICK_H

#include "text.h"

struct json_keep {
    const char *const *members; // ends with NULL; NULL: all
    const char *outer, *inner;  // of the member `outer`, an object, `inner` alone; NULL: all of it
};

// Sets *out to the object with those members alone. What is left out has been seen to be JSON in UTF-8. False where it
// is not, or the object is none, or names a member in a way that is not plain: all of it is for the parser then.
bool json_pick(struct text *out, const char *bytes, size_t length, const struct json_keep *keep);

#endif
