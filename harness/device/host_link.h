// SPDX-License-Identifier: Apache-2.0
// The link between host and device, as Linux tells it of a PCI address: how fast both ends go, and how many lanes there
// are.
#ifndef VKASSAY_DEVICE_HOST_LINK_H
#define VKASSAY_DEVICE_HOST_LINK_H

#include "limits.h"

#define HOST_LINK_FOLDER "/sys/bus/pci/devices"

// Reads the link of the device at that address ("0000:65:00.0"; "": not known) below a folder such as HOST_LINK_FOLDER.
// A link that rests goes slower than it can: its rate is the lesser of what the device and the port that it is in can.
// What is not told leaves the link at 0.
struct host_link host_link_read(const char *folder, const char *pci);

// What it moves each way at most, bits for its own encoding taken off; 0: not known.
double host_link_bytes_per_s(const struct host_link *link);

// "PCIe 4.0 x16"; "" where it is not known.
void host_link_append(struct text *text, const struct host_link *link);

// The same with its rate, or why there is none: "PCIe 4.0 x16, 31.5 GB/s each way", "not measurable here: ...".
void host_link_say(struct text *text, const struct device_info *device);

#endif
