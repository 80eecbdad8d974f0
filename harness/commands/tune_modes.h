// SPDX-License-Identifier: Apache-2.0
// The parts of `vkassay tune`.
#ifndef VKASSAY_COMMANDS_TUNE_MODES_H
#define VKASSAY_COMMANDS_TUNE_MODES_H

#include "options.h"

bool tune_agree(struct arena *arena, const struct options *options, enum status *status, struct error *err);
bool tune_simulate(struct arena *arena, const struct options *options, struct error *err);

#endif
