// SPDX-License-Identifier: Apache-2.0
// A temporary folder for a test that writes files.
#ifndef VKASSAY_BASE_FOLDER_H
#define VKASSAY_BASE_FOLDER_H

#include "../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/vkassay-test-XXXXXX";

static inline int folder_make(void **state) {
    return mkdtemp(folder) ? 0 : -1;
}

static inline int folder_remove(void **state) {
    char command[100];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

// Returns the path of a file in it. The text is overwritten by the next call but one.
static inline const char *in_folder(const char *name) {
    static char path[2][400];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

#endif
