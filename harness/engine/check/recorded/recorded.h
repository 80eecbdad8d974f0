// SPDX-License-Identifier: Apache-2.0
// Judges the run of a recorded dispatch by its recording.
#ifndef VKASSAY_CHECK_RECORDED_H
#define VKASSAY_CHECK_RECORDED_H

#include "../check.h"

// Compares the outputs kept in operand->got with the recorded ones, and fills record->recorded. On the device and
// driver of the recording other bits are a failure. A number that is not finite is one on any, if all inputs are
// finite.
void check_recorded(const struct check_request *request, struct arena *arena, struct record *record);

#endif
