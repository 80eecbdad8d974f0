// SPDX-License-Identifier: Apache-2.0
// A recipe of continuous integration for a folder of kernels.
#ifndef VKASSAY_COMMANDS_RECIPE_H
#define VKASSAY_COMMANDS_RECIPE_H

#include "../../base/arena.h"
#include "../../base/error.h"

// Writes the recipe of GitLab, if the name of the new file has "gitlab", or else of GitHub, for the kernels in the
// folder of `manifest`. Both are paths from the root of the repository.
bool recipe_write(struct arena *arena, const char *path, const char *manifest, struct error *err);

#endif
