// SPDX-License-Identifier: Apache-2.0
// How large a case's space is, and what was pruned from it and why.
#ifndef VKASSAY_SUPERVISE_PRUNED_H
#define VKASSAY_SUPERVISE_PRUNED_H

#include "../plan/point.h"

// The product of the numbers of the tunables' values; SIZE_MAX on overflow.
size_t shapes_in_all(const struct kernel *kernel);

// [{"shapes": 12, "reason": "1024 invocations; the device allows 256"}], the most common first.
// Reasons that differ in their figures alone are counted together, under the first of them; what
// none of the points holds was refused by rules about these dims.
struct json_object *pruned_make(const struct point *points, size_t count);

#endif
