// SPDX-License-Identifier: Apache-2.0
// Energy used by a device, if the machine counts it. NVML, loaded on demand, counts for NVIDIA's GPUs. RAPL's package
// counters count for a CPU device.
#ifndef VKASSAY_TIMING_ENERGY_H
#define VKASSAY_TIMING_ENERGY_H

#include "../../base/error.h"

struct device_info;

struct energy_meter;

// Opens a meter. Returns NULL if nothing counts energy here; *why then names the missing part, as static text.
struct energy_meter *energy_open(const struct device_info *device, const char **why);
// Opens RAPL's counters under this folder (/sys/class/powercap).
struct energy_meter *energy_open_rapl(const char *folder, const char **why);
// Opens the device at this PCI address with this NVML library ("libnvidia-ml.so.1").
struct energy_meter *energy_open_nvml(const char *library, const char *pci, const char **why);
void energy_close(struct energy_meter *meter); // accepts NULL

const char *energy_source(const struct energy_meter *meter); // "nvml", "rapl"

// Sets *joules to the energy since the meter was opened. Returns false if the counter can no longer be read.
bool energy_read(struct energy_meter *meter, double *joules);

#endif
