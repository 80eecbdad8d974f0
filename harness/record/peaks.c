// SPDX-License-Identifier: Apache-2.0

#include "../base/json.h"
#include "result.h"

#include <math.h>
#include <string.h>

// How a peak follows from a record, by the end of its name; the first that fits. A rate is an
// amount over the median of a figure, and the greatest is the best; without an amount it is the
// median itself, and the least is the best.
static const struct peak_rule {
    const char *suffix, *unit;
    enum figure figure;
    const char *amount; // member of "cost"
} rules[] = {
    {"host_to_device_bytes_per_s", "B/s", FIGURE_UPLOAD, "upload_bytes"},
    {"device_to_host_bytes_per_s", "B/s", FIGURE_DOWNLOAD, "download_bytes"},
    {"_bytes_per_s", "B/s", FIGURE_COMPUTE, "bytes"},
    {"_flops_per_s", "FLOP/s", FIGURE_COMPUTE, "flops"},
    {"empty_dispatch_ns", "ns", FIGURE_COMPUTE, NULL},
    {"submit_ns", "ns", FIGURE_SUBMIT, NULL},
};

static const struct peak_rule *rule_for(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        size_t end = strlen(rules[i].suffix);
        if (length >= end && strcmp(name + length - end, rules[i].suffix) == 0) return &rules[i];
    }
    return NULL;
}

const char *peak_unit(const char *name) {
    const struct peak_rule *rule = rule_for(name);
    return rule ? rule->unit : NULL;
}

// NaN when the record does not give it.
static double figure_of(const struct peak_rule *rule, struct json_object *record) {
    struct json_object *time = json_get(json_get(record, "time"), figure_name(rule->figure));
    double median = json_get_double(time, "median_ns", NAN);
    if (strcmp(json_get_string(record, "status", ""), record_status_name(RECORD_PASS)) != 0 || !(median > 0))
        return NAN;
    if (!rule->amount) return median;
    double amount = json_get_double(json_get(record, "cost"), rule->amount, NAN);
    return amount > 0 ? amount / (median * 1e-9) : NAN;
}

struct json_object *peaks_make(struct json_object *const *records, size_t count) {
    struct json_object *peaks = json_object_new_object();
    for (size_t i = 0; i < count; i++) {
        const char *name = json_get_string(records[i], "peak", NULL);
        const struct peak_rule *rule = name ? rule_for(name) : NULL;
        if (!rule) continue;
        double best = json_get_double(peaks, name, NAN), here = figure_of(rule, records[i]);
        bool better = isnan(best) || (rule->amount ? here > best : here < best);
        json_put_double(peaks, name, better && !isnan(here) ? here : best);
    }
    return peaks;
}
