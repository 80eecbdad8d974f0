// SPDX-License-Identifier: Apache-2.0
// Whether a run did all that it was to do: complete, why and left of the context's "run". Results from before these
// were written count as whole.
#ifndef VKASSAY_RECORD_WHOLE_H
#define VKASSAY_RECORD_WHOLE_H

#include "../base/arena.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

enum { WHOLE_UNKNOWN = -1 }; // how many are left

// `why` NULL: the run is whole, and nothing is left. `left`: points without a record; of a search, cases.
void whole_put(struct json_object *run, const char *why, int64_t left);

bool whole_is(struct json_object *run);

// "cut short: interrupted; 20 left", in the arena; NULL of a whole run.
const char *whole_words(struct arena *arena, struct json_object *run);

#endif
