// SPDX-License-Identifier: Apache-2.0
// Figures of a kernel's machine code under common names. Drivers report them through
// VK_KHR_pipeline_executable_properties, each under names of its own, which records keep.
#ifndef VKASSAY_RECORD_MACHINE_CODE_H
#define VKASSAY_RECORD_MACHINE_CODE_H

#include "../base/arena.h"

struct record;

enum code_figure {
    CODE_REGISTERS, // of an invocation, or of a subgroup's lane
    CODE_SPILLS,    // registers, stores or bytes moved to memory, as the driver counts them
    CODE_SCRATCH,   // bytes of memory for spills and local arrays, of an invocation
    CODE_SHARED,    // bytes of shared memory of a workgroup
    CODE_BYTES,     // size of the code
    CODE_WAVES,     // subgroups that can be resident on the smallest unit of the device
    CODE_CYCLES,    // the compiler's static estimate; no measurement
    CODE_FIGURES
};
extern const char *const code_figure_titles[CODE_FIGURES];

// Returns a figure of a record, or NaN if its driver does not report it.
double code_figure(const struct record *record, enum code_figure figure);

// Returns the file name for the disassembly of a record's pipeline, in the arena.
const char *code_file_name(struct arena *arena, const struct record *record);

#endif
