// SPDX-License-Identifier: Apache-2.0
// Whether records of an interrupted run belong beside new ones.
#ifndef VKASSAY_SUPERVISE_SAME_RUN_H
#define VKASSAY_SUPERVISE_SAME_RUN_H

#include "supervise.h"

// The run of this context, from the session's journal, must be of the session's device and seed: STATUS_USAGE names
// what is not.
bool same_run(const struct session *session, struct json_object *context, struct error *err);

#endif
