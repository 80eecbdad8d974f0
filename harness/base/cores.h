// SPDX-License-Identifier: Apache-2.0
// The host's cores that this process may use, 1 at least: fewer than there are under taskset or in a container that
// was given some of them.
#ifndef VKASSAY_BASE_CORES_H
#define VKASSAY_BASE_CORES_H

int cores_usable(void);

#endif
