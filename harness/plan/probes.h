// SPDX-License-Identifier: Apache-2.0
// Probes: what is measured of a device and its driver that is no tensor kernel. Each has the form of a kernel of an
// operator without operands, so that it is planned, named, run, recorded and shown as kernels are:
//
//     submit.barriers/probe/k=16/wg=1x1x1
#ifndef VKASSAY_PLAN_PROBES_H
#define VKASSAY_PLAN_PROBES_H

#include "../manifest/kernel.h"

// All there are, sorted by name.
const struct kernels *probes(void);

#endif
