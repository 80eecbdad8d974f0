// SPDX-License-Identifier: Apache-2.0
#ifndef VKASSAY_DEVICE_SOURCE_HASH_H
#define VKASSAY_DEVICE_SOURCE_HASH_H

#include <stdint.h>

// Of the tokens of a preprocessed shader: the same for the same code, wherever it lies, however it is laid out and
// whichever version of the compiler preprocessed it.
uint64_t source_hash(const char *text);

#endif
