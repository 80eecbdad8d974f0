// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include "../check/inputs/strided.h"
#include "../../record/wall.h"
#include "../../record/record.h"

#include <math.h>
#include <string.h>

enum { TRANSFER_SAMPLES = 6, FEW_SAMPLES = 3 }; // the fewest with a 95 % interval of the median; for slow transfers
enum { GUESSED_BYTES = 65536 };
static const double transfer_share = 0.125; // of a point's time

// ---- copies between host memory and the staging buffers ----

static bool moves(const struct operand_data *operand, bool in) {
    return in ? operand->role != ROLE_OUT && !operand->is_fixed : operand->role != ROLE_IN;
}

static const struct buffer *staging_of(const struct problem *problem, bool in) {
    return in ? &problem->upload : &problem->readback;
}

// Copies between host memory and this buffer.
static bool host_transfer(const struct measure_request *r, const struct buffer *buffer, bool in, struct error *err) {
    phase_timer_switch(r->phases, in ? WALL_UPLOAD : WALL_DOWNLOAD);
    if (!in && !r->device->sync(r->device->context, buffer, false, err)) return false;
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *data = &r->problem->operands[i];
        const uint64_t at = data->staging + r->problem->guard;
        if (!moves(data, in)) continue;
        if (in)
            strided_scatter(data, data->image, (unsigned char *)buffer->host + at);
        else
            strided_gather(data, (const unsigned char *)buffer->host + at, data->got);
    }
    bool ok = !in || r->device->sync(r->device->context, buffer, true, err);
    phase_timer_switch(r->phases, WALL_COMPUTE);
    return ok;
}

// `whole`: the copies serve a kernel, and go to its places.
static void record_copies(
    const struct timing_device *device, struct work *work, const struct problem *problem, bool in, bool whole) {
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        uint64_t at = operand->staging + problem->guard, bytes = operand->extent;
        if (!moves(operand, in)) continue;
        const struct operand_data *to = operand;
        for (int k = 0; whole && k < problem->operand_count; k++) // the output computed in the input's place
            if (problem->operands[k].from == operand) to = &problem->operands[k];
        if (in)
            device->copy(device->context, work, &problem->upload, at, &to->device, problem->guard, bytes);
        else
            device->copy(device->context, work, &operand->device, problem->guard, &problem->readback, at, bytes);
    }
}

static double bytes_moved(const struct problem *problem, bool in) {
    double bytes = 0;
    for (int i = 0; i < problem->operand_count; i++)
        if (moves(&problem->operands[i], in)) bytes += (double)problem->operands[i].bytes;
    return bytes;
}

// ---- figures ----

// A step of a series: to the device, the recorded work, and back. For a single way, the host's part is also a figure.
struct trip {
    const struct measure_request *request;
    const struct target *kernel; // end to end; NULL: only the copies of one way
    bool in;
    struct work *work;
    struct timer timer;
};

static bool record_way(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    const struct trip *t = what;
    (void)err;
    record_copies(device, work, t->request->problem, t->in, false);
    return true;
}

static bool record_trip(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    const struct trip *t = what;
    record_copies(device, work, t->request->problem, true, true);
    device->barrier(device->context, work);
    if (!t->kernel->record(device, work, t->kernel->what, err)) return false;
    record_copies(device, work, t->request->problem, false, true);
    device->barrier(device->context, work);
    return true;
}

static const struct interval one_way = {.repeats = 1}, whole_trip = {.repeats = 1, .bare = true};

static bool timed_host_transfer(
    const struct trip *t, const struct buffer *buffer, bool in, double *ns, struct error *err) {
    const struct timing_device *device = t->request->device;
    int64_t start = device->now(device->context);
    bool ok = host_transfer(t->request, buffer, in, err);
    *ns = (double)(device->now(device->context) - start);
    return ok;
}

static bool go_one_way(void *user, double ns[FIGURE_COUNT], struct error *err) {
    struct trip *t = user;
    const struct measure_request *r = t->request;
    double *device_ns = &ns[t->in ? FIGURE_UPLOAD : FIGURE_DOWNLOAD];
    const struct buffer *staging = staging_of(r->problem, t->in);
    return (!t->in || timed_host_transfer(t, staging, true, &ns[FIGURE_HOST_WRITE], err)) &&
           timing_run(r->device, t->work, &one_way, r->timeout_s, &t->timer, device_ns, err) &&
           (t->in || timed_host_transfer(t, staging, false, &ns[FIGURE_HOST_READ], err));
}

static bool go_there_and_back(void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct trip *t = user;
    const struct measure_request *r = t->request;
    struct reading reading;
    int64_t start = r->device->now(r->device->context);
    if (!host_transfer(r, staging_of(r->problem, true), true, err) ||
        !r->device->run(r->device->context, t->work, r->timeout_s, &reading, err) ||
        !host_transfer(r, staging_of(r->problem, false), false, err))
        return false;
    ns[FIGURE_END_TO_END] = (double)(r->device->now(r->device->context) - start);
    return true;
}

static bool go_mapped(void *user, double ns[FIGURE_COUNT], struct error *err) {
    struct trip *t = user;
    return timed_host_transfer(
        t, &t->request->problem->mapped, t->in, &ns[t->in ? FIGURE_MAPPED_WRITE : FIGURE_MAPPED_READ], err);
}

static struct series_plan plan_of(struct trip *t, enum figure decides) {
    const struct measure_request *r = t->request;
    return (struct series_plan){.device = r->device,
        .rule = {.least = TRANSFER_SAMPLES,
            .most = MEASURE_MOST,
            .precision = -1,
            .seconds = r->point_seconds * transfer_share,
            .few = FEW_SAMPLES,
            .slow_seconds = r->point_seconds},
        .decides = decides,
        .step = t->kernel ? go_there_and_back : go_one_way,
        .user = t};
}

static bool take_trips(struct trip *t, enum figure decides, struct series *out, struct error *err) {
    const struct measure_request *r = t->request;
    const struct target target = {.record = t->kernel ? record_trip : record_way, .what = t};
    const struct series_plan plan = plan_of(t, decides);
    t->work = r->device->open(r->device->context, err);
    bool ok = t->work && timing_record(r->device, t->work, &target, t->kernel ? &whole_trip : &one_way, err) &&
              series_take(&plan, out, NULL, err);
    r->device->close(r->device->context, t->work);
    return ok;
}

// Estimates nanoseconds for the whole transfer from the first bytes of an operand. Reading memory uncached by the
// host may take a hundred times as long as writing it.
static double mapped_guess(const struct trip *t) {
    const struct measure_request *r = t->request;
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *data = &r->problem->operands[i];
        const size_t bytes = data->bytes < GUESSED_BYTES ? (size_t)data->bytes : GUESSED_BYTES;
        void *mapped = (unsigned char *)r->problem->mapped.host + data->staging + r->problem->guard;
        int64_t start = 0;
        if (!moves(data, t->in)) continue;
        for (int turn = 0; turn < 2; turn++) { // the first turn touches the pages
            start = r->device->now(r->device->context);
            memcpy(t->in ? mapped : data->got, t->in ? data->image : mapped, bytes);
        }
        const double ns = (double)(r->device->now(r->device->context) - start);
        return ns * bytes_moved(r->problem, t->in) / (double)bytes;
    }
    return 0;
}

// Measures mapped transfers if the problem has a mapped buffer and a few samples fit the point's time.
static bool take_mapped(const struct measure_request *r, bool in, struct series *out, struct error *err) {
    struct trip trip = {.request = r, .in = in};
    struct series_plan plan = plan_of(&trip, in ? FIGURE_MAPPED_WRITE : FIGURE_MAPPED_READ);
    plan.step = go_mapped;
    plan.warm = true; // for untouched pages
    if (!r->problem->mapped.host || bytes_moved(r->problem, in) == 0) return true;
    if ((FEW_SAMPLES + 1) * mapped_guess(&trip) > r->point_seconds * 1e9) return true;
    return series_take(&plan, out, NULL, err);
}

bool measure_transfers(const struct measure_request *r, struct transfers *out, struct error *err) {
    if (out->key == r->problem->key) return true;
    *out = (struct transfers){.series.room = MEASURE_MOST};
    out->series.values = out->values;
    enum wall_part was = phase_timer_switch(r->phases, WALL_COMPUTE);
    if (!series_submission(r->device, r->timeout_s, &out->series, &out->submit_ns, err)) return false;
    struct trip up = {.request = r, .in = true, .timer.submit_ns = out->submit_ns};
    struct trip down = {.request = r, .timer.submit_ns = out->submit_ns};
    if (!take_trips(&up, FIGURE_UPLOAD, &out->series, err) || !take_trips(&down, FIGURE_DOWNLOAD, &out->series, err) ||
        !take_mapped(r, true, &out->series, err) || !take_mapped(r, false, &out->series, err))
        return false;
    phase_timer_switch(r->phases, was);
    out->key = r->problem->key;
    r->problem->inputs_placed = true;
    return true;
}

// Measures one submission with copies in, the kernel and copies out.
bool measure_end_to_end(const struct measure_request *r, const struct target *kernel, struct arena *arena,
    struct record *record, struct error *err) {
    double values[FIGURE_COUNT * MEASURE_MOST];
    struct series series = {.values = values, .room = MEASURE_MOST};
    struct trip trip = {.request = r, .kernel = kernel};
    enum wall_part was = phase_timer_switch(r->phases, WALL_COMPUTE);
    if (!take_trips(&trip, FIGURE_END_TO_END, &series, err)) return false;
    series_keep(arena, record, &series);
    phase_timer_switch(r->phases, was);
    return true;
}

void measure_keep_transfers(
    struct arena *arena, struct record *record, const struct problem *problem, const struct transfers *transfers) {
    record->upload_bytes = bytes_moved(problem, true);
    record->download_bytes = bytes_moved(problem, false);
    series_keep(arena, record, &transfers->series);
}
