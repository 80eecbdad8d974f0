// SPDX-License-Identifier: Apache-2.0
#include "compare_pair.h"

#include "command.h"
#include "prepare.h"
#include "../record/result.h"

#include <stdio.h>
#include <string.h>

static const struct comparison_format {
    const char *name;
    void (*print)(const struct comparison_view *view, FILE *out);
} formats[] = {{"text", render_comparison}, {"markdown", render_comparison_markdown}, {"json", render_comparison_json}};

static const struct comparison_format *format_of(const struct options *options) {
    const char *name = options->format ? options->format : "text";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

void compare_formats(struct text *words) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        text_format(words, "%s%s", i ? " " : "", formats[i].name);
}

bool compare_format_known(const struct options *options, struct error *err) {
    return format_of(options) ||
           error_set(err, STATUS_USAGE, "--format expects text, markdown or json, found '%s'", options->format);
}

bool compare_is_for_programs(const struct options *options) {
    return format_of(options)->print != render_comparison;
}

bool compare_quietly(
    const struct compare_pair *pair, const struct options *options, struct comparison *out, struct error *err) {
    const struct compare_rules rules = {.effect = options->effect,
        .ulp_factor = options->ulp_factor,
        .allow_different = options->allow_different,
        .paired = pair->paired,
        .whole = pair->whole,
        .interleaved = pair->interleaved ? &pair->interleaved->points : NULL};
    return compare_results(pair->base, pair->new, &rules, out, err) ||
           error_prefix(err, "%s and %s: ", pair->base_path, pair->new_path);
}

bool compare_and_print(
    const struct compare_pair *pair, const struct options *options, enum status *status, struct error *err) {
    struct comparison comparison;
    if (!compare_quietly(pair, options, &comparison, err)) return false;
    const struct comparison_view view = {
        &comparison, pair->verb, pair->base_path, pair->new_path, options->strict, pair->interleaved};
    *status = comparison_status(&comparison, options->strict);
    format_of(options)->print(&view, stdout);
    if (compare_is_for_programs(options)) {
        struct text line = {0};
        put_conclusion(&line, &view);
        fputs(text_str(&line), stderr);
        text_free(&line);
    }
    comparison_free(&comparison);
    return true;
}

bool command_compare(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct result_set set;
    if (options->word_count != 2)
        return error_set(err, STATUS_USAGE, "compare: expected two results, the base and the new one, found %zu",
            options->word_count);
    const char *const *paths = options->words;
    if (!compare_format_known(options, err)) return false;
    bool ok = result_set_of(arena, paths, 2, result_read, &set, err);
    if (ok) {
        const struct compare_pair pair = {
            "compare", paths[0], paths[1], &set.results[0], &set.results[1], false, false, NULL};
        ok = compare_and_print(&pair, options, status, err);
    }
    result_set_free(&set);
    return ok;
}
