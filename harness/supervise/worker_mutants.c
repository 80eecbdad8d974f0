// SPDX-License-Identifier: Apache-2.0
#include "worker_mutants.h"

void worker_mutants_close(struct worker_mutants *m) {
    mutant_kernel_close(m->kernel);
    arena_free(&m->arena);
    *m = (struct worker_mutants){0};
}

static bool read_points(struct worker_mutants *m, const struct kernels *kernels, struct error *err) {
    struct point *points = arena_alloc(&m->arena, m->asked.count, sizeof *points);
    for (size_t i = 0; i < m->asked.count; i++)
        if (!point_parse(&m->arena, kernels, m->asked.names[i], &points[i], err)) return false;
    m->asked.mutants.points = points;
    m->asked.mutants.point_count = m->asked.count;
    return true;
}

struct json_object *worker_mutants_open(struct worker_mutants *m, struct gpu *gpu, const struct run_options *options,
    const struct kernels *kernels, const char *line, size_t length) {
    struct error err = {0};
    size_t count = 0;
    worker_mutants_close(m);
    bool ok = request_read(line, length, &m->arena, &m->asked, &err) && read_points(m, kernels, &err);
    if (ok) m->kernel = mutant_kernel_open(gpu, options, &m->asked.mutants, &err);
    if (!m->kernel) return message_mutants(NULL, 0, err.text);
    for (size_t i = 0; i < m->asked.killed_count; i++) mutant_kernel_killed(m->kernel, m->asked.killed[i]);
    const struct mutant *mutants = mutant_kernel_list(m->kernel, &count);
    return message_mutants(mutants, count, NULL);
}

static void alive(void *user, bool broken) {
    message_write(user, message_note(MESSAGE_AT, broken)); // that nobody listens shows in the answer
}

bool worker_mutants_run(struct worker_mutants *m, size_t index, FILE *answers) {
    struct arena arena = {0};
    struct mutant mutant;
    struct error err;
    size_t count = 0;
    if (m->kernel) mutant_kernel_list(m->kernel, &count);
    if (index >= count) {
        error_set(&err, STATUS_USAGE, "worker: there is no mutant %zu", index);
        message_write(answers, message_error(&err));
        return false;
    }
    bool usable = mutant_kernel_run(m->kernel, index, &arena, &mutant, alive, answers);
    bool told = message_write(answers, message_verdict(&mutant, !usable));
    arena_free(&arena);
    return usable && told;
}
