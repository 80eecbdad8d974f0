// SPDX-License-Identifier: Apache-2.0
// Devices as JSON.
#ifndef VKASSAY_DEVICE_DEVICE_JSON_H
#define VKASSAY_DEVICE_DEVICE_JSON_H

#include "../base/error.h"
#include "../base/fields.h"

#include <json-c/json.h>
#include <stdbool.h>

struct device_info;

// Convert to and from the `device` member of a result.
struct json_object *device_to_json(const struct device_info *info);
bool device_from_json(struct json_object *object, struct device_info *info, struct error *err);
// The fields of struct device_info that identify the device and its driver, as an object.
extern const struct kind kind_device_identity;
extern const struct field device_identity_fields[];
extern const struct kind kind_device_info; // all fields
extern const struct enum_words feature_words;

#endif
