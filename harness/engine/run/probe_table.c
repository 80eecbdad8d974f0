// SPDX-License-Identifier: Apache-2.0
// The probes by operator.
#include "probe.h"

#include "../../record/record.h"
#include "../../../reference/table.h"

#include <string.h>

static const struct {
    const char *operator;
    bool (*run)(struct probe_run *run, struct error *err);
} table[] = {
    {"allocate", probe_allocate},
    {"command", probe_command},
    {"create", probe_create},
    {"download", probe_download},
    {"memory", probe_memory},
    {"offset", probe_offset},
    {"open", probe_open},
    {"overlap", probe_overlap},
    {"pipeline", probe_pipeline},
    {"shader", probe_shader},
    {"submit", probe_submit},
    {"upload", probe_upload},
};

bool probe_point(struct probe_run *run, struct error *err) {
    run->out->cache = "hot";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].operator, operator_name(run->point->kernel->op)) == 0) return table[i].run(run, err);
    return error_set(err, STATUS_FAULT, "%s: nothing runs this probe", run->point->kernel->name);
}
