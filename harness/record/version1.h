// SPDX-License-Identifier: Apache-2.0
// Results of schema version 1, which held some facts in texts alone. The one place that takes them out of there.
#ifndef VKASSAY_RECORD_VERSION1_H
#define VKASSAY_RECORD_VERSION1_H

#include <json-c/json.h>
#include <stddef.h>

// Makes a record of version 1 one of this version. What it has already stays as it is, and so does what is no record.
void version1_record(struct json_object *record);

// How much of a point's name is that of its case: all before "/wg=".
size_t version1_case_length(const char *name);

#endif
