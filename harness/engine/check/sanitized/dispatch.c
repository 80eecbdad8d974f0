// SPDX-License-Identifier: Apache-2.0
#include "dispatch.h"

#include <string.h>

enum { HEAD_BYTES = LOG_HEAD_WORDS * 4, LEAST_ROWS = 4 };

bool log_buffers_open(struct gpu *gpu, uint64_t room, struct log_buffers *out, struct error *err) {
    const uint64_t bytes = HEAD_BYTES + room * 4;
    *out = (struct log_buffers){.room = room};
    if (buffer_create(gpu, BUFFER_DEVICE, bytes, &out->device, err) &&
        buffer_create(gpu, BUFFER_READBACK, bytes, &out->host, err))
        return true;
    log_buffers_close(gpu, out);
    return false;
}

void log_buffers_close(struct gpu *gpu, struct log_buffers *buffers) {
    buffer_destroy(gpu, &buffers->device);
    buffer_destroy(gpu, &buffers->host);
    *buffers = (struct log_buffers){0};
}

static void fill_word(struct work *work, const struct log_buffers *buffers, uint32_t word, uint64_t value) {
    work_fill(work, &buffers->device, 4 * (uint64_t)word, 4, value > UINT32_MAX ? UINT32_MAX : (uint32_t)value);
}

// Writes the head, and first rows without any word: for invocations that never come to their end.
static void fill_head(
    struct work *work, const struct log_buffers *buffers, const struct dispatch_log *log, uint64_t rows) {
    work_fill(work, &buffers->device, 0, HEAD_BYTES, 0);
    work_barrier(work);
    fill_word(work, buffers, LOG_INVOCATIONS, log->invocations);
    fill_word(work, buffers, LOG_FIRST, (uint64_t)log->first_groups * log->locals);
    fill_word(work, buffers, LOG_GAP, (uint64_t)log->left_out * log->locals);
    fill_word(work, buffers, LOG_ROOM_WORDS, rows * log->invocations);
    for (int s = 0; s < log->slot_count; s++) fill_word(work, buffers, LOG_LIMIT + (uint32_t)s, log->slots[s].bytes);
    work_fill(work, &buffers->device, HEAD_BYTES, 4 * (uint64_t)log->invocations, 0);
    work_barrier(work);
}

static bool read_back(struct gpu *gpu, struct work *work, const struct log_buffers *buffers, uint64_t first,
    uint64_t count, double timeout_s, struct error *err) {
    const uint64_t at = HEAD_BYTES + first * 4;
    if (!work_begin(gpu, work, err)) return false;
    work_copy(work, &buffers->device, at, &buffers->host, at, count * 4);
    work_barrier(work);
    return work_end(gpu, work, err) && work_run(gpu, work, timeout_s, NULL, NULL, err) &&
           buffer_invalidate(gpu, &buffers->host, err);
}

// Counts the words, and the rows that hold them.
static uint32_t count_rows(const struct dispatch_log *log, uint64_t most, uint64_t *words, uint64_t *dropped) {
    uint64_t rows = 1;
    *words = *dropped = 0;
    for (uint32_t i = 0; i < log->invocations; i++) {
        const uint64_t own = log->rows[i] / log->invocations;
        *words += own;
        if (own + 1 > most) *dropped += own + 1 - most;
        if (own + 1 > rows) rows = own + 1;
    }
    return (uint32_t)(rows < most ? rows : most);
}

// Chooses the first and the last workgroups, as many as are logged. Their roads through a
// shader differ: the last ones often have a tail.
static void choose_groups(struct dispatch_log *log) {
    const uint32_t all = log->groups, most = LOG_MOST_INVOCATIONS / log->locals;
    log->groups = all < most ? all : most < 2 ? 2 : most;
    if (log->groups > all) log->groups = all;
    log->first_groups = log->groups == all ? all : (log->groups + 1) / 2;
    log->left_out = all - log->groups;
    log->invocations = log->groups * log->locals;
}

bool dispatch_logged(struct gpu *gpu, struct work *work, const struct log_buffers *buffers,
    const struct logged_dispatch *dispatch, struct dispatch_log *log, uint64_t *words, uint64_t *dropped,
    struct error *err) {
    choose_groups(log);
    const uint64_t invocations = log->invocations, rows = buffers->room / invocations;
    if (rows < LEAST_ROWS)
        return error_of_kind(
            err, ERROR_SKIP, "%llu invocations, too many for the log", (unsigned long long)invocations);
    dispatch->bindings[dispatch->log] = (struct binding){&buffers->device, 0, HEAD_BYTES + buffers->room * 4};
    if (!work_begin(gpu, work, err)) return false;
    fill_head(work, buffers, log, rows);
    if (!work_dispatch(gpu, work, dispatch->program, dispatch->bindings, dispatch->push, dispatch->groups, err))
        return false;
    work_barrier(work);
    work_copy(work, &buffers->device, 0, &buffers->host, 0, HEAD_BYTES + invocations * 4);
    work_barrier(work);
    if (!work_end(gpu, work, err) || !work_run(gpu, work, dispatch->timeout_s, NULL, NULL, err) ||
        !buffer_invalidate(gpu, &buffers->host, err))
        return false;
    memcpy(log->looked, (const uint32_t *)buffers->host.host + LOG_LOOKED, sizeof log->looked);
    log->rows = (const uint32_t *)buffers->host.host + LOG_HEAD_WORDS;
    // The last row holds what had no room.
    log->row_count = count_rows(log, rows - 1, words, dropped);
    return log->row_count < 2 ||
           read_back(gpu, work, buffers, invocations, (log->row_count - 1) * invocations, dispatch->timeout_s, err);
}
