// SPDX-License-Identifier: Apache-2.0
#include "same_run.h"

#include <string.h>

bool same_run(const struct session *session, struct json_object *context, struct error *err) {
    static const struct {
        const char *part, *key, *what;
    } facts[] = {{"device", "device_uuid", "the device"}, {"run", "seed", "seed"}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *then = json_get_string(json_get(context, facts[i].part), facts[i].key, "");
        const char *now = json_get_string(json_get(session->context, facts[i].part), facts[i].key, "");
        if (strcmp(then, now) != 0)
            return error_set(err, STATUS_USAGE, "%s: is of a run with %s %s; it cannot be resumed with %s",
                session->journal_path, facts[i].what, then, now);
    }
    return true;
}
