// SPDX-License-Identifier: Apache-2.0
// The strategies by name; each has a file. Private to harness/tune.
#ifndef VKASSAY_TUNE_STRATEGIES_H
#define VKASSAY_TUNE_STRATEGIES_H

#include "search.h"

#define STRATEGY(name)                                                                                                 \
    bool name(const struct space *space, const struct search_options *options, struct arena *arena,                    \
        struct finding *out, struct error *err)
STRATEGY(search_exhaustive);
STRATEGY(search_race);
STRATEGY(search_random);
STRATEGY(search_greedy);

#endif
