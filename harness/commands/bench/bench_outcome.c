// SPDX-License-Identifier: Apache-2.0
// Finishes one device's run: writes and shows the result, and prints how to continue it.
#include "bench_run.h"
#include "../../engine/plan/suite_sizes.h"
#include "judged.h"
#include "../questions/questions.h"

#include "../../base/file.h"
#include "../../base/kind.h"
#include "../../base/names.h"
#include "../../engine/tiers/sampled_tier.h"
#include "../../record/terms.h"
#include "../../readers/render/format.h"
#include "../command.h"
#include "known_peaks.h"
#include "progress.h"
#include "../../record/journal.h"
#include "../../record/result.h"
#include "../../record/wall.h"

#include <stdio.h>
#include <string.h>

enum { REASONS_NAMED = 3 };

// Returns whether the selection asks for the point, rather than adding it as a peak for reference.
static bool is_asked(const struct run *run, const char *name, const char *peak) {
    return select_asks(run->options->words, run->options->word_count, name, peak);
}

// Judges the records. If the plan has only peaks, as in the suite of peaks, they count as asked for.
static enum status status_of(const struct run *run, const struct plan *plan, const struct outcome *outcome) {
    bool rulers = true;
    for (size_t i = 0; i < plan->count; i++) rulers &= !is_asked(run, plan->points[i].name, plan->points[i].peak);
    size_t ran = 0, wrong = 0;
    for (size_t i = 0; i < outcome->count; i++) {
        struct json_object *record = outcome->records[i];
        const char *name = json_get_string(record, "name", ""), *peak = json_get_string(record, "peak", NULL);
        ran += !record_json_is(record, RECORD_SKIP) && (rulers || is_asked(run, name, peak));
        wrong += outcome_is_bad(record_outcome_json(record));
    }
    return wrong ? STATUS_WRONG : ran ? STATUS_OK : STATUS_NOTHING;
}

// Names the reasons of skips, if no point ran among those asked for.
static void say_nothing_ran(const struct run *run, const struct outcome *outcome) {
    struct names seen = {0};
    struct text reasons = {0};
    size_t points = 0;
    for (size_t i = 0; i < outcome->count; i++) {
        const char *reason = json_get_string(outcome->records[i], "reason", "no reason was recorded");
        if (!record_json_is(outcome->records[i], RECORD_SKIP)) continue;
        points++;
        const size_t before = seen.count;
        if (names_put(&seen, reason, strlen(reason), before) == before && before < REASONS_NAMED)
            text_format(&reasons, "%s%s", before ? "; " : "", reason);
    }
    if (seen.count > REASONS_NAMED) text_format(&reasons, "; and %zu more reasons", seen.count - REASONS_NAMED);
    if (points) {
        struct text plain = {0};
        put_plain(&plain, text_str(&reasons), 0);
        fprintf(stderr, "%s: nothing selected was measured; %zu point%s skipped: %s\n", run->bench->verb, points,
            points == 1 ? " was" : "s were", text_str(&plain));
        text_free(&plain);
    }
    text_free(&reasons);
    names_free(&seen);
}

// Prints one line, wrapped on a terminal; nothing for NULL.
static void say(const char *words) {
    const int width = terminal_width();
    if (!words) return;
    if (width)
        print_hanging(stdout, "", words, 2, width);
    else
        puts(words);
}

// Reports if the device was throttled.
static void say_slowed(const struct run *run, const struct outcome *outcome) {
    size_t throttled = 0, timed = 0;
    for (size_t i = 0; i < outcome->count; i++) {
        timed += json_get(outcome->records[i], "time") != NULL;
        throttled += json_object_get_boolean(json_get(outcome->records[i], "throttled")) != 0;
    }
    const char *words = wall_slowed(run->arena, json_get(outcome->context, "run"), throttled, timed);
    say(words);
}

static const char *cut_short_words(const struct run *run, const struct outcome *outcome) {
    return whole_words(run->arena, json_get(outcome->context, "run"));
}

// Returns the path of the written result; NULL with err.
static const char *write_result(
    struct run *run, const struct device_info *device, struct outcome *outcome, const char *folder, struct error *err) {
    const char *path = arena_format(run->arena, "%s/" RESULT_FILE, folder);
    struct json_object *parts = json_object_new_array();
    bool ok = file_make_folder(folder, err) && // it may be gone
              exhaustive_join(outcome->records, &outcome->count, parts, err);
    if (ok) expectations_note(&run->expectations, device, outcome->records, outcome->count);
    ok = ok && result_write(path, outcome->context, outcome->records, outcome->count, parts, outcome->wall_s,
                   run->options->trim, err);
    json_object_put(parts);
    if (!ok) return NULL;
    run->results[run->result_count++] = path;
    if (run->bench->result) *run->bench->result = path;
    return path;
}

// Names the kernels that the sampled tier could judge only at small sizes, unless the command line asked for sizes.
static void say_small(const struct run *run, const struct plan *plan, enum status *status) {
    const struct options *options = run->options;
    if (!run->sampled || options->shard.count > 1) return;
    for (size_t i = 0; i < options->word_count; i++)
        if (strchr(options->words[i], '=')) return;
    const char *words = cover_small(run->arena, plan);
    if (!words) return;
    say(arena_format(
        run->arena, "Larger sizes were not checked, because a rule or a device limit excludes them: %s", words));
    *status = status_join(*status, STATUS_PARTIAL);
}

// Says why larger sizes were not run.
static void say_climb(const struct run *run, const struct climb_end *end) {
    if (!end->left_out) return;
    const char *size = strchr(strchr(end->next, '/') + 1, '/') + 1;
    const char *points = arena_format(run->arena, "%zu larger point%s not run, from %.*s on:", end->left_out,
        end->left_out == 1 ? " was" : "s were", (int)strcspn(size, "/"), size);
    say(end->wrong ? arena_format(run->arena, "%s a smaller one is wrong", points)
                   : arena_format(run->arena, "%s it would take about %.0f s; --budget SECONDS allows more", points,
                         end->expected_s));
}

static bool show_compiled(struct run *run, const struct outcome *outcome, const char *folder, const char *path,
    enum status *status, struct error *err) {
    const char *code = run->options->run.disassembly, *cut_short = cut_short_words(run, outcome);
    struct result result;
    if (!result_read(path, &result, err)) return false;
    const bool ok = present_compiled(run->arena, &result, 1, code, folder, run->prepared.home, status, err);
    result_free(&result);
    if (!ok) return false;
    printf("Result  %s\n", path);
    if (code && file_exists(code)) printf("Code    %s\n", code);
    if (code && !file_exists(code)) printf("The driver gives no text of its machine code\n");
    if (cut_short) printf("The run was %s\n", cut_short);
    if (cut_short) *status = status_join(*status, STATUS_PARTIAL);
    return true;
}

// Says what the options of questions ask.
static bool say_answers(const struct run *run, const char *path, enum status *status, struct error *err) {
    const struct options *options = run->options;
    struct result result;
    const char *ladder = NULL;
    const bool laddered = run->bench->time && ladder_dim(run->arena, options->dims, 0);
    if (!options->run.repeat && !options->run.invariant && !laddered) return true;
    if (!result_read(path, &result, err)) return false;
    if (options->run.repeat) repeated_tell(&result);
    if (options->run.invariant && !invariant_tell(run->arena, &result, options->run.invariant))
        *status = status_join(*status, STATUS_WRONG);
    for (size_t i = 0; laddered && (ladder = ladder_dim(run->arena, options->dims, i)); i++)
        ladder_tell(run->arena, &result, ladder);
    result_free(&result);
    return true;
}

static bool show(struct run *run, const struct device_run *one, struct outcome *outcome, const char *path,
    enum status *status, struct error *err) {
    const struct device_info *device = one->device;
    const char *folder = one->folder;
    if (run->bench->after) {
        struct bench_run shown = {run->options, device, run->suite.name, &run->prepared.kernels, path,
            outcome->interrupted, cut_short_words(run, outcome), run->bench->user};
        return run->bench->after(run->arena, &shown, status, err);
    }
    if (run->compile_only) return show_compiled(run, outcome, folder, path, status, err);
    const char *next = arena_format(run->arena, "%s/expectations.json", folder);
    // Under these expectations, the same run would come out as expected.
    struct json_object *met = expectations_next(&run->expectations, device, outcome->records, outcome->count);
    const bool written = json_write(next, met, true, err);
    json_object_put(met);
    if (!written || !present(path, (struct shown_with){.brief = true}, folder, run->prepared.home, false, err))
        return false;
    *status = status_of(run, &one->session.plan, outcome);
    if (*status == STATUS_NOTHING) say_nothing_ran(run, outcome);
    say_climb(run, &outcome->climb_end);
    say_small(run, &one->session.plan, status);
    judged_tell(run, &one->session.plan, outcome, status);
    if (!say_answers(run, path, status, err)) return false;
    if (*status == STATUS_WRONG && !run->bench->climbs)
        printf("Unexpected outcomes are in %s; pass it with --expectations to accept them\n", next);
    const char *words = wall_words(run->arena, json_get(outcome->context, "run"));
    say(words);
    say_slowed(run, outcome);
    return !suite_has_claims(run->suite.file) || present_claims(run->arena, run->suite.file, path, folder,
                                                     run->prepared.home, run->options->quiet, status, err);
}

// Writes and shows the result, whether the run is complete or not.
static bool finish(struct run *run, struct device_run *one, enum status *status, struct error *err) {
    struct outcome *outcome = &one->outcome;
    const struct device_info *device = one->device;
    const char *folder = one->folder;
    const char *path = write_result(run, device, outcome, folder, err);
    bool ok = path && show(run, one, outcome, path, status, err);
    const char *line = resume_line(run->arena, run->options, folder);
    progress_say_losses(outcome, status);
    if (!ok || !outcome->left) return ok;
    fprintf(stderr, "The run was %s\n", cut_short_words(run, outcome));
    if (line) fprintf(stderr, "Continue with: %s\n", line);
    *status = status_join(*status, STATUS_PARTIAL);
    return true;
}

// Writes the partial result of a failed run, and prints how to continue it.
static void salvage(struct run *run, const struct device_info *device, struct outcome *outcome, const char *folder) {
    struct error later;
    const char *path = write_result(run, device, outcome, folder, &later);
    bool shown = path && present(path, (struct shown_with){0}, folder, run->prepared.home, true, &later);
    const char *line = resume_line(run->arena, run->options, folder);
    if (!path) fprintf(stderr, "vkassay: %s\n", later.text);
    fprintf(stderr, "The run ended early. Files written so far:\nResult  %s/" RESULT_FILE "\n", folder);
    if (path) fprintf(stderr, "Report  %s%s\n", shown ? folder : later.text, shown ? "/report.html" : "");
    if (line) fprintf(stderr, "Continue with: %s\n", line);
}

// Notes the coverage in the context. Must run before records are joined or released.
static void note_covered(
    const struct run *run, const struct device_info *device, const struct plan *plan, const struct outcome *outcome) {
    const struct cover_request request = {.plan = plan,
        .device = device,
        .memory_share = run->suite.settings.memory_share,
        .seed = run->options->run.seed,
        .records = outcome->records,
        .record_count = outcome->count};
    size_t count;
    struct json_object *into = json_get(outcome->context, "run");
    if (run->bench->time || run->compile_only || run->exhaustive || !into) return;
    const struct covered *rows = cover_make(run->arena, &request, &count);
    json_put(into, "covered", covered_to_json(rows, count));
}

bool bench_end_device(struct run *run, struct device_run *one, enum status *status, struct error *err) {
    struct outcome *outcome = &one->outcome;
    note_covered(run, one->device, &one->session.plan, outcome);
    known_peaks_keep(run->arena, run, one);
    if (!one->ran) *err = one->err;
    bool ok = one->ran && finish(run, one, status, err);
    if (!one->ran && outcome->context) salvage(run, one->device, outcome, one->folder);
    known_peaks_release(&one->session);
    for (size_t i = 0; i < outcome->count; i++) json_object_put(outcome->records[i]);
    json_object_put(outcome->context);
    arena_free(&one->arena);
    return ok;
}
