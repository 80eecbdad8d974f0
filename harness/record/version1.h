// SPDX-License-Identifier: Apache-2.0
// Converts results of schema version 1, which had some facts only in texts.
#ifndef VKASSAY_RECORD_VERSION1_H
#define VKASSAY_RECORD_VERSION1_H

#include <json-c/json.h>
#include <stddef.h>

// Converts a record of version 1. Existing members stay, and so does anything that is no record.
void version1_record(struct json_object *record);

// Returns the length of the case in a point's name: all before "/wg=".
size_t version1_case_length(const char *name);

#endif
