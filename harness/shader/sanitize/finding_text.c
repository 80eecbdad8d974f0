// SPDX-License-Identifier: Apache-2.0
#include "findings.h"

#include "../../base/file.h"
#include "../../base/text.h"

#include <ctype.h>
#include <string.h>

enum { MOST_TEXT = 100 };

// Returns the text of a line without surrounding blanks; "" if it cannot be read.
static const char *line_text(struct arena *arena, const char *path, uint32_t line) {
    struct error err;
    struct arena file = {0};
    const char *at = *path ? file_read(&file, path, NULL, &err) : NULL;
    for (uint32_t n = 1; at && n < line; n++) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    while (at && (*at == ' ' || *at == '\t')) at++;
    size_t end = at ? strcspn(at, "\r\n") : 0;
    while (end && isspace((unsigned char)at[end - 1])) end--;
    const char *text = arena_copy_n(arena, at ? at : "", end < MOST_TEXT ? end : MOST_TEXT);
    arena_free(&file);
    return text;
}

// Appends " (FILE:LINE: `TEXT`)".
static void put_place(struct text *out, struct arena *arena, const struct site *site) {
    if (!*site->file) return;
    const char *text = line_text(arena, site->file, site->line);
    text_format(out, " (%s:%u", file_last_parts(site->file), site->line);
    if (*text) text_format(out, ": `%s`", text);
    text_append(out, ")");
}

static const char *name_of(const struct dispatch_log *log, const struct site *site) {
    const char *name = site->name;
    if (site->space != SPACE_SHARED && log->slots[site->space - SPACE_STORAGE].name)
        name = log->slots[site->space - SPACE_STORAGE].name;
    return *name ? name : site->space == SPACE_SHARED ? "shared memory" : "a storage buffer";
}

// Appends "tile[3][17]".
static void put_element(struct text *out, const struct dispatch_log *log, const struct site *site, uint32_t address) {
    uint32_t rest = address - site->origin;
    text_append(out, name_of(log, site));
    if (address < site->origin) text_format(out, " (its byte %u)", address);
    for (int d = 0; d < site->dim_count && address >= site->origin; d++) {
        text_format(out, "[%u]", rest / site->dims[d].stride);
        rest %= site->dims[d].stride;
    }
}

static void put_who(struct text *out, const struct dispatch_log *log, uint32_t who) {
    const uint32_t group = who >> WHO_LOCAL_BITS;
    text_format(out, "invocation %u of workgroup %u", who & (WHO_LOCALS - 1),
        group < log->first_groups ? group : group + log->left_out);
}

static void put_first(struct text *out, const struct dispatch_log *log, const struct finding *f) {
    if (f->is_unlogged)
        text_format(out, "invocation %u of workgroup %u", f->first_who % log->locals, f->first_who / log->locals);
    else
        put_who(out, log, f->first_who);
}

static const char *verb(const struct site *site) {
    switch (site->kind) {
    case SITE_READ:
        return site->lines ? "loads a matrix from" : "reads";
    case SITE_WRITE:
        return site->lines ? "stores a matrix to" : "writes";
    case SITE_LOAD:
        return "atomically reads";
    case SITE_STORE:
        return "atomically writes";
    default:
        return "atomically updates";
    }
}

static void put_race(struct text *out, struct arena *arena, const struct dispatch_log *log, const struct finding *f) {
    const struct site *first = &log->module->sites[f->first], *second = &log->module->sites[f->second];
    const bool within = f->first_who >> WHO_LOCAL_BITS == f->second_who >> WHO_LOCAL_BITS;
    text_format(out, "race in %s: ", first->space == SPACE_SHARED ? "shared memory" : "storage");
    put_first(out, log, f);
    text_format(out, " %s ", verb(first));
    put_element(out, log, second, f->address);
    put_place(out, arena, first);
    text_append(out, ", ");
    put_who(out, log, f->second_who);
    text_format(out, " %s it", verb(second));
    put_place(out, arena, second);
    text_append(out, within ? ", and no barrier orders them" : ", and nothing orders the workgroups");
}

static void put_bounds(struct text *out, struct arena *arena, const struct dispatch_log *log, const struct finding *f) {
    const struct site *site = &log->module->sites[f->first];
    put_first(out, log, f);
    text_format(out, " %s ", verb(site));
    if (f->is_index)
        text_format(out, "index %d of %s", (int32_t)f->address, name_of(log, site));
    else
        put_element(out, log, site, f->address);
    put_place(out, arena, site);
    if (site->space == SPACE_SHARED) {
        text_append(out, f->is_index ? ", outside the array" : ", beyond the array's end");
        return;
    }
    const uint64_t bytes = log->slots[site->space - SPACE_STORAGE].bytes;
    text_format(out, ", but the buffer has %llu bytes", (unsigned long long)bytes);
    if (site->dim_count && site->dims[0].stride)
        text_format(out, " (%llu elements)",
            (unsigned long long)((bytes - (bytes < site->origin ? bytes : site->origin)) / site->dims[0].stride));
}

static void put_unset(struct text *out, struct arena *arena, const struct dispatch_log *log, const struct finding *f) {
    const struct site *site = &log->module->sites[f->first];
    put_first(out, log, f);
    text_format(out, " %s ", verb(site));
    put_element(out, log, site, f->address);
    put_place(out, arena, site);
    text_append(out, ", but its workgroup wrote nothing there before");
}

static void put_barrier(
    struct text *out, struct arena *arena, const struct dispatch_log *log, const struct finding *f) {
    const struct site *first = &log->module->sites[f->first], *second = &log->module->sites[f->second];
    const char *what = first->is_workgroup ? "a barrier" : "a barrier of its subgroup";
    put_first(out, log, f);
    text_format(out, " comes to %s", what);
    put_place(out, arena, first);
    text_append(out, ", but ");
    put_who(out, log, f->second_who);
    if (f->first == f->second) {
        text_append(out, " does not");
        if (f->of) text_format(out, "; %u of the workgroup's %u invocations do", f->reach, f->of);
    } else {
        text_append(out, " comes to another one");
        put_place(out, arena, second);
    }
}

static void put_stopped(
    struct text *out, struct arena *arena, const struct dispatch_log *log, const struct finding *f) {
    (void)arena;
    put_who(out, log, f->first_who);
    text_append(out, " did not come to its end: the driver stopped it, perhaps at a barrier that others skip");
}

const char *finding_text(struct arena *arena, const struct dispatch_log *log, const struct finding *finding) {
    static void (*const put[])(struct text *, struct arena *, const struct dispatch_log *, const struct finding *) = {
        [FINDING_RACE] = put_race,
        [FINDING_BOUNDS] = put_bounds,
        [FINDING_UNSET] = put_unset,
        [FINDING_BARRIER] = put_barrier,
        [FINDING_STOPPED] = put_stopped,
    };
    struct text text = {0};
    put[finding->kind](&text, arena, log, finding);
    return arena_take(arena, &text);
}
