// SPDX-License-Identifier: Apache-2.0
// Assertions and changes shared by the tests of this folder.
#ifndef VKASSAY_RENDER_EXPECT_H
#define VKASSAY_RENDER_EXPECT_H

#include "../../record/record.h"
#include "../../record/terms.h"
#include "../../truth/stats/summary.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <string.h>

static inline void near(double got, double want) {
    if (!(fabs(got - want) < 1e-9)) fail_msg("%.12g, expected %.12g", got, want);
}

static inline void has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("expected '%s' in:\n%s", part, text);
}

// Multiplies a record's compute time.
static inline void scale(struct record *record, double factor) {
    struct summary *s = &record->time[FIGURE_COMPUTE];
    s->median *= factor;
    s->lo *= factor;
    s->hi *= factor;
}

#endif
