// SPDX-License-Identifier: Apache-2.0
#include "cases.h"

#include "../base/names.h"

#include <string.h>

size_t case_before_shape(const struct record *record) {
    const char *shape = strstr(record->name, "/wg=");
    return shape ? (size_t)(shape - record->name) : 0;
}

// Which case each record is of, NAMES_NONE for none; counts them in out->items.
static bool number(
    const struct record *records, size_t count, case_part *part, void *user, size_t *numbers, struct cases *out) {
    struct names names = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        size_t length = part(&records[i], user);
        numbers[i] = NAMES_NONE;
        if (!length) continue;
        ok = names_put(&names, records[i].name, length, out->count, &numbers[i]);
        out->count += ok && numbers[i] == out->count;
        if (ok) out->items[numbers[i]].count++;
    }
    names_free(&names);
    return ok;
}

bool cases_gather(
    const struct record *records, size_t count, case_part *part, void *user, struct arena *arena, struct cases *out) {
    size_t *numbers = arena_alloc(arena, count + 1, sizeof *numbers);
    const struct record **room = arena_alloc(arena, count + 1, sizeof *room);
    *out = (struct cases){.items = arena_alloc(arena, count + 1, sizeof *out->items)};
    if (!numbers || !room || !out->items || !number(records, count, part, user, numbers, out)) return false;
    for (size_t i = 0; i < out->count; i++) {
        out->items[i].records = room;
        room += out->items[i].count;
        out->items[i].count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        struct case_group *group = numbers[i] == NAMES_NONE ? NULL : &out->items[numbers[i]];
        if (group) group->records[group->count++] = &records[i];
    }
    return true;
}
