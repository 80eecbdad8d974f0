// SPDX-License-Identifier: Apache-2.0
// The device's own measured peaks, from the records so far: results hold them, the supervisor estimates by them.
#ifndef VKASSAY_RECORD_PEAKS_H
#define VKASSAY_RECORD_PEAKS_H

#include <json-c/json.h>
#include <stddef.h>

// An object of peaks by name: the best of the records that name it and pass; null when none does.
struct json_object *peaks_make(struct json_object *const *records, size_t count);

#endif
