// SPDX-License-Identifier: Apache-2.0
#ifndef VKASSAY_BASE_UTF8_H
#define VKASSAY_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

// Bytes of the well-formed UTF-8 sequence at the start of `left` bytes, 0 when there is none; its code point in *code.
size_t utf8_read(const char *bytes, size_t left, uint32_t *code);

// Columns of a terminal that a character takes: 2 of those that Unicode Standard Annex 11 has as wide, 0 of those that
// are drawn over the one before; 1 of others.
int utf8_columns(uint32_t code);

#endif
