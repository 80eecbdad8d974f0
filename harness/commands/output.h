// SPDX-License-Identifier: Apache-2.0
// The program's standard streams. What is printed may be lost, as its reader is gone or a disk is full; that ends no
// run, and whatever is written to files is written all the same. It is looked at once, at the end.
#ifndef VKASSAY_COMMANDS_OUTPUT_H
#define VKASSAY_COMMANDS_OUTPUT_H

#include "../base/error.h"

// First of all: from here on a stream that was closed takes no file's place, and a reader that is gone is an error.
void output_open(void);

// Last of all: the exit status, STATUS_FAULT where all went well but standard output could not be written. That is said
// on standard error in any case.
enum status output_close(enum status status);

#endif
