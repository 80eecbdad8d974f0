// SPDX-License-Identifier: Apache-2.0
#include "ending.h"

#include "../render/format.h"
#include "../render/outcomes.h"
#include "../../record/figures.h"
#include "../render/highlights.h"
#include "../../record/record.h"
#include "../../record/result.h"

#include <math.h>
#include <string.h>

enum { CAUSES = 10, HANGING = 8 };

// ---- failures by cause

// Prints one cause, with as much of the reason's first line as fits.
static void print_cause(const struct failure *failure, FILE *out, int width) {
    struct text line = {0}, reason = {0};
    put_plain(&reason, failure->reason, 0);
    text_format(&line, "%6zu  %s %s: ", failure->alike + 1, failure->record->kernel, failure->record->dtype);
    text_append_n(&line, text_str(&reason), strcspn(text_str(&reason), "\n"));
    const char *class = failure_class(failure);
    fputs(colour_begin(class), out);
    print_cut(out, text_str(&line), width);
    fprintf(out, "%s\n", colour_end(class));
    text_free(&line);
    text_free(&reason);
}

static void print_causes(const struct failures *failures, FILE *out, int width) {
    if (failures->count < 2) return; // one is listed above
    fputs("\nFailures by cause (replay commands are listed above)\n", out);
    for (size_t i = 0; i < failures->count && i < CAUSES; i++) print_cause(&failures->items[i], out, width);
    if (failures->count > CAUSES) fprintf(out, "        and %zu more causes\n", failures->count - CAUSES);
}

// ---- possible gains

static void print_far(const struct view *view, const struct highlights *found, FILE *out, int width) {
    struct text half = {0};
    if (!found->far_count) return;
    text_append(&half, "How fast: ");
    put_speed_words(&half, view, found);
    fputs("\n", out);
    print_words(out, "", &half, HANGING, width);
    fputs("\nFurthest from the roof, each the fastest kernel of its operator and type\n", out);
    for (size_t i = 0; i < found->far_count; i++) {
        struct text line = {0};
        put_share(&line, found->far[i].figure);
        text_format(&line, " of %s: ", roof_words(rate_of(view->result, found->far[i].record).roof));
        put_subject(&line, &found->far[i]);
        print_words(out, "  ", &line, HANGING, width);
    }
}

static void print_gains(const struct highlights *found, FILE *out, int width) {
    if (!found->gain_count) return;
    fputs("\nRecommended changes\n", out);
    for (size_t i = 0; i < found->gain_count; i++) {
        const struct highlight *gain = &found->gains[i];
        struct text line = {0};
        put_subject(&line, gain);
        text_append(&line, ": ");
        put_advice(&line, gain);
        if (gain->record->systems && *gain->record->systems) text_format(&line, " (%s)", gain->record->systems);
        print_words(out, "  ", &line, HANGING, width);
    }
}

// ---- quality of the times

static void print_beyond(const struct result *result, FILE *out, int width) {
    struct text line = {0};
    put_beyond(&line, result);
    if (line.length) fprintf(out, "\n%s", colour_begin("bad"));
    if (line.length) print_words(out, "", &line, 0, width);
    if (line.length) fputs(colour_end("bad"), out);
    text_free(&line);
}

// ---- remarks

static bool has_remark_before(const struct result *result, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (result->records[i].reads_back && strcmp(result->records[i].kernel, result->records[index].kernel) == 0)
            return true;
    return false;
}

static void print_read_back(const struct result *result, FILE *out, int width) {
    struct text line = {0};
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (!record->reads_back || has_remark_before(result, i)) continue;
        text_append(&line, line.length
                               ? ", "
                               : "Kernels that read an output or scratch buffer, so that an earlier run can help "
                                 "them, without \"reads_back\" in their manifest: ");
        text_format(&line, "%s (%s)", record->kernel, record->reads_back);
    }
    if (line.length) fputs("\n", out);
    if (line.length) print_words(out, "", &line, HANGING, width);
    text_free(&line);
}

static void print_wide(const struct view *view, FILE *out, int width) {
    struct wide wide = wide_of(view->result);
    if (wide.points * 2 <= wide.timed) return;
    struct text line = {0};
    if (wide.busy) text_format(&line, "The host was busy (others took up to %.0f %% of its cores): ", 100 * wide.load);
    text_format(&line, "%zu of %zu points have intervals wider than ±%d %%", wide.points, wide.timed, WIDE_PERCENT);
    text_append(&line, wide.busy ? "." : ": times vary, although no other load was found on the host.");
    fprintf(out, "\n%s", colour_begin("noisy"));
    print_words(out, "", &line, 0, width);
    fputs(colour_end("noisy"), out);
}

// Compares with the last run of the suite, by the rules of `compare`.
static void print_last(const struct comparison *last, FILE *out, int width) {
    struct text line = {0}, plain = {0};
    if (!last) return;
    put_last_words(&line, last);
    put_plain(&plain, text_str(&line), 0);
    fputs("\n", out);
    print_words(out, "", &plain, 0, width);
    text_free(&line);
}

void ending_print(const struct view *view, const struct failures *failures, FILE *out, int width) {
    struct highlights found;
    highlights_make(view, &found);
    print_far(view, &found, out, width);
    print_gains(&found, out, width);
    print_causes(failures, out, width);
    print_beyond(view->result, out, width);
    print_read_back(view->result, out, width);
    print_wide(view, out, width);
    print_last(view->result->last, out, width);
}
