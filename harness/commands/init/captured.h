// SPDX-License-Identifier: Apache-2.0
// The kernels of a captured folder, recognised by their recorded operands.
#ifndef VKASSAY_COMMANDS_INIT_CAPTURED_H
#define VKASSAY_COMMANDS_INIT_CAPTURED_H

#include "place.h"

// Places a kernel for each recorded module whose operator was recognised, and reports the others. Returns false if the
// folder is damaged.
bool captured_place(struct init *init, const char *folder, struct error *err);

#endif
