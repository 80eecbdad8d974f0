// SPDX-License-Identifier: Apache-2.0
// A result shown: tables on standard output, charts and the page in a folder, and where they are.
#ifndef VKASSAY_COMMANDS_PRESENT_H
#define VKASSAY_COMMANDS_PRESENT_H

#include "../base/error.h"

#include <stdbool.h>

bool present(const char *result_path, const char *folder, const char *home, bool quiet, struct error *err);

#endif
