// SPDX-License-Identifier: Apache-2.0
// Records of points that no worker answered for: skipped without running, or lost with their
// worker.
#ifndef VKASSAY_SUPERVISE_STAND_IN_H
#define VKASSAY_SUPERVISE_STAND_IN_H

#include "supervise.h"

// NULL when memory is out. The caller releases it.
struct json_object *stand_in(
    const struct session *session, const struct point *point, enum record_status status, const char *reason);

#endif
