// SPDX-License-Identifier: Apache-2.0
// What `list sources` says of results: which of their kernels have other sources now.
#ifndef VKASSAY_COMMANDS_LIST_SOURCES_H
#define VKASSAY_COMMANDS_LIST_SOURCES_H

#include "../prepare.h"

#include "../../base/json.h"

// An object for each result behind the first word: its file, the revision that measured it, how many kernels it has,
// those of them whose source differs now or that are gone, and whether the result is marked as historical. NULL: `err`
// says which file is no result.
struct json_object *sources_listing(
    struct arena *arena, const struct options *options, const struct prepared *prepared, struct error *err);

#endif
