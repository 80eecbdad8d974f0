// SPDX-License-Identifier: Apache-2.0
// Operands whose elements do not follow each other from the start of their binding: between them, and before the first,
// stand words that no shader may write.
#ifndef VKASSAY_RUN_PLACED_H
#define VKASSAY_RUN_PLACED_H

#include "problem_data.h"

// Finds placing, extent and header of an operand whose other sizes are known. ERROR_SKIP: it cannot stand so.
bool placed_find(
    const struct point *point, int index, uint64_t elements_bytes, struct operand_data *operand, struct error *err);

// A binding as it is before run `run`, but for its elements, whose places hold nothing of use.
void placed_fill(const struct operand_data *operand, int index, uint32_t run, unsigned char *to);
// Elements from one behind the other to their places, and back; plain copies where these are the same.
void placed_scatter(const struct operand_data *operand, const void *from, unsigned char *to);
void placed_gather(const struct operand_data *operand, const unsigned char *from, void *to);
// The elements of a binding one behind the other: where they stand so, or in *made, which is to be freed.
const unsigned char *placed_packed(const struct operand_data *operand, const unsigned char *binding, void **made);
// Whether all but the elements is as it was filled.
bool placed_intact(const struct operand_data *operand, int index, uint32_t run, const unsigned char *binding);

#endif
