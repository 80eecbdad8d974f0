// SPDX-License-Identifier: Apache-2.0
#include "energy.h"

#include "../../device/limits.h"
#include "../../base/memory.h"
#include "../../device/device_info.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACKAGES = 16, VENDOR_NVIDIA = 0x10de };

// A RAPL counter; it wraps at its range.
struct package {
    char path[200];
    unsigned long long last, range;
};

struct energy_meter {
    const char *source;
    double joules; // so far
    struct package packages[PACKAGES];
    int package_count;
    void *library, *device; // of NVML
    int (*total)(void *device, unsigned long long *millijoules), (*shutdown)(void);
    unsigned long long last;
};

// ---- RAPL

static bool read_count(const char *path, unsigned long long *out) {
    FILE *file = fopen(path, "re");
    bool ok = file && fscanf(file, "%llu", out) == 1;
    if (file) fclose(file);
    return ok;
}

// Returns whether a counter is of a package. A counter of the whole platform would count packages twice.
static bool is_package(const char *folder, int number) {
    char path[200], name[32] = "package";
    snprintf(path, sizeof path, "%.150s/intel-rapl:%d/name", folder, number);
    FILE *file = fopen(path, "re");
    if (file && !fgets(name, sizeof name, file)) *name = '\0';
    if (file) fclose(file);
    return strncmp(name, "package", strlen("package")) == 0;
}

struct energy_meter *energy_open_rapl(const char *folder, const char **why) {
    struct energy_meter *meter = memory_alloc(1, sizeof *meter);
    meter->source = "rapl";
    for (int i = 0; i < PACKAGES; i++) {
        struct package *package = &meter->packages[meter->package_count];
        char range[sizeof package->path];
        snprintf(package->path, sizeof package->path, "%.150s/intel-rapl:%d/energy_uj", folder, i);
        snprintf(range, sizeof range, "%.150s/intel-rapl:%d/max_energy_range_uj", folder, i);
        if (!is_package(folder, i) || !read_count(package->path, &package->last)) continue;
        if (!read_count(range, &package->range)) package->range = 0;
        meter->package_count++;
    }
    if (meter->package_count) return meter;
    *why = "no counter of RAPL can be read (/sys/class/powercap/intel-rapl:*/energy_uj)";
    free(meter);
    return NULL;
}

static bool read_packages(struct energy_meter *meter) {
    for (int i = 0; i < meter->package_count; i++) {
        struct package *package = &meter->packages[i];
        unsigned long long now;
        if (!read_count(package->path, &now)) return false;
        if (now < package->last && !package->range) return false; // the range of the wrap is unknown
        meter->joules += 1e-6 * (double)(now - package->last + (now < package->last ? package->range : 0));
        package->last = now;
    }
    return true;
}

// ---- NVML: the few calls needed, by their documented signatures; 0 is success

static bool open_nvml(struct energy_meter *meter, const char *library, const char *pci, const char **why) {
    int (*init)(void), (*by_pci)(const char *pci, void **device);
    *why = "the library of NVML (libnvidia-ml.so.1) is not here";
    meter->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!meter->library) return false;
    *(void **)&init = dlsym(meter->library, "nvmlInit_v2");
    *(void **)&by_pci = dlsym(meter->library, "nvmlDeviceGetHandleByPciBusId_v2");
    *(void **)&meter->total = dlsym(meter->library, "nvmlDeviceGetTotalEnergyConsumption");
    *why = "NVML does not count this device's energy";
    if (!init || !by_pci || !meter->total || init() != 0) return false;
    *(void **)&meter->shutdown = dlsym(meter->library, "nvmlShutdown");
    return by_pci(pci, &meter->device) == 0 && meter->total(meter->device, &meter->last) == 0;
}

struct energy_meter *energy_open_nvml(const char *library, const char *pci, const char **why) {
    struct energy_meter *meter = memory_alloc(1, sizeof *meter);
    meter->source = "nvml";
    if (open_nvml(meter, library, pci, why)) return meter;
    energy_close(meter);
    return NULL;
}

static bool read_nvml(struct energy_meter *meter) {
    unsigned long long now;
    if (meter->total(meter->device, &now) != 0 || now < meter->last) return false;
    meter->joules += 1e-3 * (double)(now - meter->last);
    meter->last = now;
    return true;
}

// ---- both

struct energy_meter *energy_open(const struct device_info *device, const char **why) {
    if (device->kind == DEVICE_CPU) return energy_open_rapl("/sys/class/powercap", why);
    if (device->vendor_id == VENDOR_NVIDIA) return energy_open_nvml("libnvidia-ml.so.1", device->pci, why);
    *why = "no counter of energy is known for this vendor's devices";
    return NULL;
}

void energy_close(struct energy_meter *meter) {
    if (meter && meter->shutdown) meter->shutdown();
    if (meter && meter->library) dlclose(meter->library);
    free(meter);
}

const char *energy_source(const struct energy_meter *meter) {
    return meter->source;
}

bool energy_read(struct energy_meter *meter, double *joules) {
    bool ok = meter->library ? read_nvml(meter) : read_packages(meter);
    *joules = meter->joules;
    return ok;
}
