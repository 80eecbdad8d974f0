// SPDX-License-Identifier: Apache-2.0
// Inputs made up for fuzz targets. JSON is changed as a tree, so that most inputs get behind the parser.
#ifndef VKASSAY_COMMANDS_FUZZ_MADE_UP_H
#define VKASSAY_COMMANDS_FUZZ_MADE_UP_H

#include <stddef.h>
#include <stdint.h>

enum form { FORM_TEXT, FORM_JSON, FORM_WORDS }; // FORM_JSON: one value, or a value a line; FORM_WORDS: of 32 bits

// A file to begin with, or a line of it.
struct seed {
    const char *bytes;
    size_t length;
};

// Changes an input in place, by this number. Returns its new length, at most `room`.
size_t made_up(enum form form, const struct seed *seeds, size_t seed_count, uint8_t *bytes, size_t length, size_t room,
    unsigned number);

#endif
