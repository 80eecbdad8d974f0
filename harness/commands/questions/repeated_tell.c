// SPDX-License-Identifier: Apache-2.0
#include "questions.h"

#include "../../device/device_info.h"
#include "../../record/record.h"
#include "../../truth/stats/share.h"

#include <stdio.h>

static int64_t differing_of(const struct record *record) {
    int64_t differing = 0;
    for (int s = 0; s < REPEAT_STATES; s++) differing += record->check.repeated[s].differing;
    return differing;
}

static void print_block(const struct device_info *device, const struct record *record) {
    char source[SOURCE_HASH_TEXT];
    source_hash_text(record->source_hash, source);
    printf("\nFor a report to the maintainers of the driver:\n"
           "  device  %s (%04x:%04x)\n  driver  %s %s\n  kernel  %s, source %s\n",
        device->name, device->vendor_id, device->device_id, device->driver_name, device->driver_info, record->name,
        source);
    for (int s = 0; s < REPEAT_STATES; s++) {
        const struct repeated_row *row = &record->check.repeated[s];
        const struct share_interval in = share_interval(row->differing, row->runs);
        if (!row->runs) continue;
        printf("  %-7s %lld of %lld executions gave other bits (95 %% interval: %.2g to %.2g %%), %lld were wrong",
            repeat_state_name((enum repeat_state)s), (long long)row->differing, (long long)row->runs, 100 * in.low,
            100 * in.high, (long long)row->wrong);
        if (row->unjudged) printf(", %lld were not judged", (long long)row->unjudged);
        putchar('\n');
    }
    printf("  replay  %s\n", record->replay);
}

void repeated_tell(const struct result *result) {
    size_t passed = 0, repeated = 0, differing = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        const bool has = record->check.repeated[REPEAT_WARM].runs > 0;
        repeated += has;
        passed += !has && record->status == RECORD_PASS;
        if (!has || !differing_of(record)) continue;
        differing++;
        print_block(result->device, record);
    }
    printf("Repeated: %zu points, %zu of them gave other bits in some execution\n", repeated, differing);
    if (passed) printf("Not repeated: %zu points that change their inputs, or place their operands\n", passed);
}
