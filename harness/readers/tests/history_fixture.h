// SPDX-License-Identifier: Apache-2.0
#ifndef VKASSAY_RENDER_HISTORY_FIXTURE_H
#define VKASSAY_RENDER_HISTORY_FIXTURE_H

#include "../history/history.h"
#include "render_fixture.h"
#include "../../../reference/tests/unit.h"

// Makes the histories of results, written to files of these paths.
static inline void histories_of(const struct result *results, const char *const *paths, size_t count,
    const struct history_rules *rules, struct histories *out) {
    struct error err;
    struct result_file items[20];
    struct result_files files = {.items = items, .count = count};
    assert_true(count <= sizeof items / sizeof *items);
    for (size_t i = 0; i < count; i++) {
        fixture_write(paths[i], &results[i]);
        items[i] = (struct result_file){paths[i], false};
    }
    if (!histories_read(&files, rules, out, &err)) fail_msg("%s", err.text);
}

#endif
