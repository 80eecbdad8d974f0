// SPDX-License-Identifier: Apache-2.0
// The case of a made-up record, for tests.
#ifndef VKASSAY_RECORD_TESTS_CASE_LENGTH_H
#define VKASSAY_RECORD_TESTS_CASE_LENGTH_H

#include <string.h>

// Returns the length of the case in a point's name: all before "/wg=".
static inline size_t case_length(const char *name) {
    const char *shape = strstr(name, "/wg=");
    return shape ? (size_t)(shape - name) : strlen(name);
}

#endif
