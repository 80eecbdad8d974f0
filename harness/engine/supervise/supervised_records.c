// SPDX-License-Identifier: Apache-2.0
// Records of planned points: kept in the journal, of skipped points, and of points run again.
#include "supervisor.h"

#include "../../device/device_info.h"
#include "../../record/journal.h"
#include "../../record/record.h"
#include "../../record/terms.h"
#include "expectations.h"
#include "worker_parts.h"

#include <stdio.h>
#include <string.h>

// ---- records

void supervisor_place(struct supervisor *s, size_t index, struct json_object *record) {
    s->records[index] = record;
    s->loop.progress.done++;
    const char *name = json_get_string(record, "status", "");
    int status = 0;
    while (status < RECORD_STATUS_COUNT && strcmp(record_status_name((enum record_status)status), name) != 0) status++;
    s->loop.progress.counts[status < RECORD_STATUS_COUNT ? status : (int)RECORD_ERROR]++;
}

bool supervisor_keep(struct supervisor *s, size_t index, struct json_object *record, struct error *err) {
    const struct session *session = s->loop.session;
    if (!session->plan.points[index].kernel->probe && session->device)
        estimate_judge(&s->estimate, session->device->kind == DEVICE_CPU, record);
    if (!journal_append(s->loop.journal, record, err)) {
        json_object_put(record);
        return false;
    }
    wall_add_record(&s->wall, record);
    climb_note(&s->climb, session, index, record);
    supervisor_place(s, index, record);
    if (json_get_string(record, "peak", NULL)) estimate_learn(&s->estimate, s->records, s->loop.session->plan.count);
    session_tell(&s->loop, record);
    journal_evict(s->loop.journal, record);
    return true;
}

// ---- GPU-assisted validation and the sanitizer rewrite each shader, so a driver's failure there is not the kernel's

// Runs a point without these checks, in a worker of its own. *record NULL: an interrupt stopped it.
static bool run_uninstrumented(struct worker_handle *worker, const struct point *point, const char *why,
    struct json_object **record, struct error *err) {
    struct session plain = *worker->session;
    struct worker_handle own = worker_sibling(worker);
    plain.options.gpu_assisted = false;
    plain.options.unsanitized = true;
    own.session = &plain;
    own.device = worker->device;
    const bool ok = worker_ask(&own, MESSAGE_RUN, point, record, err);
    worker_dismiss(&own, false);
    worker_join(worker, &own);
    if (ok && *record)
        json_put_string(*record, worker->session->options.gpu_assisted ? "bounds_unchecked" : "unsanitized", why);
    return ok;
}

// Replaces the record of a driver's failure under these checks with one of a run without them.
static bool leave_instrumentation(struct worker_handle *worker, const struct point *point, const char *why,
    struct json_object **record, struct error *err) {
    struct json_object *plain = NULL;
    if (!run_uninstrumented(worker, point, why, &plain, err)) return false;
    json_object_put(*record);
    *record = plain;
    if (plain && record_json_is(plain, RECORD_PASS)) worker->consecutive_losses = 0; // the layer caused the loss
    return true;
}

// ---- a second attempt

bool supervisor_try_again(
    struct supervisor *s, struct worker_handle *worker, size_t index, struct json_object **record, struct error *err) {
    const struct point *point = &s->loop.session->plan.points[index];
    struct json_object *again = NULL;
    char why[WORKER_WHY] = "";
    // The driver may have failed on a shader rewritten by the layer, or by the sanitizer.
    const bool error = *record && record_json_is(*record, RECORD_ERROR) && json_get_string(*record, "call", NULL);
    const bool plain =
        *record && (s->loop.session->options.gpu_assisted ? retry_is_crash(*record) || error
                                                          : json_get_string(*record, "unsanitized", NULL) != NULL);
    if (plain) snprintf(why, sizeof why, "%s", json_get_string(*record, "reason", "no reason was recorded"));
    if (plain && !leave_instrumentation(worker, point, why, record, err)) return false;
    retry_expect(point, *record);
    if (!*record || !s->loop.session->retry || !retry_is_due(*record)) return true;
    if (!(plain ? run_uninstrumented(worker, point, why, &again, err)
                : worker_ask(worker, MESSAGE_RUN, point, &again, err)))
        return false;
    retry_expect(point, again);
    if (again) {
        *record = retry_join(*record, again);
    } else { // stopped: the point is run again when the run is resumed
        json_object_put(*record);
        *record = NULL;
    }
    return true;
}

bool supervisor_skip(struct supervisor *s, size_t index, const struct refusal *why, struct error *err) {
    const struct point *point = &s->loop.session->plan.points[index];
    struct json_object *record = stand_in(s->loop.session, point, RECORD_SKIP, NULL, why);
    retry_expect(point, record);
    if (!point->refused) session_did(&s->loop, point);
    return supervisor_keep(s, index, record, err);
}
