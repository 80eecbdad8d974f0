// SPDX-License-Identifier: Apache-2.0
// What several commands need before they start: devices, kernels, a suite.
#ifndef VKASSAY_COMMANDS_PREPARE_H
#define VKASSAY_COMMANDS_PREPARE_H

#include "../plan/suite.h"
#include "options.h"

struct prepared {
    const char *home, *program;
    const char *kernel_folders[OPTION_LIST + 1]; // the program's own, then the user's
    size_t kernel_folder_count;
    struct kernels kernels;
    struct device_info *devices; // best first
    size_t device_count;
    size_t chosen[64], chosen_count;
};

// Finds the program's files and loads every kernel.
bool prepare_kernels(struct arena *arena, const struct options *options, struct prepared *out, struct error *err);

// Asks a worker for the devices, ranks them and chooses by --device.
bool prepare_devices(struct arena *arena, const struct options *options, struct prepared *out, struct error *err);

// Loads a suite by name (from suites/) or path; an unknown name lists those there are.
bool prepare_suite(struct arena *arena, const struct prepared *prepared, const char *name, struct suite *out,
    struct error *err);

#endif
