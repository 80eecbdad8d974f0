// SPDX-License-Identifier: Apache-2.0
// Transfers between host and device: through staging memory, kept or made for each call, or straight to and from
// host-visible device memory. The host's clock times the whole and the host's own copy in it. The device's timestamps
// time the copy of the staged ways.
#include "probe.h"

#include "../../base/clock.h"
#include "../../base/memory.h"
#include "../../device/host_link.h"
#include "../../record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char why_host[] = "from host memory to device memory or back";
static const char why_staged[] = "from host memory to device memory or back; the copy in it is by the GPU's timestamps";

struct probe_transfer {
    struct buffer device, staging;
    void *host;
    uint64_t bytes;
    bool in, mapped, per_call;
};

static bool record(struct probe_run *run, const struct probe_transfer *t, struct error *err) {
    const struct buffer *from = t->in ? &t->staging : &t->device, *to = t->in ? &t->device : &t->staging;
    if (!work_begin(run->gpu, run->work, err)) return false;
    work_timestamp(run->work, 0, true);
    work_copy(run->work, from, 0, to, 0, t->bytes);
    work_timestamp(run->work, 1, false);
    return work_end(run->gpu, run->work, err);
}

static bool make_staging(struct probe_run *run, struct probe_transfer *t, struct error *err) {
    return buffer_create(run->gpu, t->in ? BUFFER_UPLOAD : BUFFER_READBACK, t->bytes, &t->staging, err) &&
           record(run, t, err);
}

static bool host_copy(
    struct probe_run *run, const struct probe_transfer *t, const struct buffer *buffer, double *ns, struct error *err) {
    int64_t start = clock_ns();
    if (!t->in && !buffer_invalidate(run->gpu, buffer, err)) return false;
    memcpy(t->in ? buffer->host : t->host, t->in ? t->host : buffer->host, t->bytes);
    if (t->in && !buffer_flush(run->gpu, buffer, err)) return false;
    *ns = (double)(clock_ns() - start);
    return true;
}

static bool move(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    struct probe_transfer *t = user;
    double *by_host = &ns[t->in ? FIGURE_HOST_WRITE : FIGURE_HOST_READ];
    int64_t start = clock_ns();
    bool ok = true;
    if (t->mapped) {
        ok = host_copy(run, t, &t->device, by_host, err);
    } else {
        if (t->per_call) ok = make_staging(run, t, err);
        if (t->in) ok = ok && host_copy(run, t, &t->staging, by_host, err);
        ok = ok && work_run(run->gpu, run->work, run->options->timeout_s, NULL, NULL, err);
        uint64_t from, to;
        if (ok && work_ticks(run->work, 0, &from) && work_ticks(run->work, 1, &to))
            ns[t->in ? FIGURE_UPLOAD : FIGURE_DOWNLOAD] = timestamp_difference_ns(
                from, to, gpu_info(run->gpu)->timestamp_bits, gpu_info(run->gpu)->timestamp_period_ns);
        if (!t->in) ok = ok && host_copy(run, t, &t->staging, by_host, err);
        if (t->per_call) buffer_destroy(run->gpu, &t->staging);
    }
    ns[FIGURE_COMPUTE] = (double)(clock_ns() - start);
    return ok;
}

static void put_rates(struct probe_run *run, double bytes_per_s) {
    const double link = host_link_bytes_per_s(&gpu_info(run->gpu)->link);
    probe_fact(run, "bytes_per_s", bytes_per_s);
    if (!(link > 0)) return; // not measurable here
    probe_fact(run, "link_bytes_per_s", link);
    probe_fact(run, "link_share", bytes_per_s / link);
}

static bool transfer(struct probe_run *run, bool in, struct error *err) {
    struct probe_transfer t = {.bytes = (uint64_t)probe_dim(run, "bytes"),
        .in = in,
        .mapped = probe_is(run, "mapped"),
        .per_call = probe_is(run, "per_call")};
    t.host = memory_alloc(t.bytes, 1);
    memset(t.host, 0x5a, t.bytes); // unwritten pages all share one page
    bool ok = buffer_create(run->gpu, t.mapped ? BUFFER_MAPPED : BUFFER_DEVICE, t.bytes, &t.device, err);
    if (ok && !t.mapped && !t.per_call) ok = make_staging(run, &t, err);
    ok = ok && probe_sample(run, move, &t, t.mapped ? why_host : why_staged, err);
    if (ok) *(in ? &run->out->upload_bytes : &run->out->download_bytes) = (double)t.bytes;
    if (ok) put_rates(run, (double)t.bytes / run->out->time[FIGURE_COMPUTE].median * 1e9);
    buffer_destroy(run->gpu, &t.staging);
    buffer_destroy(run->gpu, &t.device);
    free(t.host);
    return ok;
}

bool probe_upload(struct probe_run *run, struct error *err) {
    return transfer(run, true, err);
}

bool probe_download(struct probe_run *run, struct error *err) {
    return transfer(run, false, err);
}
