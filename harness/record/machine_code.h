// SPDX-License-Identifier: Apache-2.0
// What a record's machine code takes of the device, whatever names its driver has for it.
#ifndef VKASSAY_RECORD_MACHINE_CODE_H
#define VKASSAY_RECORD_MACHINE_CODE_H

#include "record.h"

// CODE_SPILLS: registers or bytes that were put into memory, as the driver counts them.
enum code_figure { CODE_REGISTERS, CODE_SPILLS, CODE_SHARED };

// False: the driver does not tell it.
bool code_figure(const struct record *record, enum code_figure figure, double *value);

#endif
