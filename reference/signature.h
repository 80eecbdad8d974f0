// SPDX-License-Identifier: Apache-2.0
// The signature of an operator, for code that needs no more of it: how many dims, operands and parameters there may be,
// their numbers by name, and the sizes of operands.
#ifndef VKASSAY_REFERENCE_SIGNATURE_H
#define VKASSAY_REFERENCE_SIGNATURE_H

#include "dtype.h"

struct op;      // operator.h
struct operand; // operator.h

enum { OPERATOR_DIMS = 20, OPERATOR_OPERANDS = 10, OPERATOR_PARAMS = 8, OPERATOR_RANK = 6, PARAMETER_TELLING = 5 };
enum { PARAMETER_TOGETHER = 4 };
enum { OPERATOR_OPTIONS = 8, OPTION_VALUES = 4 };

enum role { ROLE_IN = 1, ROLE_OUT, ROLE_INOUT };

// Count the entries of arrays that end with a NULL name.
int operator_dims(const struct op *op);    // given dims
int operator_derived(const struct op *op); // derived dims
int operator_operands(const struct op *op);
int operator_params(const struct op *op);

// Returns the index of the first operand that is written, or 0 if there is none.
int operator_first_output(const struct op *op);

// Return the index of a dim (given or derived), operand or parameter, or -1 if there is no such name.
int operator_dim_index(const struct op *op, const char *name);
int operator_operand_index(const struct op *op, const char *name);
int operator_param_index(const struct op *op, const char *name);

// Returns the option with the values of a given dim, or NULL if the dim is a size.
const struct option *operator_option(const struct op *op, int dim);

// Return the number of axes of an operand's shape or granule, and whether two operands have the same shape by name.
int operand_rank(const char *const axes[OPERATOR_RANK]);
bool operand_same_shape(const struct operand *a, const struct operand *b);

// Return the elements of an operand (or of one of its granules) at these dims (including derived ones), or -1 on
// overflow.
int64_t operand_elements(const struct op *op, const struct operand *operand, const int64_t *dims);
int64_t operand_granule(const struct op *op, const struct operand *operand, const int64_t *dims);

// Returns the elements of all operands together.
double operator_elements(const struct op *op, const int64_t *dims);

// Returns the dtype of an operand in a case of that dtype.
enum dtype operand_dtype(const struct operand *operand, enum dtype case_dtype);

// Checks the given dims (at least 1, or 0 if zero_ok names them), runs derive, and checks the operands' sizes for
// overflow. Returns NULL, or the reason why the dims are not legal (static text).
const char *operator_derive(const struct op *op, int64_t *dims);

// Returns the least bytes that must move at these dims in this dtype.
double operator_bytes(const struct op *op, const int64_t *dims, enum dtype dtype);

#endif
