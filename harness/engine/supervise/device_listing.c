// SPDX-License-Identifier: Apache-2.0
// Lists devices in a process of its own, because it loads every installed driver and any of them may crash.
#include "../../base/clock.h"
#include "protocol.h"
#include "signals.h"

static const int64_t enough_ns = 60000000000; // to load every driver, cold from disk

bool supervise_devices(struct arena *arena, const char *program, struct device_info **devices, size_t *count,
    bool *validates, struct error *err) {
    struct process process;
    const char *line;
    size_t length;
    char how[PROCESS_HOW];
    if (!process_start(program, &process, err)) return false;
    signals_take(false);
    int64_t deadline = clock_ns() + enough_ns;
    message_send(&process, message_describe(), deadline); // a failure shows in the answer
    enum reply reply = process_receive(&process, deadline, NULL, NULL, &line, &length);
    struct message answer = reply == REPLY_LINE ? message_read(line, length) : (struct message){0};
    bool ok = reply == REPLY_LINE && message_get_devices(&answer, arena, devices, count, err);
    if (validates) *validates = message_get_validates(&answer);
    message_release(&answer);
    process_end(&process, reply == REPLY_LATE ? 0 : 5, how);
    signals_give_back();
    if (reply == REPLY_LINE) return ok;
    const char *why = reply == REPLY_LATE    ? "no answer within 60 s"
                      : reply == REPLY_FLOOD ? "an endless answer"
                                             : "no answer";
    return error_set(err, STATUS_FAULT,
        "the drivers' devices could not be listed: %s, %s; VK_DRIVER_FILES=FILE.json restricts "
        "which drivers are loaded",
        why, how);
}
