// SPDX-License-Identifier: Apache-2.0
// The generator of inputs is the one that random operators are defined by.
#ifndef VKASSAY_BASE_PHILOX_H
#define VKASSAY_BASE_PHILOX_H

#include "../../reference/philox.h"

#endif
