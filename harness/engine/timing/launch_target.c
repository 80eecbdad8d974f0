// SPDX-License-Identifier: Apache-2.0
// A kernel as a target of timing, on the device of its launch.
#include "launch_target.h"

// Restores operands computed in place, from input buffers that no shader touches.
static bool restore_inputs(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    const struct launch *launch = what;
    const struct problem *problem = launch->problem;
    (void)err;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->from)
            device->copy(device->context, work, &operand->from->device, problem->guard, &operand->device,
                problem->guard, operand->extent);
    }
    device->barrier(device->context, work);
    return true;
}

static bool record_target(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    return launch_record(device->context, work, what, LAUNCH_PLAIN, false, err);
}

struct target launch_target(const struct launch *launch) {
    bool restores = false;
    for (int i = 0; i < launch->problem->operand_count; i++) restores |= launch->problem->operands[i].from != NULL;
    return (struct target){record_target, launch, restores ? restore_inputs : NULL};
}
