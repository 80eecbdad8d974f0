// SPDX-License-Identifier: Apache-2.0
// The transfer commands by themselves, beside the kernels that copy and fill. Also a tensor of one value, made on the
// device or made by the host and uploaded.
#include "probe.h"

#include "../../base/clock.h"
#include "../../base/memory.h"
#include "../../record/record.h"

#include <stdlib.h>
#include <string.h>

struct timed_command {
    struct buffer from, to, staging;
    uint64_t bytes;
    bool copies;
    void *host;
    struct timing_settings settings;
    struct sampler sampler;
};

// ---- a command, by the device's clock

static bool record_command(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    const struct timed_command *c = what;
    (void)err;
    if (c->copies)
        device->copy(device->context, work, &c->from, 0, &c->to, 0, c->bytes);
    else
        work_fill(work, &c->to, 0, c->bytes, 0x3f800000u);
    device->barrier(device->context, work);
    return true;
}

static bool commands(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    struct timed_command *c = user;
    (void)run;
    return timing_take(&c->settings, &c->sampler, &ns[FIGURE_COMPUTE], err);
}

bool probe_command(struct probe_run *run, struct error *err) {
    struct timed_command c = {.bytes = (uint64_t)probe_dim(run, "bytes"),
        .copies = probe_is(run, "copy"),
        .settings = {.device = run->device, .timeout_s = run->options->timeout_s, .rule = run->rule}};
    c.sampler.target = (struct target){record_command, &c, NULL};
    bool ok = (!c.copies || buffer_create(run->gpu, BUFFER_DEVICE, c.bytes, &c.from, err)) &&
              buffer_create(run->gpu, BUFFER_DEVICE, c.bytes, &c.to, err) &&
              timing_prepare(&c.settings, &c.sampler, err) && probe_sample(run, commands, &c, NULL, err);
    series_keep_sampler(run->out, &c.sampler);
    timing_close(run->device, &c.sampler);
    run->out->bytes = (double)c.bytes * (c.copies ? 2 : 1);
    buffer_destroy(run->gpu, &c.from);
    buffer_destroy(run->gpu, &c.to);
    return ok;
}

// ---- a tensor, by the host's clock

static bool on_device(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    int64_t start = clock_ns();
    (void)user;
    if (!work_run(run->gpu, run->work, run->options->timeout_s, NULL, NULL, err)) return false;
    ns[FIGURE_COMPUTE] = (double)(clock_ns() - start);
    return true;
}

static bool by_host(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct timed_command *c = user;
    float *values = c->host;
    int64_t start = clock_ns();
    for (uint64_t i = 0; i < c->bytes / sizeof *values; i++) values[i] = 1;
    memcpy(c->staging.host, values, (size_t)c->bytes);
    if (!buffer_flush(run->gpu, &c->staging, err) ||
        !work_run(run->gpu, run->work, run->options->timeout_s, NULL, NULL, err))
        return false;
    ns[FIGURE_COMPUTE] = (double)(clock_ns() - start);
    return true;
}

bool probe_create(struct probe_run *run, struct error *err) {
    const bool upload = probe_is(run, "upload");
    struct timed_command c = {.bytes = (uint64_t)probe_dim(run, "bytes")};
    bool ok = buffer_create(run->gpu, BUFFER_DEVICE, c.bytes, &c.to, err) &&
              (!upload || buffer_create(run->gpu, BUFFER_UPLOAD, c.bytes, &c.staging, err)) &&
              work_begin(run->gpu, run->work, err);
    if (ok && upload) work_copy(run->work, &c.staging, 0, &c.to, 0, c.bytes);
    if (ok && !upload) work_fill(run->work, &c.to, 0, c.bytes, 0x3f800000u);
    c.host = upload ? memory_alloc((size_t)c.bytes, 1) : NULL;
    ok = ok && work_end(run->gpu, run->work, err) &&
         probe_sample(run, upload ? by_host : on_device, &c, "the host waits for the tensor", err);
    free(c.host);
    buffer_destroy(run->gpu, &c.staging);
    buffer_destroy(run->gpu, &c.to);
    return ok;
}
