// SPDX-License-Identifier: Apache-2.0
// The link between host and device, as Linux reports it for a PCI address: the speed of both ends and the number of
// lanes.
#ifndef VKASSAY_DEVICE_HOST_LINK_H
#define VKASSAY_DEVICE_HOST_LINK_H

#include "device_info.h"

#define HOST_LINK_FOLDER "/sys/bus/pci/devices"

// Reads the link of the device at `pci` ("0000:65:00.0"; "": unknown) below a folder such as HOST_LINK_FOLDER. An
// idle link runs below its full speed, so the rate is the lower of the maxima of the device and its port. If both
// maxima are missing, the current speed counts. If anything else is missing, the link is 0.
struct host_link host_link_read(const char *folder, const char *pci);

// Returns the most bytes per second in each direction, without the bits of the link's encoding; 0: unknown.
double host_link_bytes_per_s(const struct host_link *link);

// Appends "PCIe 4.0 x16"; nothing if the link is unknown.
void host_link_append(struct text *text, const struct host_link *link);

// Also appends the rate ("PCIe 4.0 x16, 31.5 GB/s each way"), or else only the reason ("not measurable here: ...").
void host_link_say(struct text *text, const struct device_info *device);

#endif
