// SPDX-License-Identifier: Apache-2.0
// `list sources`: the kernels of a result whose sources have changed since.
#ifndef VKASSAY_COMMANDS_LIST_SOURCES_H
#define VKASSAY_COMMANDS_LIST_SOURCES_H

#include "../prepare.h"

#include "../../base/json.h"

// Returns an object for each result behind the first word: its file, its revision and the number of kernels and types
// compared. It names kernels that are gone or have a changed source, and says whether the result is marked
// historical. NULL: `err` names the file that is no result.
struct json_object *sources_listing(
    struct arena *arena, const struct options *options, const struct prepared *prepared, struct error *err);

#endif
