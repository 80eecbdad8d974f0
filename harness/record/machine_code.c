// SPDX-License-Identifier: Apache-2.0
#include "machine_code.h"

#include <math.h>
#include <string.h>

// Names of NVIDIA's driver, and of Mesa's RADV, ANV, NVK and Turnip.
static const struct {
    const char *name;
    enum code_figure figure;
} names[] = {
    {"Register Count", CODE_REGISTERS},
    {"VGPRs", CODE_REGISTERS},
    {"GRF registers", CODE_REGISTERS},
    {"Number of GPRs", CODE_REGISTERS},
    {"Registers used", CODE_REGISTERS},
    {"Local Memory Size", CODE_SPILLS},
    {"Spilled VGPRs", CODE_SPILLS},
    {"Spill Count", CODE_SPILLS},
    {"Spills to memory", CODE_SPILLS},
    {"Shared Memory Size", CODE_SHARED},
    {"LDS size", CODE_SHARED},
    {"Workgroup Memory Size", CODE_SHARED},
};

bool code_figure(const struct record *record, enum code_figure figure, double *value) {
    for (int i = 0; i < record->code_count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            if (names[k].figure != figure || strcmp(names[k].name, record->code[i].name) != 0) continue;
            *value = fmod(record->code[i].value, 0x1p32); // NVIDIA's 580 sets higher bits in its size of memory
            return true;
        }
    return false;
}
