// SPDX-License-Identifier: Apache-2.0
// The command line of an interrupted run, from its journal.
#ifndef VKASSAY_COMMANDS_RESUME_H
#define VKASSAY_COMMANDS_RESUME_H

#include "options.h"

// `given` names a run's folder with --resume; *out receives the options that run was started with, and its device by
// UUID, so that what is left is run as it would have been.
bool resume_options(struct arena *arena, const struct options *given, struct options *out, struct error *err);

#endif
