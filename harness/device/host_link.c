// SPDX-License-Identifier: Apache-2.0
#include "host_link.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// From the specifications of PCI Express: transfers per second and lane, and the share of them that is data.
static const struct generation {
    const char *name;
    double gt_per_s, data;
} generations[] = {{"1.0", 2.5, 8.0 / 10}, {"2.0", 5, 8.0 / 10}, {"3.0", 8, 128.0 / 130}, {"4.0", 16, 128.0 / 130},
    {"5.0", 32, 128.0 / 130}, {"6.0", 64, 242.0 / 256}};
enum { LANES_MOST = 32 };

static const struct generation *generation_of(double gt_per_s) {
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        if (fabs(generations[i].gt_per_s - gt_per_s) < 0.01) return &generations[i];
    return NULL;
}

// Returns the number at the start of a file ("16.0 GT/s PCIe"); 0: there is none ("Unknown").
static double read_number(const char *folder, const char *pci, const char *name) {
    char path[300], line[64];
    snprintf(path, sizeof path, "%.200s/%.20s/%s", folder, pci, name);
    FILE *file = fopen(path, "re");
    const bool ok = file && fgets(line, sizeof line, file);
    if (file) fclose(file);
    const double number = ok ? strtod(line, NULL) : 0;
    return isfinite(number) && number > 0 ? number : 0;
}

struct host_link host_link_read(const char *folder, const char *pci) {
    struct host_link link = {0};
    if (!*pci || strchr(pci, '/')) return link;
    const double own = read_number(folder, pci, "max_link_speed"), port = read_number(folder, pci, "../max_link_speed");
    const double most = own > 0 && port > 0 ? fmin(own, port) : fmax(own, port);
    const double speed = most > 0 ? most : read_number(folder, pci, "current_link_speed");
    const double lanes = read_number(folder, pci, "current_link_width");
    if (!generation_of(speed) || !(lanes >= 1 && lanes <= LANES_MOST)) return link;
    return (struct host_link){.gt_per_s = speed, .lanes = (uint32_t)lanes};
}

double host_link_bytes_per_s(const struct host_link *link) {
    const struct generation *generation = generation_of(link->gt_per_s);
    return generation && link->lanes <= LANES_MOST ? link->gt_per_s * 1e9 * generation->data * link->lanes / 8 : 0;
}

void host_link_append(struct text *text, const struct host_link *link) {
    const struct generation *generation = generation_of(link->gt_per_s);
    if (generation) text_format(text, "PCIe %s x%u", generation->name, link->lanes);
}

void host_link_say(struct text *text, const struct device_info *device) {
    const double rate = host_link_bytes_per_s(&device->link);
    host_link_append(text, &device->link);
    if (rate > 0)
        text_format(text, ", %.3g GB/s each way", rate / 1e9);
    else if (*device->pci)
        text_format(text, "not measurable here: the system reports no link of %s", device->pci);
    else
        text_append(text, "not measurable here: the driver reports no PCI address");
}
