// SPDX-License-Identifier: Apache-2.0
#ifndef VKASSAY_COMMANDS_REFERENCE_BENCH_H
#define VKASSAY_COMMANDS_REFERENCE_BENCH_H

#include "bench.h"

extern const struct bench reference_bench; // `bench --device none`

#endif
