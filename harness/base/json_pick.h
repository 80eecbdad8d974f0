// SPDX-License-Identifier: Apache-2.0
// Picks the wanted members of a JSON object, without parsing the others.
#ifndef VKASSAY_BASE_JSON_PICK_H
#define VKASSAY_BASE_JSON_PICK_H

#include "text.h"

struct json_keep {
    const char *const *members; // ends with NULL; NULL: all
    const char *outer, *inner;  // only `inner` is kept of the member `outer`, an object; NULL: all of it
};

// Sets *out to the object with only those members. The others are checked to be JSON in UTF-8. Returns false if they
// are not, if there is no object, or if a member's name is not plain. The parser must then read all of it.
bool json_pick(struct text *out, const char *bytes, size_t length, const struct json_keep *keep);

#endif
