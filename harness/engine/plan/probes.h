// SPDX-License-Identifier: Apache-2.0
// Probes: measurements of a device and its driver other than tensor kernels. Each has the form of a kernel whose
// operator has no operands. So it is planned, named, run, recorded and shown like a kernel:
//
//     submit.barriers/probe/k=16/wg=1x1x1
#ifndef VKASSAY_PLAN_PROBES_H
#define VKASSAY_PLAN_PROBES_H

#include "../../shader/manifest/kernel.h"

// Returns all probes, sorted by name.
const struct kernels *probes(void);

#endif
