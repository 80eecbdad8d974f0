// SPDX-License-Identifier: Apache-2.0
// A fuzz target: libFuzzer makes up tables for the reader, because a table may come from anyone (`make fuzz`).
#define VKASSAY_TUNED_IMPLEMENTATION
#include "vkassay_tuned.h"

#include <stdbool.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct vkassay_tuned tuned = {NULL, 0, {4318, 9013, 77, "NVIDIA H200"}, NULL};
    struct vkassay_choice choice;
    char why[80];
    const int64_t dims[] = {16, 1024};
    bool added = true;
    for (int again = 0; added && again < 2; again++)
        added = vkassay_tuned_add(&tuned, (const char *)data, size, why, sizeof why);
    if (added)
        for (size_t i = 0; i < tuned.count; i++) {
            const struct vkassay_entry *entry = &tuned.entries[i];
            optimal_workgroup_size(&tuned, entry->kernel, NULL, entry->dtype, entry->dims, entry->dim_count, &choice);
            optimal_workgroup_size(&tuned, entry->kernel, "0", entry->dtype, dims, 2, &choice);
            if (choice.wg[0] == 0 || vkassay_tunable(&choice, "ITEMS", -1) < -1) __builtin_trap();
        }
    vkassay_tuned_free(&tuned);
    return 0;
}
