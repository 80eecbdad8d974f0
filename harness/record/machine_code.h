// SPDX-License-Identifier: Apache-2.0
// The device resources used by a record's machine code, under one name for all drivers.
#ifndef VKASSAY_RECORD_MACHINE_CODE_H
#define VKASSAY_RECORD_MACHINE_CODE_H

#include "record.h"

// CODE_SPILLS: registers or bytes moved to memory, as counted by the driver.
enum code_figure { CODE_REGISTERS, CODE_SPILLS, CODE_SHARED };

// Returns false if the driver does not report the figure.
bool code_figure(const struct record *record, enum code_figure figure, double *value);

#endif
