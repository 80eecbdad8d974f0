// SPDX-License-Identifier: Apache-2.0
// Runs an instrumented program and reads its log.
#ifndef VKASSAY_SANITIZE_DISPATCH_H
#define VKASSAY_SANITIZE_DISPATCH_H

#include "../../vulkan/gpu.h"
#include "../../../shader/sanitize/findings.h"

// The log's buffers. Zeroed: not created yet.
struct log_buffers {
    struct buffer device, host;
    uint64_t room; // words behind the head
};
enum { LOG_ROOM = 1 << 23, LOG_MOST_INVOCATIONS = 1 << 15 };
bool log_buffers_open(struct gpu *gpu, uint64_t room, struct log_buffers *out, struct error *err);
void log_buffers_close(struct gpu *gpu, struct log_buffers *buffers);

struct logged_dispatch {
    const struct program *program; // of the instrumented module
    struct binding *bindings;      // with the log's binding at index `log`, set here
    int log;
    const void *push;
    const uint32_t *groups;
    double timeout_s;
};

// Runs one dispatch, with a barrier behind it. It reads the slots' lengths, and the numbers of workgroups and
// invocations in *log, and sets the rest. If there are more workgroups than the log holds, some first and last ones are
// logged. They stay valid until the next run. *words and *dropped: the words of the
// log, and those without room. ERROR_SKIP: there is no room for a row of them.
bool dispatch_logged(struct gpu *gpu, struct work *work, const struct log_buffers *buffers,
    const struct logged_dispatch *dispatch, struct dispatch_log *log, uint64_t *words, uint64_t *dropped,
    struct error *err);

#endif
