// SPDX-License-Identifier: Apache-2.0
// What a change of level is put down to: the revisions between which it came, or the machine.
#include "history.h"

#include "../../base/text.h"

#include <ctype.h>
#include <string.h>

enum { ONE_SIDED_LEAST = 5, ONE_SIDED_PERCENT = 80 };

// A revision as git takes it, without the mark of a changed tree; NULL where the run does not say one. A result's text
// is of unknown origin and goes to a shell.
static const char *revision_of(struct arena *arena, const struct history_run *run) {
    static const char dirty[] = "-dirty";
    size_t length = run->git ? strlen(run->git) : 0;
    if (length > sizeof dirty && strcmp(run->git + length - (sizeof dirty - 1), dirty) == 0) length -= sizeof dirty - 1;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)run->git[i]) && !(i && strchr("._-", run->git[i]))) return NULL;
    if (!length || strcmp(run->git, "unknown") == 0) return NULL;
    return arena_copy_n(arena, run->git, length);
}

bool history_suspects(struct arena *arena, const struct history_point *point, struct suspects *out) {
    const struct history *h = point->of;
    *out = (struct suspects){0};
    if (!point->change_count) return false;
    size_t change = point->change_count - 1, run = point->changes[change];
    if (!run) return false;
    out->before = revision_of(arena, &h->runs[run - 1]);
    out->after = revision_of(arena, &h->runs[run]);
    if (!out->before || !out->after || strcmp(out->before, out->after) == 0) return false;
    if (!(point->factors[change] > 1)) return true;
    struct text line = {0};
    text_format(
        &line, "git bisect start %s %s && git bisect run scripts/ab.sh %s ", out->after, out->before, out->before);
    text_shell_word(&line, point->name);
    out->bisect = arena_take(arena, &line);
    return true;
}

const char *history_one_sided(struct arena *arena, const struct history *h) {
    const char *words = NULL;
    size_t most = 0;
    for (size_t run = 1; run < h->run_count; run++) {
        size_t slower = 0, moved = 0;
        for (size_t i = 0; i < h->changed; i++)
            for (size_t c = 0; c < h->points[i].change_count; c++) {
                if (h->points[i].changes[c] != run) continue;
                moved++;
                slower += h->points[i].factors[c] > 1;
            }
        size_t one_way = slower * 2 > moved ? slower : moved - slower;
        if (moved < ONE_SIDED_LEAST || one_way * 100 < moved * ONE_SIDED_PERCENT || moved <= most) continue;
        most = moved;
        words =
            arena_format(arena, "At run %zu %zu of %zu changes are one way, %s: the machine, likely, not its kernels.",
                run + 1, one_way, moved, slower * 2 > moved ? "slower" : "faster");
    }
    return words;
}
