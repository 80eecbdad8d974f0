// SPDX-License-Identifier: Apache-2.0
// The columns of tables of cases. Private to harness/render.
#ifndef VKASSAY_RENDER_CASE_COLUMNS_H
#define VKASSAY_RENDER_CASE_COLUMNS_H

#include "../choice.h"
#include "../view.h"
#include "table.h"

// What a row is about.
struct row {
    const struct result *result;
    const struct view_kernel *kernel;
    const struct view_case *c;
    int plain_dims;              // leading dims whose names the heading gives
    const struct choice *choice; // the kernel's portable pick; for HEADLINE and CHOICE alone
};

enum place {
    ON_TERMINAL = 1,
    ON_PAGE = 2,
    ON_HEADLINE = 4,
    ON_CHOICE = 8
}; // HEADLINE: the page's table of sizes, over all kernels; CHOICE: its first, a row a kernel

extern const struct column case_columns[];

#endif
