// SPDX-License-Identifier: Apache-2.0
// Two results read, compared and shown as the options say.
#ifndef VKASSAY_COMMANDS_COMPARE_H
#define VKASSAY_COMMANDS_COMPARE_H

#include "../render/comparison.h"
#include "options.h"

// The exit status, below 0: err says why. What is printed follows from options->format and json.
// `verb` begins the last line; it goes to standard error where standard output is for a program.
int compare_files(const char *verb, const char *base, const char *new, const struct options *options, struct error *err);

// Whether --format (or --json) asks for something that is no text for a terminal.
bool compare_is_for_programs(const struct options *options);

// False: err names an unknown --format.
bool compare_format_known(const struct options *options, struct error *err);

struct compare_rules compare_rules_of(const struct options *options);

#endif
