// SPDX-License-Identifier: Apache-2.0
// Why a run did not do all that it was to do.
#ifndef VKASSAY_SUPERVISE_CUT_SHORT_H
#define VKASSAY_SUPERVISE_CUT_SHORT_H

#include "../record/whole.h"
#include "supervise.h"

// NULL where nothing is left. `failed`: what ended the run; NULL: nothing did.
static inline const char *why_cut_short(const struct outcome *out, const struct error *failed) {
    return !out->left           ? NULL
           : out->interrupted   ? "interrupted"
           : out->out_of_budget ? "the budget was spent"
           : failed             ? failed->text
                                : "the run ended early";
}

#endif
