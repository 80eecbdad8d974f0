// SPDX-License-Identifier: Apache-2.0
// Two results read, compared and shown as the options say.
#ifndef VKASSAY_COMMANDS_COMPARE_PAIR_H
#define VKASSAY_COMMANDS_COMPARE_PAIR_H

#include "../render/terminal/comparison.h"
#include "options.h"

// What is compared, and under which names.
struct compare_pair {
    const char *verb; // begins the last line, which goes to standard error where standard output is for a program
    const char *base_path, *new_path;
    const struct result *base, *new;
    size_t again; // points of `new` that were measured again
    bool paired;  // as in compare_rules
    bool whole;   // as in compare_rules
};

// Prints the comparison as options->format and json say; *status receives what it comes to.
bool compare_and_print(
    const struct compare_pair *pair, const struct options *options, enum status *status, struct error *err);

// Whether --format (or --json) asks for something that is no text for a terminal.
bool compare_is_for_programs(const struct options *options);

// False: err names an unknown --format.
bool compare_format_known(const struct options *options, struct error *err);

// Compares without printing; comparison_free.
bool compare_quietly(
    const struct compare_pair *pair, const struct options *options, struct comparison *out, struct error *err);

// Appends the names of the formats, with blanks between.
void compare_formats(struct text *words);

#endif
