// SPDX-License-Identifier: Apache-2.0
// `list bounds`: the tolerances of an operator for other test suites, from the bound of its reference.
#ifndef VKASSAY_COMMANDS_LIST_BOUNDS_H
#define VKASSAY_COMMANDS_LIST_BOUNDS_H

#include "../options.h"

#include <json-c/json.h>

// Returns an object for each output of each OPERATOR[/TYPE] behind the first word, for the caller to release.
// STATUS_USAGE: an unknown operator or type, or dims that it refuses; the result is then NULL.
struct json_object *list_bounds(struct arena *arena, const struct options *options, struct error *err);

// Prints these objects as text.
void list_bounds_print(struct arena *arena, struct json_object *list);

#endif
