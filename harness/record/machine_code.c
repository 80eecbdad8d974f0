// SPDX-License-Identifier: Apache-2.0
#include "figures.h"
#include "record.h"
#include "cases.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

const char *const code_figure_titles[CODE_FIGURES] = {[CODE_REGISTERS] = "registers",
    [CODE_SPILLS] = "spills",
    [CODE_SCRATCH] = "scratch bytes",
    [CODE_SHARED] = "shared bytes",
    [CODE_BYTES] = "code bytes",
    [CODE_WAVES] = "waves",
    [CODE_CYCLES] = "static cycles"};

// Names of the statistics of Mesa 25 and 26 and of NVIDIA's driver 580. Statistics of one figure are added. NVIDIA's
// size of local memory has other data in its higher bits, so only 32 bits of each are read.
static const struct {
    const char *name;
    enum code_figure figure;
} names[] = {
    // RADV
    {"VGPRs", CODE_REGISTERS},
    {"Spilled VGPRs", CODE_SPILLS},
    {"Spilled SGPRs", CODE_SPILLS},
    {"Scratch size", CODE_SCRATCH},
    {"LDS size", CODE_SHARED},
    {"Code size", CODE_BYTES},
    {"Subgroups per SIMD", CODE_WAVES},
    {"Inverse Throughput", CODE_CYCLES},
    // ANV
    {"Max live registers", CODE_REGISTERS},
    {"GRF registers", CODE_REGISTERS},
    {"Spill Count", CODE_SPILLS},
    {"Scratch Memory Size", CODE_SCRATCH},
    {"Workgroup Memory Size", CODE_SHARED},
    {"Cycle Count", CODE_CYCLES},
    // Turnip
    {"Registers used", CODE_REGISTERS},
    {"STP Count", CODE_SPILLS},
    {"Max Waves Per Core", CODE_WAVES},
    // NVK
    {"Number of GPRs", CODE_REGISTERS},
    {"Spills to memory", CODE_SPILLS},
    {"SLM size", CODE_SCRATCH},
    {"Max warps/SM", CODE_WAVES},
    {"Static cycle count", CODE_CYCLES},
    // NVIDIA
    {"Register Count", CODE_REGISTERS},
    {"Local Memory Size", CODE_SPILLS},
    {"Stack Size", CODE_SCRATCH},
    {"Shared Memory Size", CODE_SHARED},
    {"Binary Size", CODE_BYTES},
};

double code_figure(const struct record *record, enum code_figure figure) {
    double sum = NAN;
    for (int i = 0; i < record->code_count; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (names[k].figure == figure && strcmp(names[k].name, record->code[i].name) == 0)
                sum = (isnan(sum) ? 0 : sum) + fmod(record->code[i].value, 0x1p32);
    return sum;
}

const char *code_file_name(struct arena *arena, const struct record *record) {
    char *name =
        arena_format(arena, "%s-%s-%s.txt", record->kernel, record->dtype ? record->dtype : "", record_shape(record));
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(".,=-_", *c)) *c = '_';
    return name;
}
