// SPDX-License-Identifier: Apache-2.0
#include "compare_pair.h"

#include "command.h"

#include <stdio.h>
#include <string.h>

static void print_json(const struct comparison_view *view, FILE *out) {
    struct json_object *object = comparison_to_json(view);
    fprintf(
        out, "%s\n", json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

static const struct comparison_format {
    const char *name;
    void (*print)(const struct comparison_view *view, FILE *out);
} formats[] = {{"text", render_comparison}, {"markdown", render_comparison_markdown}, {"json", print_json}};

static const struct comparison_format *format_of(const struct options *options) {
    const char *name = options->json ? "json" : options->format ? options->format : "text";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

bool compare_format_known(const struct options *options, struct error *err) {
    return format_of(options) ||
           error_set(err, STATUS_USAGE, "--format expects text, markdown or json, found '%s'", options->format);
}

bool compare_is_for_programs(const struct options *options) {
    return format_of(options)->print != render_comparison;
}

static void show(const struct comparison_view *view, const struct options *options) {
    format_of(options)->print(view, stdout);
    if (!compare_is_for_programs(options)) return;
    struct text line = {0};
    put_conclusion(&line, view);
    fputs(text_str(&line), stderr);
    text_free(&line);
}

bool compare_quietly(
    const struct compare_pair *pair, const struct options *options, struct comparison *out, struct error *err) {
    const struct compare_rules rules = {.effect = options->effect,
        .ulp_factor = options->ulp_factor,
        .allow_different = options->allow_different,
        .paired = pair->paired};
    return compare_results(pair->base, pair->new, &rules, out, err) ||
           error_prefix(err, "%s and %s: ", pair->base_path, pair->new_path);
}

int compare_and_print(const struct compare_pair *pair, const struct options *options, struct error *err) {
    struct comparison comparison;
    if (!compare_quietly(pair, options, &comparison, err)) return -1;
    const struct comparison_view view = {
        &comparison, pair->verb, pair->base_path, pair->new_path, options->strict, pair->again};
    int status = (int)comparison_status(&comparison, options->strict);
    show(&view, options);
    comparison_free(&comparison);
    return status;
}

int command_compare(struct arena *arena, const struct options *options, struct error *err) {
    (void)arena;
    struct result base, new;
    if (options->word_count != 2) {
        error_set(err, STATUS_USAGE, "compare: expected two results, the base and the new one, found %zu",
            options->word_count);
        return -1;
    }
    const char *const *paths = options->words;
    if (!compare_format_known(options, err) || !result_read(paths[0], &base, err)) return -1;
    int status = -1;
    if (result_read(paths[1], &new, err)) {
        const struct compare_pair pair = {"compare", paths[0], paths[1], &base, &new, 0, false};
        status = compare_and_print(&pair, options, err);
        result_free(&new);
    }
    result_free(&base);
    return status;
}
