// SPDX-License-Identifier: Apache-2.0
// Two made-up results and their comparison.
#ifndef VKASSAY_RECORD_COMPARED_H
#define VKASSAY_RECORD_COMPARED_H

#include "../compare.h"
#include "../record.h"
#include "../../device/device_info.h"
#include "../../base/json.h"
#include "../result.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 12, MOST = 16 };

// A result with records added one by one.
struct made {
    struct result result;
    struct device_info device;
    struct record records[MOST];
    double samples[MOST][SAMPLES];
};

static struct made base, new;
static struct comparison c;

static inline void open_result(struct made *m, const char *seed) {
    json_object_put(m->result.context);
    arena_free(&m->result.arena);
    memset(m, 0, sizeof *m);
    m->result.records = m->records;
    m->result.device = &m->device;
    m->result.context = json_object_new_object();
    struct json_object *run = json_object_new_object(), *host = json_object_new_object();
    json_put_string(run, "seed", seed);
    json_put_string(host, "cpu", "made-up processor");
    json_put(m->result.context, "run", run);
    json_put(m->result.context, "host", host);
    strcpy(m->result.device->name, "made-up device");
    strcpy(m->result.device->driver_info, "1.2");
}

// Empties both results.
static inline void begin(void) {
    open_result(&base, "1");
    open_result(&new, "1");
}

static inline int end(void **state) {
    begin();
    json_object_put(base.result.context);
    json_object_put(new.result.context);
    comparison_free(&c);
    return 0;
}

// Adds a record with samples of `spread` (a share) around the median.
static inline struct record *add(struct made *m, const char *name, double median, double spread) {
    size_t at = m->result.count++;
    double *samples = m->samples[at];
    for (int i = 0; i < SAMPLES; i++) samples[i] = median * (1 + spread * (i - 5.5) / 5.5);
    m->records[at] = (struct record){.name = name,
        .operator= "softmax",
        .kernel = "softmax.online",
        .dtype = "f32",
        .status = RECORD_PASS,
        .clock = CLOCK_GPU,
        .cache = "hot",
        .shader_clock_hz = NAN,
        .check = {.max_ulp = 9, .worst_ulp = 3, .bound_ulp = 30, .worst_ratio = 0.1, .checked = 1, .same_bits = true}};
    m->records[at].time[FIGURE_COMPUTE] = summarize(samples, SAMPLES);
    m->records[at].samples[FIGURE_COMPUTE] = samples;
    return &m->records[at];
}

static inline void throttle(struct record *r, double drift) {
    r->throttled = true;
    r->drift = drift;
}

static inline void break_record(struct record *r, enum record_status status) {
    r->status = status;
    r->reason = "made up";
    r->time[FIGURE_COMPUTE] = summarize(NULL, 0);
    r->samples[FIGURE_COMPUTE] = NULL;
}

static inline bool compares(const struct compare_rules *rules, struct error *err) {
    comparison_free(&c);
    return compare_results(&base.result, &new.result, rules, &c, err);
}

static inline void compare_by(const struct compare_rules *rules) {
    struct error err;
    if (!compares(rules, &err)) fail_msg("%s", err.text);
}

static inline void compare(void) {
    compare_by(&(const struct compare_rules)COMPARE_RULES);
}

static inline const struct compared_point *point(const char *name) {
    for (size_t i = 0; i < c.count; i++)
        if (strcmp(c.points[i].name, name) == 0) return &c.points[i];
    fail_msg("no point %s", name);
    return NULL;
}

static inline void assert_verdict(const char *name, enum verdict verdict, const char *note) {
    const struct compared_point *p = point(name);
    if (p->verdict != verdict) fail_msg("%s is %s (%s)", name, verdict_name(p->verdict), p->note ? p->note : "");
    if (note && (!p->note || !strstr(p->note, note))) fail_msg("%s: note '%s'", name, p->note ? p->note : "");
    if (!note && p->note) fail_msg("%s: note '%s'", name, p->note);
}

#endif
