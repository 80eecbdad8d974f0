// SPDX-License-Identifier: Apache-2.0
// Compares two results and shows the comparison as the options say.
#ifndef VKASSAY_COMMANDS_COMPARE_PAIR_H
#define VKASSAY_COMMANDS_COMPARE_PAIR_H

#include "../readers/terminal/comparison.h"
#include "options.h"

// The results to compare, and their names.
struct compare_pair {
    const char *verb; // starts the last line, printed to standard error if standard output is for a program
    const char *base_path, *new_path;
    const struct result *base, *new;
    bool paired;                                   // as in compare_rules
    bool whole;                                    // as in compare_rules
    const struct compare_interleaved *interleaved; // NULL: none
};

// Prints the comparison in the form given by options->format. *status receives its outcome.
bool compare_and_print(
    const struct compare_pair *pair, const struct options *options, enum status *status, struct error *err);

// Returns whether --format asks for anything but text for a terminal.
bool compare_is_for_programs(const struct options *options);

// Returns whether --format is known; otherwise err names it.
bool compare_format_known(const struct options *options, struct error *err);

// Compares without printing. The caller calls comparison_free.
bool compare_quietly(
    const struct compare_pair *pair, const struct options *options, struct comparison *out, struct error *err);

// Appends the names of the formats, separated by blanks.
void compare_formats(struct text *words);

#endif
