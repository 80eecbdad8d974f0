// SPDX-License-Identifier: Apache-2.0
#ifndef VKASSAY_BASE_UTF8_H
#define VKASSAY_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

// Returns the length of the well-formed UTF-8 sequence at the start of `left` bytes, 0 if there is none; *code is its
// code point.
size_t utf8_read(const char *bytes, size_t left, uint32_t *code);

// Returns the columns of a character in a terminal. They are 2 if Unicode Standard Annex 11 calls it wide, 0 if it
// combines with the previous one, otherwise 1.
int utf8_columns(uint32_t code);

#endif
