// SPDX-License-Identifier: Apache-2.0
// Operands whose elements are not packed from the start of their binding. No shader may write the words between the
// elements and before the first.
#ifndef VKASSAY_CHECK_STRIDED_H
#define VKASSAY_CHECK_STRIDED_H

#include "problem_data.h"

// Finds placing, extent and header of an operand with known sizes. ERROR_SKIP: the layout is not possible.
bool strided_find(
    const struct point *point, int index, uint64_t elements_bytes, struct operand_data *operand, struct error *err);

// Fills a binding for run `run`, except its elements; their bytes are arbitrary.
void strided_fill(const struct operand_data *operand, int index, uint32_t run, unsigned char *to);
// Copies packed elements to their places, and back. If both are the same, these are plain copies.
void strided_scatter(const struct operand_data *operand, const void *from, unsigned char *to);
void strided_gather(const struct operand_data *operand, const unsigned char *from, void *to);
// Returns the packed elements of a binding: the binding itself, or a copy in `packing`.
const unsigned char *strided_packed(
    const struct operand_data *operand, const unsigned char *binding, struct reused_memory *packing);
// Returns whether everything but the elements is as it was filled.
bool strided_intact(const struct operand_data *operand, int index, uint32_t run, const unsigned char *binding);

#endif
