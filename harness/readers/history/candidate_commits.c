// SPDX-License-Identifier: Apache-2.0
// Finds the likely cause of a change of level: the revisions between which it came, or the machine.
#include "history.h"

#include "../../base/text.h"

#include <ctype.h>
#include <string.h>

enum { ONE_SIDED_LEAST = 5, ONE_SIDED_PERCENT = 80 };

// Returns a revision for git without the "-dirty" mark; NULL if the run has none. It is checked because the result's
// text is untrusted and goes to a shell.
static const char *revision_of(struct arena *arena, const struct history_run *run) {
    static const char dirty[] = "-dirty";
    size_t length = run->git ? strlen(run->git) : 0;
    if (length > sizeof dirty && strcmp(run->git + length - (sizeof dirty - 1), dirty) == 0) length -= sizeof dirty - 1;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)run->git[i]) && !(i && strchr("._-", run->git[i]))) return NULL;
    if (!length || strcmp(run->git, "unknown") == 0) return NULL;
    return arena_copy_n(arena, run->git, length);
}

bool history_candidate_commits(
    struct arena *arena, const struct history_point *point, size_t change, struct candidate_commits *out) {
    const struct history *h = point->of;
    const size_t run = point->changes[change];
    *out = (struct candidate_commits){0};
    if (!run) return false;
    out->before = revision_of(arena, &h->runs[run - 1]);
    out->after = revision_of(arena, &h->runs[run]);
    if (!out->before || !out->after || strcmp(out->before, out->after) == 0) return false;
    // Each revision is compared with the faster side, and ab.sh exits with 2 for a slower one. If the point became
    // slower, bisect takes 2 for the new side. If it became faster, slower revisions are the old side, for which
    // bisect needs 0.
    const bool slower = point->factors[change] > 1;
    struct text line = {0}, ab = {0};
    text_format(&ab, "scripts/ab.sh %s ", slower ? out->before : out->after);
    text_shell_word(&ab, point->name);
    text_format(&line, "git bisect start %s %s && git bisect run ", out->after, out->before);
    if (slower) {
        text_append(&line, text_str(&ab));
    } else {
        text_append(&ab, "; test $? -eq 2");
        text_append(&line, "sh -c ");
        text_shell_word(&line, text_str(&ab));
    }
    text_free(&ab);
    out->bisect = arena_take(arena, &line);
    return true;
}

struct level_shifts history_level_shifts(const struct history *h, size_t run) {
    struct level_shifts shifts = {0};
    for (size_t i = 0; i < h->changed; i++)
        for (size_t c = 0; c < h->points[i].change_count; c++) {
            if (h->points[i].changes[c] != run) continue;
            shifts.moved++;
            shifts.slower += h->points[i].factors[c] > 1;
        }
    size_t one_way = shifts.slower * 2 > shifts.moved ? shifts.slower : shifts.moved - shifts.slower;
    shifts.one_sided = shifts.moved >= ONE_SIDED_LEAST && one_way * 100 >= shifts.moved * ONE_SIDED_PERCENT;
    return shifts;
}

void put_level_shifts(struct text *out, const struct level_shifts *shifts) {
    const bool slower = shifts->slower * 2 > shifts->moved;
    text_format(out, "%zu of %zu moved one way, %s", slower ? shifts->slower : shifts->moved - shifts->slower,
        shifts->moved, slower ? "slower" : "faster");
}
