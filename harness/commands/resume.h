// SPDX-License-Identifier: Apache-2.0
// The command line of an interrupted run, from its journal, and the one that goes on with it.
#ifndef VKASSAY_COMMANDS_RESUME_H
#define VKASSAY_COMMANDS_RESUME_H

#include "options.h"

// `given` names a run's folder with --resume; *out receives the options that the run goes on with: what it reads and
// measures as it was started, on its device, and what is loaded, run or written as `given` says. What is recorded of
// the latter and left out is said on standard error. STATUS_USAGE: the run is of another verb.
bool resume_options(struct arena *arena, const struct options *given, struct options *out, struct error *err);

// Whether this option of the run was left out.
bool resume_lacks(const struct options *options, const char *name);

// The command line that goes on with the run in `folder`, for a shell: "vkassay bench --resume FOLDER --junit FILE".
// NULL where the verb takes no --resume.
const char *resume_line(struct arena *arena, const struct options *options, const char *folder);

#endif
