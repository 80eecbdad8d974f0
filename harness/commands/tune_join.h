// SPDX-License-Identifier: Apache-2.0
// `tune --join`: joins tuned tables of many devices into one.
#ifndef VKASSAY_COMMANDS_TUNE_JOIN_H
#define VKASSAY_COMMANDS_TUNE_JOIN_H

#include "options.h"

// Joins the results, folders of results and tuned tables among the words into the table of --out.
bool tune_join(struct arena *arena, const struct options *options, enum status *status, struct error *err);

#endif
