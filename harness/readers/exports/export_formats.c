// SPDX-License-Identifier: Apache-2.0
// The table of export formats, and the writing of files.
#include "export.h"
#include "../../base/file.h"
#include "../../record/result.h"

#include <string.h>
#include <strings.h>

// Other words for formats.
static const struct {
    const char *word, *name;
} format_words[] = {{"xlsx", "csv"}, {"excel", "csv"}, {"md", "markdown"}, {"xml", "junit"}, {"h", "header"}};

// Forms of scripts/exports.py, after other words for them.
static const struct {
    const char *word, *form;
} script_forms[] = {{"sqlite", "sql"}, {"sql", "sql"}, {"prometheus", "openmetrics"}, {"openmetrics", "openmetrics"},
    {"chrome", "trace"}, {"perfetto", "trace"}, {"trace", "trace"}, {"google-benchmark", "gbench"},
    {"gbench", "gbench"}, {"bencher", "bencher"}, {"github-benchmark", "github-benchmark"},
    {"kernel-tuner", "kernel-tuner"}, {"t1", "kernel-tuner"}, {"t4", "t4"}};

static bool refuse_script_form(const char *name, struct error *err) {
    for (size_t i = 0; i < sizeof script_forms / sizeof *script_forms; i++)
        if (strcasecmp(script_forms[i].word, name) == 0)
            return !error_set(err, STATUS_USAGE,
                "a script writes the format %s: `exports.py %s RESULT`, of the folder scripts/ or beside the program",
                script_forms[i].form, script_forms[i].form);
    return false;
}

const struct export_format *export_named(
    const struct export_format *const *formats, const char *name, struct error *err) {
    const char *names[32];
    struct text list = {0};
    size_t count = 0;
    for (; formats[count] && count < sizeof names / sizeof *names; count++) {
        if (strcmp(formats[count]->name, name) == 0) {
            text_free(&list);
            return formats[count];
        }
        text_format(&list, "%s%s", count ? ", " : "", formats[count]->name);
        names[count] = formats[count]->name;
    }
    if (refuse_script_form(name, err)) {
        text_free(&list);
        return NULL;
    }
    const char *near = text_nearest(name, names, count);
    for (size_t i = 0; i < sizeof format_words / sizeof *format_words; i++)
        if (strcasecmp(format_words[i].word, name) == 0) near = format_words[i].name;
    if (near)
        error_set(err, STATUS_USAGE, "no format '%s'; did you mean '%s'?", name, near);
    else
        error_set(err, STATUS_USAGE, "no format '%s'; there are %s", name, text_str(&list));
    text_free(&list);
    return NULL;
}

bool export_put(struct text *out, const struct export_format *format, const struct result *results, size_t count,
    const struct kernels *kernels, struct error *err) {
    return format->put ? format->put(out, results, count, err) : format->put_shaders(out, results, count, kernels, err);
}

bool export_write(const char *path, const struct export_format *format, const struct result *results, size_t count,
    struct error *err) {
    struct file_out *file = file_begin(path, err);
    if (!file) return false;
    struct text text = {.spill = file_spill, .spill_user = file};
    bool ok = export_put(&text, format, results, count, NULL, err);
    file_put(file, text_str(&text), text.length);
    text_free(&text);
    return file_finish(file, ok, err) && ok;
}
