// SPDX-License-Identifier: Apache-2.0
// Energy that a device has taken, where the machine counts it: NVML, loaded when it is asked for, for GPUs of NVIDIA's;
// RAPL's counters of packages for a device that is a CPU.
#ifndef VKASSAY_RUN_ENERGY_H
#define VKASSAY_RUN_ENERGY_H

#include "../device/limits.h"

struct energy_meter;

// NULL where nothing counts it here; *why says what is missing, static text.
struct energy_meter *energy_open(const struct device_info *device, const char **why);
// The same of RAPL's counters under this folder (/sys/class/powercap).
struct energy_meter *energy_open_rapl(const char *folder, const char **why);
// The same of a device by that library of NVML's ("libnvidia-ml.so.1") and its PCI address.
struct energy_meter *energy_open_nvml(const char *library, const char *pci, const char **why);
void energy_close(struct energy_meter *meter); // accepts NULL

const char *energy_source(const struct energy_meter *meter); // "nvml", "rapl"

// Joules since the meter was opened. False: the counter cannot be read any more.
bool energy_read(struct energy_meter *meter, double *joules);

#endif
