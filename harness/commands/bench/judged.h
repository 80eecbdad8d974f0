// SPDX-License-Identifier: Apache-2.0
// Which kernels of a run were judged. A kernel that nobody looked at must not look right.
#ifndef VKASSAY_COMMANDS_JUDGED_H
#define VKASSAY_COMMANDS_JUDGED_H

#include "bench_run.h"

// Prints how many kernels were judged, skipped or had no point, unless all were judged. *status becomes
// STATUS_PARTIAL at least if there are notes on captured folders. It does, too, if none of a kernel's points
// was judged, and the user brought the kernel (--kernels, --only) or named it as a whole. Skips that the expectations
// state are as good as a verdict. The program's own kernels may be skipped, since no device has the features of all. A
// kernel of the user's without a point counts if the check chose its points itself (no --suite, no selection).
void judged_tell(const struct run *run, const struct plan *plan, const struct outcome *outcome, enum status *status);

#endif
