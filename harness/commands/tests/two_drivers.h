// SPDX-License-Identifier: Apache-2.0
// Puts both software drivers in front of the program at once. Tests of both begin with needs_swiftshader().
#ifndef VKASSAY_COMMANDS_TWO_DRIVERS_H
#define VKASSAY_COMMANDS_TWO_DRIVERS_H

#include "vkassay_program.h"
#include "../../../reference/tests/unit.h"

static char lavapipe[300], swiftshader[300];

static inline void use(const char *drivers) {
    setenv("VK_DRIVER_FILES", drivers, 1);
    setenv("VK_ICD_FILENAMES", drivers, 1);
}

static inline void use_both(void) {
    char drivers[620];
    snprintf(drivers, sizeof drivers, "%s:%s", lavapipe, swiftshader);
    use(drivers);
}

// Setup of the tests; folder_remove is the teardown.
static inline int two_drivers_open(void **state) {
    if (program_open(state) != 0) return -1;
    if (shell("bash -c '. scripts/find.sh && echo $(lavapipe_manifest) $(swiftshader_manifest)' >%s/output", folder))
        return 0;
    if (sscanf(content("output"), "%299s %299s", lavapipe, swiftshader) == 2) use_both();
    return 0;
}

#endif
