// SPDX-License-Identifier: Apache-2.0
#include "mutant_places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WAYS = 64 };

// Counts the places of a mutation found on each line so far.
struct name_tally {
    struct tally_line {
        uint32_t file, line, ordinal;
    } * items;
    size_t count, capacity;
};

static uint32_t next_ordinal(struct arena *arena, struct name_tally *tally, uint32_t file, uint32_t line) {
    for (size_t i = tally->count; i-- > 0;)
        if (tally->items[i].line == line && tally->items[i].file == file) return ++tally->items[i].ordinal;
    tally->items = arena_grow(arena, tally->items, tally->count, &tally->capacity, sizeof *tally->items);
    tally->items[tally->count++] = (struct tally_line){file, line, 1};
    return 1;
}

static void add_of(struct arena *arena, const struct code *code, int pass, const struct mutation *mutation,
    struct mutant_places *out) {
    struct name_tally tally = {0};
    struct arena scratch = {0}, lines = {0};
    for (uint32_t item = code->first_function; item < code->end; item++) {
        for (int way = 0; way < MOST_WAYS && !code->items[item].is_dead; way++) {
            struct module_change change = change_start(&scratch, code);
            if (!mutation->make(&change, item, way)) break;
            const struct instruction *i = &code->items[item];
            out->items = arena_grow(arena, out->items, out->count, &out->capacity, sizeof *out->items);
            out->items[out->count++] = (struct mutant_place){.mutation = mutation,
                .pass = pass,
                .file = code_file(code, i->file),
                .line = i->line,
                .ordinal = next_ordinal(&lines, &tally, i->file, i->line),
                .item = item,
                .way = way,
                .summary = arena_copy(arena, change.summary)};
            arena_free(&scratch);
        }
        arena_free(&scratch);
    }
    arena_free(&lines);
}

void mutant_places_add(struct arena *arena, const struct code *code, int pass, const char *const *only,
    size_t only_count, struct mutant_places *out) {
    for (int family = 0; family < MUTATION_FAMILIES; family++)
        for (const struct mutation *m = mutation_families[family]; m->name; m++) {
            bool wanted = only_count == 0;
            for (size_t i = 0; i < only_count; i++) wanted |= text_glob(only[i], m->name);
            if (wanted) add_of(arena, code, pass, m, out);
        }
}

bool mutant_place_make(struct arena *arena, const struct code *code, const struct mutant_place *place, uint32_t **words,
    size_t *count, uint32_t *item) {
    const char *file = mutant_place_file(place->file);
    uint32_t ordinal = 0;
    for (*item = code->first_function; *item < code->end; ++*item) {
        const struct instruction *i = &code->items[*item];
        if (i->is_dead || i->line != place->line || strcmp(mutant_place_file(code_file(code, i->file)), file) != 0)
            continue;
        for (int way = 0; way < MOST_WAYS; way++) {
            struct module_change change = change_start(arena, code);
            if (!place->mutation->make(&change, *item, way)) break;
            if (++ordinal == place->ordinal) return change_finish(&change, words, count);
        }
    }
    return false;
}

const char *mutant_place_file(const char *path) {
    const char *last = strrchr(path, '/'), *at = last;
    while (at && at > path && at[-1] != '/') at--;
    return at ? at : path;
}

const char *mutant_place_name(struct arena *arena, const struct mutant_place *place) {
    const char *name = arena_format(
        arena, "%s@%s:%u#%u", place->mutation->name, mutant_place_file(place->file), place->line, place->ordinal);
    return place->pass ? arena_format(arena, "%s,pass=%d", name, place->pass + 1) : name;
}

bool mutant_place_named(struct arena *arena, const char *name, struct mutant_place *out) {
    char *mutation = arena_copy(arena, name), *file = strchr(mutation, '@'), *ordinal = strrchr(mutation, '#');
    char *line = NULL;
    int pass = 1, length = 0;
    *out = (struct mutant_place){0};
    if (!file || !ordinal || ordinal < file) return false;
    *file++ = *ordinal++ = '\0';
    line = strrchr(file, ':');
    if (!line) return false;
    *line++ = '\0';
    out->mutation = mutation_named(mutation);
    out->file = file;
    bool ok = sscanf(line, "%" SCNu32 "%n", &out->line, &length) == 1 && !line[length] &&
              sscanf(ordinal, "%" SCNu32 "%n", &out->ordinal, &length) == 1;
    if (ok && ordinal[length]) ok = sscanf(ordinal + length, ",pass=%d", &pass) == 1;
    out->pass = pass - 1;
    return ok && out->mutation && pass >= 1;
}
